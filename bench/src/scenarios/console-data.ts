import type { Database } from '../../../server/src/postgres/database.ts';
import { recountTotals } from '../../../server/src/totals/check.ts';
import { foldTotals } from '../../../server/src/totals/fold.ts';

const chunkSize = 100_000;
const foldSize = 50_000;
export const historyDays = 180;

/** Payments evenly over half a year, the last of them now: by far the most of them debited and settled. */
const payments = `
INSERT INTO payments (tenant_id, id, version, status, amount_minor, fee_minor, currency, operator, operator_phone,
  operator_tx_id, failure_code, external_id, customer_id, checkout_session_id, ask_count, expires_at, created_at, updated_at)
SELECT $1::uuid, uuidv7(at - clock_timestamp()), 4, status, 1000 + n % 90000, 20, 'CVE',
  (ARRAY['CVMOVEL', 'UNITEL_TMAIS', 'MOCK'])[1 + n % 3], '+2389' || lpad((n * 7919 % 200000)::text, 6, '0'),
  CASE status WHEN 'SETTLED' THEN 'TX-' || n END,
  CASE status WHEN 'FAILED' THEN (ARRAY['INSUFFICIENT_FUNDS', 'PAYER_DECLINED', 'OPERATOR_ERROR'])[1 + n % 3]
    WHEN 'EXPIRED' THEN 'CONFIRMATION_TIMEOUT' END,
  'A-' || n, 'customer ' || n % 100000, CASE WHEN n % 50 = 0 THEN md5(n::text)::uuid END, 1, at, at,
  at + (1 + n % 97) * INTERVAL '1 second'
FROM generate_series($2::bigint, $3::bigint) AS n
CROSS JOIN LATERAL (SELECT now() - ($4::bigint - n) * (INTERVAL '${historyDays} days' / $4::bigint) AS at,
  CASE WHEN n % 20 < 2 THEN 'FAILED' WHEN n % 20 = 2 THEN 'EXPIRED' WHEN n % 20 = 3 THEN 'CANCELLED' ELSE 'SETTLED' END AS status
) AS each`;

const debits = `FROM payments WHERE tenant_id = $1 AND status = 'SETTLED' AND external_id IN (
  SELECT 'A-' || n FROM generate_series($2::bigint, $3::bigint) AS n)`;

/** What is found by an operator's transaction, in live mode and in test mode; and postings. */
const ofDebits = [
  `INSERT INTO postings SELECT tenant_id, id, part.kind, 'operator:' || operator, part.account, currency,
     part.amount, updated_at, NULL
   FROM (SELECT * ${debits}) AS p CROSS JOIN LATERAL (VALUES ('debit_net', 'payable', amount_minor - fee_minor),
     ('debit_fee', 'fees', fee_minor)) AS part (kind, account, amount)`,
  `INSERT INTO operator_transactions SELECT operator, 'ours', operator_tx_id, tenant_id, id, 'DEBIT' ${debits}`,
  `INSERT INTO simulator_transactions (tenant_id, reference, kind, operator, phone, amount_minor, currency,
     status, operator_tx_id, expires_at, created_at)
   SELECT tenant_id, id, 'DEBIT', operator, operator_phone, amount_minor, currency, 'SUCCEEDED', operator_tx_id,
     expires_at, created_at ${debits}`,
];

/** Fills one merchant with payments and their totals. */
export async function fillMerchant(
  database: Database,
  tenantId: string,
  count: number,
  tell: (share: number) => void,
): Promise<void> {
  for (let first = 1; first <= count; first += chunkSize) {
    const last = Math.min(first + chunkSize - 1, count);
    await database.query({ text: payments }, [tenantId, first, last, count]);
    for (const text of ofDebits) await database.query({ text }, [tenantId, first, last]);
    tell(last / count);
  }
  await recountTotals(database);
  while ((await foldTotals(database, foldSize)) > 0);
  // As autovacuum leaves tables that have been there for a while; else it would be measured too.
  await database.query({ text: 'VACUUM (FREEZE, ANALYZE)' });
}
