import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import {
  type RunningProcess,
  reportProcess,
  runningProcesses,
  unregisterProcess,
} from './process-registry.ts';

const processOf = (host: string): RunningProcess => ({
  id: randomUUID(),
  role: 'all',
  host,
  pid: 4_194_304,
  version: '1.0.0',
  settings: { FEE_MOCK: '200' },
  clockOffsetMs: -9_000_000_000,
  memoryBytes: null,
});

test('shows each process the others, until they leave', async (context) => {
  const { database } = await testDatabase(context);
  const [first, second] = [processOf('a'), processOf('b')];
  assert.deepEqual(await reportProcess(database, first), []);
  assert.deepEqual(await reportProcess(database, second), [first]);
  const moved = { ...second, clockOffsetMs: 12, memoryBytes: 5_000_000_000 };
  assert.deepEqual(await reportProcess(database, moved), [first]);
  assert.deepEqual(await reportProcess(database, first), [moved]);
  assert.deepEqual(await runningProcesses(database), [first, moved]);
  await unregisterProcess(database, second.id);
  assert.deepEqual(await reportProcess(database, first), []);
});

test('ignores a process unseen for minutes, and later removes it', async (context) => {
  const { database } = await testDatabase(context);
  const [first, second] = [processOf('a'), processOf('b')];
  await reportProcess(database, first);
  const seen = async (ago: string) => {
    const text = 'UPDATE running_processes SET seen_at = now() - $2::interval WHERE id = $1';
    await database.query({ text }, [first.id, ago]);
    return (await reportProcess(database, second)).length;
  };
  assert.equal(await seen('2 minutes'), 1);
  assert.equal(await seen('4 minutes'), 0);
  const [{ count } = { count: 0n }] = await database.query<{ count: bigint }>({
    text: 'SELECT count(*) FROM running_processes',
  });
  assert.equal(count, 2n);
  assert.equal(await seen('11 minutes'), 0);
  assert.deepEqual(await database.query({ text: 'SELECT host FROM running_processes' }), [
    { host: 'b' },
  ]);
  assert.deepEqual(
    await reportProcess(database, first),
    [second],
    'a process that was only unreachable is back',
  );
});
