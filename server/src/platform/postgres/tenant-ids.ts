/**
 * Ids of one tenant as a FROM item with the columns `wanted_tenant_id` and `wanted_id`, for a join by both. Beside
 * `tenant_id = $1`, a database without statistics takes a tenant to have hardly any rows, and reads all of them for a few.
 * @param tenant the parameter with its id
 * @param ids the parameter with an array
 */
export const idsOfTenant = (tenant: string, ids: string): string =>
  `(SELECT ${tenant}::uuid AS wanted_tenant_id, wanted_id FROM unnest(${ids}::uuid[]) AS wanted_id OFFSET 0) AS wanted`;
