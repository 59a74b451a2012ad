import { recountTotals } from '../../../server/src/money/totals/check.ts';
import { foldTotals } from '../../../server/src/money/totals/fold.ts';
import type { Database } from '../../../server/src/platform/postgres/database.ts';

/** One tenant, to whom all rows belong, with as many in each list. */
export interface Seed {
  tenantId: string;
  endpointId: string;
  settlementId: string;
  count: number;
  nowMs: number;
}

const dayMs = 86_400_000;
const historyMs = 180 * dayMs;
/** The oldest rows have values that no other has: a scan from the newest finds them last. */
const oldest = 100;
const chunk = 100_000;
/** Totals that are folded at once. */
const foldSize = 50_000;

/** When the nth of the rows was made. */
export const atMsOf = ({ count, nowMs }: Seed, n: number): number =>
  nowMs - historyMs + Math.floor((historyMs / count) * n) - 60_000;

/** The UUID of the nth row of a kind, in SQL and in JavaScript. */
const idIn = (kind: string, seed: Seed, n = 'n') => {
  const at = `(${seed.nowMs - historyMs - 60_000}::bigint + floor(${historyMs / seed.count}::float8 * ${n})::bigint)`;
  return `(lpad(to_hex(${at}), 12, '0') || '7' || substr(md5('${kind}' || ${n}), 1, 3) || '8' || substr(md5('${kind}' || ${n}), 4, 15))::uuid`;
};

export async function idOf(database: Database, kind: string, seed: Seed, n: number) {
  const text = `SELECT ${idIn(kind, seed, String(n))}::text AS id`;
  return (await database.query<{ id: string }>({ text }))[0]!.id;
}

const atIn = (seed: Seed) =>
  `to_timestamp((${seed.nowMs - historyMs - 60_000} + ${historyMs / seed.count}::float8 * n) / 1000)`;

/** Rows that are `n % 100 < share`, spread over the whole history. */
const some = (share: number) => `n * 37 % 100 < ${share}`;
const metadata = `'{"order":' || n || ',"channel":"' || CASE WHEN ${some(50)} THEN 'web' ELSE 'app' END || '"}'`;

/** An index is made faster of all rows than row by row. @returns the statements that make them again */
async function dropIndexes(database: Database, table: string): Promise<string[]> {
  const text = `
SELECT indexname AS name, indexdef AS made FROM pg_indexes
WHERE tablename = $1 AND schemaname = current_schema() AND indexname NOT LIKE '%_pkey'`;
  const indexes = await database.query<{ name: string; made: string }>({ text }, [table]);
  for (const { name } of indexes) await database.query({ text: `DROP INDEX ${name}` });
  return indexes.map(({ made }) => made);
}

/** What the statements have in common. */
function partsOf(seed: Seed) {
  const status = (rare: string, often: string, usual: string) =>
    `CASE WHEN n <= ${oldest} THEN '${rare}' WHEN ${some(5)} THEN '${often}' ELSE '${usual}' END`;
  return {
    tenant: `'${seed.tenantId}'::uuid`,
    at: atIn(seed),
    id: (kind: string) => idIn(kind, seed),
    rows: 'FROM generate_series($1::bigint, $2::bigint) AS n',
    status,
    customer: `CASE WHEN ${some(60)} THEN 'everybody' ELSE 'customer-' || n END`,
    external: `CASE WHEN ${some(20)} THEN 'same' ELSE 'order-' || n END`,
  };
}

type Tables = [table: string, text: string][];

/** The statements that make rows `$1` to `$2` of each table. */
const statements = (seed: Seed): Tables => [...tablesOfSales(seed), ...furtherTables(seed)];

function tablesOfSales(seed: Seed): Tables {
  const { tenant, at, id, rows, status, customer, external } = partsOf(seed);
  return [
    [
      'payments',
      `INSERT INTO payments (tenant_id, id, version, status, amount_minor, fee_minor, currency, operator,
        operator_phone, operator_tx_id, external_id, customer_id, metadata, checkout_session_id, ask_count,
        expires_at, created_at, updated_at)
      SELECT ${tenant}, ${id('pi')}, 4, ${status('CANCELLED', 'FAILED', 'SETTLED')}, 5000 + n % 495000, 100,
        CASE WHEN n <= ${oldest} THEN 'AOA' ELSE 'CVE' END,
        CASE WHEN n <= ${oldest} THEN 'CVMOVEL' WHEN ${some(30)} THEN 'UNITEL_TMAIS' ELSE 'MOCK' END,
        CASE WHEN ${some(50)} THEN '+2389912345' ELSE '+23899' || lpad((n % 100000)::text, 5, '0') END,
        'SIM' || n, ${external}, ${customer}, ${metadata}, CASE WHEN ${some(10)} THEN ${id('cs')} END, 1,
        ${at}, ${at}, ${at} ${rows}`,
    ],
    [
      'simulator_transactions',
      `INSERT INTO simulator_transactions (tenant_id, reference, kind, operator, phone, amount_minor, currency,
        status, operator_tx_id, expires_at, created_at)
      SELECT ${tenant}, ${id('pi')}, 'DEBIT', 'MOCK', '+2389912345', 5000, 'CVE', 'SUCCEEDED', 'SIM' || n, ${at}, ${at} ${rows}`,
    ],
    [
      'refunds',
      `INSERT INTO refunds (tenant_id, id, payment_id, version, status, amount_minor, currency, operator,
        operator_tx_id, metadata, ask_count, transaction_entered, created_at, updated_at)
      SELECT ${tenant}, ${id('re')}, CASE WHEN ${some(10)} THEN ${idIn('pi', seed, '1')} ELSE ${id('pi')} END, 3,
        ${status('PROCESSING', 'FAILED', 'SUCCEEDED')}, 100, 'CVE', 'MOCK', 'SIM' || n, ${metadata}, 1, true, ${at}, ${at} ${rows}`,
    ],
    [
      'checkout_sessions',
      `INSERT INTO checkout_sessions (tenant_id, id, version, status, amount_minor, currency, items, customer_id,
        external_id, metadata, link_secret, attempt_in_flight, attempt_count, expires_at, created_at, updated_at)
      SELECT ${tenant}, ${id('cs')}, 2, ${status('OPEN', 'EXPIRED', 'COMPLETED')}, 5000, 'CVE', '[]', ${customer},
        ${external}, ${metadata}, '\\x00'::bytea, false, 1, ${at}, ${at}, ${at} ${rows}`,
    ],
  ];
}

function furtherTables(seed: Seed): Tables {
  const { endpointId, settlementId } = seed;
  const { tenant, at, id, rows, status } = partsOf(seed);
  return [
    [
      'events',
      `INSERT INTO events (tenant_id, id, type, object_id, sequence, body, created_at)
      SELECT ${tenant}, ${id('evt')}, ${status('refund.failed', 'payment.failed', 'payment.debited')}, ${id('pi')}, 4,
        '{"id":"evt_' || n || '","data":"' || repeat('x', 300) || '"}', ${at} ${rows}`,
    ],
    [
      'deliveries',
      `INSERT INTO deliveries (tenant_id, endpoint_id, event_id, status, attempt_count, created_at, updated_at)
      SELECT ${tenant}, '${endpointId}'::uuid, ${id('evt')}, ${status('FAILED', 'SUCCEEDED', 'SUCCEEDED')}, 1, ${at}, ${at} ${rows}`,
    ],
    [
      'products',
      `INSERT INTO products (tenant_id, id, name, price_minor, currency, active, metadata, created_at, updated_at)
      SELECT ${tenant}, ${id('pr')}, 'Produto ' || n, 5000, 'CVE', n > ${oldest}, ${metadata}, ${at}, ${at} ${rows}`,
    ],
    [
      'payment_links',
      `INSERT INTO payment_links (tenant_id, id, description, amount_minor, currency, active, metadata, uses,
        created_at, updated_at)
      SELECT ${tenant}, ${id('pl')}, 'Link ' || n, 5000, 'CVE', n > ${oldest}, ${metadata}, 0, ${at}, ${at} ${rows}`,
    ],
    [
      'settlements',
      `INSERT INTO settlements (tenant_id, id, version, merchant_id, status, currency, gross_minor, fee_minor,
        refund_minor, net_minor, item_count, period_start, period_end, created_at)
      SELECT ${tenant}, CASE n WHEN $2::bigint THEN '${settlementId}'::uuid ELSE ${id('se')} END, 3,
        (SELECT merchant_id FROM tenants WHERE id = ${tenant}), ${status('FAILED', 'COMPLETED', 'COMPLETED')},
        'CVE', 100, 0, 0, 100, 1, ${at}, ${at}, ${at} ${rows} WHERE n <> $2::bigint OR n = ${seed.count}`,
    ],
    [
      'postings',
      `INSERT INTO postings (tenant_id, source_id, kind, from_account, to_account, currency, amount_minor,
        created_at, period)
      SELECT ${tenant}, ${id('pi')}, 'debit_net', 'operator:MOCK', 'payable', 'CVE', 4900, ${at}, 1 + n * 10 / ${seed.count} ${rows}`,
    ],
  ];
}

/** Makes the rows of all lists, or of these tables, and their statistics. */
export async function seedLists(
  database: Database,
  seed: Seed,
  tables: readonly string[] | undefined,
  tell: (detail: string) => void,
): Promise<void> {
  for (const [table, text] of statements(seed)) {
    if (tables && !tables.includes(table)) continue;
    const makeIndexes = await dropIndexes(database, table);
    for (let from = 1; from <= seed.count; from += chunk) {
      tell(`${table} ${from}`);
      await database.query({ text }, [from, Math.min(from + chunk - 1, seed.count)]);
    }
    for (const index of makeIndexes) await database.query({ text: index });
  }
  const periods = `INSERT INTO settlement_periods
    SELECT $1::uuid, 'CVE', n, $2::uuid, now() FROM generate_series(1, 11) AS n`;
  await database.query({ text: periods }, [seed.tenantId, seed.settlementId]);
  tell('its totals');
  await recountTotals(database);
  while ((await foldTotals(database, foldSize)) > 0);
  await database.query({ text: 'VACUUM (FREEZE, ANALYZE)' });
}
