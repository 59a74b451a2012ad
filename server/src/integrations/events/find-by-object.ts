import type { Queryable } from '../../platform/postgres/database.ts';
import { rowsQuery } from '../../platform/postgres/query.ts';
import { listOf, prepare } from '../../platform/postgres/statement.ts';
import { firstUuidAt, type IdPrefix, instantOf } from '../../platform/values/ids.ts';

/** The kinds of objects that events are about, by the prefixes of their ids. */
export const objectPrefixes = [
  'pi',
  're',
  'cs',
  'se',
  'we',
  'di',
  'dib',
] as const satisfies IdPrefix[];
export type ObjectPrefix = (typeof objectPrefixes)[number];

/** Instants at which an object changed; between `fromMs` and `untilMs` where only that is known. */
interface Window {
  fromMs: number;
  untilMs: number;
  /** How many events of the window are looked through. */
  most: number;
}

/** Of all windows together, not more than 5,000 events are looked through. */
const mostAtInstant = 300;
const mostAfterCreation = 2_500;
const mostAfterPayout = 1_000;
/** Clocks of two processes may differ by this much. */
const toleranceMs = 5_000;
const payoutMs = 3_600_000;
const never = Number.MAX_SAFE_INTEGER;

type Instants = (
  database: Queryable,
  tenantId: string,
  id: string,
) => Promise<{ atMs: number; isPayout: boolean }[]>;

const changesIn = (table: string, kind: string): Instants =>
  rowsQuery({
    name: `events.instants_of_${kind}`,
    text: `
SELECT change.at AS "atMs", false AS "isPayout" FROM ${table} o
CROSS JOIN LATERAL (VALUES (o.created_at), (o.updated_at)) AS change (at)
WHERE o.tenant_id = $1 AND o.id = $2`,
  });

const changesOfPayment: Instants = rowsQuery({
  name: 'events.instants_of_payment',
  text: `
SELECT change.at AS "atMs", false AS "isPayout" FROM payments p
CROSS JOIN LATERAL (VALUES (p.created_at), (p.updated_at)) AS change (at)
WHERE p.tenant_id = $1 AND p.id = $2
UNION ALL
SELECT posted.created_at, false FROM postings posted
WHERE posted.tenant_id = $1 AND posted.source_id = $2 AND posted.kind = 'debit_net'
UNION ALL
SELECT s.completed_at, true FROM postings posted
JOIN settlement_periods taken ON taken.tenant_id = $1 AND taken.currency = posted.currency AND taken.period = posted.period
JOIN settlements s ON s.tenant_id = $1 AND s.id = taken.settlement_id
WHERE posted.tenant_id = $1 AND posted.source_id = $2 AND posted.kind = 'debit_net' AND s.completed_at IS NOT NULL`,
});

const changesOfSettlement: Instants = rowsQuery({
  name: 'events.instants_of_settlement',
  text: `
SELECT completed_at AS "atMs", false AS "isPayout" FROM settlements
WHERE tenant_id = $1 AND id = $2 AND completed_at IS NOT NULL`,
});

const instantsOf: Record<ObjectPrefix, Instants> = {
  pi: changesOfPayment,
  re: changesIn('refunds', 'refund'),
  cs: changesIn('checkout_sessions', 'session'),
  se: changesOfSettlement,
  di: changesIn('disbursements', 'disbursement'),
  dib: changesIn('disbursement_batches', 'disbursement_batch'),
  // Only test events are about an endpoint, and change nothing in it.
  we: async () => [],
};

// The windows are read one by one along the key, whatever the plan does with the rest.
const inWindows = prepare({
  name: 'events.of_object',
  given: {
    tenantId: 'uuid',
    objectId: 'uuid',
    from: listOf('uuid'),
    until: listOf('uuid'),
    most: listOf('integer'),
  },
  text: ({ tenantId, objectId, from, until, most }) => `
SELECT DISTINCT event.id
FROM unnest(${from}, ${until}, ${most}) AS given_window (from_id, until_id, most)
CROSS JOIN LATERAL (
  SELECT e.id, e.object_id FROM events e
  WHERE e.tenant_id = ${tenantId} AND e.id >= from_id AND e.id < until_id
  ORDER BY e.id LIMIT most
) AS event
WHERE event.object_id = ${objectId}`,
});

/**
 * The ids of an object's events, in no order. Events have no index by their object: an event's id contains the instant
 * of its change. Those of the instants that the object's row knows are found however many events there are; others
 * only if few events follow the object's creation, or the payout of its settlement.
 */
export async function findEventsOfObject(
  database: Queryable,
  tenantId: string,
  object: { prefix: ObjectPrefix; id: string },
): Promise<string[]> {
  const known = await instantsOf[object.prefix](database, tenantId, object.id);
  const bornMs = instantOf(object.id);
  const windows: Window[] = [
    ...known.map(({ atMs }) => ({ fromMs: atMs, untilMs: atMs + 1, most: mostAtInstant })),
    { fromMs: bornMs - toleranceMs, untilMs: never, most: mostAfterCreation },
    ...known
      .filter(({ isPayout }) => isPayout)
      .map(({ atMs }) => ({
        fromMs: atMs - toleranceMs,
        untilMs: atMs + payoutMs,
        most: mostAfterPayout,
      })),
  ];
  const found = await inWindows.run<{ id: string }>(database, {
    tenantId,
    objectId: object.id,
    from: windows.map(({ fromMs }) => firstUuidAt(fromMs)),
    until: windows.map(({ untilMs }) => firstUuidAt(untilMs)),
    most: windows.map(({ most }) => most),
  });
  return found.map(({ id }) => id);
}
