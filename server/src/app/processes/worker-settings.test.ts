import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadConfig } from '../../platform/config/config.ts';
import { settingsOfSlot, shareOf } from './worker-settings.ts';

test('divides database connections and operator calls without losing any', () => {
  assert.deepEqual(
    [0, 1, 2].map((slot) => shareOf(16, slot, 3)),
    [6, 5, 5],
  );
  const config = loadConfig({
    ZIMBO_PROCESSES: '3',
    DATABASE_CONNECTIONS: '10',
    OPERATOR_CVMOVEL_URL: 'https://operator.example',
    OPERATOR_CVMOVEL_SECRET: 'a secret',
    OPERATOR_CVMOVEL_ACCOUNT: 'organisationid@zimbo',
    OPERATOR_CVMOVEL_MAX_CALLS: '8',
  });
  const slots = [0, 1, 2].map((slot) => settingsOfSlot(config, slot));
  assert.deepEqual(
    slots.map(({ databaseConnections }) => databaseConnections),
    [4, 3, 3],
  );
  assert.deepEqual(
    slots.map(({ operators }) => operators.CVMOVEL!.maxCalls),
    [3, 3, 2],
  );
});

test('refuses more processes than connections, naming both settings', () => {
  assert.throws(
    () => loadConfig({ ZIMBO_PROCESSES: '4', DATABASE_CONNECTIONS: '3' }),
    /DATABASE_CONNECTIONS is 3, which ZIMBO_PROCESSES \(4\) processes cannot share/,
  );
});

test('starts one process for each core with auto', () => {
  const { processes } = loadConfig({ ZIMBO_PROCESSES: 'auto', DATABASE_CONNECTIONS: '64' });
  assert.ok(processes >= 1);
  for (const wrong of ['0', '65', 'all']) {
    assert.throws(() => loadConfig({ ZIMBO_PROCESSES: wrong }), /ZIMBO_PROCESSES must be/);
  }
});
