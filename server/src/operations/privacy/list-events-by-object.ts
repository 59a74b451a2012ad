import { uuidArray } from '../../platform/postgres/arrays.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { groupByBytes } from '../../platform/postgres/page-bytes.ts';
import { firstUuidAt, instantOf } from '../../platform/values/ids.ts';

/** Rows of the primary key per statement. */
const pageSize = 5_000;
/** Another process with a slightly slower clock may have written the event. */
const clocksDifferMs = 60_000;

const pageStatement = {
  name: 'privacy.events_page',
  text: `
SELECT id FROM (
  SELECT id FROM events WHERE tenant_id = $1 AND id > $2 ORDER BY id LIMIT ${pageSize}
) AS page ORDER BY id DESC LIMIT 1`,
};

const idsStatement = {
  name: 'privacy.events_of_objects',
  text: `
SELECT id, octet_length(body) AS bytes FROM events
WHERE tenant_id = $1 AND id > $2 AND id <= $3 AND object_id = ANY ($4::uuid[])
ORDER BY id`,
};

/**
 * The ids of the events of some objects, oldest first, in groups whose bodies fit in memory. Events have no index by
 * object, for which every payment would pay: the tenant's events are paged through from the time of the oldest
 * object.
 * @param objectIds in order, oldest first
 */
export async function* eventsOfObjects(
  database: Queryable,
  tenantId: string,
  objectIds: readonly string[],
): AsyncGenerator<string[]> {
  const [oldest] = objectIds;
  let after = oldest && firstUuidAt(instantOf(oldest) - clocksDifferMs);
  while (after !== undefined) {
    const [page] = await database.query<{ id: string }>(pageStatement, [tenantId, after]);
    if (!page) return;
    const values = [tenantId, after, page.id, uuidArray(objectIds)];
    const found = await database.query<{ id: string; bytes: number }>(idsStatement, values);
    for (const group of groupByBytes(found)) yield group.map(({ id }) => id);
    after = page.id;
  }
}
