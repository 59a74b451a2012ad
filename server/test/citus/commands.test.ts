import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addCellCommands } from '../../src/cli/cells/cells.ts';
import { citusNodeOf, citusNodes } from '../../src/platform/postgres/citus.ts';
import { migrate } from '../../src/platform/postgres/migrations.ts';
import { withCitus, withSchema } from '../../src/platform/postgres/url-options.ts';
import { addMerchant } from '../../src/tenants/merchants/create-merchant.ts';
import { homeOf } from '../support/cell-installation.ts';
import { emptyCitusSchema, withoutCitus } from '../support/citus.ts';
import { runCommand } from '../support/command-line.ts';
import { opened } from '../support/database.ts';

const needsCitus = { skip: withoutCitus };

/** A home in a schema of the coordinator, and a schema for a cell. */
async function begin(context: TestContext) {
  const homeUrl = (await emptyCitusSchema(context)).plain;
  await migrate(homeUrl, { now: new Date() });
  const home = homeOf(homeUrl, opened(context, homeUrl));
  const { schema } = await emptyCitusSchema(context);
  const environment = {
    DATABASE_URL: homeUrl,
    ZIMBO_SECRET_KEY: home.secretKey.toString('base64'),
  };
  const cells = (...args: string[]) => runCommand(addCellCommands, ['cells', ...args], environment);
  const url = withCitus(withSchema(homeUrl, schema));
  return { ...home, url, schema, cells, place: ['--schema', schema] };
}

test('creates a cell on Citus once', needsCitus, async (context) => {
  const { cells, place, schema, url } = await begin(context);
  const created = await cells('create', 'north', ...place);
  assert.equal(created.code, 0, created.stderr);
  assert.match(created.stdout, new RegExp(`^Cell {3}north\nPlace {2}\\S+, schema ${schema}\n`));
  const node = await citusNodeOf(url, schema);
  assert.ok(node, 'Citus has its tables');
  const again = await cells('create', 'north', ...place);
  assert.match(again.stdout, /existed before/);
  const taken = await cells('create', 'south', ...place);
  assert.match(taken.stderr, /is already the cell north\./);
  const { stdout } = await cells('list');
  const row = `^north +${node.host}:${node.port} +${schema} +0 +\\d+ +answers$`;
  assert.match(stdout, new RegExp(row, 'm'));
});

test('moves a cell with its rows to another node', needsCitus, async (context) => {
  const { cells, place, schema, url, database, dependencies } = await begin(context);
  await cells('create', 'north', ...place);
  const cell = opened(context, url);
  await addMerchant(cell, dependencies, 'Loja da Praia');
  const from = (await citusNodeOf(url, schema))!;
  const to = (await citusNodes(url)).find(({ port }) => port !== from.port)!;
  const [old, other] = [from, to].map(({ host, port }) => `${host}:${port}`);
  const moved = await cells('move', 'north', '--node', other!);
  assert.deepEqual(moved, {
    code: 0,
    stdout: `Cell  north\nFrom  ${old}\nTo    ${other}\n`,
    stderr: '',
  });
  assert.deepEqual(await citusNodeOf(url, schema), to);
  const names = await cell.query({ text: 'SELECT name FROM merchants' });
  assert.deepEqual(names, [{ name: 'Loja da Praia' }]);
  const text = `SELECT subject, detail FROM audit_records WHERE action = 'cell.moved'`;
  const [record] = await database.query<{ subject: string; detail: unknown }>({ text });
  assert.equal(record!.subject, 'north');

  const there = await cells('move', 'north', '--node', other!);
  assert.match(there.stderr, new RegExp(`^The cell north is on ${other} already\\.$`, 'm'));
  const nowhere = await cells('move', 'north', '--node', 'nowhere:1');
  assert.match(nowhere.stderr, /^Citus has no node "nowhere:1"\.\nThere are: .*:\d+, .*:\d+\.$/m);
  const home = await cells('move', 'home', '--node', other!);
  assert.match(home.stderr, /^The cell home is not on Citus\.$/m);
  assert.equal(there.code + nowhere.code + home.code, 3);
});
