import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { silentLog, testDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { examplePayment } from '../../../test/support/payment.ts';
import { addTenants } from '../../../test/support/tenants.ts';
import { newEvent } from '../../integrations/events/event.ts';
import type { Database, Queryable, Statement } from '../../platform/postgres/database.ts';
import { createDigestKey } from '../../platform/secrets/digest-key.ts';
import { createSecretBox } from '../../platform/secrets/secret-box.ts';
import { randomIds } from '../../platform/values/ids.ts';
import type { Payment, PaymentStatus } from '../payments/payment.ts';
import { insertPayments } from '../payments/store.ts';
import { blockPhone } from './block.ts';
import { createPhoneDigests } from './digest.ts';
import { makeTakePrompt } from './prompt-limits.ts';
import { type PromptLimits, removeOldPrompts, takePrompts } from './store.ts';

const minuteMs = 60_000;
const dayMs = 1_440 * minuteMs;
const limits: PromptLimits = { ofMerchant: 4, inAll: 6, pausesMs: [0, minuteMs, 5 * minuteMs] };
const unhurried: PromptLimits = { ...limits, pausesMs: [0] };
const [loja, other, third] = [randomUUID(), randomUUID(), randomUUID()];
const phone = '+2389912345';

/** Payments on a real database and a stopped clock; the tests write each outcome by hand. */
async function setUp(context: TestContext, promptLimits: PromptLimits | undefined = limits) {
  const { database } = await testDatabase(context);
  const ids = randomIds();
  const clock = { at: Date.parse('2026-11-21T09:30:00Z'), nowMs: () => clock.at };
  const asked: Statement[] = [];
  const counting: Database = {
    ...database,
    query: (statement, values) => {
      asked.push(statement);
      return database.query(statement, values);
    },
  };
  const secrets = createSecretBox(Buffer.alloc(32, 7));
  const phoneDigests = createPhoneDigests(createDigestKey({ database, secrets, log: silentLog }));
  const refused: string[] = [];
  const dependencies = {
    clock,
    phoneDigests,
    promptLimits,
    onRefused: (code: string) => refused.push(code),
  };
  const takePrompt = makeTakePrompt({ ...dependencies, database: counting });
  const create = async (tenantId: string = loja, operatorPhone = phone): Promise<Payment> => {
    await addTenants(database, tenantId);
    const payment = examplePayment({ tenantId, id: ids.next(clock.at), operatorPhone });
    const { id: objectId } = payment;
    const type = 'payment.created';
    const about = {
      tenantId,
      id: randomUUID(),
      type,
      objectId,
      sequence: 1,
      createdAtMs: clock.at,
    };
    const row = { payment, event: newEvent({ ...about, type }, '{}') };
    await insertPayments(database, [row], clock.at);
    return payment;
  };
  const becomes = async ({ id, tenantId }: Payment, status: PaymentStatus, sent = true) => {
    const text = `UPDATE payments SET status = $3, sent_at = CASE WHEN $4 THEN now() END
      WHERE tenant_id = $1 AND id = $2`;
    await database.query({ text }, [tenantId, id, status, sent]);
  };
  /** Asks for permission to prompt for a new payment, which then ends in a status. */
  const ask = async (
    status: PaymentStatus = 'FAILED',
    tenantId: string = loja,
    operatorPhone = phone,
  ) => {
    const payment = await create(tenantId, operatorPhone);
    const refusal = await takePrompt(payment);
    await becomes(payment, refusal ? 'FAILED' : status, !refusal);
    return refusal;
  };
  return {
    database,
    ids,
    clock,
    asked,
    refused,
    phoneDigests,
    dependencies,
    takePrompt,
    create,
    becomes,
    ask,
  };
}

type SetUp = Awaited<ReturnType<typeof setUp>>;
const busy = 'PAYER_BUSY';
const capped = 'PAYER_LIMIT_REACHED';

test("refuses a second prompt of the same merchant while a phone is prompted, but allows another merchant's", async (context) => {
  const { ask } = await setUp(context);
  assert.equal(await ask('USER_CONFIRMING'), undefined);
  assert.equal(await ask(), busy);
  assert.equal(await ask('USER_CONFIRMING', other), undefined);
  assert.equal(await ask('FAILED', loja, '+2389912346'), undefined, 'another phone is free');
});

test('treats a number with the national trunk zero as the same phone', async (context) => {
  const { create, takePrompt, ask } = await setUp(context);
  assert.equal(await takePrompt(await create(loja, '+2389912345')), undefined);
  assert.equal(await ask('FAILED', loja, '+23809912345'), 'PAYER_BUSY');
  assert.equal(await takePrompt(await create(loja, '+244923456789')), undefined);
  assert.equal(await ask('FAILED', loja, '+2440923456789'), 'PAYER_BUSY');
  // In countries where the zero is part of the number, it makes another phone.
  assert.equal(await takePrompt(await create(loja, '+39612345678')), undefined);
  assert.equal(await ask('FAILED', loja, '+390612345678'), undefined);
});

test('lengthens the pause with each unpaid prompt, and ends it with a debit', async (context) => {
  const { ask, clock } = await setUp(context, { ...limits, ofMerchant: 9, inAll: 9 });
  assert.equal(await ask(), undefined);
  assert.equal(await ask(), undefined, 'a wrong PIN is mended at once');
  clock.at += minuteMs - 1;
  assert.equal(await ask(), busy);
  clock.at += 1;
  assert.equal(await ask(), undefined);
  clock.at += 5 * minuteMs - 1;
  assert.equal(await ask(), busy);
  clock.at += 1;
  assert.equal(await ask('DEBITED'), undefined);
  assert.equal(await ask(), undefined);
  assert.equal(await ask(), undefined, 'the series begins anew');
  assert.equal(await ask(), busy);
});

test('limits unpaid prompts a day, and starts again the next day', async (context) => {
  const { ask, clock, refused } = await setUp(context, unhurried);
  for (let time = 0; time < 4; time++) assert.equal(await ask(), undefined);
  assert.equal(await ask(), capped);
  clock.at += dayMs - 1;
  assert.equal(await ask(), capped);
  clock.at += 1;
  for (let time = 0; time < 4; time++) assert.equal(await ask(), undefined);
  assert.equal(await ask(), capped);
  assert.deepEqual(refused, [capped, capped, capped]);
});

test('prompts a customer who pays without limit, for one merchant and for all', async (context) => {
  const { ask } = await setUp(context, unhurried);
  for (let time = 0; time < 10; time++) {
    assert.equal(await ask('DEBITED'), undefined);
    assert.equal(await ask('SETTLED', other), undefined);
  }
});

test("limits all merchants together without letting one use up another's share", async (context) => {
  const { ask } = await setUp(context, unhurried);
  for (let time = 0; time < 8; time++) await ask();
  assert.equal(await ask('FAILED', other), undefined);
  assert.equal(await ask('FAILED', other), undefined);
  assert.equal(await ask('FAILED', other), capped, 'six in all');
  assert.equal(await ask('FAILED', third), capped);
});

test('allows no more prompts at once than one after another', async (context) => {
  const { create, takePrompt, dependencies, database } = await setUp(context, unhurried);
  const elsewhere = makeTakePrompt({ ...dependencies, database });
  const merchants = Array.from({ length: 20 }, () => randomUUID());
  const payments = await Promise.all([...merchants, ...merchants].map((id) => create(id)));
  const refusals = await Promise.all(
    payments.map((payment, index) => (index % 3 === 0 ? elsewhere : takePrompt)(payment)),
  );
  assert.equal(refusals.filter((refusal) => refusal === undefined).length, 6);
});

/** One payment has its permission, but uncommitted, while others decide by the state before. */
async function race({ database, phoneDigests, clock }: SetUp, first: Payment, others: Payment[]) {
  const phoneDigest = (await phoneDigests.of(phone))!;
  const take = async ({ tenantId, id: paymentId }: Payment, on: Queryable = database) =>
    (await takePrompts(on, [{ tenantId, paymentId, phoneDigest }], clock.at, unhurried))[0];
  const { racers } = await database.transaction(async (transaction) => {
    assert.equal(await take(first, transaction), undefined);
    const started = others.map((payment) => take(payment));
    await eventually('the others wait', async () => {
      const text = `SELECT count(*)::integer AS count FROM pg_stat_activity
        WHERE datname = current_database() AND wait_event_type = 'Lock'
          AND query LIKE '%WITH asked AS%'`;
      return (await database.query<{ count: number }>({ text }))[0]!.count === others.length;
    });
    return { racers: Promise.all(started) };
  });
  return { take, refusals: await racers };
}

test('holds the limit over all merchants while they race for the last prompt, and afterwards', async (context) => {
  const dependencies = await setUp(context, unhurried);
  const { ask, create, becomes } = dependencies;
  for (const tenantId of [loja, loja, loja, loja, other]) await ask('FAILED', tenantId);
  const first = await create(third);
  const racing = await Promise.all(Array.from({ length: 5 }, () => create(randomUUID())));
  const { take, refusals } = await race(dependencies, first, racing);
  assert.deepEqual(refusals, Array(5).fill(capped));
  await becomes(first, 'FAILED');
  for (const payment of racing) {
    assert.equal(await take(payment), capped, 'it is refused again after a crash');
    await becomes(payment, 'FAILED', false);
    assert.equal(await ask('FAILED', payment.tenantId), capped, 'it lends nothing to the next');
  }
});

test('does not let a merchant that races itself use up prompts of others', async (context) => {
  const dependencies = await setUp(context, unhurried);
  const { ask, create, becomes } = dependencies;
  await ask();
  const first = await create();
  const { refusals } = await race(dependencies, first, [await create()]);
  assert.deepEqual(refusals, [busy]);
  await becomes(first, 'FAILED');
  for (let time = 0; time < 4; time++) assert.equal(await ask('FAILED', other), undefined);
  assert.equal(await ask('FAILED', third), capped, 'six in all');
});

test('prompts the phone for one of two payments at once, in several processes too', async (context) => {
  const { create, ask, dependencies, database } = await setUp(context);
  const processes = [1, 2, 3].map(() => makeTakePrompt({ ...dependencies, database }));
  // The row exists already, and in no pause.
  await ask('DEBITED');
  const payments = await Promise.all(Array.from({ length: 30 }, () => create()));
  // Each process has a connection already; otherwise the first would finish before the second has one.
  const pause = { text: 'SELECT pg_sleep(0.05)' };
  await Promise.all(processes.map(() => database.query(pause)));
  const refusals = await Promise.all(
    payments.map((payment, index) => processes[index % 3]!(payment)),
  );
  assert.equal(refusals.filter((refusal) => refusal === undefined).length, 1);
});

test('gives the same payment its permission again on each request', async (context) => {
  const { create, takePrompt, becomes, ask } = await setUp(context);
  const payment = await create();
  for (let time = 0; time < 9; time++) assert.equal(await takePrompt(payment), undefined);
  assert.equal(await ask(), busy, 'it is still on its way');
  await becomes(payment, 'EXPIRED', false);
  for (let time = 0; time < 2; time++) assert.equal(await ask(), undefined);
  assert.equal(await ask(), busy, 'one that never left the house asked nobody');
});

test('never prompts a blocked phone, even without limits', async (context) => {
  for (const promptLimits of [limits, undefined]) {
    const { ask, database, clock, ids, phoneDigests, dependencies, create } = await setUp(context);
    const takePrompt = makeTakePrompt({ ...dependencies, promptLimits, database });
    const phoneDigest = (await phoneDigests.of(phone))!;
    const administration = { database, clock, ids, actor: 'cli:maria' };
    assert.equal(await blockPhone(administration, { phone, phoneDigest }, 'asked us'), true);
    assert.equal(await takePrompt(await create()), 'PAYER_NOT_ALLOWED');
    assert.equal(await ask('FAILED', loja, '+2389912346'), undefined);
  }
});

test('prompts a phone at any time without limits', async (context) => {
  const { dependencies, database, create } = await setUp(context);
  const takePrompt = makeTakePrompt({ ...dependencies, promptLimits: undefined, database });
  for (let time = 0; time < 9; time++) assert.equal(await takePrompt(await create()), undefined);
  const text = 'SELECT count(*)::integer AS count FROM phone_prompts';
  assert.deepEqual(await database.query({ text }), [{ count: 0 }]);
});

test('checks payments at once with one statement, and stores no phones in plain text', async (context) => {
  const { asked, create, takePrompt, database } = await setUp(context);
  const phones = Array.from({ length: 30 }, (_, index) => `+23899100${index + 10}`);
  const payments = await Promise.all(phones.map((each) => create(loja, each)));
  await takePrompt(await create());
  asked.length = 0;
  await Promise.all(payments.map((payment) => takePrompt(payment)));
  assert.ok(asked.length <= 2, `${asked.length} statements`);
  const text = `SELECT p::text FROM phone_prompts p UNION ALL SELECT t::text FROM phone_prompt_totals t`;
  const rows = await database.query({ text });
  assert.equal(rows.length, 62);
  assert.doesNotMatch(JSON.stringify(rows), /99100|9912345/);
});

test('forgets a phone when its day is over', async (context) => {
  const { ask, clock, database } = await setUp(context);
  await ask();
  await ask('FAILED', other);
  assert.equal(await removeOldPrompts(database, clock.at + dayMs, 100), 0);
  assert.equal(await removeOldPrompts(database, clock.at + dayMs + 1, 100), 3);
});
