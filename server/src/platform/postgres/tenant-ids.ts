/**
 * Ids of one tenant as a FROM item with the columns `wanted_tenant_id` and `wanted_id`, to join by both. With just
 * `tenant_id = $1`, the planner without statistics expects hardly any rows per tenant, and reads all of them to find
 * a few.
 * @param tenant the parameter with the tenant's id
 * @param ids the parameter with an array
 */
export const idsOfTenant = (tenant: string, ids: string): string =>
  `(SELECT ${tenant}::uuid AS wanted_tenant_id, wanted_id FROM unnest(${ids}::uuid[]) AS wanted_id OFFSET 0) AS wanted`;
