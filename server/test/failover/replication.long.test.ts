import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { query } from '../support/embedded-postgres.ts';
import { eventually } from '../support/eventually.ts';
import { Replication } from '../support/replication.ts';

const timeout = 120_000;

async function started(context: TestContext): Promise<Replication> {
  const replication = await Replication.start();
  context.after(() => replication.stop());
  await query(replication.primary.url, 'CREATE TABLE notes (number integer PRIMARY KEY)');
  return replication;
}

const write = (url: string, number: number) => query(url, `INSERT INTO notes VALUES (${number})`);

async function numbers(url: string): Promise<unknown[]> {
  return (await query(url, 'SELECT number FROM notes ORDER BY number')).map(({ number }) => number);
}

test('keeps all rows of a synchronous standby after a fail-over and the way back', {
  timeout,
}, async (context) => {
  const replication = await started(context);
  const first = replication.primary;
  await replication.makeSynchronous();
  await write(first.url, 1);
  await first.kill();
  await replication.promote();
  const second = replication.primary;
  assert.notEqual(second, first);
  assert.deepEqual(await numbers(second.url), [1]);
  await write(second.url, 2);
  await replication.rebuild();
  await assert.rejects(write(first.url, 3), { code: '25006' });
  await replication.makeSynchronous();
  await write(second.url, 3);
  await second.stop();
  await replication.promote();
  assert.equal(replication.primary, first);
  assert.deepEqual(await numbers(first.url), [1, 2, 3]);
});

test('loses commits on an asynchronous standby while the line is cut, and holds them up with a synchronous one', {
  timeout,
}, async (context) => {
  const replication = await started(context);
  await write(replication.primary.url, 1);
  await replication.caughtUp();
  replication.cut();
  await write(replication.primary.url, 2);
  assert.deepEqual(await numbers(replication.standby.url), [1]);
  replication.restore();
  await replication.caughtUp();
  assert.deepEqual(await numbers(replication.standby.url), [1, 2]);

  await replication.makeSynchronous();
  replication.cut();
  const held = write(replication.primary.url, 3);
  const waiting = `SELECT FROM pg_stat_activity WHERE wait_event = 'SyncRep'`;
  await eventually(
    'the commit waits',
    async () => (await replication.primary.admin(waiting)).length === 1,
  );
  replication.restore();
  await held;
  await replication.caughtUp();
  assert.deepEqual(await numbers(replication.standby.url), [1, 2, 3]);
});

test('answers again after a thaw, and refuses writes when read-only', {
  timeout,
}, async (context) => {
  const { primary } = await started(context);
  primary.freeze();
  let isAnswered = false;
  const answer = write(primary.url, 1).then(() => {
    isAnswered = true;
  });
  await assert.rejects(eventually('an answer', () => isAnswered, 300));
  primary.thaw();
  await answer;
  await primary.set('default_transaction_read_only', 'on');
  await assert.rejects(write(primary.url, 2), { code: '25006' });
  await primary.set('default_transaction_read_only', 'off');
  await write(primary.url, 2);
});
