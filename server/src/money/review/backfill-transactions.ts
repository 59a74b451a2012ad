import type { Logger } from 'pino';
import { findBookedAccounts } from '../../integrations/operators/booked-accounts.ts';
import type { OperatorName } from '../../integrations/operators/operator.ts';
import { canonicalNameIn, spellingsIn } from '../../integrations/operators/transaction-ids.ts';
import { Poller } from '../../platform/jobs/poller.ts';
import { uuidArray } from '../../platform/postgres/arrays.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { RequestReview } from './request-review.ts';

export interface EnterReturnsDependencies {
  database: Database;
  clock: Clock;
  log: Logger;
  requestReview: RequestReview;
}

const intervalMs = 3_600_000;
const pageSize = 500;
const start = '00000000-0000-0000-0000-000000000000';

/** Where a refund or reversal has the operator's transaction that returned it. */
const sources = [
  { kind: 'REFUND', table: 'refunds', column: 'operator_refund_id' },
  { kind: 'REVERSAL', table: 'reversals', column: 'operator_reversal_id' },
] as const;
type Source = (typeof sources)[number];

const name = (what: string, { table }: Source) => `outgoing_transactions.${what}_${table}`;

const pageOf = (source: Source) => ({
  name: name('page', source),
  text: `
SELECT r.tenant_id AS "tenantId", r.id FROM ${source.table} r
WHERE r.${source.column} IS NOT NULL AND NOT r.transaction_entered
  AND (r.tenant_id, r.id) > ($1::uuid, $2::uuid)
ORDER BY r.tenant_id, r.id LIMIT ${pageSize}`,
});

const ofPage = ({ table }: Source) => `
FROM unnest($1::uuid[], $2::uuid[]) AS given (tenant_id, id)
JOIN ${table} r ON r.tenant_id = given.tenant_id AND r.id = given.id
JOIN tenants t ON t.id = r.tenant_id AND t.mode = 'live' AND r.operator <> 'MOCK'`;

/**
 * The booking of a row's transaction, incoming or outgoing. The debit of its own payment does not count: some
 * operators repeat it in their answers, and older programs took it for the id of the return.
 */
const bookedOf = ({ column }: Source) => {
  const isOfRow = (booking: string) => `${booking}.operator = r.operator
    AND ${booking}.account = ANY ($3::text[]) AND ${booking}.operator_tx_id = ANY (${spellingsIn(`r.${column}`)})`;
  return `
  SELECT o.tenant_id, o.kind, 'subjectId' AS role, o.subject_id AS id
  FROM outgoing_transactions o
  WHERE ${isOfRow('o')}
  UNION ALL
  SELECT d.tenant_id, d.kind, 'paymentId', d.payment_id
  FROM operator_transactions d
  WHERE ${isOfRow('d')} AND (d.tenant_id, d.payment_id) <> (r.tenant_id, r.payment_id)`;
};

/** The transactions of a live merchant's rows; of two rows with the same transaction the older counts. */
const insertOf = (source: Source) => ({
  name: name('enter', source),
  text: `
INSERT INTO outgoing_transactions (operator, account, operator_tx_id, tenant_id, kind, subject_id)
SELECT r.operator, '', ${canonicalNameIn(`r.${source.column}`)}, r.tenant_id, '${source.kind}', r.id ${ofPage(source)}
WHERE NOT r.transaction_entered AND NOT EXISTS (${bookedOf(source)})
ORDER BY r.operator, ${canonicalNameIn(`r.${source.column}`)}, r.created_at, r.id
ON CONFLICT DO NOTHING`,
});

const clashesOf = (source: Source) => ({
  name: name('clashes', source),
  text: `
SELECT r.tenant_id AS "tenantId", r.id, r.operator, r.${source.column} AS "operatorTxId",
  r.amount_minor AS "amountMinor", booked.tenant_id AS "bookedTenantId", booked.kind, booked.role,
  booked.id AS "bookedId"
${ofPage(source)}
CROSS JOIN LATERAL (${bookedOf(source)}) AS booked
WHERE (booked.tenant_id, booked.id) <> (r.tenant_id, r.id)
ORDER BY r.tenant_id, r.id`,
});

const markOf = (source: Source) => ({
  name: name('mark', source),
  text: `
UPDATE ${source.table} r SET transaction_entered = true
FROM unnest($1::uuid[], $2::uuid[]) AS given (tenant_id, id)
WHERE r.tenant_id = given.tenant_id AND r.id = given.id`,
});

const statements = sources.map((source) => ({
  source,
  page: pageOf(source),
  insert: insertOf(source),
  clashes: clashesOf(source),
  mark: markOf(source),
}));

interface Clash {
  tenantId: string;
  id: string;
  operator: OperatorName;
  operatorTxId: string;
  amountMinor: bigint;
  bookedTenantId: string;
  kind: string;
  role: 'subjectId' | 'paymentId';
  bookedId: string;
}

/**
 * Books outgoing transactions from before they were stored, or from programs that do not store them. A transaction
 * that is booked for something else already is listed for a person, and blocks nothing. Repeated runs, and several
 * processes at once, change nothing more. At the signal it stops between two pages.
 * @returns how many rows it looked at
 */
export async function enterReturns(
  dependencies: Pick<EnterReturnsDependencies, 'database' | 'requestReview'>,
  signal?: AbortSignal,
): Promise<number> {
  const { database } = dependencies;
  let count = 0;
  for (const of of statements) {
    let after = { tenantId: start, id: start };
    for (;;) {
      const values = [after.tenantId, after.id];
      const page = await database.query<typeof after>(of.page, values);
      if (page.length > 0) await enterPage(dependencies, of, page);
      count += page.length;
      if (page.length < pageSize || signal?.aborted) break;
      after = page.at(-1)!;
    }
  }
  return count;
}

async function enterPage(
  { database, requestReview }: Pick<EnterReturnsDependencies, 'database' | 'requestReview'>,
  { source, insert, clashes, mark }: (typeof statements)[number],
  page: readonly { tenantId: string; id: string }[],
): Promise<void> {
  const rows = [uuidArray(page, ({ tenantId }) => tenantId), uuidArray(page, ({ id }) => id)];
  const values = [...rows, await findBookedAccounts(database)];
  await database.query(insert, values);
  for (const clash of await database.query<Clash>(clashes, values)) {
    const { operatorTxId, amountMinor, bookedTenantId, kind, role, bookedId } = clash;
    const booked = { tenantId: bookedTenantId, kind, [role]: bookedId };
    const told = { operatorTxId, amountMinor: amountMinor.toString() };
    const finding = { kind: 'CLASH', about: operatorTxId, detail: { booked, told } } as const;
    await requestReview(source.kind, clash, finding);
  }
  // A case for a person is written first: after a crash in between, all of this runs again.
  await database.query(mark, rows);
}

/** At the start, and then every hour, since processes of the last version may run beside this one. */
export function createReturnsEntry(dependencies: EnterReturnsDependencies): Poller {
  const { clock, log } = dependencies;
  const claim = async (signal: AbortSignal) => {
    const count = await enterReturns(dependencies, signal);
    if (count > 0) log.info({ count }, 'what was given back before was entered');
    return 0;
  };
  const intervals = { minIntervalMs: intervalMs, maxIntervalMs: intervalMs };
  return new Poller({ name: 'returns', clock, log, claim, ...intervals });
}
