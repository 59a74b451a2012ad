/**
 * `npm run bench -- --console`: what people look at all day, for one merchant with 1,000,000 payments, or as many as
 * `PAYMENTS` says: the sums of the home page, lists, the search box, and what a payment's page reads.
 */
import { formatId } from '../../../server/src/ids.ts';
import { listPayments, type PaymentFilter } from '../../../server/src/payments/list.ts';
import { searchPayments } from '../../../server/src/payments/search.ts';
import { findPayment } from '../../../server/src/payments/store.ts';
import type { Database } from '../../../server/src/postgres/database.ts';
import { listRefunds } from '../../../server/src/refunds/store.ts';
import { type Days, readTotals } from '../../../server/src/totals/read.ts';
import { startGateway } from '../gateway/gateway.ts';
import { runSteps } from '../progress.ts';
import { printTable } from '../report/terminal.ts';
import { fillMerchant, historyDays } from './console-data.ts';

const rounds = 200;
const warmUps = 10;
const millionLimitMs = 100;
const largerLimitMs = 200;
/** The dates of a search for an amount hold about as many payments. */
const searchedThrough = 50_000;
const dayMs = 86_400_000;
const page = { limit: 25 };

interface Scene {
  database: Database;
  tenantId: string;
  count: number;
  /** Payments from all over the history. */
  ids: string[];
}

type Operation = [name: string, run: (scene: Scene, turn: number) => Promise<unknown>];

export async function benchConsole(): Promise<void> {
  const count = Number(process.env.PAYMENTS ?? 1_000_000);
  const figures: [name: string, ms: number[]][] = [];
  let scene: Scene | undefined;
  const gateway = await startGateway({ environment: { ZIMBO_ROLE: 'api' } });
  await runSteps([
    {
      name: `filling a merchant with ${count.toLocaleString('en')} payments`,
      seconds: count / 10_000,
      async run(tell) {
        scene = await fill(gateway.database, count, (share) =>
          tell(`${Math.round(100 * share)} %`),
        );
      },
    },
    ...operations.map(([name, run]) => ({
      name,
      seconds: 5,
      run: async () => void figures.push([name, await measure(scene!, run)]),
    })),
  ]);
  await gateway.stop();
  report(figures, count);
}

async function fill(database: Database, count: number, tell: (share: number) => void) {
  const text = `SELECT id FROM tenants WHERE mode = 'test'`;
  const tenantId = (await database.query<{ id: string }>({ text }))[0]!.id;
  await fillMerchant(database, tenantId, count, tell);
  const orders = Array.from({ length: rounds + warmUps }, (_, turn) => `A-${nth(turn, count)}`);
  const found = await database.query<{ id: string }>(
    { text: 'SELECT id FROM payments WHERE tenant_id = $1 AND external_id = ANY ($2::text[])' },
    [tenantId, orders],
  );
  return { database, tenantId, count, ids: found.map(({ id }) => id) };
}

/** Numbers of payments all over the history, in no order that the disk would like. */
const nth = (turn: number, count: number) => 1 + ((turn * 104_729) % count);
const debited = (turn: number, count: number) => {
  const n = nth(turn, count);
  return n - (n % 20) + 10;
};

const home = (days: Days): Operation => [
  `home, ${days === 1 ? 'today' : `${days} days`}`,
  ({ database, tenantId }) =>
    readTotals(database, { tenantId, days, timeZone: 'Atlantic/Cape_Verde', nowMs: Date.now() }),
];

const list = (name: string, filterOf: (scene: Scene, turn: number) => PaymentFilter): Operation => [
  `list of 25: ${name}`,
  (scene, turn) => listPayments(scene.database, scene.tenantId, filterOf(scene, turn), page),
];

const search = (
  name: string,
  typed: (scene: Scene, turn: number) => string,
  mode: 'live' | 'test' = 'live',
  filter: (scene: Scene, turn: number) => PaymentFilter = () => ({}),
): Operation => [
  `search: ${name}`,
  (scene, turn) =>
    searchPayments(
      scene.database,
      { tenantId: scene.tenantId, mode },
      typed(scene, turn),
      filter(scene, turn),
      page,
    ),
];

const phoneOf = (n: number) => `9${String((n * 7_919) % 200_000).padStart(6, '0')}`;

/** Dates that hold about as many payments as may be looked through. */
function dates({ count }: Scene, turn: number) {
  const spanMs = (historyDays * dayMs * searchedThrough) / count;
  const createdUntilMs = Date.now() - (turn % 50) * dayMs;
  return { createdFromMs: createdUntilMs - spanMs, createdUntilMs };
}

const operations: Operation[] = [
  home(1),
  home(7),
  home(30),
  home(90),
  list('all', () => ({})),
  list('FAILED', () => ({ status: 'FAILED' })),
  list('FAILED, EXPIRED or CANCELLED', () => ({ status: ['FAILED', 'EXPIRED', 'CANCELLED'] })),
  list('open', () => ({ status: ['CREATED', 'OPERATOR_PENDING', 'USER_CONFIRMING'] })),
  list('of an operator', () => ({ operator: 'UNITEL_TMAIS' })),
  list('FAILED of an operator, one day', (scene, turn) => ({
    status: 'FAILED',
    operator: 'CVMOVEL',
    createdUntilMs: dates(scene, turn).createdUntilMs,
    createdFromMs: dates(scene, turn).createdUntilMs - dayMs,
  })),
  list('of a phone', ({ count }, turn) => ({ operatorPhone: `+238${phoneOf(nth(turn, count))}` })),
  list('of an amount, between dates', (scene, turn) => ({
    ...dates(scene, turn),
    amountFromMinor: 90_000n,
    amountUntilMinor: 90_100n,
  })),
  search('payment', ({ ids }, turn) => formatId('pi', ids[turn % ids.length]!)),
  search('phone', ({ count }, turn) => phoneOf(nth(turn, count))),
  search('order', ({ count }, turn) => `A-${nth(turn, count)}`),
  search('customer', ({ count }, turn) => `customer ${nth(turn, count) % 100_000}`),
  search("operator's transaction, live", ({ count }, turn) => `TX-${debited(turn, count)}`),
  search("operator's transaction, test", ({ count }, turn) => `TX-${debited(turn, count)}`, 'test'),
  search('nothing is found', (_, turn) => `nothing ${turn}`),
  search('amount between dates', (_, turn) => `${900 + turn},00`, 'live', dates),
  [
    "a payment's page: payment, refunds, postings",
    async ({ database, tenantId, ids }, turn) => {
      const id = ids[turn % ids.length]!;
      const text = 'SELECT * FROM postings WHERE tenant_id = $1 AND source_id = $2';
      await findPayment(database, tenantId, id);
      await listRefunds(database, tenantId, { paymentId: id }, { limit: 100 });
      await database.query({ text }, [tenantId, id]);
    },
  ],
];

async function measure(scene: Scene, run: Operation[1]): Promise<number[]> {
  const ms: number[] = [];
  for (let turn = 0; turn < warmUps + rounds; turn++) {
    const startMs = performance.now();
    await run(scene, turn);
    if (turn >= warmUps) ms.push(performance.now() - startMs);
  }
  return ms.sort((one, other) => one - other);
}

function report(figures: [string, number[]][], count: number): void {
  const limitMs = count > 1_000_000 ? largerLimitMs : millionLimitMs;
  const at = (ms: number[], share: number) => ms[Math.floor(ms.length * share)]!;
  const rows = figures.map(([name, ms]) => {
    const [p50, p95] = [at(ms, 0.5), at(ms, 0.95)];
    return [name, p50.toFixed(1), p95.toFixed(1), p95 <= limitMs ? '✓' : '✗'];
  });
  console.log('');
  printTable([['ms', 'p50', 'p95', `≤ ${limitMs}`], ...rows], true);
}
