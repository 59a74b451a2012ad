import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshDatabase } from '../../../test/support/database.ts';
import { randomIds } from '../values/ids.ts';
import { Conditions } from './conditions.ts';
import type { Database } from './database.ts';
import { findByMetadata, type MetadataFilter } from './find-by-metadata.ts';
import type { ListPage } from './list-page.ts';

const tenantId = '0a1b2c3d-0000-7000-8000-000000000001';
const ids = randomIds();

async function insert(database: Database, metadata: unknown): Promise<string> {
  const id = ids.next(Date.now());
  const text = `INSERT INTO products (tenant_id, id, name, price_minor, currency, active, metadata, created_at, updated_at)
    VALUES ($1, $2, '', 1, 'CVE', true, $3, now(), now())`;
  await database.query({ text }, [
    tenantId,
    id,
    metadata === null ? null : JSON.stringify(metadata),
  ]);
  return id;
}

/** Rows that are newer than all others, each with a text of so many bytes. */
const many = `
INSERT INTO products (tenant_id, id, name, price_minor, currency, active, metadata, created_at, updated_at)
SELECT $1, ('ffffffff-0000-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid, '', 1, 'CVE', true,
  nullif(repeat('x', $3::integer), ''), now(), now()
FROM generate_series(1, $2::integer) AS n`;

const find = (
  database: Database,
  metadata: MetadataFilter,
  page: ListPage = { limit: 20 },
  more: (asked: Conditions) => void = () => undefined,
) => {
  const asked = new Conditions([tenantId, page.limit + 1], 'tenant_id = $1');
  more(asked);
  return findByMetadata(database, { table: 'products', asked, metadata, page });
};

test('finds the exact text of strings, numbers and booleans, at the top level only', async (context) => {
  const { database } = await freshDatabase(context);
  const awkward = 'a"b\\c/é\u2028🦄';
  const rows = {
    text: await insert(database, { order: '42', [awkward]: awkward, empty: '', '': 'nameless' }),
    number: await insert(database, { order: 42, rate: 1.5, huge: 1e21, tiny: 1e-7 }),
    longer: await insert(database, { order: 421, flag: true }),
    nested: await insert(database, { deep: { order: '42' }, list: [{ order: 42 }], order: null }),
    hidden: await insert(database, { other: '"order":"42"', order: 'x', flag: 'true' }),
    // Its JSON is the text of a deeper value.
    object: await insert(database, { order: { a: 1 }, list: [1], deep: { order: '{"a":1}' } }),
    none: await insert(database, null),
  };
  const expected: [MetadataFilter, string[]][] = [
    [{ order: '42' }, [rows.number, rows.text]],
    [{ order: '4' }, []],
    [{ order: '42.0' }, []],
    [{ rate: '1.5' }, [rows.number]],
    [{ huge: '1e+21', tiny: '1e-7' }, [rows.number]],
    [{ flag: 'true' }, [rows.hidden, rows.longer]],
    [{ order: '421', flag: 'true' }, [rows.longer]],
    [{ order: 'null' }, []],
    [{ order: '{"a":1}' }, []],
    [{ list: '[1]' }, []],
    [{ empty: '' }, [rows.text]],
    [{ '': 'nameless' }, [rows.text]],
    [{ [awkward]: awkward }, [rows.text]],
    [{ ['__proto__']: 'x' }, []],
    [{ order: '%' }, []],
  ];
  for (const [metadata, found] of expected)
    assert.deepEqual(await find(database, metadata), found, JSON.stringify(metadata));
});

const refusal = {
  code: 'VALIDATION_ERROR',
  param: 'created_gte',
  message: /looks through at most 50000/,
};

test('looks through 50,000 rows or 32 MiB, and refuses to look through more', async (context) => {
  const { database } = await freshDatabase(context);
  const oldest = await insert(database, { order: '42' });
  await database.query({ text: many }, [tenantId, 49_999, 0]);
  assert.deepEqual(await find(database, { order: '42' }), [oldest]);
  const newest = await insert(database, { order: '42' });
  await assert.rejects(find(database, { order: '42' }), refusal);
  // A page that is full ends the search.
  const upwards = { limit: 1, endingBefore: '00000000-0000-0000-0000-000000000000' };
  assert.deepEqual(await find(database, { order: '42' }, upwards), [oldest, newest]);
  await database.query({
    text: `DELETE FROM products WHERE id > 'f0000000-0000-0000-0000-000000000000'`,
  });
  await database.query({ text: many }, [tenantId, 512, 65_000]);
  assert.deepEqual(await find(database, { order: '42' }), [newest, oldest]);
  await database.query({
    text: `DELETE FROM products WHERE id > 'f0000000-0000-0000-0000-000000000000'`,
  });
  await database.query({ text: many }, [tenantId, 520, 65_000]);
  await assert.rejects(find(database, { order: '42' }), refusal);
});

test('looks for a second, and leaves the time limit of later statements as it was', async (context) => {
  const { database } = await freshDatabase(context);
  await insert(database, { order: '42' });
  const limit = () => database.query({ text: 'SHOW statement_timeout' });
  const before = await limit();
  const slow = find(database, { order: '42' }, { limit: 20 }, (asked) =>
    asked.and('(SELECT count(*) FROM generate_series(1, 1000000000)) > 0'),
  );
  await assert.rejects(slow, refusal);
  assert.deepEqual(await limit(), before);
});
