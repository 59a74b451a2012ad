import { type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import { prepare } from '../../platform/postgres/statement.ts';

/** The payable amount in a currency that no settlement has taken. Amounts are in minor units. */
export interface Unsettled {
  currency: string;
  period: number;
  grossMinor: bigint;
  feeMinor: bigint;
  refundMinor: bigint;
  disbursementMinor: bigint;
  itemCount: bigint;
  firstItemAtMs: number | null;
}

/** Reads the unsettled amount and blocks additions to it until the transaction ends. */
export const lockUnsettled = rowQuery<Unsettled, [tenantId: string, currency: string]>({
  name: 'unsettled.lock',
  text: `
SELECT currency, period, gross_minor AS "grossMinor", fee_minor AS "feeMinor",
  refund_minor AS "refundMinor", disbursement_minor AS "disbursementMinor", item_count AS "itemCount",
  first_item_at AS "firstItemAtMs"
FROM unsettled WHERE tenant_id = $1 AND currency = $2
FOR UPDATE`,
});

const nextPeriodStatement = {
  name: 'unsettled.next_period',
  text: `
UPDATE unsettled SET period = period + 1, gross_minor = 0, fee_minor = 0, refund_minor = 0,
  disbursement_minor = 0, item_count = 0, first_item_at = NULL, first_debit_at = NULL, last_run_at = $3
WHERE tenant_id = $1 AND currency = $2`,
};

const closePeriodStatement = {
  name: 'settlement_periods.close',
  text: `
INSERT INTO settlement_periods (tenant_id, currency, period, settlement_id, started_at)
VALUES ($1, $2, $3, NULL, $4)`,
};

const takePeriodsStatement = {
  name: 'settlement_periods.take',
  text: `
UPDATE settlement_periods SET settlement_id = $3
WHERE tenant_id = $1 AND currency = $2 AND settlement_id IS NULL
RETURNING started_at AS "startedAtMs"`,
};

/**
 * Closes the open period and gives it to a settlement, together with periods that an earlier settlement has released.
 * Returns the start of the oldest, in milliseconds.
 */
export async function takePeriods(
  transaction: Queryable,
  tenantId: string,
  unsettled: Unsettled,
  settlementId: string,
  nowMs: number,
): Promise<number> {
  const { currency, period, firstItemAtMs } = unsettled;
  const startedAt = timestamp(firstItemAtMs ?? nowMs);
  await transaction.query(closePeriodStatement, [tenantId, currency, period, startedAt]);
  const values = [tenantId, currency, settlementId];
  const taken = await transaction.query<{ startedAtMs: number }>(takePeriodsStatement, values);
  await transaction.query(nextPeriodStatement, [tenantId, currency, timestamp(nowMs)]);
  return Math.min(...taken.map(({ startedAtMs }) => startedAtMs));
}

/** The periods of a settlement that FAILED are unsettled again. */
export const { run: releasePeriods } = prepare({
  name: 'unsettled.release',
  given: {
    tenantId: 'uuid',
    id: 'uuid',
    currency: 'text',
    grossMinor: 'numeric',
    feeMinor: 'numeric',
    refundMinor: 'numeric',
    disbursementMinor: 'numeric',
    itemCount: 'bigint',
  },
  text: (given) => `
WITH released AS (
  UPDATE settlement_periods SET settlement_id = NULL
  WHERE tenant_id = ${given.tenantId} AND settlement_id = ${given.id}
  RETURNING started_at
)
UPDATE unsettled SET gross_minor = gross_minor + ${given.grossMinor}, fee_minor = fee_minor + ${given.feeMinor},
  refund_minor = refund_minor + ${given.refundMinor},
  disbursement_minor = disbursement_minor + ${given.disbursementMinor}, item_count = item_count + ${given.itemCount},
  first_item_at = least(first_item_at, (SELECT min(started_at) FROM released)),
  first_debit_at = least(first_debit_at, (SELECT min(started_at) FROM released))
WHERE tenant_id = ${given.tenantId} AND currency = ${given.currency}`,
});

const oldestStatement = {
  name: 'unsettled.oldest',
  text: `
SELECT u.currency, s.id IS NOT NULL AS "isOpen"
FROM unsettled u JOIN tenants t ON t.id = u.tenant_id JOIN merchants m ON m.id = t.merchant_id
LEFT JOIN settlements s ON s.tenant_id = u.tenant_id AND s.currency = u.currency
  AND s.status IN ('PENDING', 'PROCESSING')
WHERE u.tenant_id = $1 AND u.gross_minor - u.fee_minor - u.refund_minor - u.disbursement_minor
  > coalesce((m.keep_balances ->> u.currency)::bigint, 0)
ORDER BY s.id IS NOT NULL, u.first_debit_at
LIMIT 1`,
};

/** The currency with the oldest unsettled debit, of those with more than the merchant keeps; currencies without an open settlement first. */
export async function oldestUnsettled(
  database: Queryable,
  tenantId: string,
): Promise<string | undefined> {
  const [row] = await database.query<{ currency: string }>(oldestStatement, [tenantId]);
  return row?.currency;
}

const dueForRunStatement = {
  name: 'unsettled.due_for_run',
  text: `
SELECT u.tenant_id AS "tenantId", u.currency, t.merchant_id AS "merchantId"
FROM unsettled u JOIN tenants t ON t.id = u.tenant_id JOIN merchants m ON m.id = t.merchant_id
JOIN unnest($1::text[], $2::timestamptz[]) AS run (schedule, at) ON run.schedule = m.payout_schedule
WHERE u.item_count > 0 AND u.first_item_at < run.at AND (u.last_run_at IS NULL OR u.last_run_at < run.at)
  AND NOT EXISTS (SELECT FROM settlements s WHERE s.tenant_id = u.tenant_id AND s.currency = u.currency
    AND s.status IN ('PENDING', 'PROCESSING'))
LIMIT $3`,
};

/** The amounts that the latest run of each schedule has to settle, across tenants. */
export function dueForRun(
  database: Queryable,
  runs: readonly { schedule: string; runAtMs: number }[],
  limit: number,
): Promise<{ tenantId: string; merchantId: string; currency: string }[]> {
  const schedules = runs.map(({ schedule }) => schedule);
  const instants = runs.map(({ runAtMs }) => timestamp(runAtMs));
  return database.query(dueForRunStatement, [schedules, instants, limit]);
}

/** Records that a run has looked here, so that amounts that are not positive are not checked all day. */
export const { run: markRun } = prepare({
  name: 'unsettled.mark_run',
  given: { tenantId: 'uuid', currency: 'text', nowMs: 'timestamptz' },
  text: ({ tenantId, currency, nowMs }) =>
    `UPDATE unsettled SET last_run_at = ${nowMs} WHERE tenant_id = ${tenantId} AND currency = ${currency}`,
});
