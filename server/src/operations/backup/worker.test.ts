import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog, testDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { loadConfig } from '../../platform/config/config.ts';
import { systemClock } from '../../platform/process/clock.ts';
import { BackupWorker } from './worker.ts';

test('makes a due backup at the start, and signals a stop to it', async (context) => {
  const { database } = await testDatabase(context);
  const { backup } = loadConfig({});
  const setting = { ...backup, schedule: { kind: 'every', hours: 6 } } as const;
  let told: AbortSignal | undefined;
  const worker = new BackupWorker({
    database,
    clock: systemClock,
    log: silentLog,
    setting,
    make: (signal) => {
      told = signal;
      return new Promise((resolve) =>
        signal.addEventListener('abort', () => resolve({ isGood: false, words: '' })),
      );
    },
  });
  worker.start();
  await eventually('it is being made', () => told !== undefined);
  await worker.stop();
  assert.equal(told?.aborted, true);
});
