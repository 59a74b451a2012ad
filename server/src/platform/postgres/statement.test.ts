import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { prepare, rowsOf, table } from './statement.ts';

interface Shop {
  tenantId: string;
  name: string | null;
  staff: number | null;
  balanceMinor: bigint | null;
  soldMinor: bigint | null;
  logo: Buffer | null;
  isOpen: boolean | null;
  openedAtMs: number | null;
}

const shops = table<Shop>({
  tenantId: 'uuid',
  name: 'text',
  staff: 'integer',
  balanceMinor: 'bigint',
  soldMinor: 'numeric',
  logo: 'bytea',
  isOpen: 'boolean',
  openedAtMs: 'timestamptz',
});

const open: Shop = {
  tenantId: '0a1b2c3d-0000-7000-8000-000000000001',
  name: 'Loja "do" Zé\\',
  staff: -3,
  balanceMinor: -(2n ** 60n),
  soldMinor: 10n ** 30n,
  logo: Buffer.from([0, 255]),
  isOpen: true,
  openedAtMs: Date.parse('2026-11-21T09:30:00.123Z'),
};
const { tenantId } = open;
const nothing = { staff: null, balanceMinor: null, soldMinor: null, logo: null, openedAtMs: null };
const bare: Shop = { tenantId, name: null, isOpen: null, ...nothing };

test('numbers parameters, and names columns after their fields', () => {
  const given = {
    first: 'text',
    shops: shops.rowsWithout('staff', 'balanceMinor', 'soldMinor', 'logo'),
    last: 'uuid',
  } as const;
  const { text } = prepare({ name: 'x', given, text: (sql) => Object.values(sql).join('\n') });
  assert.deepEqual(text.split('\n'), [
    '$1::text',
    'unnest($2::uuid[], $3::text[], $4::boolean[], $5::timestamptz[]) AS given (tenant_id, name, is_open, opened_at)',
    '$6::uuid',
  ]);
  assert.match(shops.columns, /^tenant_id AS "tenantId", name, staff, balance_minor AS "balanceM/);
});

test('transfers values of every type unchanged, in rows and alone', async (context) => {
  const { database } = await testDatabase(context);
  const all = prepare({
    name: 'test.all',
    given: { shops: shops.rowsWithout() },
    text: (given) => `SELECT ${shops.columns} FROM ${given.shops}`,
  });
  assert.deepEqual(await all.run<Shop>(database, { shops: [open, bare] }), [open, bare]);
  assert.deepEqual(await all.run<Shop>(database, { shops: [bare, bare] }), [bare, bare]);
  assert.deepEqual(await all.run<Shop>(database, { shops: [] }), []);

  const one = prepare({
    name: 'test.one',
    given: {
      tenantId: 'uuid',
      name: 'text',
      staff: 'integer',
      balanceMinor: 'bigint',
      soldMinor: 'numeric',
      logo: 'bytea',
      isOpen: 'boolean',
      openedAtMs: 'timestamptz',
    },
    text: (given) => {
      const fields = Object.entries(given).map(([field, sql]) => `${sql} AS "${field}"`);
      return `SELECT ${fields.join(', ')}`;
    },
  });
  for (const shop of [open, bare]) assert.deepEqual(await one.run<Shop>(database, shop), [shop]);
});

test('computes a column from its row', async (context) => {
  const { database } = await testDatabase(context);
  const lengths = rowsOf<string>({ length: ['integer', (row) => row.length] }, 'word');
  const sum = prepare({
    name: 'test.sum',
    given: { words: lengths },
    text: (given) => `SELECT sum(word.length)::integer AS sum FROM ${given.words}`,
  });
  assert.deepEqual(await sum.run(database, { words: ['ab', 'cde'] }), [{ sum: 5 }]);

  const nullable = rowsOf<string | null>({ word: ['text', (row) => row] }, 'word');
  const rows = prepare({
    name: 'test.rows',
    given: { words: nullable },
    text: (given) => `SELECT word FROM ${given.words}`,
  });
  assert.deepEqual(await rows.run(database, { words: [null, null] }), [
    { word: null },
    { word: null },
  ]);
});
