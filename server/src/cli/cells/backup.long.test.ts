import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { testFolder } from '../../../test/support/backup.ts';
import {
  addDeadCell,
  commandRunner,
  deadUrl,
  openSchema,
  testInstallation,
} from '../../../test/support/cell-installation.ts';
import { emptyDatabase } from '../../../test/support/database.ts';
import { addressOf } from '../../platform/postgres/address.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { addMerchant } from '../../tenants/merchants/create-merchant.ts';
import { addBackupCommands } from '../backup.ts';
import { addLedgerCommands } from '../ledger.ts';
import { addCellCommands } from './cells.ts';

async function installation(context: TestContext) {
  const made = await testInstallation(context);
  const folder = await testFolder(context);
  const zimbo = commandRunner({ ...made.environment, DATA_DIR: folder });
  const merchant = (cell: keyof typeof made.cells, name: string) =>
    addMerchant(made.cells[cell], made.dependencies, name);
  return { ...made, folder, zimbo, merchant };
}

/** As it stands when the mover has ended. */
async function moved(
  merchantId: string,
  [from, to, name]: [Database, Database, string],
  home: Database,
): Promise<void> {
  for (const table of ['merchants', 'tenants']) {
    const column = table === 'merchants' ? 'id' : 'merchant_id';
    const read = `SELECT json_agg(t)::text AS rows FROM ${table} t WHERE ${column} = $1`;
    const [row] = await from.query<{ rows: string }>({ text: read }, [merchantId]);
    const write = `INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1::json)`;
    await to.query({ text: write }, [row!.rows]);
  }
  const directory = `
INSERT INTO cell_tenants (tenant_id, merchant_id, cell)
SELECT id, $1, $2 FROM unnest($3::uuid[]) AS id`;
  const tenants = await from.query<{ id: string }>(
    { text: 'DELETE FROM tenants WHERE merchant_id = $1 RETURNING id' },
    [merchantId],
  );
  await from.query({ text: 'DELETE FROM merchants WHERE id = $1' }, [merchantId]);
  await home.query({ text: directory }, [merchantId, name, tenants.map(({ id }) => id)]);
}

const names = async (database: Database) => {
  const text = 'SELECT name FROM merchants ORDER BY name';
  return (await database.query<{ name: string }>({ text })).map(({ name }) => name);
};

test('each cell is backed up into a file of its own, and one that is down is told', async (context) => {
  const made = await installation(context);
  const { zimbo, folder } = made;
  const file = join(folder, 'zimbo.backup.gz');
  assert.equal((await zimbo(addBackupCommands, 'backup', file)).code, 0);
  const files = async () => (await readdir(folder)).filter((name) => name.includes('backup.gz'));
  assert.deepEqual((await files()).sort(), [
    'zimbo.backup.gz',
    'zimbo.north.backup.gz',
    'zimbo.south.backup.gz',
  ]);
  // Nothing is written, so what is said is said once.
  const whole = await zimbo(addBackupCommands, 'backup', '-');
  const which = 'Standard output has room for one cell.\nSay which: --cell NAME, or --cell home.\n';
  assert.deepEqual([whole.code, whole.stderr], [1, which]);
  const nowhere = await zimbo(addBackupCommands, 'backup');
  assert.equal(nowhere.code, 1);
  assert.match(nowhere.stderr, /^Where should .*BACKUP_TO is not set.*\nFor example: .*\n$/);

  await addDeadCell(made, made.secrets.encrypt(deadUrl, 'cells.url_box west'));
  const second = await zimbo(addBackupCommands, 'backup', join(folder, 'second.backup.gz'));
  assert.equal(second.code, 1);
  assert.match(second.stderr, /^The cell west was not backed up: .*ECONNREFUSED\D+[\d.]+:1\.$/m);
  assert.equal((await files()).filter((name) => name.startsWith('second')).length, 3);
});

test('the file of each cell says whose it is, and old ones of that cell alone are removed', async (context) => {
  const { environment, cells } = await testInstallation(context);
  const folder = await testFolder(context);
  const zimbo = commandRunner({
    ...environment,
    DATA_DIR: folder,
    BACKUP_TO: join(folder, 'kept'),
    BACKUP_KEEP_DAYS: '1',
    BACKUP_KEEP_LAST: '1',
  });
  const files = async () => (await readdir(join(folder, 'kept'))).toSorted();
  const ownersOf = (names: string[]) => names.map((name) => `${name.split('.')[1]}`).toSorted();
  assert.equal((await zimbo(addBackupCommands, 'backup')).code, 0);
  const first = await files();
  assert.deepEqual(ownersOf(first), ['home', 'north', 'south']);
  for (const cell of Object.values(cells))
    await cell.query({ text: `UPDATE backups SET began_at = began_at - interval '2 days'` });
  assert.equal((await zimbo(addBackupCommands, 'backup', '--cell', 'home')).code, 0);
  const second = await files();
  assert.deepEqual(ownersOf(second), ['home', 'north', 'south']);
  const gone = first.filter((name) => !second.includes(name));
  assert.deepEqual(ownersOf(gone), ['home']);
});

test('a cell that is restored does not bring back to life what has moved since', async (context) => {
  const { zimbo, folder, cells, merchant, database } = await installation(context);
  const { id } = await merchant('north', 'Muda');
  await merchant('north', 'Fica');
  const file = join(folder, 'zimbo.backup.gz');
  await zimbo(addBackupCommands, 'backup', file);
  await moved(id, [cells.north, cells.south, 'south'], database);
  await cells.north.query({ text: 'DROP SCHEMA north CASCADE' });

  const north = join(folder, 'zimbo.north.backup.gz');
  const wrong = await zimbo(addBackupCommands, 'restore', north, '--cell', 'south');
  assert.notEqual(wrong.code, 0, 'south is not empty');
  const asHome = await zimbo(addBackupCommands, 'restore', file, '--cell', 'north');
  assert.match(asHome.stderr, /backup of the cell home, and it would be restored as north/);
  const restored = await zimbo(addBackupCommands, 'restore', north, '--cell', 'north');
  assert.deepEqual([restored.code, restored.stderr], [0, '']);
  assert.match(restored.stdout, /^Left out +1 merchant, in other cells by now$/m);
  assert.deepEqual(await names(cells.north), ['Fica']);
  assert.deepEqual(await names(cells.south), ['Muda']);
  const check = await zimbo(addLedgerCommands, 'ledger', 'check');
  assert.equal(check.code, 0, check.stdout);
});

test('a home that is restored leaves out what has moved, and asks anew where merchants are', async (context) => {
  const { zimbo, folder, cells, merchant, database } = await installation(context);
  const { id } = await merchant('home', 'Muda');
  await merchant('home', 'Fica');
  await merchant('south', 'Volta');
  // As it was before: this is what the backup has, and what must not count any more.
  await database.query(
    { text: "INSERT INTO cell_tenants (tenant_id, merchant_id, cell) VALUES ($1, $1, 'north')" },
    [randomUUID()],
  );
  const file = join(folder, 'zimbo.backup.gz');
  await zimbo(addBackupCommands, 'backup', file);
  await moved(id, [cells.home, cells.south, 'south'], database);
  await database.query({ text: 'DROP SCHEMA public CASCADE' });
  await database.query({ text: 'CREATE SCHEMA public' });
  const restored = await zimbo(addBackupCommands, 'restore', file);
  assert.equal(restored.code, 0, restored.stderr);
  assert.deepEqual(await names(cells.home), ['Fica']);
  assert.deepEqual(await names(cells.south), ['Muda', 'Volta']);
  assert.deepEqual(await database.query({ text: 'SELECT FROM cell_tenants' }), []);
  assert.equal((await database.query({ text: 'SELECT FROM cells' })).length, 2);
});

test('a merchant that a restore has lost is told of by it, and by whoever looks again', async (context) => {
  const { zimbo, folder, cells, merchant, database } = await installation(context);
  await zimbo(addBackupCommands, 'backup', join(folder, 'zimbo.backup.gz'));
  const { id } = await merchant('home', 'Muda');
  await moved(id, [cells.home, cells.north, 'north'], database);
  // The directory is wrong about this one, which is not lost.
  const { id: living } = await merchant('south', 'Vive');
  const directory = 'INSERT INTO cell_tenants (tenant_id, merchant_id, cell) VALUES ($1, $2, $3)';
  await database.query({ text: directory }, [randomUUID(), living, 'north']);
  await cells.north.query({ text: 'DROP SCHEMA north CASCADE' });
  const north = join(folder, 'zimbo.north.backup.gz');
  const restored = await zimbo(addBackupCommands, 'restore', north, '--cell', 'north');
  assert.equal(restored.code, 1);
  const lost = formatId('me', id);
  assert.match(restored.stderr, /^1 merchant is in north by the directory, and in no cell: /m);
  assert.match(restored.stderr, new RegExp(`^${lost}$`, 'm'));
  for (const apply of [[], ['--apply']]) {
    const settle = ['cells', 'settle', 'north', ...apply];
    const settled = await zimbo(addCellCommands, ...settle, '--json');
    assert.deepEqual([settled.code, JSON.parse(settled.stdout).lost], [1, [lost]]);
  }
  const check = await zimbo(addLedgerCommands, 'ledger', 'check');
  assert.equal(check.code, 1);
  assert.match(check.stdout, /^- me_\w{26} is in north by the directory, and is not there$/m);
});

test('a cell whose server is lost is restored into another database, where it is from then on', async (context) => {
  const { zimbo, folder, cells, merchant, database, secrets } = await installation(context);
  await merchant('south', 'Fica');
  await zimbo(addBackupCommands, 'backup', join(folder, 'zimbo.backup.gz'));
  const box = secrets.encrypt(deadUrl, 'cells.url_box south');
  await database.query({ text: `UPDATE cells SET url_box = $1 WHERE name = 'south'` }, [box]);
  const file = join(folder, 'zimbo.south.backup.gz');
  const there = await emptyDatabase(context);
  const restore = (...options: string[]) => zimbo(addBackupCommands, 'restore', file, ...options);
  const dead = await restore('--cell', 'south');
  assert.match(dead.stderr, /^The database 127\.0\.0\.1:1\/zimbo cannot be used: .*ECONNREFUSED/m);
  assert.match(dead.stderr, /--cell south --url URL$/m);
  for (const cell of [[], ['--cell', 'home']]) {
    const refused = await restore('--url', there, ...cell);
    assert.match(refused.stderr, /^--url is for a further cell/m);
  }
  const wrong = await restore('--url', there, '--cell', 'north');
  assert.match(wrong.stderr, /backup of the cell south, and it would be restored as north/);

  const restored = await restore('--url', there, '--cell', 'south');
  assert.deepEqual([restored.code, restored.stderr], [0, '']);
  const address = addressOf(there);
  assert.match(restored.stdout, new RegExp(`^Address +${address}$`, 'm'));
  assert.match(restored.stdout, /^The ledger is correct\.$/m);
  assert.deepEqual(await names(openSchema(context, there, 'south')), ['Fica']);
  assert.equal((await zimbo(addCellCommands, 'cells', 'list')).code, 0);
  assert.deepEqual(await names(cells.home), []);

  const again = await restore('--url', there, '--cell', 'south');
  assert.match(again.stderr, /is not empty/);
  const text = `SELECT subject, before, after FROM audit_records WHERE action = 'cell.url_changed'`;
  assert.deepEqual(await database.query({ text }), [
    {
      subject: 'south',
      before: { place: '127.0.0.1:1/zimbo, schema south' },
      after: { place: `${address}, schema south` },
    },
  ]);
});

/** As WAL archiving brings a database back: with all that was in it. */
async function setBack(merchantId: string, name: string, database: Database): Promise<void> {
  const text = 'INSERT INTO merchants (id, name, created_at) VALUES ($1, $2, now())';
  await database.query({ text }, [merchantId, name]);
  const tenants = `
INSERT INTO tenants (id, merchant_id, mode, created_at)
SELECT gen_random_uuid(), $1, mode, now() FROM unnest(ARRAY['test', 'live']) AS mode`;
  await database.query({ text: tenants }, [merchantId]);
}

test('a cell that was set back in another way is rid of merchants that live elsewhere by now', async (context) => {
  const { zimbo, cells, merchant, database } = await installation(context);
  const { id } = await merchant('south', 'Muda');
  await merchant('north', 'Fica');
  await setBack(id, 'Muda', cells.north);
  assert.match((await zimbo(addLedgerCommands, 'ledger', 'check')).stdout, /north and in south/);

  const looked = await zimbo(addCellCommands, 'cells', 'settle', 'north');
  assert.equal(looked.code, 0, looked.stderr);
  assert.match(
    looked.stdout,
    /^Elsewhere +1 merchant, in other cells by now\n\nme_\w{26}\n\nNothing was changed/m,
  );
  assert.deepEqual(await names(cells.north), ['Fica', 'Muda'], 'only named');

  for (const place of [database, cells.north]) {
    await place.query({
      text: `INSERT INTO running_processes (id, role, host, pid, version, settings, clock_offset_ms, started_at, seen_at)
        VALUES (gen_random_uuid(), 'all', 'shop-1', 812, '0.1.0', '{}', 0, now(), now())`,
    });
    const refused = await zimbo(addCellCommands, 'cells', 'settle', 'north', '--apply');
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /^Gateways run: all on shop-1 \(pid 812\)\.$/m);
    await place.query({ text: 'DELETE FROM running_processes' });
  }
  assert.deepEqual(await names(cells.north), ['Fica', 'Muda']);
  const settled = await zimbo(addCellCommands, 'cells', 'settle', 'north', '--apply');
  assert.equal(settled.code, 0, settled.stderr);
  assert.match(settled.stdout, /^Taken out +1 merchant, in other cells by now$/m);
  assert.deepEqual(await names(cells.north), ['Fica']);
  assert.deepEqual(await names(cells.south), ['Muda']);
  assert.equal((await zimbo(addLedgerCommands, 'ledger', 'check')).code, 0);
  const text = `SELECT subject, detail FROM audit_records WHERE action = 'cell.settled'`;
  assert.deepEqual(await cells.north.query({ text }), [
    { subject: 'north', detail: { merchants: 1 } },
  ]);
  assert.deepEqual(await database.query({ text }), [], 'where it was done');
});

test('a home of before a cell takes the cell back, and names who is in both', async (context) => {
  const { zimbo, cells, merchant, database } = await installation(context);
  const { id } = await merchant('north', 'Muda');
  await setBack(id, 'Muda', cells.home);
  await database.query({ text: `DELETE FROM cells WHERE name = 'north'` });

  const made = await zimbo(addCellCommands, 'cells', 'create', 'north');
  assert.equal(made.code, 1, made.stdout);
  assert.match(made.stderr, /^1 merchant is in north and in the home/m);
  assert.match(made.stderr, /zimbo cells settle home/);
  const settled = await zimbo(addCellCommands, 'cells', 'settle', 'home', '--apply', '--json');
  assert.deepEqual(JSON.parse(settled.stdout).elsewhere.length, 1);
  assert.deepEqual(await names(cells.home), []);
  assert.deepEqual(await names(cells.north), ['Muda']);
});
