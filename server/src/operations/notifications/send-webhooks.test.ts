import assert from 'node:assert/strict';
import { test } from 'node:test';
import { minuteMs, noticeWorld } from '../../../test/support/notices.ts';

test('an undelivered version takes no retries from the next version', async (context) => {
  const world = await noticeWorld(context);
  await world.worker('ADMIN');
  world.clock.at = Date.now();
  await world.cause.operatorDown(['CVMOVEL']);
  await world.run.detect();
  await world.run.assign();
  world.company.answer = false;
  await world.run.post();
  const failures = async () =>
    (await world.sql('SELECT post_failures FROM notices')).map(
      (row) => Object.values(row as object)[0],
    );
  assert.deepEqual(await failures(), [1]);
  await world.cause.operatorDown([]);
  world.later(6 * minuteMs);
  await world.run.end();
  assert.deepEqual(await failures(), [0]);
  await world.run.post();
  assert.deepEqual(await failures(), [1]);
});
