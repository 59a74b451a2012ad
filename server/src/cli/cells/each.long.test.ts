import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import {
  addDeadCell,
  commandRunner,
  deadUrl,
  openSchema,
  testInstallation,
} from '../../../test/support/cell-installation.ts';
import type { runCommand } from '../../../test/support/command-line.ts';
import { emptyDatabase } from '../../../test/support/database.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { addMerchant } from '../../tenants/merchants/create-merchant.ts';
import { addKeyCommands } from '../keys.ts';
import { addLedgerCommands } from '../ledger.ts';
import { addMerchantCommands } from '../merchants.ts';
import { addMigrateCommand } from '../migrate.ts';
import { addCellCommands } from './cells.ts';

async function installation(context: TestContext) {
  const made = await testInstallation(context);
  const zimbo = commandRunner(made.environment);
  const json = async (add: Parameters<typeof runCommand>[0], ...args: string[]) => {
    const said = await zimbo(add, ...args, '--json');
    assert.match(said.stdout, /^[[{]/, said.stderr);
    return { ...said, json: JSON.parse(said.stdout) };
  };
  const die = () => addDeadCell(made, made.secrets.encrypt(deadUrl, 'cells.url_box west'));
  return { ...made, zimbo, json, die };
}

test('--cell has a command work in that cell, wherever it stands', async (context) => {
  const { zimbo, json, cells } = await installation(context);
  await zimbo(addMerchantCommands, 'merchants', 'create', '--name', 'Sul', '--cell', 'south');
  await zimbo(addMerchantCommands, 'merchants', '--cell', 'north', 'create', '--name', 'Norte');
  await zimbo(addMerchantCommands, 'merchants', 'create', '--name', 'Casa');
  const names = async (database: Database) =>
    (await database.query<{ name: string }>({ text: 'SELECT name FROM merchants' })).map(
      ({ name }) => name,
    );
  assert.deepEqual(await names(cells.south), ['Sul']);
  assert.deepEqual(await names(cells.north), ['Norte']);
  assert.deepEqual(await names(cells.home), ['Casa']);
  const listed = await json(addMerchantCommands, 'merchants', 'list');
  assert.deepEqual(
    listed.json.map(({ name, cell }: Record<string, string>) => [name, cell]),
    [
      ['Casa', 'home'],
      ['Norte', 'north'],
      ['Sul', 'south'],
    ],
  );
  const south = await json(addMerchantCommands, 'merchants', 'list', '--cell', 'south');
  assert.deepEqual(south.json.length, 1);
  const unknown = await zimbo(addMerchantCommands, 'merchants', 'list', '--cell', 'far');
  assert.deepEqual([unknown.code, unknown.stderr.split('\n')[0]], [1, 'There is no cell "far".']);
});

test('a merchant that is on its way is listed where it is served', async (context) => {
  const { json, cells, dependencies } = await installation(context);
  const merchant = await addMerchant(cells.north, dependencies, 'Loja');
  for (const [cell, state] of [
    ['north', 'DRAINING'],
    ['south', 'ARRIVING'],
  ] as const) {
    const text = 'INSERT INTO moving_merchants (merchant_id, move_id, state) VALUES ($1, $2, $3)';
    await cells[cell].query({ text }, [merchant.id, randomUUID(), state]);
  }
  const copy = 'INSERT INTO merchants (id, name, created_at) VALUES ($1, $2, now())';
  await cells.south.query({ text: copy }, [merchant.id, 'Loja']);
  const { json: listed } = await json(addMerchantCommands, 'merchants', 'list');
  assert.deepEqual(
    listed.map(({ cell }: { cell: string }) => cell),
    ['north'],
  );
});

test('a command about one thing finds the cell that has it', async (context) => {
  const { json, zimbo, cells, dependencies, die } = await installation(context);
  const merchant = formatId('me', (await addMerchant(cells.south, dependencies, 'Sul')).id);
  const create = ['keys', 'create', '--mode', 'test', '--merchant'];
  const { json: key } = await json(addKeyCommands, ...create, merchant);
  assert.equal((await cells.south.query({ text: 'SELECT FROM api_keys' })).length, 1);
  const listed = await json(addKeyCommands, 'keys', 'list');
  assert.deepEqual(
    listed.json.map(({ id }: { id: string }) => id),
    [key.id],
  );
  const revoked = await json(addKeyCommands, 'keys', 'revoke', key.id);
  assert.notEqual(revoked.json.revokedAt, null);
  const nobody = formatId('me', randomUUID());
  const unknown = await zimbo(addKeyCommands, ...create, nobody);
  assert.match(unknown.stderr, new RegExp(`^There is no merchant "${nobody}"`));

  await die();
  assert.equal((await zimbo(addKeyCommands, ...create, merchant)).code, 0);
  const silent = await zimbo(addKeyCommands, ...create, nobody);
  assert.equal(silent.code, 1);
  assert.match(
    silent.stderr,
    /It is in no cell that answers\. No answer from: west \(connect ECONNREFUSED 127\.0\.0\.1:1\)\./,
  );
});

/** Where a cell is by the home. */
const lieAt = (made: Awaited<ReturnType<typeof installation>>, name: string, url: string) =>
  made.database.query({ text: 'UPDATE cells SET url_box = $2 WHERE name = $1' }, [
    name,
    made.secrets.encrypt(url, `cells.url_box ${name}`),
  ]);

test('a cell that cannot be opened keeps no command from a later one, and is named with the reason', async (context) => {
  const made = await installation(context);
  const { json, zimbo, cells, dependencies, other } = made;
  const merchant = formatId('me', (await addMerchant(cells.south, dependencies, 'Sul')).id);
  const create = ['keys', 'create', '--mode', 'test', '--merchant'];
  const nobody = formatId('me', randomUUID());
  const nowhere = other.replace(/test_\w+/, 'nowhere');
  for (const [url, reason] of [
    [nowhere, 'database "nowhere" does not exist'],
    [await emptyDatabase(context), 'schema north is no cell: the cell north is not there'],
  ] as const) {
    await lieAt(made, 'north', url);
    const { json: key } = await json(addKeyCommands, ...create, merchant);
    const revoked = await json(addKeyCommands, 'keys', 'revoke', key.id);
    assert.notEqual(revoked.json.revokedAt, null);
    const unknown = await zimbo(addKeyCommands, ...create, nobody);
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, new RegExp(`No answer from: north \\(.*${reason}`));
  }
});

test('what lies at the address of a cell is left as it is, unless it is that cell', async (context) => {
  const made = await installation(context);
  const { zimbo } = made;
  const there = await emptyDatabase(context);
  await lieAt(made, 'south', there);
  const south = openSchema(context, there, 'south');
  await south.query({ text: 'CREATE SCHEMA south' });
  const notIt = /, schema south is no cell: the cell south is not there\./;
  const listed = await zimbo(addMerchantCommands, 'merchants', 'list');
  assert.equal(listed.code, 1);
  assert.match(listed.stderr, notIt);
  const chosen = await zimbo(addMerchantCommands, 'merchants', 'list', '--cell', 'south');
  assert.match(chosen.stderr, notIt);
  assert.match(chosen.stderr, /"zimbo cells set-url" changes the address\.$/m);
  assert.match((await zimbo(addMigrateCommand, 'migrate')).stdout, notIt);
  assert.match((await zimbo(addCellCommands, 'cells', 'list')).stdout, notIt);
  const tables = `SELECT FROM pg_class WHERE relnamespace = 'south'::regnamespace`;
  assert.deepEqual(await south.query({ text: tables }), []);
});

test('whoever chooses a cell that is down is told where its address is changed', async (context) => {
  const { zimbo, die } = await installation(context);
  await die();
  const { code, stderr } = await zimbo(addMerchantCommands, 'merchants', 'list', '--cell', 'west');
  assert.equal(code, 1);
  assert.match(stderr, /^The database 127\.0\.0\.1:1\/zimbo cannot be used: .*ECONNREFUSED/m);
  assert.match(stderr, /"zimbo cells list" .* zimbo cells set-url west --url URL/);
  assert.doesNotMatch(stderr, /DATABASE_URL/);
});

test('a list tells of the cells that answer, and which does not', async (context) => {
  const { json, cells, dependencies, die } = await installation(context);
  await addMerchant(cells.south, dependencies, 'Sul');
  await die();
  const { code, stderr, json: listed } = await json(addMerchantCommands, 'merchants', 'list');
  assert.deepEqual([code, listed.length], [1, 1]);
  assert.match(stderr, /^The cell west is left out: .*ECONNREFUSED/m);
});

test('of a cell that is left out is told why, and what to do', async (context) => {
  const { zimbo, cells } = await installation(context);
  const changed = `UPDATE schema_migrations SET checksum = 'x' WHERE number = 1`;
  await cells.north.query({ text: changed });
  const why =
    'The migration 0001-foundation.sql was changed after it had been applied to this database.';
  const advice = 'Restore the original file, and make the change in a new migration.';
  const list = await zimbo(addMerchantCommands, 'merchants', 'list');
  assert.equal(list.stderr, `The cell north is left out: ${why} ${advice}\n`);
  const check = await zimbo(addLedgerCommands, 'ledger', 'check');
  assert.ok(check.stdout.includes(`north\nIt was not looked at: ${why} ${advice}\n`), check.stdout);
  const told = await zimbo(addMigrateCommand, 'migrate');
  assert.ok(told.stdout.includes(`north  not migrated: ${why} ${advice}\n`), told.stdout);
  const { cells: views } = JSON.parse((await zimbo(addMigrateCommand, 'migrate', '--json')).stdout);
  assert.deepEqual(views[1], { cell: 'north', error: `${why} ${advice}` });
});

const book = async (database: Database, tenantId: string, transaction: string) => {
  const text = `
INSERT INTO operator_transactions (operator, account, operator_tx_id, tenant_id, payment_id, kind)
VALUES ('CVMOVEL', 'a', $1, $2, gen_random_uuid(), 'DEBIT')`;
  await database.query({ text }, [transaction, tenantId]);
};

async function liveTenant(database: Database, { id }: { id: string }): Promise<string> {
  const text = `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'live'`;
  return (await database.query<{ id: string }>({ text }, [id]))[0]!.id;
}

test('the ledgers of all cells are checked, and what two of them have is told', async (context) => {
  const { zimbo, json, cells, dependencies, die } = await installation(context);
  const check = ['ledger', 'check'];
  const clean = await zimbo(addLedgerCommands, ...check);
  assert.equal(clean.code, 0);
  assert.match(clean.stdout, /^home\nThe ledger is correct\.\n\nnorth\n/);
  assert.match(clean.stdout, /No merchant and no transaction of an operator is in two cells\.\n$/);

  const north = await addMerchant(cells.north, dependencies, 'Norte');
  const south = await addMerchant(cells.south, dependencies, 'Sul');
  const tenants = [await liveTenant(cells.north, north), await liveTenant(cells.south, south)];
  // Thousands, so that pages of both end at other places; and signs that other collations put elsewhere.
  for (let index = 0; index < 1_500; index++) {
    await book(cells.north, tenants[0]!, `N${index}`);
    if (index % 3 === 0) await book(cells.south, tenants[1]!, `S${index}`);
  }
  const both = ['TX-1', 'tx-1', 'Ção', '𝄞', 'ﬀ', '_', 'N9_', 'N0'];
  for (const each of both) {
    if (each !== 'N0') await book(cells.north, tenants[0]!, each);
    await book(cells.south, tenants[1]!, each);
  }
  const copy = 'INSERT INTO merchants (id, name, created_at) VALUES ($1, $2, now())';
  await cells.home.query({ text: copy }, [north.id, 'Norte']);
  const found = (await json(addLedgerCommands, ...check)).json;
  assert.equal(found.clean, false);
  const transactions = found.across.filter(
    (each: { check: string }) => each.check === 'transaction',
  );
  assert.deepEqual(
    transactions
      .map(
        ({ message }: { message: string }) =>
          /^CVMOVEL's (\S+) is booked for pi_/.exec(message)?.[1],
      )
      .sort(),
    both.toSorted(),
  );
  const [merchant] = found.across;
  assert.deepEqual([merchant.check, merchant.cells], ['merchant', ['home', 'north']]);

  await die();
  const withDead = await zimbo(addLedgerCommands, ...check);
  assert.equal(withDead.code, 1);
  assert.match(withDead.stdout, /^west\nIt was not looked at: .*ECONNREFUSED/m);
  assert.match(withDead.stdout, /is in home and in north; a merchant lives in one cell$/m);

  // As if the home went away once each cell was looked at.
  await cells.home.query({ text: 'ALTER TABLE cell_moves RENAME TO moves_of_cells' });
  const lost = await zimbo(addLedgerCommands, ...check);
  assert.equal(lost.code, 1);
  assert.match(lost.stdout, /^home\nThe ledger is correct\.\n\nnorth\n/);
  assert.match(lost.stdout, /^They were not compared: .*cell_moves.* does not exist\./m);
  const lostJson = (await json(addLedgerCommands, ...check)).json;
  assert.deepEqual([lostJson.clean, lostJson.across, lostJson.cells.length], [false, [], 4]);
  assert.match(lostJson.error, /cell_moves/);
});
