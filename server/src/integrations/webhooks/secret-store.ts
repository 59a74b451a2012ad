import { binaryArray, uuidArray } from '../../platform/postgres/arrays.ts';
import type { Queryable } from '../../platform/postgres/database.ts';

/** The encrypted fields of a webhook endpoint; deleted ones have them, too. */
export interface EndpointBoxes {
  tenantId: string;
  id: string;
  deleted: boolean;
  secretBox: Buffer;
  nextSecretBox: Buffer | null;
  answerBox: Buffer | null;
}

const boxesStatement = {
  name: 'webhook_endpoints.boxes',
  text: `
SELECT tenant_id AS "tenantId", id, deleted_at IS NOT NULL AS deleted,
  secret_box AS "secretBox", next_secret_box AS "nextSecretBox", answer_box AS "answerBox"
FROM webhook_endpoints
WHERE (tenant_id, id) > ($1, $2)
ORDER BY tenant_id, id LIMIT $3`,
};

const firstUuid = '00000000-0000-0000-0000-000000000000';

/** The boxes of all tenants' endpoints, page by page, for a replacement of the secret key. */
export async function* allBoxes(
  database: Queryable,
  pageSize: number,
): AsyncGenerator<EndpointBoxes[], void> {
  let after = { tenantId: firstUuid, id: firstUuid };
  for (;;) {
    const values = [after.tenantId, after.id, pageSize];
    const page = await database.query<EndpointBoxes>(boxesStatement, values);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last;
  }
}

const replaceStatement = {
  name: 'webhook_endpoints.replace_boxes',
  text: `
UPDATE webhook_endpoints w SET secret_box = given.secret_box, next_secret_box = given.next_secret_box,
  answer_box = given.answer_box
FROM unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::bytea[], $5::bytea[], $6::bytea[], $7::bytea[], $8::bytea[])
  AS given (tenant_id, id, seen_secret_box, seen_next_secret_box, seen_answer_box, secret_box,
    next_secret_box, answer_box)
WHERE w.tenant_id = given.tenant_id AND w.id = given.id
  AND w.secret_box = given.seen_secret_box
  AND w.next_secret_box IS NOT DISTINCT FROM given.seen_next_secret_box
  AND w.answer_box IS NOT DISTINCT FROM given.seen_answer_box
RETURNING w.id`,
};

/**
 * Replaces boxes that have not changed since they were read.
 * @returns how many it replaced
 */
export async function replaceBoxes(
  database: Queryable,
  changes: readonly { seen: EndpointBoxes; next: EndpointBoxes }[],
): Promise<number> {
  const rows = await database.query(replaceStatement, [
    uuidArray(changes, ({ seen }) => seen.tenantId),
    uuidArray(changes, ({ seen }) => seen.id),
    binaryArray(changes, ({ seen }) => seen.secretBox),
    binaryArray(changes, ({ seen }) => seen.nextSecretBox),
    binaryArray(changes, ({ seen }) => seen.answerBox),
    binaryArray(changes, ({ next }) => next.secretBox),
    binaryArray(changes, ({ next }) => next.nextSecretBox),
    binaryArray(changes, ({ next }) => next.answerBox),
  ]);
  return rows.length;
}
