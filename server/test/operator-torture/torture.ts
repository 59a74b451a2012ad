import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { callbackFaults, requestFaults } from '../../../operator-simulator/src/faults.ts';
import { inspectLedger } from '../../src/money/ledger/check.ts';
import { type Database, openDatabase } from '../../src/platform/postgres/database.ts';
import { openEmbeddedDatabase } from '../../src/platform/postgres/embedded/embedded.ts';
import { migrate } from '../../src/platform/postgres/migrations.ts';
import { silentLog } from '../support/database.ts';
import { testKey } from '../support/gateway.ts';
import { seeded } from '../torture/random.ts';
import { brokenPromises, unbookedAndListed } from './check.ts';
import { KilledGateway } from './gateway.ts';
import { leftToPeople, readLedger, unfinished } from './ledger.ts';
import { Load } from './load.ts';
import { SimulatorProcess } from './simulator-process.ts';

export interface OperatorTortureOptions {
  payments: number;
  /** The share of special payments, and of requests and callbacks with faults. */
  disturbed: number;
  /** How often the gateway is killed; every second time, the simulator is too. */
  kills: number;
  seed: number;
  /** How long requests are watched: longer than a queued debit that is confirmed late. */
  watchSeconds: number;
  tell: (line: string) => void;
}

/** A broken promise. */
export class BrokenPromise extends Error {}

/**
 * The time for the last leases, late debits and callbacks, after the watch ends. A callback about a payment that stays
 * open is looked at after 10, 20, 40 and 80 seconds: on a slow machine, the last of these passes after the watch.
 */
const restMarginMs = 240_000;
const pollIntervalMs = 500;

/** The gateway's operator timeout is a second (`gateway.ts`). */
export const simulatorTimes = {
  'prompt-ms': 40,
  'confirm-ms': 160,
  'late-confirm-ms': 16_000,
  'expiry-ms': 20_000,
  'late-callback-ms': 3_000,
  'slow-ms': 1_500,
  'silence-ms': 5_000,
  'client-timeout-ms': 1_000,
  'edge-ms': 40,
  // Longer than until the first query, at the end of the lease.
  'queue-ms': 9_000,
};

/** The operator does not deduplicate. */
export const carelessness = { duplicates: 'again' };

/** @throws BrokenPromise naming the broken promises */
export async function tortureOperators(options: OperatorTortureOptions): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-operator-torture-'));
  const ends: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    await run(options, folder, ends);
  } finally {
    for (const end of ends.reverse()) await end();
  }
}

async function run(
  options: OperatorTortureOptions,
  folder: string,
  ends: (() => Promise<unknown>)[],
): Promise<void> {
  const { disturbed, seed, watchSeconds, tell } = options;
  const dataDir = join(folder, 'gateway');
  const tuning = { fsync: 'off' };
  const embedded = await openEmbeddedDatabase({ dataDir, role: 'command', tuning });
  ends.push(async () => {
    await embedded.close();
    // PostgreSQL's user cannot reach this folder, so as root the data goes elsewhere.
    await rm(embedded.location, { recursive: true, force: true });
  });
  await migrate(embedded.url, { now: new Date() });
  const limits = { maxConnections: 3, statementTimeoutMs: 60_000 };
  const database = openDatabase({ url: embedded.url, log: silentLog, ...limits });
  ends.push(() => database.close());
  const key = await testKey(database, 'live');
  await database.query({ text: 'UPDATE merchants SET disbursements_allowed = true' });
  const simulator = await SimulatorProcess.start({
    ...simulatorTimes,
    ...carelessness,
    'data-dir': join(folder, 'simulator'),
    faults: faultsOf(disturbed),
    seed,
  });
  ends.push(() => simulator.stop());
  const gateway = await KilledGateway.open({
    ...simulator.settings,
    DATABASE_URL: embedded.url,
    DATA_DIR: dataDir,
    ZIMBO_SECRET_KEY: randomBytes(32).toString('base64'),
    PROMPTS_PER_PHONE: 'off',
    DISBURSEMENTS: 'on',
    DISBURSEMENT_FEE_CVMOVEL: '50+100',
    PAYMENT_WATCH_HOURS: (watchSeconds / 3_600).toFixed(6),
  });
  ends.push(() => gateway.kill());
  await gateway.start();
  tell(`an operator that does not deduplicate; faults: ${faultsOf(disturbed)}`);
  const acknowledged = await pay(options, { gateway, simulator, key });
  const limitMs = watchSeconds * 1_000 + restMarginMs;
  await rest({ database, simulator, gateway, tell, limitMs });
  const { totals, faults } = await simulator.totals();
  tell(`payments: ${await endsOf(database, 'payments')}`);
  tell(`disbursements: ${await endsOf(database, 'disbursements')}`);
  tell(`injected faults: ${JSON.stringify(faults)}`);
  tell(`left to people: ${(await leftToPeople(database)).join(', ') || 'nothing'}`);
  const { problems } = await inspectLedger(database);
  const operator = { totals, transactions: await simulator.transactions() };
  const ledger = await readLedger(database);
  const unbooked = unbookedAndListed(ledger, operator.transactions).length;
  tell(`done by the operator, but not booked: ${unbooked}`);
  judge([
    ...gateway.deaths,
    ...problems.map(({ message }) => `the ledger: ${message}`),
    ...brokenPromises(ledger, operator, acknowledged),
  ]);
  tell(`the operator's totals, equal to the ledger: ${JSON.stringify(totals)}`);
}

/** The outcomes of the payments or disbursements: a run with few debits proves little. */
async function endsOf(database: Database, table: 'payments' | 'disbursements'): Promise<string> {
  const rows = await database.query<{ words: string }>({
    text: `SELECT count(*) || ' ' || concat_ws(' ', status, failure_code) AS words
           FROM ${table} GROUP BY status, failure_code ORDER BY count(*) DESC`,
  });
  return rows.map(({ words }) => words).join(', ');
}

/**
 * All faults of requests and callbacks in equal shares. Queueing reveals a gateway that resends;
 * debits of other amounts are only returned.
 */
function faultsOf(disturbed: number): string {
  const equally = (group: object) =>
    Object.keys(group).map((name) => [name, disturbed / Object.keys(group).length] as const);
  const shares = [
    ...equally(requestFaults),
    ['queued', disturbed] as const,
    ['other-amount', disturbed / 5] as const,
    ...equally(callbackFaults),
    ...readable.map((name) => [name, disturbed] as const),
    ...forPeople.map((name) => [name, disturbed / 20] as const),
  ];
  return shares.map(([name, share]) => `${name}=${share.toFixed(4)}`).join(',');
}

/** Faults that the gateway must handle without a person. */
const readable = ['other-word', 'other-notation', 'stray-answer'];
/** Faults that each need a person. */
const forPeople = ['unclear-amount', 'strange-id', 'junk-callbacks', 'repeated-return'];

interface Victims {
  gateway: KilledGateway;
  simulator: SimulatorProcess;
  key: string;
}

/** @returns the ids of the acknowledged payments */
async function pay(
  { payments, disturbed, kills, seed, tell }: OperatorTortureOptions,
  { gateway, simulator, key }: Victims,
): Promise<readonly string[]> {
  const startedMs = performance.now();
  let killing: Promise<void> = Promise.resolve();
  let killed = 0;
  const onAcknowledged = (count: number) => {
    if (killed >= kills || count < ((killed + 1) * payments) / (kills + 1)) return;
    killed += 1;
    const kill = killed;
    killing = killing.then(async () => {
      await gateway.kill();
      await gateway.start();
      const isBoth = kill % 2 === 0;
      if (isBoth) await simulator.restart();
      const who = isBoth ? 'gateway, then simulator' : 'gateway';
      tell(`kill ${kill} of ${kills} (${who}), after ${count} payments`);
    });
  };
  const random = seeded(seed);
  const load = new Load({
    url: gateway.url,
    key,
    random,
    payments,
    disturbed,
    onAcknowledged,
    disburses: true,
  });
  await load.run();
  await killing;
  const seconds = (performance.now() - startedMs) / 1_000;
  const { acknowledged, refused } = load;
  tell(`${acknowledged.length} payments acknowledged in ${seconds.toFixed(0)} s`);
  judge(refused);
  return acknowledged;
}

interface Rest {
  database: Database;
  simulator: SimulatorProcess;
  gateway: KilledGateway;
  tell: (line: string) => void;
  limitMs: number;
}

/** Waits until nothing is in flight on either side. @throws BrokenPromise on a timeout */
export async function rest({ database, simulator, gateway, tell, limitMs }: Rest): Promise<void> {
  const startedMs = performance.now();
  for (;;) {
    // The operator first: what ends there meanwhile is unfinished here.
    const { totals, openCallbacks, refusedCallbacks } = await simulator.totals();
    const left = await unfinished(database);
    const awaited = openCallbacks - refusedCallbacks;
    const pending = totals.reduce((sum, one) => sum + one.pending + one.succeedingLate, 0);
    if (awaited > 0) left.push(`${awaited} callbacks are on their way`);
    if (pending > 0) left.push(`${pending} requests are pending at the operator`);
    if (left.length === 0) break;
    judge(gateway.deaths);
    const isOver = performance.now() - startedMs > limitMs;
    if (isOver) {
      if (awaited > 0) left.push(...(await refusedOf(simulator)));
      judge(left.map((words) => `after ${limitMs / 1_000} s, not ended: ${words}`));
    }
    await delay(pollIntervalMs);
  }
  tell(`at rest after ${((performance.now() - startedMs) / 1_000).toFixed(0)} s`);
}

/** Callbacks that were sent but not accepted. */
async function refusedOf(simulator: SimulatorProcess): Promise<string[]> {
  const callbacks = await simulator.callbacks();
  return callbacks
    .filter(({ lastAnswer }) => !/^(2\d\d|429)$/.test(lastAnswer))
    .map(({ correlationId, told, attempts, lastAnswer }) => {
      const what = `the callback of ${correlationId} that reported the ${told}`;
      return `${what} was answered ${lastAnswer}, ${attempts} times sent`;
    });
}

/**
 * One example of each kind with its count, so that hundreds of one kind do not hide others. @throws
 * BrokenPromise if there are any
 */
export function judge(broken: readonly string[]): void {
  if (broken.length === 0) return;
  const kinds = Map.groupBy(broken, (words) => words.replace(/\S*\d\S*/g, '…'));
  const shown = [...kinds.values()].map((same) => {
    const more = same.length > 1 ? ` (and ${same.length - 1} more of that kind)` : '';
    return `  ${same[0]}${more}`;
  });
  throw new BrokenPromise([`${broken.length} promises are broken:`, ...shown].join('\n'));
}
