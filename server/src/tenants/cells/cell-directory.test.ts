import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { testKey } from '../../../test/support/gateway.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { hashApiKey } from '../merchants/api-key.ts';
import {
  cellUnavailable,
  Directory,
  type DirectoryOptions,
  directoryBusy,
} from './cell-directory.ts';
import type { CellLookup } from './cell-directory-store.ts';

/** A home and a further cell, each in its own database, with a merchant in the further one. */
async function setUp(context: TestContext, changes: Partial<DirectoryOptions> = {}) {
  const { database: home } = await testDatabase(context);
  const { database: north } = await testDatabase(context);
  const key = await testKey(north);
  const asked: string[] = [];
  const watched = (name: string, database: Database): Queryable => ({
    query(statement, values) {
      asked.push(`${name} ${statement.name}`);
      return database.query(statement, values);
    },
  });
  const cells = new Map([
    ['home', watched('home', home)],
    ['north', watched('north', north)],
  ]);
  const open = () => new Directory({ home: cells.get('home')!, cells, ...changes });
  const lookup: CellLookup = { kind: 'KEY', hash: hashApiKey(key) };
  return { home, north, cells, open, lookup, asked };
}

/** For a call that would hang forever if it were not refused. */
async function refusalOf(finding: Promise<unknown>): Promise<unknown> {
  let refusal: unknown;
  finding.catch((error) => {
    refusal = error;
  });
  return eventually('it is refused', () => refusal);
}

test('asks each cell once for an unknown tenant, and then remembers the answer', async (context) => {
  const { open, lookup, asked, home } = await setUp(context);
  const directory = open();
  assert.equal(directory.findCached(lookup), undefined);
  assert.deepEqual(await Promise.all([directory.find(lookup), directory.find(lookup)]), [
    'north',
    'north',
  ]);
  assert.equal(asked.filter((text) => text === 'north api_keys.lives_here').length, 1);
  assert.equal(directory.findCached(lookup), 'north');
  asked.length = 0;
  assert.equal(await open().find(lookup), 'north');
  assert.deepEqual(asked, ['home cell_keys.find'], 'another process finds it noted');
  const rows = await home.query({ text: 'SELECT FROM cell_keys' });
  assert.equal(rows.length, 1);
});

test('stores nothing that no cell has, and cannot deny it while a cell does not answer', async (context) => {
  const { open, home, cells } = await setUp(context);
  const stranger: CellLookup = { kind: 'TENANT', id: randomUUID() };
  assert.equal(await open().find(stranger), undefined);
  assert.equal((await home.query({ text: 'SELECT FROM cell_tenants' })).length, 0);
  cells.set('north', { query: () => Promise.reject(new Error('away')) });
  await assert.rejects(open().find(stranger), /away/);
  const outage = Object.assign(new Error(), { code: 'ECONNREFUSED' });
  cells.set('north', { query: () => Promise.reject(outage) });
  await assert.rejects(open().find(stranger), (error) => error === cellUnavailable);
});

test('limits concurrent questions to all cells, with a separate limit for objects', async (context) => {
  const maxLookups = { places: 1, objects: 1 };
  const { open, lookup, cells, north } = await setUp(context, { maxLookups });
  const noted = { kind: 'KEY', hash: hashApiKey(await testKey(north)) } as const;
  await open().find(noted);
  const directory = open();
  const watched = cells.get('north')!;
  const query = watched.query.bind(watched);
  const answers = Promise.withResolvers<void>();
  let asks = 0;
  watched.query = async (...given) => {
    asks += 1;
    await answers.promise;
    return query(...given);
  };
  const thing = (): CellLookup => ({ kind: 'OBJECT', of: 'pi', id: randomUUID() });
  const merchant = (): CellLookup => ({ kind: 'MERCHANT', id: randomUUID() });
  const under = [directory.find(lookup), directory.find(lookup), directory.find(thing())];
  await eventually('the cell is asked', () => asks === 2);
  for (const more of [merchant(), thing()])
    assert.equal(await refusalOf(directory.find(more)), directoryBusy);
  assert.equal(await directory.find(noted), 'north', 'an entry in the home needs no cell');
  answers.resolve();
  assert.deepEqual(await Promise.all(under), ['north', 'north', undefined]);
  assert.equal(await directory.find(thing()), undefined);
});

test('finds a merchant by its links once its key was found', async (context) => {
  const { open, lookup, north } = await setUp(context);
  const directory = open();
  await directory.find(lookup);
  const [tenant] = await north.query<{ id: string }>({
    text: 'SELECT tenant_id AS id FROM api_keys',
  });
  const linked: CellLookup = { kind: 'TENANT', id: tenant!.id };
  assert.equal(directory.findCached(linked), 'north');
  const learned = open();
  await learned.preload([(lookup as { hash: Buffer }).hash]);
  assert.equal(learned.findCached(linked), 'north');
  // No key of this merchant is known.
  const byLink = open();
  assert.equal(await byLink.find(linked), 'north');
});

test('loads the home’s keys in one query', async (context) => {
  const { open, lookup, asked, north } = await setUp(context);
  await open().find(lookup);
  const stranger = hashApiKey(await testKey(north));
  const directory = open();
  asked.length = 0;
  await directory.preload([(lookup as { hash: Buffer }).hash, stranger]);
  assert.equal(directory.findCached(lookup), 'north');
  assert.equal(directory.findCached({ kind: 'KEY', hash: stranger }), undefined);
  assert.deepEqual(asked, ['home cell_keys.find_all']);
});

test('bounds the cache, and evicts unused entries', async (context) => {
  const { open, lookup, north } = await setUp(context, { maxEntries: 4 });
  const directory = open();
  await directory.find(lookup);
  const unused = { kind: 'KEY', hash: hashApiKey(await testKey(north)) } as const;
  await directory.find(unused);
  for (let more = 0; more < 3; more += 1) {
    assert.equal(directory.findCached(lookup), 'north');
    await directory.find({ kind: 'KEY', hash: hashApiKey(await testKey(north)) });
  }
  assert.equal(directory.findCached(lookup), 'north');
  assert.equal(directory.findCached(unused), undefined);
});
