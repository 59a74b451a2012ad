import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { notSent, success, unreachable } from '../../../test/operators/scripted.ts';
import {
  balancesOf,
  checkGivenBack,
  checkPaidOnce,
  composeDisbursing,
  type Disbursing,
  eventsOf,
  hourMs,
  timing,
  watchMs,
} from '../../../test/support/disbursement-processor.ts';
import { noDispatcher } from '../../integrations/events/dispatch.ts';
import { requestLengthMs } from '../../integrations/operators/query-schedule.ts';
import { checkLedger } from '../ledger/check.ts';
import { makeCancelDisbursement } from './cancel.ts';

const paid = success('OP-1', 4_000n);
const dayMs = 24 * hourMs;

test('waits unsent while the operator is down, and is sent after that', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { operator } = disbursing;
  const disbursement = await disbursing.add();
  Object.assign(operator, { heldUntilMs: async () => disbursing.clock.nowMs() + 5_000 });
  await disbursing.work();
  assert.deepEqual(operator.heard, []);
  const held = await disbursing.now(disbursement);
  assert.deepEqual([held.status, held.sentAtMs, held.queryCount], ['CREATED', null, 0]);
  Object.assign(operator, { heldUntilMs: async () => null });
  operator.onDisburse = () => paid;
  disbursing.wait(hourMs);
  await disbursing.work();
  await checkPaidOnce(disbursing, disbursement);
});

test('waits after a change of primary for a request that a lost commit may have covered', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { operator, primary } = disbursing;
  operator.onQueryDisbursement = () => ({ kind: 'unknown', progress: 'NOT_FOUND' });
  operator.onDisburse = () => paid;
  const disbursement = await disbursing.add();
  primary.ageMs = 0;
  await disbursing.work();
  const waiting = await disbursing.now(disbursement);
  assert.deepEqual([operator.count('disburse'), waiting.sentAtMs], [0, null]);
  assert.equal(waiting.dueAtMs, disbursing.clock.nowMs() + requestLengthMs(timing));
  // Meanwhile the lost request has arrived.
  operator.onQueryDisbursement = () => paid;
  primary.ageMs = requestLengthMs(timing);
  disbursing.wait(requestLengthMs(timing));
  await disbursing.work();
  assert.equal(operator.count('disburse'), 0);
  await checkPaidOnce(disbursing, disbursement);
});

test('is sent at once after a change of primary, if the operator deduplicates', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { operator, primary } = disbursing;
  operator.known = { ...operator.known, deduplicates: true };
  operator.onQueryDisbursement = () => ({ kind: 'unknown', progress: 'NOT_FOUND' });
  operator.onDisburse = () => paid;
  const disbursement = await disbursing.add();
  primary.ageMs = 0;
  await disbursing.work();
  await checkPaidOnce(disbursing, disbursement);
});

for (const deduplicates of [false, true]) {
  test(`does not fail at its expiry while a lost request may be under way, deduplicating: ${deduplicates}`, async (context) => {
    const disbursing = await composeDisbursing(context);
    const { operator, primary } = disbursing;
    operator.known = { ...operator.known, deduplicates };
    operator.onQueryDisbursement = () => ({ kind: 'unknown', progress: 'NOT_FOUND' });
    const disbursement = await disbursing.add();
    disbursing.wait(dayMs);
    primary.ageMs = 0;
    await disbursing.work();
    assert.equal((await disbursing.now(disbursement)).status, 'CREATED');
    operator.onQueryDisbursement = () => paid;
    primary.ageMs = requestLengthMs(timing);
    disbursing.wait(requestLengthMs(timing));
    await disbursing.work();
    await checkPaidOnce(disbursing, disbursement);
  });
}

test('is only asked about once it has expired, and fails unsent when the operator does not know it', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { operator } = disbursing;
  const disbursement = await disbursing.add();
  operator.onQueryDisbursement = () => unreachable;
  disbursing.wait(dayMs);
  await disbursing.work();
  assert.equal((await disbursing.now(disbursement)).status, 'CREATED', 'unknown is no failure');
  operator.onQueryDisbursement = () => ({ kind: 'unknown', progress: 'NOT_FOUND' });
  disbursing.wait(hourMs);
  await disbursing.work();
  assert.equal(operator.count('disburse'), 0);
  assert.deepEqual(disbursing.notReceived, [], 'it was never sent');
  await checkGivenBack(disbursing, disbursement, 'OPERATOR_UNAVAILABLE');
  const { failureMessage } = await disbursing.now(disbursement);
  assert.equal(failureMessage, 'The operator is not available.');
});

test('has succeeded if the operator knows it when it has expired', async (context) => {
  const disbursing = await composeDisbursing(context);
  disbursing.operator.onQueryDisbursement = () => paid;
  const disbursement = await disbursing.add();
  disbursing.wait(dayMs);
  await disbursing.work();
  await checkPaidOnce(disbursing, disbursement);
});

test('fails unsent when it expires, with an operator that cannot be asked', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { operator } = disbursing;
  operator.known = { ...operator.known, answersQueries: false };
  const disbursement = await disbursing.add();
  disbursing.wait(dayMs);
  await disbursing.work();
  assert.deepEqual(operator.heard, []);
  await checkGivenBack(disbursing, disbursement, 'OPERATOR_UNAVAILABLE');
});

test('fails when it expires, if no request ever left', async (context) => {
  const disbursing = await composeDisbursing(context);
  disbursing.operator.onDisburse = () => notSent;
  const disbursement = await disbursing.add();
  await disbursing.work();
  assert.equal((await disbursing.now(disbursement)).sentAtMs, null);
  disbursing.wait(dayMs);
  await disbursing.work();
  assert.equal(disbursing.operator.count('disburse'), 1);
  await checkGivenBack(disbursing, disbursement, 'OPERATOR_UNAVAILABLE');
});

const cancelWith = (disbursing: Disbursing) =>
  makeCancelDisbursement({ ...disbursing, dispatcher: noDispatcher, onDisbursement: () => {} });

test('can be cancelled while it is certain that the operator could not be reached', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { tenantId, operator } = disbursing;
  operator.onDisburse = () => notSent;
  const disbursement = await disbursing.add();
  await disbursing.work();
  assert.equal((await disbursing.now(disbursement)).status, 'PROCESSING');
  await cancelWith(disbursing)(tenantId, disbursement.id);
  assert.deepEqual(await balancesOf(disbursing), {});
  disbursing.wait(dayMs);
  await disbursing.work();
  assert.equal(operator.count('disburse'), 1);
  assert.equal((await disbursing.now(disbursement)).status, 'CANCELLED');
});

test('cannot be cancelled once its second request is about to leave', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { tenantId, operator } = disbursing;
  operator.onDisburse = () => notSent;
  const disbursement = await disbursing.add();
  await disbursing.work();
  let refused: unknown;
  operator.onDisburse = async () => {
    await cancelWith(disbursing)(tenantId, disbursement.id).catch((error: unknown) => {
      refused = error;
    });
    return paid;
  };
  disbursing.wait(hourMs);
  await disbursing.work();
  assert.match(String(refused), /PROCESSING cannot be cancelled/);
  await checkPaidOnce(disbursing, disbursement, 2);
});

/** Ways in which a merchant or a key loses the right to disburse. */
const withdrawals: Record<string, readonly [text: string, reason: RegExp]> = {
  'a suspended merchant': [
    'UPDATE merchants SET suspended_at = now()',
    /because the merchant is suspended/,
  ],
  'a merchant that may no longer disburse': [
    'UPDATE merchants SET disbursements_allowed = false',
    /because the merchant may no longer disburse/,
  ],
  'a revoked key': ['UPDATE api_keys SET revoked_at = now()', /because the key .* is revoked/],
  'a key without the permission': [
    `UPDATE api_keys SET permissions = '{payments:write}'`,
    /because the key .* may no longer disburse/,
  ],
};

async function addKey({ database, tenantId }: Disbursing): Promise<string> {
  const id = randomUUID();
  const text = `INSERT INTO api_keys (tenant_id, id, key_hash, last4, permissions, created_at)
    VALUES ($1, $2, $3, 'abcd', '{disbursements:write}', now())`;
  await database.query({ text }, [tenantId, id, Buffer.from(id)]);
  return id;
}

for (const [who, [text, reason]] of Object.entries(withdrawals)) {
  test(`sends nothing of ${who}, and gives it back when it expires`, async (context) => {
    const disbursing = await composeDisbursing(context);
    const { operator, database } = disbursing;
    operator.onDisburse = () => paid;
    const disbursement = await disbursing.add({ createdByKey: await addKey(disbursing) });
    await database.query({ text });
    await disbursing.work();
    const { tenantId, reference } = disbursement;
    await disbursing.processor.hint(tenantId, reference);
    const waiting = await disbursing.now(disbursement);
    assert.deepEqual([waiting.status, waiting.sentAtMs], ['CREATED', null]);
    assert.notEqual(waiting.dueAtMs, null);
    disbursing.wait(dayMs);
    await disbursing.work();
    assert.equal(operator.count('disburse'), 0);
    await checkGivenBack(disbursing, disbursement, 'OPERATOR_UNAVAILABLE');
    assert.match((await disbursing.now(disbursement)).failureMessage!, reason);
  });
}

for (const [who, role] of [
  ['a person who has left the merchant', null],
  ['a person whose role may no longer disburse', 'SUPPORT'],
] as const) {
  test(`sends nothing of ${who}, until they may again`, async (context) => {
    const disbursing = await composeDisbursing(context);
    const { operator, database } = disbursing;
    operator.onDisburse = () => paid;
    const createdByPerson = randomUUID();
    const join = {
      text: `INSERT INTO memberships (merchant_id, person_id, role, created_at)
      SELECT merchant_id, $1, $2, now() FROM tenants
      ON CONFLICT (merchant_id, person_id) DO UPDATE SET role = excluded.role`,
    };
    if (role !== null) await database.query(join, [createdByPerson, role]);
    const disbursement = await disbursing.add({ createdByPerson });
    await disbursing.work();
    assert.deepEqual(operator.count('disburse'), 0);
    assert.equal((await disbursing.now(disbursement)).status, 'CREATED');
    await database.query(join, [createdByPerson, 'FINANCE']);
    disbursing.wait(hourMs);
    await disbursing.work();
    await checkPaidOnce(disbursing, disbursement);
  });
}

test('asks on about what was sent for a merchant that is suspended', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { operator, database } = disbursing;
  operator.known = { ...operator.known, deduplicates: true };
  operator.onDisburse = () => unreachable;
  const disbursement = await disbursing.add();
  await disbursing.work();
  await database.query({ text: 'UPDATE merchants SET suspended_at = now()' });
  disbursing.wait(hourMs);
  await disbursing.work();
  assert.equal(operator.count('disburse'), 1, 'it is not sent again');
  operator.onQueryDisbursement = () => paid;
  disbursing.wait(watchMs);
  await disbursing.work();
  await checkPaidOnce(disbursing, disbursement);
});

test('lets either a cancellation or a worker win', async (context) => {
  const disbursing = await composeDisbursing(context);
  const { operator, processor, applyTransition } = disbursing;
  const cancel = async (id: string) =>
    applyTransition(await disbursing.now({ id }), { to: 'CANCELLED', dueAtMs: null });
  operator.onDisburse = () => paid;
  // Between the worker's query and its request.
  const first = await disbursing.add();
  operator.onQueryDisbursement = async () => {
    assert.ok(await cancel(first.id));
    return { kind: 'unknown', progress: 'NOT_FOUND' };
  };
  await disbursing.work();
  assert.equal(operator.count('disburse'), 0, 'what is cancelled is not sent');
  assert.equal((await disbursing.now(first)).status, 'CANCELLED');
  assert.deepEqual(await balancesOf(disbursing), {});
  assert.deepEqual(await eventsOf(disbursing), ['disbursement.cancelled']);
  // With the row as it was before the worker took it.
  const second = await disbursing.add();
  operator.onQueryDisbursement = () => ({ kind: 'unknown', progress: 'NOT_FOUND' });
  const seen = await disbursing.now(second);
  const [claimed] = await disbursing.claim();
  await processor.process(claimed!, 'DATABASE');
  assert.equal(await applyTransition(seen, { to: 'CANCELLED', dueAtMs: null }), undefined);
  assert.equal((await disbursing.now(second)).status, 'SUCCEEDED');
  await assert.rejects(cancel(second.id), /no transition/);
  assert.deepEqual(await checkLedger(disbursing.database), []);
});
