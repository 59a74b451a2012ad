import { Batcher } from '../../platform/jobs/batcher.ts';
import { uuidArray } from '../../platform/postgres/arrays.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { rowQuery, rowsQuery } from '../../platform/postgres/query.ts';
import { holdsSql, type Permission, rolesWith } from '../../tenants/people/permissions.ts';
import type { Disbursement, Obstacle } from './disbursement.ts';

// A merchant's test key may have been made before there was the permission, which it has all the same.
const authorStatement = rowsQuery<
  { place: number; obstacle: Obstacle | null },
  [tenantIds: unknown, ids: unknown]
>({
  name: 'disbursements.author',
  text: `
SELECT given.place::integer AS place, found.obstacle
FROM unnest($1::uuid[], $2::uuid[]) WITH ORDINALITY AS given (tenant_id, id, place)
CROSS JOIN LATERAL (
  SELECT CASE
    WHEN m.suspended_at IS NOT NULL THEN 'SUSPENDED'
    WHEN t.mode = 'live' AND NOT m.disbursements_allowed THEN 'MERCHANT'
    WHEN d.created_by_key IS NOT NULL AND NOT EXISTS (
      SELECT FROM api_keys k
      WHERE k.tenant_id = d.tenant_id AND k.id = d.created_by_key AND k.revoked_at IS NULL
        AND (t.mode = 'test' OR 'disbursements:write' = ANY (k.permissions))) THEN 'KEY'
  END AS obstacle
  FROM disbursements d
  JOIN tenants t ON t.id = d.tenant_id
  JOIN merchants m ON m.id = t.merchant_id
  WHERE d.tenant_id = given.tenant_id AND d.id = given.id LIMIT 1
) AS found`,
});

const merchantStatement = rowQuery<{ merchantId: string }, [tenantId: string]>({
  name: 'disbursements.merchant',
  text: 'SELECT merchant_id AS "merchantId" FROM tenants WHERE id = $1',
});

/** Whether a person may disburse for the merchant. */
const memberStatement = rowQuery<
  { one: number },
  [merchantId: string, personId: string, roles: readonly string[], permissions: readonly string[]]
>({
  name: 'memberships.may_disburse',
  text: `
SELECT 1 AS one FROM memberships m
WHERE m.merchant_id = $1 AND m.person_id = $2 AND ${holdsSql('$3::text[]', '$4::text[]')}`,
});
const mayDisburse: Permission[] = ['disbursements.create'];

/**
 * Why the merchant or the author of a disbursement may no longer disburse: the key that created it, or the person, who
 * must still be a member with that permission. Null: they may.
 */
export type FindObstacle = (disbursement: Disbursement) => Promise<Obstacle | null>;

/**
 * One statement looks up the authors of disbursements that are about to leave together.
 * @param home the database of people
 */
export function makeFindObstacle({
  database,
  home,
}: {
  database: Queryable;
  home: Queryable;
}): FindObstacle {
  const batcher = new Batcher<Disbursement, Obstacle | null | undefined>({
    maxItems: 256,
    maxInFlight: 2,
    ownerOf: ({ tenantId }) => tenantId,
    write: (asked) => readObstacles(database, asked),
  });
  return async (disbursement) => {
    const obstacle = await batcher.submit(disbursement);
    if (obstacle === undefined) throw new Error('a disbursement is gone');
    const { tenantId, createdByPerson } = disbursement;
    if (obstacle !== null || createdByPerson === null) return obstacle;
    const { merchantId } = (await merchantStatement(database, tenantId))!;
    const given = [merchantId, createdByPerson, rolesWith(mayDisburse), mayDisburse] as const;
    return (await memberStatement(home, ...given)) === undefined ? 'PERSON' : null;
  };
}

async function readObstacles(
  database: Queryable,
  asked: readonly Disbursement[],
): Promise<(Obstacle | null | undefined)[]> {
  const found: (Obstacle | null | undefined)[] = asked.map(() => undefined);
  const tenantIds = uuidArray(asked, ({ tenantId }) => tenantId);
  const rows = await authorStatement(
    database,
    tenantIds,
    uuidArray(asked, ({ id }) => id),
  );
  for (const { place, obstacle } of rows) found[place - 1] = obstacle;
  return found;
}
