import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { addTenant } from '../../../test/support/refunding.ts';
import { createRequestHashes, idempotentRequest } from './idempotency.ts';
import { makeRunAct } from './run-once.ts';

const [before, after] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

async function world(context: TestContext) {
  const { database } = await testDatabase(context);
  const [tenantId, subjectId] = [await addTenant(database), randomUUID()];
  let performed = 0;
  /** By a gateway that has these keys of digests, the first for what is new. */
  const cancel = async (keys: Buffer[], meaning: object = {}) => {
    const requestHashes = createRequestHashes(keys);
    const runAct = makeRunAct({ database, clock: { nowMs: Date.now }, requestHashes });
    const request = idempotentRequest('order-7', meaning, () => ({ ...meaning, subjectId }));
    const { answer, replayed } = await runAct(
      { tenantId, route: 'cancel', subjectId, request },
      async (keep) => {
        performed += 1;
        await database.transaction((transaction) => keep(transaction, { number: performed }));
        return { number: performed };
      },
      (kept) => kept as { number: number },
    );
    return [answer.number, replayed];
  };
  return { cancel };
}

test('performs an action once for its key, even after the digest key was replaced', async (context) => {
  const { cancel } = await world(context);
  assert.deepEqual(await cancel([before]), [1, false]);
  assert.deepEqual(await cancel([before]), [1, true]);
  assert.deepEqual(await cancel([after, before]), [1, true]);
  await assert.rejects(cancel([after, before], { other: 1 }), { code: 'IDEMPOTENCY_KEY_REUSED' });
});

test('does not recognise actions stored under a lost key', async (context) => {
  const { cancel } = await world(context);
  await cancel([before]);
  assert.deepEqual(await cancel([after]), [2, false]);
});
