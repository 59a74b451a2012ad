import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addLostCell, testInstallation } from '../../../test/support/cell-installation.ts';
import { runCommand } from '../../../test/support/command-line.ts';
import { testDatabase } from '../../../test/support/database.ts';
import { allButTheLast } from '../../../test/support/migrations.ts';
import { migrate } from '../../platform/postgres/migrations.ts';
import { withSchema } from '../../platform/postgres/url-options.ts';
import { nameThisCell } from '../../tenants/cells/this-cell.ts';
import { addMerchant } from '../../tenants/merchants/create-merchant.ts';
import { addMigrateCommand } from '../migrate.ts';
import { addCellCommands } from './cells.ts';

async function installation(context: TestContext, { lost = false } = {}) {
  const made = await testInstallation(context);
  if (lost) await addLostCell(made);
  const zimbo = (add: Parameters<typeof runCommand>[0], ...args: string[]) =>
    runCommand(add, args, made.environment);
  return { ...made, zimbo };
}

test('cells are listed with what they hold, and one that is down does not keep the others back', async (context) => {
  const { zimbo, cells, dependencies } = await installation(context, { lost: true });
  await addMerchant(cells.south, dependencies, 'Loja');
  const { code, stdout, stderr } = await zimbo(addCellCommands, 'cells', 'list');
  assert.deepEqual({ code, stderr }, { code: 1, stderr: '' });
  const [headings, ...lines] = stdout.trimEnd().split('\n');
  assert.match(headings!, /^NAME +NODE +SCHEMA +MERCHANTS +MIGRATION +STATE$/);
  assert.match(lines[0]!, /^home +public +0 +\d+ +answers$/);
  assert.match(lines[1]!, /^north +north +0 +\d+ +answers$/);
  assert.match(lines[2]!, /^south +south +1 +\d+ +answers$/);
  assert.match(lines[3]!, /^west +west +does not answer: .* the cell west is not there\.$/);

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

test('each cell is brought up to date, whichever is down', async (context) => {
  const { zimbo, cells, url } = await installation(context, { lost: true });
  const { directory, last } = await allButTheLast(context);
  await cells.south.query({ text: 'DROP SCHEMA south CASCADE' });
  await cells.south.query({ text: 'CREATE SCHEMA south' });
  await migrate(withSchema(url, 'south'), { now: new Date(), directory });
  await nameThisCell(cells.south, 'south');
  const check = await zimbo(addMigrateCommand, 'migrate', '--check');
  assert.equal(check.code, 1, 'one that is down may need anything');
  assert.match(check.stdout, /^home: The database is up to date\. No stop is needed\.$/m);
  assert.match(check.stdout, new RegExp(`^south: ${last} {2}(expands|creates indexes)`, 'm'));
  assert.match(check.stdout, /^west: .* the cell west is not there/m);

  const { code, stdout } = await zimbo(addMigrateCommand, 'migrate');
  assert.equal(code, 1);
  assert.deepEqual(stdout.trimEnd().split('\n').slice(0, 4), [
    'CELL   MIGRATIONS',
    'home   up to date',
    'north  up to date',
    `south  applied ${last}`,
  ]);
  assert.match(stdout, /^west {3}not migrated: .* the cell west is not there/m);
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

test('refuses a name that PostgreSQL would not read without quotes, and a database without Citus', async (context) => {
  const { zimbo } = await installation(context);
  const wrong = await zimbo(addCellCommands, 'cells', 'create', 'Far-East');
  assert.match(wrong.stderr, /"Far-East" is no name for a cell/);
  const plain = await zimbo(addCellCommands, 'cells', 'create', 'east');
  assert.equal(plain.code, 1);
  assert.match(plain.stderr, /^The database \S+ has no Citus, which further cells require\.$/m);
});

test('refuses to create a cell while BACKUP_SCHEDULE is set', async (context) => {
  const { environment } = await installation(context);
  const scheduled = {
    ...environment,
    BACKUP_TO: '/var/backups',
    BACKUP_SCHEDULE: 'daily at 03:00',
  };
  const { code, stderr } = await runCommand(
    addCellCommands,
    ['cells', 'create', 'east'],
    scheduled,
  );
  assert.equal(code, 1);
  assert.match(stderr, /^BACKUP_SCHEDULE is set, /m);
});
