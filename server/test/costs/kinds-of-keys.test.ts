import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { erasePerson } from '../../src/operations/privacy/erasures.ts';
import { eraseFromKeys } from '../../src/operations/privacy/phone-mentions.ts';
import { countStatements } from '../support/count-statements.ts';
import { skipWithCells } from '../support/further-cells.ts';
import {
  type Api,
  apiOf,
  reach,
  type TestGateway,
  testGateway,
  testKey,
} from '../support/gateway.ts';
import { columnsWith, privacyDependencies } from '../support/privacy.ts';

const phone = '+2389912345';
const payment = { amount: 10_000, operator: 'MOCK' as const, operatorPhone: phone };

/** Keys in the style of shops, another one for each number. */
const kinds: Record<string, (n: number) => string> = {
  'sixteen digits': (n) => String(4_000_000_000_000_000 + n),
  'a timestamp': (n) => String(1_790_000_000_000 + n),
  'a snowflake': (n) => String(1_234_567_890_123_456_000n + BigInt(n)),
  'an order with a date': (n) => `order-2026-11-26-${100_000 + n}`,
  'a UUID in capitals': () => randomUUID().toUpperCase(),
  'a UUID without hyphens': () => randomUUID().replaceAll('-', ''),
  'a ULID': (n) => `01JD0000000000000000${String(n).padStart(6, '0')}`,
  'a phone and a number': (n) => `${phone} ${n}`,
  'as long as it may be': (n) => String(n).padStart(255, '0'),
};

/** The POST routes that take a key, each with a body. */
const routes = (paymentId: string): Record<string, object> => ({
  '/v1/payments': payment,
  '/v1/refunds': { paymentIntentId: paymentId, amount: 1 },
  '/v1/checkout/sessions': { amount: 5_000 },
  '/v1/products': { name: 'Café', price: 100 },
  '/v1/webhooks': { url: 'http://127.0.0.1:9/', events: ['payment.debited'] },
  '/v1/payment-links': { description: 'Quota', amount: 100 },
  // Before the settlement, which takes the balance.
  '/v1/disbursements': { amount: 1, operator: 'MOCK', operatorPhone: phone },
  '/v1/settlements/process': { currency: 'AOA' },
});

/** Other statements belong to workers, and may come at any time. */
const ownStatements =
  /^(payments|refunds|checkout_sessions|products|webhook_endpoints|payment_links|settlements|disbursements)\./;

async function post(api: Api, path: string, body: object, key: string) {
  const answer = await api('POST', path, body, { 'idempotency-key': key });
  return { ...answer, replayed: answer.headers.get('idempotent-replayed') === 'true' };
}

test('takes as many statements for any kind of key as for a UUID, on every route', async (context) => {
  const { api, zimbo } = await testGateway(context, {
    environment: { ZIMBO_ROLE: 'api', RATE_LIMIT: 'off' },
  });
  const { id } = await zimbo.payments.create(payment);
  const statements = countStatements();
  context.after(() => statements.stop());
  let count = 0;
  for (const [path, body] of Object.entries(routes(id))) {
    const statementsOf = async (key: string) => {
      await statements.settled();
      statements.counts.clear();
      await post(api, path, body, key);
      await statements.settled();
      const own = [...statements.counts].filter(([name]) => ownStatements.test(name));
      return own.toSorted(([one], [other]) => one.localeCompare(other));
    };
    const ofUuid = await statementsOf(randomUUID());
    assert.ok(ofUuid.length > 0, path);
    for (const [kind, make] of Object.entries(kinds)) {
      assert.deepEqual(await statementsOf(make(++count)), ofUuid, `${path}: ${kind}`);
    }
  }
});

test('shares statements among 200 payments at once with any keys, and among their replays', async (context) => {
  const { api } = await testGateway(context, {
    environment: { ZIMBO_ROLE: 'api', RATE_LIMIT: 'off' },
  });
  const statements = countStatements();
  context.after(() => statements.stop());
  for (const [kind, make] of Object.entries(kinds)) {
    const keys = Array.from({ length: 200 }, (_, n) => make(n));
    statements.counts.clear();
    const made = await Promise.all(keys.map((key) => post(api, '/v1/payments', payment, key)));
    assert.ok(
      made.every(({ status, replayed }) => status === 200 && !replayed),
      kind,
    );
    assert.equal(statements.counts.get('payments.find_earlier'), undefined, kind);
    const again = await Promise.all(keys.map((key) => post(api, '/v1/payments', payment, key)));
    assert.deepEqual(
      again.map(({ text }) => text),
      made.map(({ text }) => text),
    );
    assert.ok(again.every(({ replayed }) => replayed));
    const sent = ['payments.insert', 'payments.find_earlier'].map(
      (name) => statements.counts.get(name)!,
    );
    assert.ok(Math.max(...sent) < 200, `${kind}: ${sent.join()}`);
  }
});

/** A payment whose key contains its phone, which was erased. */
async function sealed(gateway: TestGateway, key: string) {
  const first = await post(gateway.api, '/v1/payments', payment, key);
  await reach(gateway.zimbo.payments, first.body.id, 'DEBITED');
  return first;
}

const payments = { text: 'SELECT FROM payments' };

test('finds a payment whose key was sealed under that key, also among 100 at once, and makes it once', {
  skip: skipWithCells('it has keys of two merchants in one cell'),
}, async (context) => {
  const gateway = await testGateway(context, { environment: { RATE_LIMIT: 'off' } });
  const { api, database } = gateway;
  const key = `order of ${phone}`;
  const first = await sealed(gateway, key);
  await erasePerson(privacyDependencies(context, database), phone);
  const stranger = apiOf(gateway.url, await testKey(database));
  const requests = Array.from({ length: 100 }, (_, n) =>
    post(api, '/v1/payments', payment, n % 2 ? key : `${phone} ${n}`),
  );
  const theirs = await post(stranger, '/v1/payments', payment, key);
  const answers = await Promise.all(requests);
  assert.deepEqual([theirs.status, theirs.replayed], [200, false], 'the key of another tenant');
  for (const [n, { body, replayed, status }] of answers.entries()) {
    assert.equal(status, 200);
    assert.equal(replayed, n % 2 === 1);
    assert.equal(body.id === first.body.id, n % 2 === 1);
  }
  assert.equal((await database.query(payments)).length, 1 + 50 + 1);
  assert.equal((await post(stranger, '/v1/payments', payment, key)).body.id, theirs.body.id);
});

test("finds a key that contains another payment's phone after it was sealed", async (context) => {
  const gateway = await testGateway(context, { environment: { RATE_LIMIT: 'off' } });
  const key = 'order of +244 923 000 111';
  const first = await sealed(gateway, key);
  const { requestHashes } = privacyDependencies(context, gateway.database);
  const wanted = { phone: '+244923000111', untilMs: Date.now() + 1_000 };
  await eraseFromKeys(gateway.database, wanted, requestHashes);
  assert.equal((await post(gateway.api, '/v1/payments', payment, key)).body.id, first.body.id);
  assert.equal((await gateway.database.query(payments)).length, 1);
});

test('keeps a key with an erased phone valid for its object, on every route', async (context) => {
  const gateway = await testGateway(context, { environment: { RATE_LIMIT: 'off' } });
  const { api, database, zimbo } = gateway;
  const bodies = {
    '/v1/payments': { ...payment, operatorPhone: '+2389954321' },
    '/v1/disbursements': { amount: 1, operator: 'MOCK', operatorPhone: '+2389954321' },
  };
  const { id } = await zimbo.payments.create(bodies['/v1/payments']);
  await reach(zimbo.payments, id, 'DEBITED');
  const all = { ...routes(id), ...bodies, '/v1/settlements/process': { currency: 'CVE' } };
  const changes: Record<string, object> = {
    '/v1/products': { price: 7 },
    '/v1/webhooks': { description: 'another' },
    '/v1/settlements/process': { currency: 'AOA' },
  };
  const made = new Map<string, Awaited<ReturnType<typeof post>>>();
  for (const [path, body] of Object.entries(all)) {
    const answer = await post(api, path, body, `${path} of ${phone}`);
    assert.deepEqual([answer.status, answer.replayed], [200, false], `${path}: ${answer.text}`);
    made.set(path, answer);
  }
  await erasePerson(privacyDependencies(context, database), phone);
  assert.deepEqual(await columnsWith(database, phone.slice(4)), []);
  for (const [path, body] of Object.entries(all)) {
    const answer = await post(api, path, body, `${path} of ${phone}`);
    assert.equal(answer.replayed, true, path);
    assert.equal(answer.text, made.get(path)!.text);
    const another = { ...body, ...(changes[path] ?? { amount: 7 }) };
    const { status } = await post(api, path, another, `${path} of ${phone}`);
    assert.equal(status, 409, path);
  }
});
