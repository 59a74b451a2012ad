import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { quickPlan } from './plan.ts';
import { stepsOfRun } from './suite.ts';

const namesOf = (...scenarios: (typeof quickPlan.scenarios)[number][]) =>
  stepsOfRun({ ...quickPlan, scenarios }, new Map()).map(({ name }) => name);

test('measures chosen scenarios with their floors, between two calibrations', () => {
  assert.deepEqual(namesOf('gets'), [
    'how fast the machine is before the run',
    'a gateway starts, and gets a history',
    'floor: pgbench, SELECT by primary key',
    'gets',
    'gets at half the rate',
    'the gateway stops',
    'how fast the machine is after the run',
  ]);
  for (const [scenario, floor] of [
    ['creates', 'floor: pgbench, one-row INSERT'],
    ['creates', 'floor: Fastify that does nothing'],
    ['lists', 'floor: pgbench, SELECT of 20 by index'],
    ['lives', 'floor: pgbench, TPC-B'],
    ['deliveries', 'floor: a bare undici loop'],
  ] as const) {
    assert.ok(namesOf(scenario).includes(floor), `${scenario} without ${floor}`);
  }
});

test('rejects an unknown scenario before anything starts', async () => {
  const args = [join(import.meta.dirname, 'main.ts'), '--only', 'gets,everything'];
  await assert.rejects(
    promisify(execFile)(process.execPath, args),
    ({ code, stderr }: { code: number; stderr: string }) =>
      code === 2 && stderr.startsWith('There is no scenario "everything".'),
  );
});
