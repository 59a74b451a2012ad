import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { aCell, openSchema, testHome } from '../../../test/support/cell-installation.ts';
import { silentLog } from '../../../test/support/database.ts';
import { migrate } from '../../platform/postgres/migrations.ts';
import { withSchema } from '../../platform/postgres/url-options.ts';
import { createDigestKey, isDigestKey, shareDigestKey } from '../../platform/secrets/digest-key.ts';
import { createSecretBox } from '../../platform/secrets/secret-box.ts';
import { addMerchant } from '../merchants/create-merchant.ts';
import { makeCreateCell } from './create.ts';
import { listCells } from './store.ts';
import { findThisCell, nameThisCell } from './this-cell.ts';

type Home = Awaited<ReturnType<typeof testHome>>;

const keyOf = async ({ database, secrets }: Home) =>
  (await createDigestKey({ database, secrets, log: silentLog }).open())!;
const boxText = 'SELECT box FROM phone_digest_key';
const actions = async ({ database }: Home) => {
  const text = `SELECT action, subject FROM audit_records WHERE action LIKE 'cell.%'`;
  return database.query({ text });
};

test('creates the tables, the digest key and the name of a cell, lists and records it', async (context) => {
  const home = await testHome(context);
  const cellUrl = withSchema(home.url, 'north');
  assert.deepEqual(await home.create(aCell('north')), {
    cell: { name: 'north', url: cellUrl },
    isNew: true,
  });
  const cell = openSchema(context, home.url, 'north');
  assert.equal(await findThisCell(cell), 'north');
  const [stored] = await cell.query<{ box: Buffer }>({ text: boxText });
  assert.ok(isDigestKey(stored!.box, await keyOf(home), home.secrets));
  const tables = `SELECT count(*) FROM pg_class WHERE relkind = 'r' AND relnamespace = $1::regnamespace`;
  const [here] = await home.database.query({ text: tables }, ['public']);
  assert.deepEqual(await cell.query({ text: tables }, ['north']), [here]);
  assert.deepEqual(await listCells(home.database, home.url), [
    { name: 'home', url: home.url },
    { name: 'north', url: cellUrl },
  ]);
  assert.deepEqual(await actions(home), [{ action: 'cell.created', subject: 'north' }]);
});

test('refuses a database without Citus', async (context) => {
  const home = await testHome(context);
  await assert.rejects(home.create(aCell('north', { isOnCitus: true })), {
    name: 'StartError',
    message: /^The database \S+ has no Citus, which further cells require\.$/,
  });
  assert.deepEqual(await actions(home), []);
});

/** The state after a run that died after so many steps. */
const steps: [name: string, step: (home: Home, url: string) => Promise<unknown>][] = [
  ['the schema', ({ database }) => database.query({ text: 'CREATE SCHEMA north' })],
  ['the tables', (_home, url) => migrate(url, { now: new Date() })],
  ['its name', (_home, url) => inCell(url, (cell) => nameThisCell(cell, 'north'))],
  [
    'the digest key',
    async (home, url) => {
      const key = await keyOf(home);
      return inCell(url, (cell) => shareDigestKey(cell, key, home.secrets));
    },
  ],
  ['its row', (home) => home.create(aCell('north'))],
];

async function inCell<T>(url: string, run: (cell: Home['database']) => Promise<T>): Promise<T> {
  const { openDatabase } = await import('../../platform/postgres/database.ts');
  const cell = openDatabase({ url, log: silentLog, maxConnections: 1 });
  try {
    return await run(cell);
  } finally {
    await cell.close();
  }
}

for (const [index, [name]] of steps.entries()) {
  test(`completes a creation that died after ${name}, once`, async (context) => {
    const home = await testHome(context);
    const url = withSchema(home.url, 'north');
    for (const [, step] of steps.slice(0, index + 1)) await step(home, url);
    const { isNew } = await home.create(aCell('north'));
    assert.equal(isNew, index < steps.length - 1);
    assert.deepEqual(await actions(home), [{ action: 'cell.created', subject: 'north' }]);
    const cell = openSchema(context, home.url, 'north');
    assert.equal(await findThisCell(cell), 'north');
    const [stored] = await cell.query<{ box: Buffer }>({ text: boxText });
    assert.ok(isDigestKey(stored!.box, await keyOf(home), home.secrets));
  });
}

test('creates a cell once in two concurrent runs', async (context) => {
  const home = await testHome(context);
  const made = await Promise.all([home.create(aCell('north')), home.create(aCell('north'))]);
  assert.deepEqual(
    made.map(({ cell }) => cell.name),
    ['north', 'north'],
  );
  assert.equal((await actions(home)).length, 1);
});

test('refuses a name or a schema that is taken', async (context) => {
  const home = await testHome(context);
  await home.create(aCell('north'));
  const refused = (given: ReturnType<typeof aCell>, words: RegExp) =>
    assert.rejects(home.create(given), words);
  await refused(aCell('home'), /a cell home already/);
  await refused(aCell('north', { schemaName: 'far' }), /a cell north already: .*, schema north/);
  await refused(aCell('south', { schemaName: 'north' }), /already the cell north/);
  await refused(aCell('south', { schemaName: 'public' }), /the cell home/);
  assert.equal((await listCells(home.database, home.url)).length, 2);
});

test('refuses a schema that belongs to something else, and leaves it as it is', async (context) => {
  const home = await testHome(context);
  await home.database.query({ text: 'CREATE SCHEMA shop CREATE TABLE orders (id int)' });
  await assert.rejects(
    home.create(aCell('north', { schemaName: 'shop' })),
    /tables of another program/,
  );
  await home.database.query({ text: 'CREATE SCHEMA other' });
  await migrate(withSchema(home.url, 'other'), { now: new Date() });
  const other = openSchema(context, home.url, 'other');
  const asked = aCell('north', { schemaName: 'other' });
  await addMerchant(other, home.dependencies, 'Loja');
  await assert.rejects(home.create(asked), /belongs to another gateway/);
  await other.query({ text: 'DELETE FROM tenants' });
  await other.query({ text: 'DELETE FROM merchants' });
  await shareDigestKey(other, randomBytes(32), createSecretBox(randomBytes(32)));
  await assert.rejects(home.create(asked), /another installation/);
  assert.equal(await findThisCell(other), undefined);
  assert.deepEqual(await actions(home), []);
});

test('tells a role without the privileges what an administrator must do', async (context) => {
  const home = await testHome(context);
  const [me] = await home.database.query<{ role: string; name: string }>({
    text: 'SELECT current_user::text AS role, current_database()::text AS name',
  });
  const { role, name } = me!;
  await home.database.query({ text: `REVOKE CREATE ON DATABASE ${name} FROM ${role}` });
  await assert.rejects(home.create(aCell('north')), {
    message: `The role ${role} may not create schemas in the database ${name}.`,
    hint: `As an administrator of PostgreSQL, in the database ${name}:  CREATE SCHEMA "north" AUTHORIZATION "${role}";`,
  });
  await home.database.query({ text: `GRANT CREATE ON DATABASE ${name} TO ${role}` });
  await home.database.query({ text: 'CREATE SCHEMA north' });
  await home.database.query({ text: `REVOKE CREATE ON SCHEMA north FROM ${role}` });
  await assert.rejects(home.create(aCell('north')), {
    message: `The role ${role} may not create tables in the schema north of the database ${name}.`,
    hint: `As an administrator of PostgreSQL, in the database ${name}:  ALTER SCHEMA "north" OWNER TO "${role}";`,
  });
});

test('creates cells only from the home, with its secret key', async (context) => {
  const home = await testHome(context);
  const { cell } = await home.create(aCell('north'));
  const north = openSchema(context, home.url, 'north');
  const fromCell = makeCreateCell({ ...home.dependencies, database: north, homeUrl: cell.url });
  await assert.rejects(
    fromCell(aCell('south')),
    /is the cell north; cells are created from the home/,
  );
  const secrets = createSecretBox(randomBytes(32));
  const withOtherKey = makeCreateCell({ ...home.dependencies, secrets });
  await assert.rejects(withOtherKey(aCell('south')), /with another secret key/);
});

test('readopts a cell with its merchants after the home was restored to an earlier time', async (context) => {
  const home = await testHome(context);
  await home.create(aCell('north'));
  const north = openSchema(context, home.url, 'north');
  await addMerchant(north, home.dependencies, 'Loja');
  await home.database.query({ text: 'DELETE FROM cells' });
  assert.equal((await home.create(aCell('north'))).isNew, true);
  assert.equal((await north.query({ text: 'SELECT FROM merchants' })).length, 1);
});
