import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addCellCommands } from '../../src/cli/cells/cells.ts';
import { citusNodeOf, citusNodes } from '../../src/platform/postgres/citus.ts';
import { citusSchemaOf } from '../../src/platform/postgres/url-options.ts';
import { addMerchant } from '../../src/tenants/merchants/create-merchant.ts';
import { testHome } from '../support/cell-installation.ts';
import { withoutCitus } from '../support/citus.ts';
import { runCommand } from '../support/command-line.ts';
import { emptyDatabase, opened } from '../support/database.ts';

const needsCitus = { skip: withoutCitus };

/** A home, and a place for a cell on Citus: its coordinator and a schema. */
async function begin(context: TestContext) {
  const home = await testHome(context);
  const url = await emptyDatabase(context);
  const schema = citusSchemaOf(url)!;
  const coordinator = url.split('?')[0]!;
  const environment = {
    DATABASE_URL: home.url,
    ZIMBO_SECRET_KEY: home.secretKey.toString('base64'),
  };
  const cells = (...args: string[]) => runCommand(addCellCommands, ['cells', ...args], environment);
  const place = ['--url', coordinator, '--schema', schema];
  return { ...home, url, schema, cells, place, address: new URL(coordinator).host };
}

test('a command makes a cell on Citus, and makes it once', needsCitus, async (context) => {
  const { cells, place, schema, address, url } = await begin(context);
  const made = await cells('create', 'north', '--citus', ...place);
  assert.equal(made.code, 0, made.stderr);
  assert.match(
    made.stdout,
    new RegExp(`^Cell {4}north\nPlace {3}${address}/\\w+, schema ${schema}\nEngine {2}Citus\n`),
  );
  assert.ok(await citusNodeOf(url, schema), 'Citus has its tables');
  const again = await cells('create', 'north', '--citus', ...place);
  assert.match(again.stdout, /had been made before/);
  const plain = await cells('create', 'north', ...place);
  assert.match(plain.stderr, /^There is a cell north already: .*, on Citus\.$/m);
  const taken = await cells('create', 'south', ...place);
  assert.match(taken.stderr, /is on Citus\.\nSay so with --citus\.$/m);
  const { stdout } = await cells('list');
  const row = `^north +Citus +${address}/\\w+ +${schema} +0 +\\d+ +answers$`;
  assert.match(stdout, new RegExp(row, 'm'));
});

test('a database without Citus takes no cell on Citus', needsCitus, async (context) => {
  const { cells } = await begin(context);
  const url = process.env.ZIMBO_TEST_DATABASE!;
  const { code, stderr } = await cells('create', 'north', '--citus', '--url', url);
  assert.equal(code, 1);
  assert.match(stderr, /The database \S+ has no Citus\.\nName the database of the coordinator/);
});

test('a command moves a cell to another node, with what is in it', needsCitus, async (context) => {
  const { cells, place, schema, url, database, dependencies } = await begin(context);
  await cells('create', 'north', '--citus', ...place);
  const cell = opened(context, url);
  await addMerchant(cell, dependencies, 'Loja da Praia');
  const from = (await citusNodeOf(url, schema))!;
  const to = (await citusNodes(url)).find(({ port }) => port !== from.port)!;
  const [old, other] = [from, to].map(({ host, port }) => `${host}:${port}`);
  const moved = await cells('relocate', 'north', '--node', other!);
  assert.deepEqual(moved, {
    code: 0,
    stdout: `Cell  north\nFrom  ${old}\nTo    ${other}\n`,
    stderr: '',
  });
  assert.deepEqual(await citusNodeOf(url, schema), to);
  const names = await cell.query({ text: 'SELECT name FROM merchants' });
  assert.deepEqual(names, [{ name: 'Loja da Praia' }]);
  const text = `SELECT subject, detail FROM audit_records WHERE action = 'cell.relocated'`;
  const [record] = await database.query<{ subject: string; detail: unknown }>({ text });
  assert.equal(record!.subject, 'north');

  const there = await cells('relocate', 'north', '--node', other!);
  assert.match(there.stderr, new RegExp(`^The cell north is on ${other} already\\.$`, 'm'));
  const nowhere = await cells('relocate', 'north', '--node', 'nowhere:1');
  assert.match(nowhere.stderr, /^Citus has no node "nowhere:1"\.\nThere are: .*:\d+, .*:\d+\.$/m);
  const home = await cells('relocate', 'home', '--node', other!);
  assert.match(home.stderr, /^The cell home is not on Citus\.$/m);
  assert.equal(there.code + nowhere.code + home.code, 3);
});
