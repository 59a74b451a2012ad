import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { cellTables, homeTables, merchantTables } from './tables.ts';

test('assigns each table to merchants, to the cell or to the home', async (context) => {
  const { database } = await testDatabase(context);
  const text = `
SELECT relname::text AS name FROM pg_class
WHERE relkind IN ('r', 'p') AND relnamespace = current_schema()::regnamespace ORDER BY 1`;
  const tables = (await database.query<{ name: string }>({ text })).map(({ name }) => name);
  const named = [...merchantTables, ...Object.keys(cellTables), ...homeTables];
  assert.deepEqual(named.sort(), tables);
});

test('assigns each table with a tenant to merchants, with four exceptions', async (context) => {
  const { database } = await testDatabase(context);
  const text = `
SELECT table_name::text AS name FROM information_schema.columns
WHERE column_name = 'tenant_id' AND table_schema = current_schema()`;
  const withTenant = (await database.query<{ name: string }>({ text })).map(({ name }) => name);
  const others = withTenant.filter((name) => !merchantTables.includes(name));
  // Audit records stay in the chain of their cell, and lines with their bank statement; the others are the directory.
  const exceptions = ['audit_records', 'bank_statement_lines', 'cell_keys', 'cell_tenants'];
  assert.deepEqual(others.sort(), exceptions);
});
