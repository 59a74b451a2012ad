import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { addDeadCell, deadUrl, testInstallation } from '../../../test/support/cell-installation.ts';
import { runZimbo } from '../../../test/support/zimbo.ts';
import type { Database } from '../../postgres/database.ts';
import { createSecretBox } from '../../secrets/secret-box.ts';

async function installation(context: TestContext) {
  const made = await testInstallation(context);
  const { environment, secrets } = made;
  await addDeadCell(made, secrets.encrypt(deadUrl, 'cells.url_box west'));
  const doctor = async (...options: string[]) => {
    const { ended, output } = runZimbo(context, ['doctor', '--json', ...options], environment);
    await ended;
    const { checks } = JSON.parse(output.stdout) as {
      checks: { group: string; name: string; status: string; figure: string; advice?: string }[];
    };
    return checks;
  };
  return { ...made, doctor };
}

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
  assert.match(west[0]!.figure, /ECONNREFUSED/);
  const together = checks.filter(({ group }) => group === 'Cells');
  assert.deepEqual(
    together.map(({ name, figure }) => [name, figure]),
    [
      ['Gateways', 'what runs serves all of them'],
      ['Merchants', 'each in one cell, as the directory has it'],
      ['Moves', 'none under way'],
    ],
  );
  const north = await doctor('--cell', 'north');
  assert.deepEqual(
    [...new Set(north.map(({ group }) => group))],
    ['Settings', 'Data', 'north: database', 'north: work'],
  );
});

test('doctor tells of a cell that cannot be reached where its address is changed', async (context) => {
  const { doctor, database, cells } = await installation(context);
  const box = createSecretBox(randomBytes(32)).encrypt(deadUrl, 'cells.url_box south');
  await database.query({ text: `UPDATE cells SET url_box = $1 WHERE name = 'south'` }, [box]);
  await cells.north.query({ text: `UPDATE this_cell SET name = 'west'` });
  const checks = await doctor();
  const found = (cell: string) => checks.filter(({ group }) => group === `${cell}: database`);
  for (const [cell, figure, advice] of [
    ['north', /, schema north is the cell west: the cell north is not there/, /set-url" changes/],
    ['south', /^The address of the cell south cannot be read/, /zimbo cells set-url/],
    ['west', /ECONNREFUSED/, /zimbo cells set-url west/],
  ] as const) {
    const [only, ...more] = found(cell);
    assert.deepEqual([only!.status, more], ['error', []]);
    assert.match(only!.figure, figure);
    assert.match(only!.advice!, advice);
  }
  const [west] = (await doctor('--cell', 'west')).filter(({ group }) => group.startsWith('west'));
  assert.match(west!.advice!, /zimbo cells set-url west/);
});

test('doctor tells of cells that no gateway serves, and of merchants between them', async (context) => {
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

  const text = 'INSERT INTO cell_tenants (tenant_id, merchant_id, cell) VALUES ($1, $1, $2)';
  await database.query({ text }, [randomUUID(), 'north']);
  // The home has lost the move.
  await cells.north.query({
    text: `INSERT INTO moving_merchants (merchant_id, move_id, state, from_cell, to_cell)
      VALUES (gen_random_uuid(), gen_random_uuid(), 'GONE', 'north', 'south')`,
  });
  const looked = await doctor();
  const [stray] = looked.filter(({ name }) => name === 'Merchants');
  const [move] = looked.filter(({ name }) => name === 'Moves');
  assert.match(stray!.figure, /^me_\w+ is in north by the directory, and is not there$/);
  assert.match(move!.figure, /^me_\w+ is between two cells, and nobody moves it$/);
  assert.equal(move!.status, 'error');
});
