import { appendPostings, postingRows } from '../../src/money/ledger/append.ts';
import {
  debitPostings,
  type Posting,
  payoutPostings,
  returnPosting,
} from '../../src/money/ledger/postings.ts';
import { recountTotals } from '../../src/money/totals/check.ts';
import { feeOf } from '../../src/platform/values/fee.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import type { TestConsole } from '../support/console.ts';
import { type Random, seeded } from '../torture/random.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
/** Cape Verde is an hour behind Greenwich, all year round. */
const behindMs = hourMs;
const days = 90;
const fee = { basisPoints: 200, fixedMinor: 0n };
const ids = randomIds();

export const products = [
  ['Cachupa rica', 45_000],
  ['Pastel com diabo dentro', 6_000],
  ['Sumo de tamarindo', 15_000],
  ['Café do Fogo, 250 g', 65_000],
  ['Doce de papaia', 30_000],
] as const;

/** A past payment in the form of the tables. */
interface Past {
  id: string;
  status: 'SETTLED' | 'DEBITED' | 'FAILED' | 'EXPIRED' | 'CANCELLED' | 'REFUNDED';
  amount: number;
  operator: 'CVMOVEL' | 'UNITEL_TMAIS';
  phone: string;
  failure: string | null;
  order: string | null;
  createdAtMs: number;
  endedAtMs: number;
}

/**
 * Gives the shop a name, products, and 90 days of payments, refunds and nightly payouts. The random
 * numbers repeat; only the current day's progress is real.
 */
export async function furnish({ gateway, merchantId }: TestConsole): Promise<void> {
  const { database, zimbo } = gateway;
  await database.query({ text: 'UPDATE merchants SET name = $1' }, ['Sabores da Achada']);
  for (const [name, price] of products) await zimbo.products.create({ name, price });
  const text = `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'test'`;
  const [tenant] = await database.query<{ id: string }>({ text }, [merchantId]);
  const world = { database, tenantId: tenant!.id, merchantId };
  const nowMs = Date.now();
  const todayMs = Math.floor((nowMs - behindMs) / dayMs) * dayMs + behindMs;
  const random = seeded(14);
  for (let ago = days; ago >= 0; ago--) {
    const startMs = todayMs - ago * dayMs;
    const payments = dayOf(random, startMs, ago).filter(
      ({ endedAtMs }) => endedAtMs < nowMs - 120_000,
    );
    await keep(world, payments);
    if (ago > 0) await payOut(world, startMs + dayMs + 2 * hourMs);
  }
  await recountTotals(database);
}

/** More on Fridays and Saturdays, few on Sundays, and a little more each week. */
function dayOf(random: Random, startMs: number, ago: number): Past[] {
  const weekday = new Date(startMs).getUTCDay();
  const usual = [7, 16, 17, 18, 20, 27, 25][weekday]!;
  const count = Math.round(usual * (1.25 - ago / 200)) + random.below(6);
  const hours = [8, 9, 10, 11, 12, 12, 13, 13, 14, 16, 17, 18, 18, 19, 19, 20];
  return Array.from({ length: count }, () =>
    past(random, startMs + random.pick(hours) * hourMs + random.below(hourMs), ago),
  ).sort((one, other) => one.createdAtMs - other.createdAtMs);
}

function past(random: Random, createdAtMs: number, ago: number): Past {
  const outcome = random.weighted([
    [90, ago > 0 ? 'SETTLED' : 'DEBITED'],
    [6, 'FAILED'],
    [2, 'EXPIRED'],
    [1, 'CANCELLED'],
    [1, 'REFUNDED'],
  ] as const);
  const tookMs =
    outcome === 'EXPIRED' ? 300_000 : 6_000 + random.below(14_000) + random.below(9_000);
  const items = [0, 1, 2]
    .slice(random.below(3))
    .map(() => random.pick(products)[1] * (1 + random.below(2)));
  return {
    id: ids.next(createdAtMs),
    status: outcome,
    amount: items.reduce((sum, each) => sum + each, 0),
    operator: random.weighted([
      [6, 'CVMOVEL'],
      [4, 'UNITEL_TMAIS'],
    ]),
    // Nobody has a number that begins with 96.
    phone: `+23896${10_000 + random.below(89_999)}`,
    failure:
      outcome === 'FAILED'
        ? random.weighted([
            [5, 'INSUFFICIENT_FUNDS'],
            [3, 'PAYER_DECLINED'],
            [2, 'PAYER_UNREACHABLE'],
          ])
        : null,
    order: random.chance(0.3) ? `ENC-${1_000 + random.below(8_999)}` : null,
    createdAtMs,
    endedAtMs: createdAtMs + tookMs,
  };
}

interface World {
  database: TestConsole['gateway']['database'];
  tenantId: string;
  merchantId: string;
}

const insertPayments = `
INSERT INTO payments (tenant_id, id, version, status, amount_minor, fee_minor, currency, operator, operator_phone,
  operator_tx_id, failure_code, external_id, ask_count, sent_at, expires_at, created_at, updated_at,
  refund_reserved_minor, refunded_minor, rendering)
SELECT $1, id, 4, status, amount, fee, 'CVE', operator, phone, transaction, failure, "order", 0, created_at,
  created_at + INTERVAL '5 minutes', created_at, ended_at, refunded, refunded, 2
FROM jsonb_to_recordset($2::jsonb) AS given (id uuid, status text, amount bigint, fee bigint, operator text,
  phone text, transaction text, failure text, "order" text, created_at timestamptz, ended_at timestamptz, refunded bigint)`;

const insertRefunds = `
INSERT INTO refunds (tenant_id, id, payment_id, version, status, amount_minor, currency, operator, operator_tx_id,
  operator_refund_id, reason, ask_count, created_at, updated_at)
SELECT $1, refund, id, 3, 'SUCCEEDED', amount, 'CVE', operator, transaction, transaction || 'R', 'Prato esgotado', 0,
  ended_at + INTERVAL '20 minutes', ended_at + INTERVAL '20 minutes'
FROM jsonb_to_recordset($2::jsonb) AS given (id uuid, refund uuid, amount bigint, operator text, transaction text,
  ended_at timestamptz)`;

async function keep({ database, tenantId }: World, payments: Past[]): Promise<void> {
  const at = (ms: number) => new Date(ms).toISOString();
  const rows = payments.map((payment) => {
    const isPaid = payment.failure === null && !['EXPIRED', 'CANCELLED'].includes(payment.status);
    return {
      ...payment,
      refund: ids.next(payment.endedAtMs + 1_200_000),
      fee: Number(feeOf(BigInt(payment.amount), fee)),
      transaction: isPaid ? `SIM${payment.id.replaceAll('-', '').slice(-12).toUpperCase()}` : null,
      refunded: payment.status === 'REFUNDED' ? payment.amount : 0,
      created_at: at(payment.createdAtMs),
      ended_at: at(payment.endedAtMs),
    };
  });
  const refunded = rows.filter(({ status }) => status === 'REFUNDED');
  await database.query({ text: insertPayments }, [tenantId, JSON.stringify(rows)]);
  await database.query({ text: insertRefunds }, [tenantId, JSON.stringify(refunded)]);
  const postings = rows.flatMap((row): Posting[] => {
    if (row.transaction === null) return [];
    const { operator, refund, endedAtMs } = row;
    const common = { tenantId, operator, currency: 'CVE', amountMinor: BigInt(row.amount) };
    const debit = debitPostings({ ...common, id: row.id, feeMinor: BigInt(row.fee) }, endedAtMs);
    if (row.status !== 'REFUNDED') return debit;
    const back = (kind: 'refund_out' | 'refund_done') =>
      returnPosting({ ...common, id: refund }, kind, endedAtMs + 1_200_000);
    return [...debit, back('refund_out'), back('refund_done')];
  });
  await book({ database }, postings);
}

async function book({ database }: Pick<World, 'database'>, postings: Posting[]): Promise<void> {
  if (postings.length === 0) return;
  const text = `WITH new_posting AS (SELECT * FROM ${postingRows.sql(1)}), ${appendPostings} SELECT`;
  await database.query({ text }, postingRows.values(postings));
}

/** Like the daily run: all payable money becomes a settlement, and goes to the bank. */
async function payOut({ database, tenantId, merchantId }: World, atMs: number): Promise<void> {
  const id = ids.next(atMs);
  const text = `
WITH cut AS (SELECT * FROM unsettled WHERE tenant_id = $1 AND gross_minor > 0),
taken AS (
  INSERT INTO settlement_periods (tenant_id, currency, period, settlement_id, started_at)
  SELECT tenant_id, currency, period, $2, first_item_at FROM cut
),
opened AS (
  UPDATE unsettled u SET period = u.period + 1, gross_minor = 0, fee_minor = 0, refund_minor = 0, item_count = 0,
    first_item_at = NULL, first_debit_at = NULL, last_run_at = now()
  FROM cut WHERE u.tenant_id = cut.tenant_id AND u.currency = cut.currency
)
INSERT INTO settlements (tenant_id, id, version, merchant_id, status, currency, gross_minor, fee_minor, refund_minor,
  net_minor, item_count, period_start, period_end, told_period, created_at, processed_at, completed_at)
SELECT tenant_id, $2, 3, $3, 'COMPLETED', currency, gross_minor, fee_minor, refund_minor,
  gross_minor - fee_minor - refund_minor, item_count, first_item_at, $4, period, $4, $4, $4
FROM cut RETURNING net_minor AS "netMinor"`;
  const values = [tenantId, id, merchantId, new Date(atMs).toISOString()];
  const [made] = await database.query<{ netMinor: string }>({ text }, values);
  if (!made) return;
  const payout = { tenantId, id, currency: 'CVE', netMinor: BigInt(made.netMinor) };
  const postings = (['payout_out', 'payout_done'] as const).flatMap((kind) =>
    payoutPostings(payout, kind, atMs),
  );
  await book({ database }, postings);
}
