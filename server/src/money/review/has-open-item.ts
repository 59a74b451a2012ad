import { Batcher } from '../../platform/jobs/batcher.ts';
import { uuidArray } from '../../platform/postgres/arrays.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { rowsQuery } from '../../platform/postgres/query.ts';
import type { Subject } from './review-item.ts';

type Asked = Pick<Subject, 'tenantId' | 'id'>;

/** Whether a payment, refund, reversal or disbursement waits for a person. */
export type HasOpenItem = (subject: Asked) => Promise<boolean>;

/** One statement reads about subjects that end together; hardly any has an item. */
export function makeHasOpenItem(database: Queryable): HasOpenItem {
  const batcher = new Batcher<Asked, boolean>({
    maxItems: 256,
    maxInFlight: 2,
    ownerOf: ({ tenantId }) => tenantId,
    write: (subjects) => haveOpenItems(database, subjects),
  });
  return (subject) => batcher.submit(subject);
}

const statement = rowsQuery<{ place: number }, [tenantIds: unknown, ids: unknown]>({
  name: 'review_items.have_open',
  text: `
SELECT given.place::integer AS place
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS given (tenant_id, id, place)
CROSS JOIN LATERAL (
  SELECT FROM review_items r
  WHERE r.tenant_id = given.tenant_id AND r.subject_id = given.id AND r.closed_at IS NULL LIMIT 1
) AS found`,
});

async function haveOpenItems(database: Queryable, subjects: readonly Asked[]): Promise<boolean[]> {
  const tenantIds = uuidArray(subjects, ({ tenantId }) => tenantId);
  const rows = await statement(
    database,
    tenantIds,
    uuidArray(subjects, ({ id }) => id),
  );
  const open = new Set(rows.map(({ place }) => place));
  return subjects.map((_, index) => open.has(index + 1));
}
