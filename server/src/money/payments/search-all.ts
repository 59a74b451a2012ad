import type { Queryable } from '../../platform/postgres/database.ts';
import { rowQuery, rowsQuery } from '../../platform/postgres/query.ts';
import { firstUuidAt } from '../../platform/values/ids.ts';
import { bookedAnywhere, casesOf } from './find-by-transaction.ts';
import type { Payment } from './payment.ts';
import { hasEndOfId, mostSearched } from './scan-limit.ts';
import { paymentColumns } from './store.ts';

/** A payment with its owner: for the gateway's staff, who do not know the tenant. */
export type OwnedPayment = Payment & Owner;

export interface Owner {
  merchantId: string;
  mode: 'live' | 'test';
}

/** By id alone, across tenants: along the key of each in turn, since no index is by the id alone. */
export const findAnyPayment = rowQuery<OwnedPayment, [id: string]>({
  name: 'payments.find_any',
  text: `
SELECT found.*, t.merchant_id AS "merchantId", t.mode
FROM tenants t CROSS JOIN LATERAL (
  SELECT ${paymentColumns} FROM payments WHERE tenant_id = t.id AND id = $1 LIMIT 1
) AS found
LIMIT 1`,
});

/** The payment with this id, or those of the checkout session, refund or returned debit that has it. */
export function findAnyNamed(database: Queryable, id: string): Promise<OwnedPayment[]> {
  const most = 100;
  const where = (condition: string) =>
    `(SELECT ${paymentColumns} FROM payments WHERE tenant_id = t.id AND ${condition} LIMIT ${most})`;
  const returned = ['refunds', 'reversals'].map((table) =>
    where(`id = ANY (ARRAY (SELECT payment_id FROM ${table} WHERE tenant_id = t.id AND id = $1))`),
  );
  const parts = [where('id = $1'), where('checkout_session_id = $1'), ...returned];
  const text = `
SELECT found.*, t.merchant_id AS "merchantId", t.mode
FROM tenants t CROSS JOIN LATERAL (${parts.join(' UNION ALL ')}) AS found
ORDER BY found.id DESC LIMIT ${most}`;
  return database.query<OwnedPayment>({ text }, [id]);
}

/** What payments of any tenant are found by, besides ids and operators' transactions. */
export interface NamedBy {
  /** In stored form; empty for readers who see no phones. */
  phones: readonly string[];
  /** An order or a customer. */
  reference: string;
}

/** The newest payments of these phones, this order or this customer, across tenants. */
export function findByName(
  database: Queryable,
  { phones, reference }: NamedBy,
): Promise<OwnedPayment[]> {
  const most = 100;
  const parts = ['operator_phone = ANY ($1)', 'external_id = $2', 'customer_id = $2'].map(
    (condition) =>
      `(SELECT id FROM payments WHERE tenant_id = t.id AND ${condition} ORDER BY id DESC LIMIT ${most})`,
  );
  const text = `
WITH named AS MATERIALIZED (
  SELECT t.id AS tenant_id, t.merchant_id, t.mode, found.id
  FROM tenants t CROSS JOIN LATERAL (${parts.join(' UNION ')}) AS found
  ORDER BY found.id DESC LIMIT ${most}
)
SELECT found.*, named.merchant_id AS "merchantId", named.mode
FROM named CROSS JOIN LATERAL (
  SELECT ${paymentColumns} FROM payments WHERE tenant_id = named.tenant_id AND id = named.id LIMIT 1
) AS found
ORDER BY found.id DESC`;
  return database.query<OwnedPayment>({ text }, [phones, reference]);
}

/** Each step back in time is as long as all before it together. */
const firstStepMs = 3_600_000;

/**
 * The newest payments whose ids end like this: short references have no index, and no time in them. Along the key of
 * each tenant, step by step into the past, until it has read {@link mostSearched} of all tenants.
 */
export async function findByEndOfId(
  database: Queryable,
  endOfId: string,
  nowMs: number,
): Promise<OwnedPayment[]> {
  const found: OwnedPayment[] = [];
  let [read, fromMs, untilId] = [0, nowMs, lastUuid];
  while (read < mostSearched && fromMs > 0) {
    fromMs = Math.max(0, Math.min(fromMs - firstStepMs, 2 * fromMs - nowMs));
    const fromId = firstUuidAt(fromMs);
    const most = mostSearched - read;
    const rows = await scanForEnd(database, endOfId, fromId, untilId, most);
    read += rows[0]!.read;
    for (const { read: _, ...row } of rows) if (row.id !== null) found.push(row as OwnedPayment);
    untilId = fromId;
  }
  return found;
}

const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff';

/** How many payments it has read, with each that it has found: if none, in a row of its own. */
const scanForEnd = rowsQuery<
  Omit<OwnedPayment, 'id'> & { id: string | null; read: number },
  [endOfId: string, fromId: string, untilId: string, most: number]
>({
  name: 'payments.scan_for_end',
  text: `
WITH newest AS MATERIALIZED (
  SELECT t.id AS tenant_id, t.merchant_id, t.mode, p.id
  FROM tenants t CROSS JOIN LATERAL (
    SELECT id FROM payments WHERE tenant_id = t.id AND id >= $2 AND id < $3 ORDER BY id DESC LIMIT $4
  ) AS p
  LIMIT $4
), named AS (
  SELECT * FROM newest WHERE ${hasEndOfId('$1')} ORDER BY id DESC LIMIT 100
)
SELECT read.count::integer AS read, found.*, named.merchant_id AS "merchantId", named.mode
FROM (SELECT count(*) FROM newest) AS read
LEFT JOIN named ON true
LEFT JOIN LATERAL (
  SELECT ${paymentColumns} FROM payments WHERE tenant_id = named.tenant_id AND id = named.id LIMIT 1
) AS found ON true
ORDER BY found.id DESC`,
});

/**
 * The payments whose money an operator's transaction moved, in either direction, across tenants: live ones within each of our accounts at
 * an operator, of which there are few, and test ones for as long as the simulated operators remember them.
 */
export function findByTransaction(
  database: Queryable,
  operatorTxId: string,
): Promise<OwnedPayment[]> {
  const text = `
WITH named AS MATERIALIZED (
  SELECT tenant_id, payment_id FROM ${bookedAnywhere('operator_transactions', '$1')} AS came
  UNION
  SELECT went.tenant_id, coalesce(refund.payment_id, reversal.payment_id)
  FROM ${bookedAnywhere('outgoing_transactions', '$1')} AS went
  LEFT JOIN refunds refund ON refund.tenant_id = went.tenant_id AND refund.id = went.subject_id
  LEFT JOIN reversals reversal ON reversal.tenant_id = went.tenant_id AND reversal.id = went.subject_id
  UNION
  SELECT done.tenant_id, coalesce(refund.payment_id, reversal.payment_id, done.reference)
  FROM tenants t
  CROSS JOIN LATERAL (
    SELECT tenant_id, reference FROM simulator_transactions
    WHERE tenant_id = t.id AND operator_tx_id = ANY ($1) LIMIT 100
  ) AS done
  LEFT JOIN refunds refund ON refund.tenant_id = done.tenant_id AND refund.id = done.reference
  LEFT JOIN reversals reversal ON reversal.tenant_id = done.tenant_id AND reversal.id = done.reference
  WHERE t.mode = 'test'
)
SELECT found.*, t.merchant_id AS "merchantId", t.mode
FROM named
JOIN tenants t ON t.id = named.tenant_id
CROSS JOIN LATERAL (
  SELECT ${paymentColumns} FROM payments WHERE tenant_id = named.tenant_id AND id = named.payment_id LIMIT 1
) AS found
ORDER BY found.id DESC LIMIT 100`;
  return database.query<OwnedPayment>({ text }, [casesOf(operatorTxId)]);
}
