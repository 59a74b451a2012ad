import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { addLostCell, testInstallation } from '../../../test/support/cell-installation.ts';
import { reportProcess } from '../../operations/doctor/process-registry.ts';
import type { Migration } from '../../platform/postgres/migration-files.ts';
import { listCells } from '../../tenants/cells/store.ts';
import { refuseOlderIn } from './contract.ts';

const migration = { name: '0099-drop.sql', oldestProgram: '1.0.0' } as Migration;
const running = (version: string) => ({
  id: randomUUID(),
  role: 'worker',
  host: 'old-1',
  pid: 812,
  version,
  settings: {},
  clockOffsetMs: 0,
  memoryBytes: null,
});

test('a contraction waits while an older program runs in any cell, or one does not answer', async (context) => {
  const made = await testInstallation(context);
  const { cells, database, url } = made;
  const contract = async (cell: keyof typeof cells) => {
    const refuse = refuseOlderIn(await listCells(database, url));
    await cells[cell].transaction((transaction) => refuse(transaction, migration));
  };
  await reportProcess(cells.north, running('1.0.0'));
  await contract('home');
  await contract('south');
  await reportProcess(cells.north, running('0.9.0'));
  for (const cell of ['home', 'north', 'south'] as const) {
    await assert.rejects(contract(cell), /worker on old-1 \(pid 812\), Zimbo 0\.9\.0/);
  }
  await cells.north.query({ text: 'DELETE FROM running_processes' });
  await contract('home');
  await addLostCell(made);
  await assert.rejects(contract('south'), /the cell west does not answer/);
});
