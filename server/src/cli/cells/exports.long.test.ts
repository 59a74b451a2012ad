import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { testFolder } from '../../../test/support/backup.ts';
import {
  addLostCell,
  commandRunner,
  testInstallation,
} from '../../../test/support/cell-installation.ts';
import { heading } from '../../../test/support/statement.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { addMerchant } from '../../tenants/merchants/create-merchant.ts';
import { addAuditCommands } from '../audit.ts';
import { addLedgerCommands } from '../ledger.ts';
import { writeExport } from '../ledger-export.ts';
import { addReconcileCommand } from '../reconcile.ts';
import { writeCells } from './export.ts';

async function installation(context: TestContext) {
  const made = await testInstallation(context);
  const folder = await testFolder(context);
  const zimbo = commandRunner({ ...made.environment, DATA_DIR: folder });
  const merchant = async (cell: keyof typeof made.cells, name: string) =>
    formatId('me', (await addMerchant(made.cells[cell], made.dependencies, name)).id);
  const die = () => addLostCell(made);
  const file = (name: string) => join(folder, name);
  const rows = async (name: string) =>
    (await readFile(file(name), 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line) => line.split(','));
  return { ...made, zimbo, folder, file, rows, merchant, die };
}

const exportsOf = (database: Database, action: string) =>
  database.query({ text: 'SELECT detail FROM audit_records WHERE action = $1' }, [action]);

test('the audit log is exported of all cells, and one that is away is told', async (context) => {
  const { zimbo, file, rows, merchant, cells, die } = await installation(context);
  await merchant('home', 'Casa');
  const north = await merchant('north', 'Norte');
  const made = ['--action', 'merchant.created'];
  const all = await zimbo(addAuditCommands, 'audit', 'export', file('all.csv'), ...made);
  assert.deepEqual([all.code, all.stderr], [0, '']);
  assert.match(all.stdout, /^2 records written/);
  const [heading, ...records] = await rows('all.csv');
  assert.deepEqual(heading!.slice(0, 3), ['cell', 'id', 'at']);
  assert.deepEqual(
    records.map((fields) => [fields[0], fields[5]]),
    [
      ['home', 'merchant.created'],
      ['north', 'merchant.created'],
    ],
  );
  for (const cell of [cells.home, cells.north, cells.south]) {
    assert.equal((await exportsOf(cell, 'audit.exported')).length, 1, 'each says who took it away');
  }

  const of = ['audit', 'export', file('of.csv'), '--merchant', north];
  await zimbo(addAuditCommands, ...of, ...made);
  assert.deepEqual(
    (await rows('of.csv')).map((fields) => fields[0]),
    ['cell', 'north'],
  );
  const own = ['audit', 'export', file('own.csv'), '--cell', 'north'];
  assert.equal((await zimbo(addAuditCommands, ...own, ...made)).code, 0);
  assert.deepEqual(
    (await rows('own.csv')).map((fields) => fields[4]),
    ['action', 'merchant.created'],
  );

  await die();
  const some = await zimbo(addAuditCommands, 'audit', 'export', file('some.csv'), ...made);
  assert.equal(some.code, 1);
  assert.match(some.stderr, /^The cell west is left out: /m);
  assert.equal((await rows('some.csv')).length, 3);
});

/** A refund of the only merchant there. */
async function book(database: Database): Promise<void> {
  const text = `
INSERT INTO postings (tenant_id, source_id, kind, from_account, to_account, currency, amount_minor, created_at)
SELECT id, $1, 'refund_done', 'refunds_in_transit', 'operator:CVMOVEL', 'CVE', 100, now() FROM tenants WHERE mode = 'live'`;
  await database.query({ text }, [randomUUID()]);
}

test('the ledger is exported of all cells, and --cell is one of them', async (context) => {
  const { zimbo, file, rows, merchant, cells, die } = await installation(context);
  const [home, south] = [await merchant('home', 'Casa'), await merchant('south', 'Sul')];
  await book(cells.home);
  await book(cells.south);
  const all = await zimbo(addLedgerCommands, 'ledger', 'export', file('all.csv'));
  assert.deepEqual([all.code, all.stderr], [0, '']);
  assert.match(all.stdout, /^2 postings written/);
  assert.deepEqual(
    (await rows('all.csv')).map((fields) => [fields[0], fields[2]]),
    [
      ['cell', 'merchant'],
      ['home', home],
      ['south', south],
    ],
  );
  for (const cell of [cells.home, cells.north, cells.south]) {
    assert.equal((await exportsOf(cell, 'ledger.exported')).length, 1);
  }
  await zimbo(addLedgerCommands, 'ledger', 'export', file('own.csv'), '--cell', 'south');
  assert.deepEqual(
    (await rows('own.csv')).map((fields) => fields[1]),
    ['merchant', south],
  );
  await die();
  const some = await zimbo(addLedgerCommands, 'ledger', 'export', file('some.csv'));
  assert.equal(some.code, 1);
  assert.match(some.stderr, /^The cell west is left out: /m);
  assert.equal((await rows('some.csv')).length, 3);
});

test('the statement of a merchant is compared in the cell that serves it', async (context) => {
  const { zimbo, file, merchant, cells, die } = await installation(context);
  const south = await merchant('south', 'Sul');
  await book(cells.south);
  await writeFile(file('statement.csv'), `${heading}\n`);
  const operator = ['reconcile', '--operator', 'CVMOVEL', '--statement', file('statement.csv')];
  const period = ['--from', '2020-01-01', '--to', '2100-01-01'];
  const reconcile = (id: string) =>
    zimbo(addReconcileCommand, ...operator, ...period, '--merchant', id);
  const compared = await reconcile(south);
  assert.deepEqual([compared.code, compared.stderr], [1, '']);
  assert.match(compared.stdout, /^Missing in statement +1$/m);

  const nobody = formatId('me', randomUUID());
  const unknown = await reconcile(nobody);
  assert.equal(unknown.code, 1);
  assert.ok(unknown.stderr.startsWith(`There is no merchant "${nobody}".`), unknown.stderr);
  await die();
  assert.match((await reconcile(nobody)).stderr, /^It is in no cell that answers\./);
});

interface Here {
  name: string;
}

test('an export that breaks off within a cell is no file: nobody takes a part of a cell for all of it', async (context) => {
  const { zimbo, folder, file } = await installation(context);
  const asked: string[] = [];
  const { code, stderr } = await zimbo((program) => {
    program.command('break').action(() =>
      writeExport(file('broken.csv'), 'row', (output) =>
        writeCells(output, {
          columns: ['name'],
          record: { tenantId: null, action: 'ledger.exported', subject: 'all', detail: {} },
          rowsOf: async ({ database }, take) => {
            const [here] = await database.query<Here>({ text: 'SELECT current_schema AS name' });
            asked.push(here!.name);
            await take([['one']]);
            if (here!.name === 'north') throw new Error('it went away');
          },
        }),
      ),
    );
  }, 'break');
  assert.equal(code, 1);
  assert.match(
    stderr,
    /^The cell north broke off in the middle: it went away\.\nThe export is not whole/,
  );
  assert.deepEqual(asked, ['public', 'north'], 'nothing is taken out of the others any more');
  const left = (await readdir(folder)).filter((name) => name.startsWith('broken'));
  assert.deepEqual(left, []);
});

const withoutRights = [
  'GRANT DELETE ON audit_records, audit_seals TO CURRENT_USER',
  'ALTER TABLE audit_records DISABLE TRIGGER ALL',
  'ALTER TABLE audit_seals DISABLE TRIGGER ALL',
];

test('each cell has a head, and an end that is cut off is found in whichever it was', async (context) => {
  const { zimbo, merchant, cells, die } = await installation(context);
  await merchant('home', 'Casa');
  await merchant('north', 'Norte');
  const kept = await zimbo(addAuditCommands, 'audit', 'head');
  assert.equal(kept.code, 0);
  assert.match(kept.stdout, /^home:\d+:[0-9a-f]{64}\nnorth:\d+:[0-9a-f]{64}\n$/);
  assert.equal(kept.stderr, 'The cell south has no seal: nothing has been recorded there yet.\n');
  const heads = kept.stdout.trimEnd().split('\n');
  const options = heads.flatMap((head) => ['--head', head]);
  const verify = (...more: string[]) => zimbo(addAuditCommands, 'audit', 'verify', ...more);
  const clean = await verify(...options);
  assert.equal(clean.code, 0, clean.stdout + clean.stderr);
  assert.match(clean.stdout, /^Last seal +north:\d+:/m);
  assert.match(clean.stdout, /^Nothing was changed, removed or cut off before the heads/m);
  const json = await zimbo(addAuditCommands, 'audit', 'head', '--json');
  assert.deepEqual(
    JSON.parse(json.stdout).map(({ cell, head }: Record<string, string>) => [cell, head]),
    [
      ['home', heads[0]],
      ['north', heads[1]],
      ['south', null],
    ],
  );
  const own = await zimbo(addAuditCommands, 'audit', 'head', '--cell', 'north');
  assert.equal(`north:${own.stdout.trim()}`, heads[1]);
  assert.equal((await verify('--cell', 'north', '--head', own.stdout.trim())).code, 0);

  await cells.north.transaction(async (transaction) => {
    for (const text of [...withoutRights, 'DELETE FROM audit_records', 'DELETE FROM audit_seals'])
      await transaction.query({ text });
  });
  assert.equal((await verify()).code, 0, 'only a head tells');
  const cut = await verify(...options);
  assert.equal(cut.code, 1);
  assert.match(cut.stdout, /^north\n- Seal 1 was kept elsewhere, .* the end was cut off/m);
  assert.equal((await verify('--cell', 'north', '--head', heads[1]!)).code, 1);
  // One that no cell has is compared with nothing.
  for (const more of [[], ['--cell', 'south']]) {
    const lost = await verify('--head', `far${heads[0]!.slice(4)}`, ...more);
    assert.equal(lost.code, 1);
    assert.match(lost.stderr, /^The head far:\d+:\w+ was compared with nothing: /m);
  }

  await die();
  const some = await zimbo(addAuditCommands, 'audit', 'head');
  assert.equal(some.code, 1);
  assert.match(some.stderr, /^The cell west is left out: /m);
  assert.match(some.stdout, /^home:/);
});
