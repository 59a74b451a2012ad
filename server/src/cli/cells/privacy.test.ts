import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  addLostCell,
  commandRunner,
  testInstallation,
} from '../../../test/support/cell-installation.ts';
import { merchantWithEverything } from '../../../test/support/merchant-with-everything.ts';
import { addPrivacyCommands } from '../privacy.ts';

const phone = '+2389912345';

test('what is stored of a person is printed cell by cell, and each line says which', async (context) => {
  const made = await testInstallation(context);
  const zimbo = commandRunner(made.environment);
  for (const cell of Object.values(made.cells)) {
    await merchantWithEverything(cell);
    await cell.query({ text: 'UPDATE payments SET operator_phone = $1' }, [phone]);
  }
  await addLostCell(made);
  const said = await zimbo(addPrivacyCommands, 'privacy', 'export', '--phone', phone);
  assert.equal(said.code, 1);
  assert.match(said.stderr, /^The cell west is left out: /);
  const lines = said.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const cells = lines.map(({ cell }: { cell: string }) => cell);
  assert.deepEqual([...new Set(cells)], ['home', 'north', 'south']);
  const inTurn = cells.toSorted((one, other) => (one < other ? -1 : 1));
  assert.deepEqual(cells, inTurn, 'no cell comes between the lines of another');
  const south = await zimbo(
    addPrivacyCommands,
    'privacy',
    'export',
    '--phone',
    phone,
    '--cell',
    'south',
  );
  assert.equal(south.code, 0, south.stderr);
  const own = south.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.ok(own.length > 0 && own.every((line) => !('cell' in line)));
});
