import type { Queryable } from '../../src/platform/postgres/database.ts';

/** Creates a merchant with a test tenant for each of these ids, which both get. Existing ones stay. */
export async function addTenants(database: Queryable, ...ids: string[]): Promise<void> {
  const merchants = `INSERT INTO merchants (id, name, created_at)
    SELECT id, 'Loja', clock_timestamp() FROM unnest($1::uuid[]) AS id ON CONFLICT DO NOTHING`;
  const tenants = `INSERT INTO tenants (id, merchant_id, mode, created_at)
    SELECT id, id, 'test', clock_timestamp() FROM unnest($1::uuid[]) AS id ON CONFLICT DO NOTHING`;
  await database.query({ text: merchants }, [ids]);
  await database.query({ text: tenants }, [ids]);
}
