import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { test } from 'node:test';
import type { Figures } from '../figures.ts';
import { recordProcessor } from './measure.ts';
import { processorTime, treeMs } from './processor.ts';

const stat = (id: number, name: string, parent: number, times: number[]) =>
  `${id} (${name}) S ${parent} 1 1 0 -1 0 0 0 0 0 ${times.join(' ')} 20 0 1 0 0`;

test('includes descendants, running and ended, in the CPU time of a process', () => {
  const stats = [
    stat(5, 'a (strange) name', 9, [1, 2, 0, 0]),
    stat(7, 'postgres', 1, [10, 20, 30, 40]),
    stat(9, 'postgres', 7, [100, 0, 0, 0]),
    stat(8, 'another', 1, [1_000, 0, 0, 0]),
  ];
  assert.equal(treeMs(stats, 7), (10 + 20 + 30 + 40 + 100 + 1 + 2) * 10);
});

test('separates the CPU time of the gateway and of PostgreSQL', (t) => {
  // It waits for input that never comes.
  const idle = spawn('cat', [], { stdio: ['pipe', 'ignore', 'ignore'] });
  t.after(() => idle.kill());
  const times = processorTime({ processId: process.pid, postgresId: idle.pid! });
  if (!times) return t.skip('there is no /proc');
  assert.ok(times.postgresMs < times.gatewayMs, JSON.stringify(times));
});

test('divides the CPU time between two instants among their requests', () => {
  const figures: Figures = new Map();
  const [before, after] = [
    { gatewayMs: 1_000, postgresMs: 500 },
    { gatewayMs: 1_200, postgresMs: 550 },
  ];
  recordProcessor(figures, 'gets', [before, after], 2_000);
  assert.deepEqual(Object.fromEntries(figures), {
    'gets.gatewayMicroseconds': 100,
    'gets.postgresMicroseconds': 25,
  });
  const unknown: Figures = new Map();
  recordProcessor(unknown, 'gets', [before, undefined], 2_000);
  assert.equal(unknown.size, 0);
});
