/** `npm run bench -- --cells`: what the merchants of two cells feel when the database of a third is frozen, or gone. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { openDatabase } from '../../../server/src/platform/postgres/database.ts';
import { migrate } from '../../../server/src/platform/postgres/migrations.ts';
import { withSchema } from '../../../server/src/platform/postgres/url-options.ts';
import { systemClock } from '../../../server/src/platform/process/clock.ts';
import { createSecretBox } from '../../../server/src/platform/secrets/secret-box.ts';
import { randomIds } from '../../../server/src/platform/values/ids.ts';
import { makeCreateCell } from '../../../server/src/tenants/cells/create.ts';
import { type BenchGateway, startGatewayOn } from '../gateway/gateway.ts';
import { createRequest, runLoad } from '../gateway/load.ts';
import { makeTenants } from '../gateway/rows.ts';
import { type BenchServer, startServer } from '../gateway/server.ts';
import type { Latencies } from '../load/job.ts';
import { runSteps, type Step } from '../progress.ts';
import { writeResult } from '../report/files.ts';
import { formatFigure, formatSpread } from '../report/format.ts';
import { thisMachine } from '../report/machine.ts';
import { spreadOf } from '../report/summary.ts';
import { printTable } from '../report/terminal.ts';

const rounds = 3;
/** Of each of the two cells: whole lives, from the creation to the webhook. */
const ratePerSecond = 30;
const connections = 8;
const loadSeconds = 20;
const warmUpSeconds = 5;
/** Clients of the third cell who send on and on, whatever they hear. */
const clientsOfThird = 8;
const limitRatio = 1.5;
const log = pino({ level: 'silent' });

type Phase = 'alone' | 'frozen' | 'aloneAgain' | 'gone';
type Round = Record<Phase, Latencies>;

interface World {
  gateway: BenchGateway;
  servers: BenchServer[];
  keys: Record<'home' | 'north' | 'south', string>;
}

export async function benchCells(): Promise<void> {
  const found: Round[] = [];
  const steps = Array.from({ length: rounds }, (_, index) => stepsOf(index + 1, found));
  await runSteps(steps.flat());
  await report(found);
}

function stepsOf(round: number, found: Round[]): Step[] {
  let world: World;
  const latencies: Partial<Round> = {};
  const step = (name: string, seconds: number, run: () => Promise<void>): Step => ({
    name: `round ${round}: ${name}`,
    seconds,
    run,
  });
  const measure = (phase: Phase, isAsked: boolean) => async () => {
    const south = isAsked ? pester(world) : undefined;
    latencies[phase] = await lives(world, loadSeconds);
    await south?.end();
  };
  const seconds = loadSeconds + 1;
  return [
    step('three PostgreSQLs and a gateway start, and are warmed up', 20, async () => {
      world = await startWorld();
      await lives(world, warmUpSeconds);
    }),
    step('two cells alone', seconds, measure('alone', false)),
    step('the third is frozen', seconds, async () => {
      const frozen = signalAll(world.servers[2]!, 'SIGSTOP');
      await measure('frozen', true)();
      for (const id of frozen) process.kill(id, 'SIGCONT');
    }),
    step('two cells alone again', seconds, measure('aloneAgain', false)),
    step('the third is gone', seconds + 5, async () => {
      process.kill(world.servers[2]!.postgresId, 'SIGQUIT');
      await measure('gone', true)();
      found.push(latencies as Round);
      await world.gateway.stop();
      for (const server of world.servers) await server.stop().catch(() => {});
    }),
  ];
}

/** To all processes of a PostgreSQL, each of which is a session of its own. @returns which they are */
function signalAll({ postgresId }: BenchServer, signal: NodeJS.Signals): number[] {
  // The one above the others first, so that it starts no more of them.
  process.kill(postgresId, signal);
  const children = readFileSync(`/proc/${postgresId}/task/${postgresId}/children`, 'utf8');
  const ids = children.trim().split(' ').map(Number);
  for (const id of ids) process.kill(id, signal);
  return [postgresId, ...ids];
}

/** The home and two cells, each on a server of its own. */
async function startWorld(): Promise<World> {
  const servers = [];
  for (let index = 0; index < 3; index++) servers.push(await startServer({ byTcp: true }));
  const [home, north, south] = servers as [BenchServer, BenchServer, BenchServer];
  const secretKey = randomBytes(32);
  await migrate(home.url, { now: new Date() });
  await makeCells(home.url, secretKey, { north: north.url, south: south.url });
  const gateway = await startGatewayOn(home, {
    ZIMBO_SECRET_KEY: secretKey.toString('base64'),
    // That the third does not answer is no news here.
    LOG_LEVEL: 'fatal',
  });
  const keys = {
    home: gateway.key,
    north: await keyIn(withSchema(north.url, 'north')),
    south: await keyIn(withSchema(south.url, 'south')),
  };
  return { gateway, servers, keys };
}

async function makeCells(
  homeUrl: string,
  secretKey: Buffer,
  urls: Record<string, string>,
): Promise<void> {
  const database = openDatabase({ url: homeUrl, log, maxConnections: 2 });
  const create = makeCreateCell({
    database,
    homeUrl,
    secrets: createSecretBox(secretKey),
    log,
    clock: systemClock,
    ids: randomIds(),
    actor: 'cli:bench',
    origin: 'bench',
  });
  for (const [name, databaseUrl] of Object.entries(urls))
    await create({ name, engine: 'POSTGRESQL', schemaName: name, databaseUrl });
  await database.close();
}

async function keyIn(url: string): Promise<string> {
  const database = openDatabase({ url, log, maxConnections: 1 });
  const [key] = await makeTenants(database, 1);
  await database.close();
  return key!;
}

/** From the creation of each payment to its webhook, at a constant rate in each: of the cell that is worse. */
async function lives({ gateway, keys }: World, seconds: number): Promise<Latencies> {
  const both = await Promise.all(
    [keys.home, keys.north].map((key) => livesOf(gateway, key, seconds)),
  );
  return {
    p50Ms: Math.max(...both.map(({ p50Ms }) => p50Ms)),
    p99Ms: Math.max(...both.map(({ p99Ms }) => p99Ms)),
  };
}

async function livesOf({ url }: BenchGateway, key: string, seconds: number): Promise<Latencies> {
  const requests = [createRequest(key)];
  const rate = { connections, seconds, ratePerSecond };
  const { done, unfinished } = await runLoad({ address: url, requests, ...rate, endpoints: 1 });
  if (unfinished > 0) throw new Error(`${unfinished} webhooks never arrived`);
  return done;
}

/** Clients of the third cell, each of whom sends its next request when the last was answered, however that was. */
function pester({ gateway, keys }: World) {
  const { path, body } = createRequest(keys.south);
  const headers = { authorization: `Bearer ${keys.south}`, 'content-type': 'application/json' };
  let isOver = false;
  const one = async () => {
    while (!isOver) {
      await fetch(gateway.url + path, { method: 'POST', headers, body: body! })
        .then((answer) => answer.arrayBuffer())
        .catch(() => {});
      await delay(200);
    }
  };
  const all = Promise.all(Array.from({ length: clientsOfThird }, one));
  const end = async () => {
    isOver = true;
    await all;
  };
  return { end };
}

/** Before and between what is compared with it, since a machine is not the same from minute to minute. */
const aloneP99Ms = ({ alone, aloneAgain }: Round) => (alone.p99Ms + aloneAgain.p99Ms) / 2;

const names: Record<Phase, string> = {
  alone: 'two cells alone',
  frozen: 'beside a third whose database is frozen',
  aloneAgain: 'two cells alone again',
  gone: 'beside a third whose database is gone',
};

async function report(found: readonly Round[]): Promise<void> {
  console.log(
    `\nFrom the creation to the webhook, ${ratePerSecond} payments/s of each of two cells, the slower of them:\n`,
  );
  const row = (phase: Phase) => {
    const cells = (['p50Ms', 'p99Ms'] as const).map((part) => {
      const spread = spreadOf(found.map((round) => round[phase][part]));
      return [formatFigure(part, spread.median), formatSpread(part, spread)];
    });
    return [names[phase], ...cells.flat()];
  };
  const phases = Object.keys(names) as Phase[];
  printTable([['', 'p50', 'range', 'p99', 'range'], ...phases.map(row)], true);
  const ratios = (['frozen', 'gone'] as const).map((phase) => {
    const spread = spreadOf(found.map((round) => round[phase].p99Ms / aloneP99Ms(round)));
    const holds = spread.median <= limitRatio;
    console.log(
      `\n  ${holds ? '✓' : '✗'} p99 ${names[phase]} at most ${limitRatio} times alone: ${spread.median.toFixed(2)} (${spread.min.toFixed(2)} … ${spread.max.toFixed(2)})`,
    );
    return [phase, spread.median] as const;
  });
  const machine = thisMachine();
  const result = { machine, ratePerSecond, limitRatio, ratios: Object.fromEntries(ratios), found };
  const text = `${JSON.stringify(result, null, 2)}\n`;
  console.log(`\n  ${await writeResult('cells.json', machine.date, text)}`);
}
