import { Batcher } from '../../platform/jobs/batcher.ts';
import { uuidArray } from '../../platform/postgres/arrays.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import type { ShownPayment } from './payment.ts';
import { shownColumns } from './store.ts';

/** A tenant's payment, as far as it is shown; undefined where the tenant has none of this id. */
export type ReadPayment = (tenantId: string, id: string) => Promise<ShownPayment | undefined>;

interface Asked {
  tenantId: string;
  id: string;
}

/** With 64 KiB of metadata each, a group holds 4 MiB. */
const maxItems = 64;
/** Who waits for a large group, or for a page that is not in memory, holds up few others. */
const maxInFlight = 2;

/**
 * Payments that are asked for together are read by one statement. Nobody joins one that was sent, so
 * everybody sees what was committed before they asked, by whichever process.
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

// Beside each other, and not joined: each is then found by its key, whatever the planner thinks of the table.
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

/** In the order in which they are asked for, each as often as it is. */
export async function readPayments(
  database: Queryable,
  asked: readonly Asked[],
): Promise<(ShownPayment | undefined)[]> {
  const rows = await database.query<ShownPayment & { place: number }>(statement, [
    uuidArray(asked.map(({ tenantId }) => tenantId)),
    uuidArray(asked.map(({ id }) => id)),
  ]);
  const found: (ShownPayment | undefined)[] = asked.map(() => undefined);
  for (const row of rows) found[row.place - 1] = row;
  return found;
}
