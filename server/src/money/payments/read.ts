import { Batcher } from '../../platform/jobs/batcher.ts';
import { uuidArray } from '../../platform/postgres/arrays.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import type { ShownPayment } from './payment.ts';
import { shownColumns } from './store.ts';

/** The shown fields of a tenant's payment; undefined if the tenant has none with this id. */
export type ReadPayment = (tenantId: string, id: string) => Promise<ShownPayment | undefined>;

interface Asked {
  tenantId: string;
  id: string;
}

/** With 64 KiB of metadata each, a group holds 4 MiB. */
const maxItems = 64;
/** Requests that wait for a large group, or for a page on disk, delay few others. */
const maxInFlight = 2;

/**
 * One statement reads payments that are requested together. No request joins a statement that was already sent, so
 * each request sees what was committed before it arrived, by any process.
 */
export function makeReadPayment({ database }: { database: Queryable }): ReadPayment {
  const batcher = new Batcher<Asked, ShownPayment | undefined>({
    maxItems,
    maxInFlight,
    ownerOf: ({ tenantId }) => tenantId,
    write: (asked) => readPayments(database, asked),
  });
  return (tenantId, id) => batcher.submit({ tenantId, id });
}

// Listed separately and not joined: each is then found by its key, whatever the planner thinks of the table.
const statement = {
  name: 'payments.read',
  text: `
SELECT given.place::integer AS place, found.*
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS given (tenant_id, id, place)
CROSS JOIN LATERAL (
  SELECT ${shownColumns} FROM payments p
  WHERE p.tenant_id = given.tenant_id AND p.id = given.id LIMIT 1
) AS found`,
};

/** In the order of the requests, once for each. */
export async function readPayments(
  database: Queryable,
  asked: readonly Asked[],
): Promise<(ShownPayment | undefined)[]> {
  const rows = await database.query<ShownPayment & { place: number }>(statement, [
    uuidArray(asked, ({ tenantId }) => tenantId),
    uuidArray(asked, ({ id }) => id),
  ]);
  const found: (ShownPayment | undefined)[] = asked.map(() => undefined);
  for (const row of rows) found[row.place - 1] = row;
  return found;
}
