import type { Queryable } from '../../platform/postgres/database.ts';

const modeStatement = { name: 'tenants.mode', text: 'SELECT mode FROM tenants WHERE id = $1' };

/** Whether a tenant's money is real. */
export async function modeOf(database: Queryable, tenantId: string): Promise<'live' | 'test'> {
  const [row] = await database.query<{ mode: 'live' | 'test' }>(modeStatement, [tenantId]);
  if (!row) throw new Error('a settlement has no tenant');
  return row.mode;
}
