import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { homeTables, movingTables, stayingTables } from './tables.ts';

test('of every table it is said, once, whether its rows move with their merchant', async (context) => {
  const { database } = await testDatabase(context);
  const text = `
SELECT relname::text AS name FROM pg_class
WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace ORDER BY 1`;
  const tables = (await database.query<{ name: string }>({ text })).map(({ name }) => name);
  const moving = movingTables.map(({ name }) => name);
  const named = [...moving, ...Object.keys(stayingTables), ...homeTables];
  assert.deepEqual(named.sort(), tables);
});

test('a table with a tenant moves, unless it is named among those that stay, with its reason', async (context) => {
  const { database } = await testDatabase(context);
  const text = `
SELECT table_name::text AS name FROM information_schema.columns
WHERE column_name = 'tenant_id' AND table_schema = current_schema()`;
  const withTenant = (await database.query<{ name: string }>({ text })).map(({ name }) => name);
  const moving = new Set(movingTables.map(({ name }) => name));
  const left = withTenant.filter((name) => !moving.has(name));
  // Sealed where they were written; and the directory itself.
  assert.deepEqual(left.sort(), ['audit_records', 'cell_keys', 'cell_tenants']);
});
