import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { adminKey } from '../../../test/support/admin.ts';
import {
  addLostCell,
  commandRunner,
  testInstallation,
} from '../../../test/support/cell-installation.ts';
import type { runCommand } from '../../../test/support/command-line.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { addMerchant } from '../../tenants/merchants/create-merchant.ts';
import { addAdminCommands } from '../api/operations.ts';
import { addKeyCommands } from '../keys.ts';
import { addLedgerCommands } from '../ledger.ts';
import { addMerchantCommands } from '../merchants.ts';
import { addMigrateCommand } from '../migrate.ts';

async function installation(context: TestContext) {
  const made = await testInstallation(context);
  const zimbo = commandRunner(made.environment);
  const json = async (add: Parameters<typeof runCommand>[0], ...args: string[]) => {
    const said = await zimbo(add, ...args, '--json');
    assert.match(said.stdout, /^[[{]/, said.stderr);
    return { ...said, json: JSON.parse(said.stdout) };
  };
  const die = () => addLostCell(made);
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
  const all = await json(addAdminCommands, 'admin', 'merchants', 'list');
  assert.deepEqual(
    all.json.map(({ name }: Record<string, string>) => name),
    ['Casa', 'Norte', 'Sul'],
  );
  const list = ['admin', 'merchants', 'list'];
  const first = await zimbo(addAdminCommands, ...list, '--limit', '2');
  assert.match(first.stdout, /There are more: a larger --limit, or --cell$/m);
  const next = await zimbo(addAdminCommands, ...list, '--starting-after', all.json[0].id);
  assert.deepEqual([next.code, next.stdout], [1, '']);
  assert.match(next.stderr, /--starting-after needs --cell/);
  const adminKeyId = formatId('ak', (await adminKey({ database: cells.home })).id);
  const keys = await json(addAdminCommands, 'admin', 'admin-keys', 'list', '--cell', 'south');
  assert.deepEqual(
    keys.json.map((key: { id: string }) => key.id),
    [adminKeyId],
    'keys of staff belong to the home',
  );
  const south = await json(addMerchantCommands, 'merchants', 'list', '--cell', 'south');
  assert.deepEqual(south.json.length, 1);
  const unknown = await zimbo(addMerchantCommands, 'merchants', 'list', '--cell', 'far');
  assert.deepEqual([unknown.code, unknown.stderr.split('\n')[0]], [1, 'There is no cell "far".']);
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
    /It is in no cell that answers\. No answer from: west \(.* the cell west is not there\.\)\./,
  );
});

test('--cell of a lost cell says that it is not there', async (context) => {
  const { zimbo, die } = await installation(context);
  await die();
  const { code, stderr } = await zimbo(addMerchantCommands, 'merchants', 'list', '--cell', 'west');
  assert.equal(code, 1);
  assert.match(stderr, /, schema west is no cell: the cell west is not there\.$/m);
});

test('a list tells of the cells that answer, and which does not', async (context) => {
  const { json, cells, dependencies, die } = await installation(context);
  await addMerchant(cells.south, dependencies, 'Sul');
  await die();
  const { code, stderr, json: listed } = await json(addMerchantCommands, 'merchants', 'list');
  assert.deepEqual([code, listed.length], [1, 1]);
  assert.match(stderr, /^The cell west is left out: .* the cell west is not there/m);
});

test('of a cell that is left out is told why, and what to do', async (context) => {
  const { zimbo, cells } = await installation(context);
  const changed = `UPDATE schema_migrations SET checksum = 'x' WHERE number = 1`;
  await cells.north.query({ text: changed });
  const why =
    'The migration 0001-foundation.sql was changed after it was applied to this database.';
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
  assert.match(clean.stdout, /No transaction of an operator is in two cells\.\n$/);

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

  await die();
  const withDead = await zimbo(addLedgerCommands, ...check);
  assert.equal(withDead.code, 1);
  assert.match(withDead.stdout, /^west\nIt was not looked at: .* the cell west is not there/m);
});
