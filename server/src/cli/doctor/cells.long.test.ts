import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { addLostCell, testInstallation } from '../../../test/support/cell-installation.ts';
import { runZimbo } from '../../../test/support/zimbo.ts';
import type { Database } from '../../platform/postgres/database.ts';

interface Said {
  group: string;
  name: string;
  status: string;
  figure: string;
  advice?: string;
}

async function runDoctor(
  context: TestContext,
  environment: Record<string, string>,
  ...options: string[]
) {
  const { ended, output } = runZimbo(context, ['doctor', '--json', ...options], environment);
  const code = await ended;
  assert.equal(output.stderr, '');
  return { code, checks: (JSON.parse(output.stdout) as { checks: Said[] }).checks };
}

async function installation(context: TestContext) {
  const made = await testInstallation(context);
  const { environment } = made;
  await addLostCell(made);
  const doctor = async (...options: string[]) =>
    (await runDoctor(context, environment, ...options)).checks;
  return { ...made, doctor };
}

const inGroup = (checks: readonly Said[], group: string) =>
  checks
    .filter((check) => check.group === group)
    .map(({ name, status, figure }) => [name, status, figure]);

test('doctor looks at each cell, and one that is down is one red line', async (context) => {
  const { doctor } = await installation(context);
  const checks = await doctor();
  const groups = [...new Set(checks.map(({ group }) => group))];
  assert.deepEqual(groups, [
    'Settings',
    'Data',
    'Database',
    'Work',
    'north: database',
    'north: work',
    'south: database',
    'south: work',
    'west: database',
    'Cells',
  ]);
  const west = checks.filter(({ group }) => group === 'west: database');
  assert.deepEqual(
    west.map(({ name, status }) => [name, status]),
    [['Server', 'error']],
  );
  assert.match(west[0]!.figure, /the cell west is not there/);
  const rest = '\nnot looked at: west';
  assert.deepEqual(inGroup(checks, 'Cells'), [
    ['Gateways', 'warning', `what runs serves all of them${rest}`],
  ]);
  const north = await doctor('--cell', 'north');
  assert.deepEqual(
    [...new Set(north.map(({ group }) => group))],
    ['Settings', 'Data', 'north: database', 'north: work'],
  );
});

test('doctor tells of cells that no gateway serves', async (context) => {
  const { doctor, database, cells } = await installation(context);
  const run = (cell: Database, role: string) =>
    cell.query(
      {
        text: `INSERT INTO running_processes (id, role, host, pid, version, settings, clock_offset_ms, started_at, seen_at)
        VALUES ('019ac000-0000-7000-8000-000000000001', $1, 'shop-1', 812, '0.1.0', '{}', 0, now(), now())`,
      },
      [role],
    );
  await run(database, 'all');
  await run(cells.north, 'api');
  const [served] = (await doctor()).filter(({ name }) => name === 'Gateways');
  assert.equal(served!.status, 'error');
  assert.match(served!.figure, /^No gateway does the work of the cell north: /);
  assert.match(
    served!.figure,
    /^Not every gateway serves the cell south yet: all on shop-1 \(pid 812\)/m,
  );
});

test('a cell, or the home, that lacks migrations is named by what could not look at it', async (context) => {
  const { environment, cells } = await testInstallation(context);
  const doctor = () => runDoctor(context, environment);
  const well = await doctor();
  assert.deepEqual(inGroup(well.checks, 'Cells'), [
    ['Gateways', 'ok', 'what runs serves all of them'],
  ]);
  const text = 'DELETE FROM schema_migrations WHERE number = 44';
  await cells.south.query({ text });
  const { checks } = await doctor();
  const together = inGroup(checks, 'Cells');
  assert.deepEqual(
    together.map(([name, status]) => [name, status]),
    [['Gateways', 'warning']],
  );
  for (const [, , figure] of together) assert.match(figure!, /\nnot looked at: south$/);
  await cells.home.query({ text });
  assert.deepEqual(inGroup((await doctor()).checks, 'Cells'), [
    ['Home', 'warning', 'not looked at: north, south'],
  ]);
});

test('doctor names a cell that does not exist', async (context) => {
  const { environment } = await testInstallation(context);
  const { checks } = await runDoctor(context, environment, '--cell', 'nowhere');
  const [[, , figure]] = inGroup(checks, 'Cells') as [string[]];
  assert.equal(figure, 'there is no cell "nowhere"');
});

test('the checklist for live money asks each cell what is its own, and all together for a live key', async (context) => {
  const { environment, cells } = await testInstallation(context);
  await cells.south.query({ text: 'DELETE FROM schema_migrations WHERE number = 44' });
  const group = (checks: readonly Said[], name: string) =>
    inGroup(checks, name).map(([check, status]) => `${check}: ${status}`);
  const doctor = () => runDoctor(context, environment, '--live');
  const { checks: empty } = await doctor();
  const own = ['Standby: warning', 'Bank accounts: ok', 'Webhooks: ok', 'Last backup: ok'];
  const [standby, ...rest] = own;
  const staff = ['Staff: error', 'Alerts: error'];
  assert.deepEqual(group(empty, 'People and money'), [
    standby,
    ...staff,
    'Live keys: error',
    ...rest,
  ]);
  assert.deepEqual(group(empty, 'north: people and money'), own);
  assert.deepEqual(group(empty, 'south: people and money'), ['Left out: error']);
  await makeLiveMerchant(cells.north);
  const { checks } = await doctor();
  const inHome = group(checks, 'People and money');
  assert.deepEqual(inHome, [standby, ...staff, 'Live keys: ok', ...rest]);
  assert.deepEqual(group(checks, 'north: people and money').slice(1, 3), [
    'Bank accounts: error',
    'Webhooks: warning',
  ]);
});

const makeLiveMerchant = (cell: Database) =>
  cell.query({
    text: `
WITH merchant AS (
  INSERT INTO merchants (id, name, created_at) VALUES (gen_random_uuid(), 'Loja', now()) RETURNING id
), tenant AS (
  INSERT INTO tenants (id, merchant_id, mode, created_at)
  SELECT gen_random_uuid(), id, 'live', now() FROM merchant RETURNING id
)
INSERT INTO api_keys (tenant_id, id, key_hash, last4, permissions, created_at)
SELECT id, gen_random_uuid(), 'x', 'abcd', '{}', now() FROM tenant`,
  });
