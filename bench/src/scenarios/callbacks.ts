/**
 * `npm run bench -- --callbacks`: the time from the operator's callback about a debit to the
 * arrival of `payment.debited` at the merchant.
 */
import { cpus } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { systemClock } from '../../../server/src/platform/process/clock.ts';
import { parseId, randomIds } from '../../../server/src/platform/values/ids.ts';
import { createMerchant } from '../../../server/src/tenants/merchants/create-merchant.ts';
import { issueKey } from '../../../server/src/tenants/merchants/keys.ts';
import { SimulatorProcess } from '../../../server/test/operator-torture/simulator-process.ts';
import { freePort } from '../../../server/test/support/free-port.ts';
import { cleanUp } from '../gateway/cleanup.ts';
import { type BenchGateway, startGateway } from '../gateway/gateway.ts';
import { createRequest, runLoad } from '../gateway/load.ts';
import { newDataDir, removeData } from '../gateway/server.ts';
import type { Latencies } from '../load/job.ts';
import { quantile } from '../load/recorder.ts';
import { startSecureReceiver } from '../load/secure-receiver.ts';
import { runSteps, type Step } from '../progress.ts';
import { writeResult } from '../report/files.ts';
import { formatFigure, formatSpread } from '../report/format.ts';
import { thisMachine } from '../report/machine.ts';
import { spreadOf } from '../report/summary.ts';
import { printTable } from '../report/terminal.ts';

const runs = 5;
const ratePerSecond = 20;
const connections = 4;
const warmUpSeconds = 5;
const loadSeconds = 40;
const restLimitMs = 30_000;
/** The operator's answer time; its customers confirm after four times as long. */
const answerMs = 50;
const confirmMs = 200;

/** One run: its latencies, the number of payments, and the idle share of the machine. */
interface Run extends Latencies {
  payments: number;
  /** Never received, or received before the callback was sent. */
  unmeasured: number;
  /** The share of the machine's processors that nothing used, the bench included. */
  idleShare: number;
}

interface Line {
  gateway: BenchGateway;
  simulator: SimulatorProcess;
  liveKey: string;
  /** When each `payment.debited` arrived, by the payment's UUID, in milliseconds since 1970. */
  arrivedMs: Map<string, number>;
  stop(): Promise<void>;
}

export async function benchCallbacks(): Promise<void> {
  const found: Run[] = [];
  const steps = Array.from({ length: runs }, (_, index) => stepsOf(index + 1, found));
  await runSteps(steps.flat());
  await report(found);
}

/** Each run has its own gateway and database. */
function stepsOf(run: number, found: Run[]): Step[] {
  let line: Line;
  const start = async () => {
    line = await startLine();
    await pay(line, warmUpSeconds);
  };
  const measure = async () => {
    line.arrivedMs.clear();
    const before = processorTimes();
    const sent = await pay(line, loadSeconds);
    const after = processorTimes();
    const idleShare = (after.idle - before.idle) / (after.all - before.all);
    found.push({ ...(await latenciesOf(line, sent)), idleShare });
    await line.stop();
  };
  return [
    { name: `run ${run}: a gateway starts, and is warmed up`, seconds: 13, run: start },
    { name: `run ${run}: callbacks`, seconds: loadSeconds + 3, run: measure },
  ];
}

async function startLine(): Promise<Line> {
  const dataDir = await newDataDir();
  const simulator = await SimulatorProcess.start({
    'data-dir': join(dataDir, 'operator'),
    'answer-ms': answerMs,
    'prompt-ms': 0,
    'confirm-ms': confirmMs,
  });
  const arrivedMs = new Map<string, number>();
  const receiver = await startSecureReceiver(dataDir, (body) => {
    const [, id] = /"id":"(pi_\w+)"/.exec(body) ?? [];
    const uuid = id && parseId('pi', id);
    if (uuid) arrivedMs.set(uuid, performance.timeOrigin + performance.now());
  });
  const stopOthers = cleanUp(async () => {
    receiver.close();
    await simulator.stop();
    await removeData(dataDir, dataDir);
  });
  const environment = {
    ...simulator.settings,
    // Callbacks need an address known in advance.
    PORT: String(await freePort()),
    WEBHOOK_ALLOW_PRIVATE: 'true',
    NODE_EXTRA_CA_CERTS: receiver.certificateFile,
  };
  const gateway = await startGateway({ environment });
  const liveKey = await liveKeyOf(gateway);
  await subscribe(gateway, liveKey, receiver.url);
  const stop = async () => {
    await gateway.stop();
    await stopOthers();
  };
  return { gateway, simulator, liveKey, arrivedMs, stop };
}

async function liveKeyOf({ database }: BenchGateway): Promise<string> {
  const dependencies = { database, clock: systemClock, ids: randomIds() };
  const { id: merchantId } = await createMerchant(dependencies, 'Bench');
  return (await issueKey(dependencies, { merchantId, mode: 'live' })).key;
}

async function subscribe(gateway: BenchGateway, key: string, url: string): Promise<void> {
  const answer = await fetch(`${gateway.url}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['payment.debited'] }),
  });
  if (!answer.ok) throw new Error(`no webhook endpoint: ${await answer.text()}`);
}

/** Creates payments at a constant rate, and waits for all events. @returns their number */
async function pay({ gateway, liveKey, arrivedMs }: Line, seconds: number): Promise<number> {
  const { url: address } = gateway;
  const requests = [createRequest(liveKey, 'CVMOVEL')];
  await runLoad({ address, requests, connections, seconds, ratePerSecond, endpoints: 0 });
  const sent = seconds * ratePerSecond;
  const deadlineMs = performance.now() + restLimitMs;
  while (arrivedMs.size < sent) {
    if (performance.now() > deadlineMs) break;
    await delay(50);
  }
  return sent;
}

/** The simulator records when it first sent each callback, on the same clock of this machine. */
async function latenciesOf({ simulator, arrivedMs }: Line, payments: number) {
  const latenciesMs: number[] = [];
  for (const { correlationId, sentAtMs } of await simulator.callbacks()) {
    const atMs = arrivedMs.get(correlationId);
    if (atMs !== undefined && atMs >= sentAtMs) latenciesMs.push(atMs - sentAtMs);
  }
  latenciesMs.sort((one, other) => one - other);
  return {
    p50Ms: quantile(latenciesMs, 0.5),
    p99Ms: quantile(latenciesMs, 0.99),
    payments: latenciesMs.length,
    unmeasured: payments - latenciesMs.length,
  };
}

/** Of all processors since boot. */
function processorTimes(): { idle: number; all: number } {
  const times = cpus().map((processor) => processor.times);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  return {
    idle: sum(times.map(({ idle }) => idle)),
    all: sum(times.flatMap((one) => Object.values(one))),
  };
}

async function report(found: readonly Run[]): Promise<void> {
  const spread = (part: 'p50Ms' | 'p99Ms') => spreadOf(found.map((run) => run[part]));
  console.log(
    `\nFrom the operator's callback to payment.debited, ${ratePerSecond} payments/s, an operator that answers in ${answerMs} ms:\n`,
  );
  const rows = found.map((run, index) => [
    `run ${index + 1}`,
    formatFigure('p50Ms', run.p50Ms),
    formatFigure('p99Ms', run.p99Ms),
    String(run.payments),
    String(run.unmeasured),
    `${Math.round(run.idleShare * 100)} %`,
  ]);
  const cell = (part: 'p50Ms' | 'p99Ms') => formatFigure(part, spread(part).median);
  printTable(
    [
      ['', 'p50', 'p99', 'payments', 'not measured', 'idle processors'],
      ...rows,
      ['median', cell('p50Ms'), cell('p99Ms'), '', '', ''],
    ],
    true,
  );
  console.log(
    `\n  p50 ${formatSpread('p50Ms', spread('p50Ms'))}, p99 ${formatSpread('p99Ms', spread('p99Ms'))}`,
  );
  const machine = thisMachine();
  const result = { machine, ratePerSecond, answerMs, confirmMs, runs: found };
  const text = `${JSON.stringify(result, null, 2)}\n`;
  console.log(`\n  ${await writeResult('callbacks.json', machine.date, text)}`);
}
