import pg from 'pg';
import { checkLedger } from '../../../server/src/money/ledger/check.ts';
import { recountHours } from '../../../server/src/money/ledger/payable-hours.ts';
import { recountTotals } from '../../../server/src/money/totals/check.ts';
import { foldTotals } from '../../../server/src/money/totals/fold.ts';
import type { BenchGateway } from '../gateway/gateway.ts';
import { bar } from '../progress.ts';
import { type History, lifeOf, settledPeriods } from './payments.ts';
import { LifeTables } from './tables.ts';

const chunkSize = 5_000;
/** Totals that are folded at once. */
const foldSize = 50_000;

/** The settled debits, by period. */
const settlements = `
WITH debit AS (
  SELECT net.tenant_id, net.currency, net.period, net.created_at,
    net.amount_minor + coalesce(fee.amount_minor, 0) AS gross_minor,
    coalesce(fee.amount_minor, 0) AS fee_minor, 0::bigint AS refund_minor
  FROM postings net
  LEFT JOIN postings fee ON fee.tenant_id = net.tenant_id AND fee.source_id = net.source_id
    AND fee.kind = 'debit_fee'
  WHERE net.kind = 'debit_net'
  UNION ALL
  SELECT tenant_id, currency, period, created_at, 0, 0, amount_minor
  FROM postings WHERE kind = 'refund_out'
),
total AS (
  SELECT tenant_id, uuidv7() AS id, currency, period, sum(gross_minor)::bigint AS gross_minor,
    sum(fee_minor)::bigint AS fee_minor, sum(refund_minor)::bigint AS refund_minor,
    count(*) AS item_count, min(created_at) AS period_start, max(created_at) AS period_end
  FROM debit GROUP BY tenant_id, currency, period
),
-- Of now, or the daily run would settle it at once.
open AS (
  INSERT INTO unsettled
  SELECT tenant_id, currency, period, gross_minor, fee_minor, refund_minor, item_count, now(), now(), now()
  FROM total WHERE period > $1
),
settlement AS (
  INSERT INTO settlements (tenant_id, id, version, merchant_id, status, currency, gross_minor,
    fee_minor, refund_minor, net_minor, item_count, period_start, period_end, told_period,
    created_at, processed_at, completed_at)
  SELECT tenant_id, total.id, 3, merchant_id, 'COMPLETED', currency, gross_minor, fee_minor,
    refund_minor, gross_minor - fee_minor - refund_minor, item_count, period_start, period_end,
    period, period_end, period_end, period_end
  FROM total JOIN tenants ON tenants.id = tenant_id WHERE period <= $1
),
taken AS (
  INSERT INTO settlement_periods
  SELECT tenant_id, currency, period, id, period_start FROM total WHERE period <= $1
)
INSERT INTO postings (tenant_id, source_id, kind, from_account, to_account, currency, amount_minor, created_at)
SELECT tenant_id, id, kind, from_account, to_account, currency, gross_minor - fee_minor - refund_minor, period_end
FROM total CROSS JOIN (VALUES
  ('payout_out', 'payable', 'payouts_in_transit'),
  ('payout_done', 'payouts_in_transit', 'bank')) AS step (kind, from_account, to_account)
WHERE period <= $1`;

const balances = `
INSERT INTO balances
SELECT tenant_id, account, currency, sum(change_minor)::bigint
FROM (
  SELECT tenant_id, from_account AS account, currency, -amount_minor AS change_minor FROM postings
  UNION ALL
  SELECT tenant_id, to_account, currency, amount_minor FROM postings
) AS movement
GROUP BY tenant_id, account, currency`;

/** Fills the gateway's database with a history, and checks its ledger. */
export async function seed(
  { database, databaseUrl }: Pick<BenchGateway, 'database' | 'databaseUrl'>,
  count: number,
  tell: (detail: string) => void,
): Promise<void> {
  const text = `SELECT id FROM tenants WHERE mode = 'test'`;
  const tenant = (await database.query<{ id: string }>({ text }))[0]!;
  const history: History = { tenantId: tenant.id, count, nowMs: Date.now() };
  await copyLives(databaseUrl, history, tell);
  tell('its settlements and balances');
  await database.query({ text: settlements }, [settledPeriods(history)]);
  await database.query({ text: balances });
  await recountTotals(database);
  while ((await foldTotals(database, foldSize)) > 0);
  await recountHours(database);
  // Like autovacuum on older tables; otherwise its work would be measured too.
  await database.query({ text: 'VACUUM (FREEZE, ANALYZE)' });
  tell('a check of its ledger');
  const problems = await checkLedger(database);
  if (problems.length > 0) {
    const first = problems.slice(0, 5).map(({ message }) => message);
    throw new Error(
      `the seeded ledger is wrong in ${problems.length} places:\n${first.join('\n')}`,
    );
  }
}

async function copyLives(
  connectionString: string,
  history: History,
  tell: (detail: string) => void,
): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const tables = new LifeTables();
    for (let start = 0; start < history.count; start += chunkSize) {
      for (let index = start; index < start + chunkSize; index++)
        tables.add(lifeOf(history, index));
      await tables.flush(client);
      tell(bar((start + chunkSize) / history.count));
    }
  } finally {
    await client.end();
  }
}
