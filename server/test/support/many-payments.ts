import { appendPostings } from '../../src/money/ledger/append.ts';
import { countPayments } from '../../src/money/totals/count.ts';
import type { Database } from '../../src/platform/postgres/database.ts';

interface Many {
  tenantId: string;
  count: number;
  /** When the first payment was debited; each of the others follows a millisecond later. */
  fromMs: number;
  /** CVE by default. */
  currency?: 'CVE' | 'AOA';
  /** Of each payment, from which a fee of 20 is taken; by default, different ones from 1001 on. */
  amountMinor?: number;
}

const idOf = `(lpad(to_hex($3::bigint + n), 12, '0') || '7' || substr(md5(n::text), 1, 3) || '8' || substr(md5(n::text), 4, 15))::uuid`;
const at = `to_timestamp(($3::bigint + n) / 1000.0)`;

/** Payments of 10.00 and more that the simulated operator debited, with all their postings. */
export async function bookMany(
  database: Database,
  { tenantId, count, fromMs, currency = 'CVE', amountMinor }: Many,
): Promise<void> {
  const amount = amountMinor ?? '1000 + n % 9000';
  const text = `
WITH moved AS (
  INSERT INTO payments (tenant_id, id, version, status, amount_minor, fee_minor, currency, operator,
    operator_phone, operator_tx_id, ask_count, expires_at, created_at, updated_at, sent_at)
  SELECT $1::uuid, ${idOf}, 3, 'DEBITED', ${amount}, 20, '${currency}', 'MOCK', '${currency === 'CVE' ? '+2389912345' : '+244923456789'}',
    'OP' || lpad(n::text, 9, '0'), 1, ${at} + interval '1 hour', ${at}, ${at}, ${at}
  FROM generate_series(1, $2::integer) AS n
  RETURNING *
),
${countPayments},
simulated AS (
  INSERT INTO simulator_transactions (tenant_id, reference, kind, operator, phone, amount_minor, currency,
    status, operator_tx_id, expires_at, created_at)
  SELECT tenant_id, id, 'DEBIT', operator, operator_phone, amount_minor, currency, 'SUCCEEDED',
    operator_tx_id, expires_at, created_at
  FROM moved
),
new_posting AS (
  SELECT tenant_id, id AS source_id, kind, 'operator:MOCK' AS from_account, to_account, currency,
    part AS amount_minor, created_at
  FROM moved CROSS JOIN LATERAL (VALUES
    ('debit_net', 'payable', amount_minor - fee_minor), ('debit_fee', 'fees', fee_minor)
  ) AS posted (kind, to_account, part)
),
${appendPostings}
SELECT`;
  const chunk = 5_000;
  for (let done = 0; done < count; done += chunk) {
    const values = [tenantId, Math.min(chunk, count - done), fromMs + done];
    await database.query(
      { text: text.replace(/'OP' \|\| lpad\(n::text/, `'OP' || lpad((n + ${done})::text`) },
      values,
    );
  }
  await database.query({ text: 'ANALYZE payments, postings, simulator_transactions' });
}

/** Otherwise the daily run may settle what was booked in the past, in the middle of a test. */
export const payOutOnRequestOnly = (database: Database) =>
  database.query({ text: `UPDATE merchants SET payout_schedule = 'MANUAL'` });

/** Payments that the operator debited while the gateway has not learned of it. @returns the ids */
export async function bookUnheard(
  database: Database,
  { tenantId, count, fromMs }: Many,
  status: 'OPERATOR_PENDING' | 'EXPIRED',
): Promise<string[]> {
  const text = `
WITH unheard AS (
  INSERT INTO payments (tenant_id, id, version, status, amount_minor, fee_minor, currency, operator,
    operator_phone, ask_count, due_at, expires_at, created_at, updated_at, sent_at, failure_code)
  SELECT $1::uuid, ${idOf}, 2, $4, 5000, 100, 'CVE', 'MOCK', '+2389912345', 1, now() + interval '1 day',
    now() + interval '1 hour', ${at}, ${at}, now(), CASE $4 WHEN 'EXPIRED' THEN 'CONFIRMATION_TIMEOUT' END
  FROM generate_series(1, $2::integer) AS n
  RETURNING *
), moved AS (
  SELECT * FROM unheard
),
${countPayments},
simulated AS (
  INSERT INTO simulator_transactions (tenant_id, reference, kind, operator, phone, amount_minor, currency,
    status, operator_tx_id, expires_at, created_at)
  SELECT tenant_id, id, 'DEBIT', operator, operator_phone, amount_minor, currency, 'SUCCEEDED',
    'SIM' || replace(id::text, '-', ''), expires_at, created_at
  FROM unheard
)
SELECT id FROM unheard`;
  const rows = await database.query<{ id: string }>({ text }, [tenantId, count, fromMs, status]);
  return rows.map(({ id }) => id);
}

/** The simulated operator's statement: a line for each transaction, by id. */
export async function linesOf(database: Database, tenantId: string): Promise<string[]> {
  const text = `
SELECT operator_tx_id || ',' || reference || ',' || kind || ',' ||
  (amount_minor / 100)::text || '.' || lpad((amount_minor % 100)::text, 2, '0') || ',' || currency
  || ',COMPLETED,' || to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS line
FROM simulator_transactions WHERE tenant_id = $1 AND status = 'SUCCEEDED' ORDER BY reference`;
  return (await database.query<{ line: string }>({ text }, [tenantId])).map(({ line }) => line);
}
