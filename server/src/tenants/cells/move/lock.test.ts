import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { test } from 'node:test';
import { cleanUp } from '../../../../test/support/cleanup.ts';
import { testDatabase } from '../../../../test/support/database.ts';
import { eventually } from '../../../../test/support/eventually.ts';
import { lockMove } from './lock.ts';

const merchantId = '0198a5c0-0000-7000-8000-000000000001';
const timing = { idleMs: 1_000, pingMs: 100 };

test('a lock is kept while its process lives, however long, and is lost when it is frozen', async (context) => {
  const { url, database } = await testDatabase(context);
  const script = `
const { lockMove } = await import(${JSON.stringify(join(import.meta.dirname, 'lock.ts'))});
const lock = await lockMove(${JSON.stringify(url)}, '${merchantId}', ${JSON.stringify(timing)});
console.log(lock ? 'locked' : 'refused');`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  cleanUp(context, () => void holder.kill('SIGKILL'));
  const [said] = (await once(holder.stdout, 'data')) as [Buffer];
  assert.equal(said.toString(), 'locked\n');

  const ages = `
SELECT FROM pg_stat_activity WHERE application_name = 'zimbo cells move' AND datname = current_database()
  AND clock_timestamp() - backend_start > 3 * interval '1 s'`;
  const isOld = async () => (await database.query({ text: ages })).length > 0;
  await eventually('the connection is older than it may be silent', isOld);
  assert.equal(await lockMove(url, merchantId, timing), undefined);

  holder.kill('SIGSTOP');
  const lock = await eventually('the lock is free', () => lockMove(url, merchantId, timing));
  await lock.release();
});
