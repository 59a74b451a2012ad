import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addDeadCell, deadUrl, testInstallation } from '../../../test/support/cell-installation.ts';
import { runCommand } from '../../../test/support/command-line.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { allButTheLast } from '../../../test/support/migrations.ts';
import { addressOf } from '../../platform/postgres/address.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { migrate } from '../../platform/postgres/migrations.ts';
import { withSchema } from '../../platform/postgres/url-options.ts';
import { nameThisCell } from '../../tenants/cells/this-cell.ts';
import { addMerchant } from '../../tenants/merchants/create-merchant.ts';
import { addMigrateCommand } from '../migrate.ts';
import { addCellCommands } from './cells.ts';

async function installation(context: TestContext, { dead = false } = {}) {
  const made = await testInstallation(context);
  if (dead) await addDeadCell(made, made.secrets.encrypt(deadUrl, 'cells.url_box west'));
  const zimbo = (add: Parameters<typeof runCommand>[0], ...args: string[]) =>
    runCommand(add, args, made.environment);
  return { ...made, zimbo };
}

test('cells are listed with what they hold, and one that is down does not keep the others back', async (context) => {
  const { zimbo, cells, dependencies, url } = await installation(context, { dead: true });
  await addMerchant(cells.south, dependencies, 'Loja');
  const { code, stdout, stderr } = await zimbo(addCellCommands, 'cells', 'list');
  assert.deepEqual({ code, stderr }, { code: 1, stderr: '' });
  const [headings, ...lines] = stdout.trimEnd().split('\n');
  assert.match(headings!, /^NAME +ENGINE +DATABASE +SCHEMA +MERCHANTS +MIGRATION +STATE$/);
  const place = addressOf(url);
  assert.match(lines[0]!, new RegExp(`^home +PostgreSQL +${place} +public +0 +\\d+ +answers$`));
  assert.match(lines[1]!, new RegExp(`^north +PostgreSQL +${place} +north +0 +\\d+ +answers$`));
  assert.match(lines[2]!, /^south +PostgreSQL +\S+ +south +1 +\d+ +answers$/);
  assert.match(
    lines[3]!,
    /^west +PostgreSQL +127\.0\.0\.1:1\/zimbo +west +does not answer: .*ECONNREFUSED/,
  );
  assert.ok(!stdout.includes('secret'), 'no password');

  const json = JSON.parse((await zimbo(addCellCommands, 'cells', 'list', '--json')).stdout);
  assert.deepEqual(
    json.map(({ name, schema, answers, merchants }: Record<string, unknown>) => [
      name,
      schema,
      answers,
      merchants,
    ]),
    [
      ['home', 'public', true, 0],
      ['north', 'north', true, 0],
      ['south', 'south', true, 1],
      ['west', 'west', false, undefined],
    ],
  );
});

test('a cell is made, and removed when it holds no merchants; its schema stays', async (context) => {
  const { zimbo, cells, dependencies, database } = await installation(context);
  const made = await zimbo(addCellCommands, 'cells', 'create', 'east');
  assert.equal(made.code, 0, made.stderr);
  assert.match(made.stdout, /^Cell {4}east\nPlace {3}\S+, schema east\nEngine {2}PostgreSQL\n/);
  assert.match(
    (await zimbo(addCellCommands, 'cells', 'create', 'east')).stdout,
    /had been made before/,
  );
  const taken = await zimbo(addCellCommands, 'cells', 'create', 'east', '--schema', 'far');
  assert.equal(taken.code, 1);
  assert.match(
    taken.stderr,
    /^There is a cell east already: \S+, schema east\.\nChoose another name\.$/m,
  );
  const away = await zimbo(addCellCommands, 'cells', 'create', 'far', '--url', deadUrl);
  assert.match(away.stderr, /^The database 127\.0\.0\.1:1\/zimbo cannot be used: .*ECONNREFUSED/m);
  assert.doesNotMatch(away.stderr, /DATABASE_URL|secret/);
  const wrong = await zimbo(addCellCommands, 'cells', 'create', 'Far-East');
  assert.match(wrong.stderr, /"Far-East" is no name for a cell/);

  await addMerchant(cells.north, dependencies, 'Loja');
  const refused = await zimbo(addCellCommands, 'cells', 'remove', 'north');
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /^The cell north holds 1 merchant\.$/m);
  await database.query({
    text: `INSERT INTO cell_moves (merchant_id, move_id, from_cell, to_cell, state, began_at, changed_at)
      VALUES (gen_random_uuid(), gen_random_uuid(), 'north', 'south', 'COPYING', now(), now())`,
  });
  const onTheWay = await zimbo(addCellCommands, 'cells', 'remove', 'south');
  assert.match(onTheWay.stderr, /on its way to the cell south/);
  assert.equal((await zimbo(addCellCommands, 'cells', 'remove', 'east')).code, 0);
  assert.match((await zimbo(addCellCommands, 'cells', 'remove', 'east')).stderr, /no cell "east"/);
  assert.match(
    (await zimbo(addCellCommands, 'cells', 'remove', 'home')).stderr,
    /cannot be removed/,
  );
  const text = `SELECT to_regclass('east.payments') IS NOT NULL AS "isThere"`;
  assert.deepEqual(await database.query({ text }), [{ isThere: true }]);
  const recorded = await database.query({
    text: `SELECT subject FROM audit_records WHERE action = 'cell.removed'`,
  });
  assert.deepEqual(recorded, [{ subject: 'east' }]);
});

const cellRecords = (database: Database) =>
  database.query({
    text: `SELECT action, subject, detail, before, after FROM audit_records
      WHERE action IN ('cell.removed', 'cell.url_changed') ORDER BY at, id`,
  });

test('a cell gets another address, where it is what it was', async (context) => {
  const { zimbo, other, cells, database, url } = await installation(context);
  const setUrl = (name: string, given: string) =>
    zimbo(addCellCommands, 'cells', 'set-url', name, '--url', given);
  const before = await zimbo(addCellCommands, 'cells', 'list');
  const stored = () => database.query({ text: `SELECT url_box FROM cells WHERE name = 'south'` });
  const [box] = await stored();
  const wrong = await setUrl('south', url);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /, schema south is no cell: the cell south is not there\.$/m);
  assert.match((await setUrl('south', deadUrl)).stderr, /ECONNREFUSED/);
  assert.match((await setUrl('south', 'db2.internal')).stderr, /no address of a PostgreSQL/);
  assert.match((await setUrl('far', other)).stderr, /no further cell "far"/);
  await cells.south.query({ text: 'CREATE TABLE kept AS SELECT * FROM phone_digest_key' });
  await cells.south.query({ text: 'DELETE FROM phone_digest_key' });
  assert.match((await setUrl('south', other)).stderr, /belongs to another installation/);
  await cells.south.query({ text: 'INSERT INTO phone_digest_key SELECT * FROM kept' });
  assert.deepEqual([await stored(), await cellRecords(database)], [[box], []]);

  const alias = `${other}${other.includes('?') ? '&' : '?'}application_name=newer`;
  const changed = await setUrl('south', alias);
  assert.equal(changed.code, 0, changed.stderr);
  assert.match(changed.stdout, /restart all of them/);
  const [now] = await stored();
  assert.notDeepEqual(now, box);
  assert.equal((await zimbo(addCellCommands, 'cells', 'list')).stdout, before.stdout);
  const place = `${addressOf(other)}, schema south`;
  assert.deepEqual(await cellRecords(database), [
    {
      action: 'cell.url_changed',
      subject: 'south',
      detail: {},
      before: { place },
      after: { place },
    },
  ]);
});

test('a cell that is lost is taken out only with a word on its merchants, and not while it answers with some', async (context) => {
  const { zimbo, database, cells, dependencies } = await installation(context, { dead: true });
  const remove = (name: string, ...options: string[]) =>
    zimbo(addCellCommands, 'cells', 'remove', name, '--lost', ...options);
  const unconfirmed = await remove('west');
  assert.equal(unconfirmed.code, 1);
  assert.match(unconfirmed.stderr, /confirm it: {2}--with-merchants 0$/m);
  await addMerchant(cells.south, dependencies, 'Loja');
  const living = await remove('south', '--with-merchants', '0');
  assert.equal(living.code, 1);
  assert.match(living.stderr, /^The cell south is not lost: it answers, and holds 1 merchant\.$/m);
  assert.deepEqual(await cellRecords(database), []);
  for (const name of ['west', 'north'])
    assert.equal((await remove(name, '--with-merchants', '0')).code, 0, name);
});

test('a cell that is lost is taken out unopened, and what is lost with it is confirmed', async (context) => {
  const { zimbo, database } = await installation(context, { dead: true });
  const remove = (...options: string[]) =>
    zimbo(addCellCommands, 'cells', 'remove', 'west', ...options);
  assert.match((await remove()).stderr, /ECONNREFUSED/);
  await database.query({
    text: `INSERT INTO cell_tenants SELECT gen_random_uuid(), m, 'west'
      FROM unnest(ARRAY[gen_random_uuid(), gen_random_uuid()]) m, generate_series(1, 2)`,
  });
  const notLost = await zimbo(addCellCommands, 'cells', 'remove', 'north', '--with-merchants', '0');
  assert.match(notLost.stderr, /^--with-merchants confirms what is lost with --lost\.$/m);
  for (const options of [['--lost'], ['--lost', '--with-merchants', '1']]) {
    const refused = await remove(...options);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /By the directory, 2 merchants are in the cell west/);
    assert.match(refused.stderr, /confirm it: {2}--with-merchants 2$/m);
  }
  assert.deepEqual(await cellRecords(database), []);
  assert.equal((await remove('--lost', '--with-merchants', '2')).code, 0);
  assert.deepEqual(await database.query({ text: 'SELECT FROM cell_tenants' }), []);
  assert.match((await remove('--lost')).stderr, /no cell "west"/);
  assert.deepEqual(await cellRecords(database), [
    {
      action: 'cell.removed',
      subject: 'west',
      detail: { lost: true, merchants: 2 },
      before: null,
      after: null,
    },
  ]);
});

test('each cell is brought up to date, whichever is down', async (context) => {
  const { zimbo, cells, other } = await installation(context, { dead: true });
  const { directory, last } = await allButTheLast(context);
  await cells.south.query({ text: 'DROP SCHEMA south CASCADE' });
  await cells.south.query({ text: 'CREATE SCHEMA south' });
  await migrate(withSchema(other, 'south'), { now: new Date(), directory });
  await nameThisCell(cells.south, 'south');
  const check = await zimbo(addMigrateCommand, 'migrate', '--check');
  assert.equal(check.code, 1, 'one that is down may need anything');
  assert.match(check.stdout, /^home: The database is up to date\. No stop is needed\.$/m);
  assert.match(check.stdout, new RegExp(`^south: ${last} {2}(expands|makes indexes)`, 'm'));
  assert.match(check.stdout, /^west: .*ECONNREFUSED/m);

  const { code, stdout } = await zimbo(addMigrateCommand, 'migrate');
  assert.equal(code, 1);
  assert.deepEqual(stdout.trimEnd().split('\n').slice(0, 4), [
    'CELL   MIGRATIONS',
    'home   up to date',
    'north  up to date',
    `south  applied ${last}`,
  ]);
  assert.match(stdout, /^west {3}not migrated: .*ECONNREFUSED/m);
  const json = JSON.parse((await zimbo(addMigrateCommand, 'migrate', '--json')).stdout);
  assert.deepEqual(json.cells.slice(0, 3), [
    { cell: 'home', applied: [] },
    { cell: 'north', applied: [] },
    { cell: 'south', applied: [] },
  ]);
});

test('with one cell, the words are those that they were', async (context) => {
  const { url } = await testDatabase(context);
  const zimbo = (...args: string[]) => runCommand(addMigrateCommand, args, { DATABASE_URL: url });
  assert.equal((await zimbo('migrate')).stdout, 'The database is up to date.\n');
  assert.deepEqual(JSON.parse((await zimbo('migrate', '--json')).stdout), { applied: [] });
  const check = await zimbo('migrate', '--check');
  assert.deepEqual(check, {
    code: 0,
    stdout: 'The database is up to date. No stop is needed.\n',
    stderr: '',
  });
});
