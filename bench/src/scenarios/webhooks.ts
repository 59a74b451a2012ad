/**
 * `npm run bench -- --webhooks`: how nine hanging endpoints affect a healthy one, and how soon a
 * receiver has everything after an outage.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { callApi, registerEndpoint } from '../gateway/api.ts';
import { type BenchGateway, startGateway } from '../gateway/gateway.ts';
import { createRequest, runLoad } from '../gateway/load.ts';
import { eventIdIn } from '../load/endpoints.ts';
import { startHanging } from '../load/hanging.ts';
import { startReceiver } from '../load/receiver.ts';
import { runSteps } from '../progress.ts';
import { printTable } from '../report/terminal.ts';

const ratePerSecond = 100;
const connections = 64;
/** Longer than an attempt may take, so that the start of the hang and the probes are included. */
const loadSeconds = 25;
const hangingCount = 9;
const limitRatio = 2;

const upSeconds = 3;
const downSeconds = 10;
/** The intervals between attempts reach 30 s while the receiver is down. */
const drainLimitMs = 120_000;

interface Outage {
  events: number;
  /** Deliveries that had failed, but were not abandoned, when the receiver came back. */
  behind: number;
  drainMs: number;
}

export async function benchWebhooks(): Promise<void> {
  let gateway: BenchGateway;
  let aloneMs = Number.NaN;
  let besideMs = Number.NaN;
  let outage: Outage;
  const start = async () => {
    gateway = await startGateway();
    await healthyP99Ms(gateway, 3);
  };
  const alone = async () => {
    aloneMs = await healthyP99Ms(gateway, loadSeconds);
  };
  const beside = async () => {
    const stopHanging = await hangingEndpoints(gateway);
    besideMs = await healthyP99Ms(gateway, loadSeconds);
    await stopHanging();
  };
  const down = async () => {
    outage = await measureOutage(gateway);
    await gateway.stop();
  };
  await runSteps([
    { name: 'a gateway starts, and is warmed up', seconds: 8, run: start },
    { name: 'a healthy endpoint alone', seconds: loadSeconds + 1, run: alone },
    { name: `beside ${hangingCount} that hang`, seconds: loadSeconds + 1, run: beside },
    { name: 'a receiver that is down for a while', seconds: 50, run: down },
  ]);
  report(aloneMs, besideMs, outage!);
}

/** From the scheduled time of a creation to the arrival of its webhook, at a constant rate. */
async function healthyP99Ms({ url, key }: BenchGateway, seconds: number): Promise<number> {
  const requests = [createRequest(key)];
  const job = { address: url, requests, connections, seconds, ratePerSecond, endpoints: 1 };
  const { done, unfinished } = await runLoad(job);
  if (unfinished > 0) throw new Error(`${unfinished} webhooks never arrived`);
  return done.p99Ms;
}

/** Registers endpoints that accept everything and never answer; returns a function that deletes them. */
async function hangingEndpoints(gateway: BenchGateway): Promise<() => Promise<void>> {
  const hanging = await startHanging();
  const ids: string[] = [];
  for (let index = 0; index < hangingCount; index++)
    ids.push(await registerEndpoint(gateway, `${hanging.url}/${index}`));
  return async () => {
    for (const id of ids) await callApi(gateway, 'DELETE', `/v1/webhooks/${id}`);
    hanging.close();
  };
}

async function measureOutage(gateway: BenchGateway): Promise<Outage> {
  const arrived = new Set<string>();
  const onBody = (body: string) => arrived.add(eventIdIn(body));
  const first = await startReceiver(onBody);
  const id = await registerEndpoint(gateway, first.url);
  const seconds = upSeconds + downSeconds + upSeconds;
  const requests = [createRequest(gateway.key)];
  const { url: address } = gateway;
  const load = runLoad({ address, requests, connections, seconds, ratePerSecond, endpoints: 0 });
  await delay(upSeconds * 1_000);
  first.close();
  await delay(downSeconds * 1_000);
  const second = await startReceiver(onBody, Number(new URL(first.url).port));
  const upMs = performance.now();
  const behind = await count(gateway, failedSoFar);
  await load;
  while ((await count(gateway, underWay)) > 0) {
    if (performance.now() - upMs > drainLimitMs) throw new Error('the backlog was not delivered');
    await delay(50);
  }
  const drainMs = performance.now() - upMs;
  const delivered = await count(gateway, deliveredEvents);
  if (delivered !== arrived.size) {
    throw new Error(`${delivered} events were delivered, and ${arrived.size} arrived`);
  }
  second.close();
  await callApi(gateway, 'DELETE', `/v1/webhooks/${id}`);
  return { events: arrived.size, behind, drainMs };
}

const failedSoFar = `
  SELECT count(*) FROM deliveries WHERE status = 'PENDING' AND attempt_count > 0`;

/** Each pending payment will have a delivery. */
const underWay = `
  SELECT (SELECT count(*) FROM deliveries WHERE status = 'PENDING')
    + (SELECT count(*) FROM payments WHERE due_at IS NOT NULL) AS count`;

const deliveredEvents = `
  SELECT count(*) FROM deliveries d
  JOIN webhook_endpoints w ON w.tenant_id = d.tenant_id AND w.id = d.endpoint_id
  WHERE w.deleted_at IS NULL AND d.status = 'SUCCEEDED'`;

async function count({ database }: BenchGateway, text: string): Promise<number> {
  return Number((await database.query<{ count: bigint }>({ text }))[0]!.count);
}

function report(aloneMs: number, besideMs: number, { events, behind, drainMs }: Outage): void {
  const ratio = besideMs / aloneMs;
  console.log('');
  printTable([
    ['p99 of a healthy endpoint alone', `${aloneMs.toFixed(1)} ms`],
    [`p99 beside ${hangingCount} that hang`, `${besideMs.toFixed(1)} ms`],
    [`events at ${ratePerSecond}/s, receiver down for ${downSeconds} s`, String(events)],
    ['of these behind when it came back', String(behind)],
    ['until all had arrived, from when it came back', `${(drainMs / 1_000).toFixed(1)} s`],
  ]);
  console.log(
    `\n  ${ratio <= limitRatio ? '✓' : '✗'} p99 beside at most ${limitRatio} times alone: ${ratio.toFixed(2)}`,
  );
  console.log('  ✓ every event arrived');
}
