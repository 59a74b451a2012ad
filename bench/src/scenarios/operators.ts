/** `npm run bench -- --operators`: how a hanging operator affects the payments of another live operator. */
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../../server/src/platform/process/clock.ts';
import { randomIds } from '../../../server/src/platform/values/ids.ts';
import { createMerchant } from '../../../server/src/tenants/merchants/create-merchant.ts';
import { issueKey } from '../../../server/src/tenants/merchants/keys.ts';
import { SimulatorProcess } from '../../../server/test/operator-torture/simulator-process.ts';
import { freePort } from '../../../server/test/support/free-port.ts';
import { cleanUp } from '../gateway/cleanup.ts';
import { type BenchGateway, startGateway } from '../gateway/gateway.ts';
import { createRequest, runLoad } from '../gateway/load.ts';
import { newDataDir, removeData } from '../gateway/server.ts';
import { keepCommitTimes } from '../gateway/statistics.ts';
import { startHanging } from '../load/hanging.ts';
import type { Latencies } from '../load/job.ts';
import { quantile } from '../load/recorder.ts';
import { runSteps, type Step } from '../progress.ts';
import { writeResult } from '../report/files.ts';
import { formatFigure, formatSpread } from '../report/format.ts';
import { thisMachine } from '../report/machine.ts';
import { spreadOf } from '../report/summary.ts';
import { printTable } from '../report/terminal.ts';

const pairs = 3;
/** For each operator. */
const ratePerSecond = 50;
const connections = 16;
const warmUpSeconds = 6;
/** Longer than a call may take, so that the start of the hang and the retries are included. */
const loadSeconds = 25;
const restLimitMs = 30_000;
const limitRatio = 1.5;

/** The same payments, with the other operator idle, and hanging. */
interface Pair {
  alone: Latencies;
  beside: Latencies;
  ratio: number;
}

interface LiveGateway extends BenchGateway {
  liveKey: string;
}

export async function benchOperators(): Promise<void> {
  const found: Pair[] = [];
  const steps = Array.from({ length: pairs }, (_, index) => stepsOf(index + 1, found));
  await runSteps(steps.flat());
  await report(found);
}

function stepsOf(pair: number, found: Pair[]): Step[] {
  let gateway: LiveGateway;
  let stop: () => Promise<void>;
  let alone: Latencies;
  const start = async () => {
    ({ gateway, stop } = await startPair());
    await debits(gateway, warmUpSeconds);
  };
  const measureAlone = async () => {
    alone = await debits(gateway, loadSeconds);
  };
  const measureBeside = async () => {
    const [beside] = await Promise.all([
      debits(gateway, loadSeconds),
      create(gateway, 'UNITEL_TMAIS', loadSeconds),
    ]);
    found.push({ alone, beside, ratio: beside.p99Ms / alone.p99Ms });
    await stop();
  };
  return [
    { name: `pair ${pair}: a gateway starts, and is warmed up`, seconds: 12, run: start },
    { name: `pair ${pair}: one operator alone`, seconds: loadSeconds + 1, run: measureAlone },
    { name: `pair ${pair}: beside one that hangs`, seconds: loadSeconds + 2, run: measureBeside },
  ];
}

/** A gateway with two live operators: the simulator, whose customers confirm at once, and a hanging one. */
async function startPair(): Promise<{ gateway: LiveGateway; stop: () => Promise<void> }> {
  const dataDir = await newDataDir();
  const simulator = await SimulatorProcess.start({
    'data-dir': join(dataDir, 'operator'),
    'prompt-ms': 0,
    'confirm-ms': 0,
  });
  const hanging = await startHanging();
  const stopOperators = cleanUp(async () => {
    hanging.close();
    await simulator.stop();
    await removeData(dataDir, dataDir);
  });
  const environment = {
    ...simulator.settings,
    OPERATOR_UNITEL_TMAIS_URL: hanging.url,
    OPERATOR_UNITEL_TMAIS_ACCOUNT: 'organisationid@1234',
    OPERATOR_UNITEL_TMAIS_SECRET: 'secret',
    // Callbacks need an address known in advance.
    PORT: String(await freePort()),
    // The other operator's silence is expected.
    LOG_LEVEL: 'fatal',
  };
  const gateway = await startGateway({ environment, tuning: keepCommitTimes });
  const stop = async () => {
    await gateway.stop();
    await stopOperators();
  };
  return { gateway: { ...gateway, liveKey: await liveKeyOf(gateway) }, stop };
}

async function liveKeyOf({ database }: BenchGateway): Promise<string> {
  const dependencies = { database, clock: systemClock, ids: randomIds() };
  const { id: merchantId } = await createMerchant(dependencies, 'Bench');
  return (await issueKey(dependencies, { merchantId, mode: 'live' })).key;
}

/** Creates payments at a constant rate. */
function create({ url, liveKey }: LiveGateway, operator: string, seconds: number) {
  const requests = [createRequest(liveKey, operator)];
  return runLoad({ address: url, requests, connections, seconds, ratePerSecond, endpoints: 0 });
}

/** From the creation of each payment to the commit of its debit, as PostgreSQL records it. */
async function debits(gateway: LiveGateway, seconds: number): Promise<Latencies> {
  const from = new Date();
  await create(gateway, 'CVMOVEL', seconds);
  const deadlineMs = performance.now() + restLimitMs;
  for (;;) {
    const [row] = await gateway.database.query<{ open: bigint; latenciesMs: number[] }>(
      { text: debitsSince },
      [from],
    );
    if (row!.open === 0n) return latenciesOf(row!.latenciesMs);
    if (performance.now() > deadlineMs) throw new Error(`${row!.open} payments were not debited`);
    await delay(100);
  }
}

const debitsSince = `
  SELECT count(*) FILTER (WHERE status <> 'DEBITED') AS open,
    array_agg(extract(epoch FROM pg_xact_commit_timestamp(xmin) - created_at)::float8 * 1000
      ORDER BY pg_xact_commit_timestamp(xmin) - created_at) FILTER (WHERE status = 'DEBITED') AS "latenciesMs"
  FROM payments WHERE operator = 'CVMOVEL' AND created_at >= $1`;

const latenciesOf = (sortedMs: number[]): Latencies => ({
  p50Ms: quantile(sortedMs, 0.5),
  p99Ms: quantile(sortedMs, 0.99),
});

async function report(found: readonly Pair[]): Promise<void> {
  const row = (name: string, of: (pair: Pair) => Latencies) => {
    const cells = (['p50Ms', 'p99Ms'] as const).map((part) => {
      const spread = spreadOf(found.map((pair) => of(pair)[part]));
      return [formatFigure(part, spread.median), formatSpread(part, spread)];
    });
    return [name, ...cells.flat()];
  };
  console.log(`\nFrom the creation to DEBITED, ${ratePerSecond} payments/s of each operator:\n`);
  printTable(
    [
      ['', 'p50', 'range', 'p99', 'range'],
      row('one operator alone', ({ alone }) => alone),
      row('beside one that hangs', ({ beside }) => beside),
    ],
    true,
  );
  const { median, min, max } = spreadOf(found.map(({ ratio }) => ratio));
  const isMet = median <= limitRatio;
  console.log(
    `\n  ${isMet ? '✓' : '✗'} p99 beside at most ${limitRatio} times alone: ${median.toFixed(2)} (${min.toFixed(2)} … ${max.toFixed(2)})`,
  );
  const machine = thisMachine();
  const result = { machine, ratePerSecond, limitRatio, medianRatio: median, pairs: found };
  const text = `${JSON.stringify(result, null, 2)}\n`;
  console.log(`\n  ${await writeResult('operators.json', machine.date, text)}`);
}
