import { appendEvents, eventRows, newEvents } from '../../integrations/events/append.ts';
import { type Written, written, writtenRows } from '../../integrations/events/append-result.ts';
import type { NewEvent } from '../../integrations/events/event.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { rowsQuery } from '../../platform/postgres/query.ts';
import { prepare, rowsOf } from '../../platform/postgres/statement.ts';
import { appendPostings, newPostings, postingRows } from '../ledger/append.ts';
import { disbursementPostings } from '../ledger/postings.ts';
import type { CountedDay } from './caps.ts';
import type { Disbursement } from './disbursement.ts';
import type { NewDisbursement } from './prepare.ts';
import { disbursementTable } from './store.ts';

/**
 * Locks the balances of a tenant in these currencies until the transaction ends, and returns what may be paid out of
 * each: all that no settlement has taken. A currency without any postings has none.
 */
export const lockAvailable = rowsQuery<
  { currency: string; availableMinor: bigint },
  [tenantId: string, currencies: readonly string[]]
>({
  name: 'disbursements.lock_available',
  text: `
SELECT currency, gross_minor - fee_minor - refund_minor - disbursement_minor AS "availableMinor"
FROM unsettled WHERE tenant_id = $1 AND currency = ANY ($2::text[])
ORDER BY currency FOR UPDATE`,
});

/** The sum of a day, by which it is found. */
export interface DayKey extends Pick<CountedDay, 'scope' | 'scopeKey'> {
  tenantId: string;
  currency: string;
  /** In UTC, as `2026-11-29`. */
  day: string;
}

/** The day (UTC) to which a disbursement counts. */
export const dayOf = ({ createdAtMs }: Pick<Disbursement, 'createdAtMs'>): string =>
  new Date(createdAtMs).toISOString().slice(0, 10);

const dateOf = (instant: string) => `(${instant} AT TIME ZONE 'UTC')::date`;

const askedDays = rowsOf<DayKey>({
  asked_tenant_id: ['uuid', ({ tenantId }) => tenantId],
  asked_currency: ['text', ({ currency }) => currency],
  asked_day: ['timestamptz', ({ day }) => Date.parse(day)],
  asked_scope: ['text', ({ scope }) => scope],
  asked_key: ['text', ({ scopeKey }) => scopeKey],
});

const usedStatement = prepare({
  name: 'disbursement_days.used',
  given: { days: askedDays },
  text: (given) => `
SELECT asked_currency AS currency, ${dateOf('asked_day')}::text AS day, asked_scope AS scope, asked_key AS "scopeKey",
  counted.amount_minor AS "usedMinor"
FROM ${given.days}
CROSS JOIN LATERAL (
  SELECT amount_minor FROM disbursement_days d
  WHERE d.tenant_id = asked_tenant_id AND d.currency = asked_currency AND d.day = ${dateOf('asked_day')}
    AND d.scope = asked_scope AND d.scope_key = asked_key LIMIT 1
) AS counted`,
});

/** What is counted of these days; a day without disbursements is left out. */
export const findUsed = (
  transaction: Queryable,
  days: readonly DayKey[],
): Promise<(Omit<DayKey, 'tenantId'> & { usedMinor: bigint })[]> =>
  usedStatement.run(transaction, { days });

interface CountedRow extends DayKey {
  disbursementId: string;
  amountMinor: bigint;
}

const countedRows = rowsOf<CountedRow>(
  {
    tenant_id: ['uuid', ({ tenantId }) => tenantId],
    disbursement_id: ['uuid', ({ disbursementId }) => disbursementId],
    currency: ['text', ({ currency }) => currency],
    day: ['timestamptz', ({ day }) => Date.parse(day)],
    scope: ['text', ({ scope }) => scope],
    scope_key: ['text', ({ scopeKey }) => scopeKey],
    amount_minor: ['bigint', ({ amountMinor }) => amountMinor],
  },
  'given_day',
);

// The statement itself sets values that are the same for every new disbursement.
const newDisbursements = disbursementTable.rowsWithout(
  'version',
  'operatorTxId',
  'queryCount',
  'sentAtMs',
  'byHand',
  'updatedAtMs',
);

// Every statement that writes disbursements locks in this order, so that none wait in a circle: `unsettled`, which the
// caller has locked, the days, and then the balances.
const insertStatement = prepare({
  name: 'disbursements.insert',
  given: {
    deliveriesDueAtMs: 'timestamptz',
    disbursements: newDisbursements,
    days: countedRows,
    events: eventRows,
    postings: postingRows,
  },
  text: (given) => `
WITH created AS (
  INSERT INTO disbursements (${newDisbursements.names}, version, ask_count, updated_at)
  SELECT ${newDisbursements.names}, 1, 0, created_at FROM ${given.disbursements}
  ORDER BY tenant_id, reference
  ON CONFLICT DO NOTHING
  RETURNING tenant_id, id
),
counted_day AS (
  SELECT given_day.tenant_id, given_day.currency, ${dateOf('given_day.day')} AS day, given_day.scope,
    given_day.scope_key, sum(given_day.amount_minor)::bigint AS amount_minor, count(*)::integer AS item_count
  FROM ${given.days}
  JOIN created ON created.tenant_id = given_day.tenant_id AND created.id = given_day.disbursement_id
  GROUP BY 1, 2, 3, 4, 5
),
counted AS (
  INSERT INTO disbursement_days AS d (tenant_id, currency, day, scope, scope_key, amount_minor, item_count)
  SELECT tenant_id, currency, day, scope, scope_key, amount_minor, item_count FROM counted_day
  ORDER BY 1, 2, 3, 4, 5
  ON CONFLICT (tenant_id, currency, day, scope, scope_key) DO UPDATE SET
    amount_minor = d.amount_minor + excluded.amount_minor, item_count = d.item_count + excluded.item_count
),
${newEvents(given.events, 'created')},
${appendEvents(1)},
${newPostings(given.postings, 'created')},
${appendPostings}
${writtenRows('created')}`,
});

/** A disbursement with the event of its creation. */
export interface WritableDisbursement extends NewDisbursement {
  event: NewEvent;
}

/**
 * Writes disbursements with their events and deliveries in one statement, and with their postings and counted days
 * unless they have FAILED already. A disbursement whose reference or idempotency key exists already is left out of the
 * result, with nothing of it written. The caller has locked the balances.
 */
export async function insertDisbursements(
  transaction: Queryable,
  rows: readonly WritableDisbursement[],
  deliveriesDueAtMs: number,
): Promise<Written> {
  const moving = rows.filter(({ disbursement }) => disbursement.status === 'CREATED');
  const given = {
    deliveriesDueAtMs,
    disbursements: rows.map(({ disbursement }) => disbursement),
    days: moving.flatMap(countedOf),
    events: rows.map(({ event }) => event),
    postings: moving.flatMap(({ disbursement }) =>
      disbursementPostings(disbursement, 'CREATED', disbursement.createdAtMs),
    ),
  };
  return written(await insertStatement.run(transaction, given));
}

const countedOf = ({ disbursement, days }: NewDisbursement): CountedRow[] => {
  const { tenantId, id: disbursementId, currency, amountMinor } = disbursement;
  const counted = { tenantId, disbursementId, currency, day: dayOf(disbursement), amountMinor };
  return days.map(({ scope, scopeKey }) => ({ ...counted, scope, scopeKey }));
};
