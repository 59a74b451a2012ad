import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { freshDatabase } from '../../../test/support/database.ts';
import { bookMany, bookUnheard } from '../../../test/support/many-payments.ts';
import { addTenant, refundInput, refunding } from '../../../test/support/refunding.ts';
import { DomainError } from '../../platform/errors/errors.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { checkLedger } from '../ledger/check.ts';
import type { CreatedRefund } from './create.ts';

/** How much one process lets a person refund of a payment without approval; the other process has no limit. */
const approvalAboveMinor = 900n;
const dayLimitMinor = 2_500n;
const sharedPayments = 5;

/** One request; numbers choose from the world in which it is played. */
interface Order {
  tenant: 0 | 1;
  /** Payments of both tenants under one id; the last two are debited for the first tenant only. */
  payment: number;
  amountMinor: bigint | null;
  /** Undefined: without an idempotency key. */
  key: number | undefined;
  /** Uses the API key that has a limit. */
  isLimited: boolean;
  process: 0 | 1;
  /** A person requests it: it is written in a transaction of its own. */
  isPersons: boolean;
  /** How often it is sent at once. */
  times: number;
}

const order: fc.Arbitrary<Order> = fc.record({
  tenant: fc.constantFrom(0, 1),
  payment: fc.integer({ min: 0, max: sharedPayments + 1 }),
  amountMinor: fc.option(fc.bigInt({ min: 1n, max: 1_100n }), { freq: 5 }),
  key: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined, freq: 2 }),
  isLimited: fc.boolean(),
  process: fc.constantFrom(0, 1),
  isPersons: fc.nat({ max: 4 }).map((chance) => chance === 0),
  times: fc.integer({ min: 1, max: 3 }),
});

interface Tenant {
  id: string;
  limitedKey: string;
}

interface Made {
  id: string;
  tenantId: string;
  paymentId: string;
  amountMinor: bigint;
  createdByKey: string | null;
  body: string;
}

/** Tenants whose payments have the same ids, and two processes. */
async function openWorld(database: Database, fromMs: number) {
  const tenants: Tenant[] = [];
  for (let index = 0; index < 2; index++) {
    tenants.push({ id: await addTenant(database), limitedKey: randomUUID() });
  }
  const [first, second] = tenants as [Tenant, Tenant];
  for (const { id: tenantId } of tenants) {
    await bookMany(database, { tenantId, count: sharedPayments, fromMs });
  }
  for (const at of [fromMs + 1_000, fromMs + 2_000]) {
    await bookMany(database, { tenantId: first.id, count: 1, fromMs: at });
  }
  const unheard = { tenantId: second.id, count: 1, fromMs: fromMs + 1_000 };
  await bookUnheard(database, unheard, 'OPERATOR_PENDING');
  const text = 'SELECT id FROM payments WHERE tenant_id = $1 ORDER BY id';
  const payments = await database.query<{ id: string }>({ text }, [first.id]);
  const processes = [refunding(database), refunding(database, { CVE: approvalAboveMinor })];
  return { database, tenants, payments: payments.map(({ id }) => id), processes };
}

type World = Awaited<ReturnType<typeof openWorld>>;

interface Sent {
  order: Order;
  /** The parts that distinguish its answer from all others. */
  mark: string;
  answer: PromiseSettledResult<CreatedRefund>;
}

/** Sends all orders at once. */
async function play(world: World, orders: readonly Order[]): Promise<Sent[]> {
  const sent = orders.flatMap((each, index) => {
    const mark = JSON.stringify({ order: index });
    return Array.from({ length: each.times }, () => ({ order: each, mark }));
  });
  const answers = await Promise.allSettled(sent.map((each) => send(world, each)));
  return sent.map((each, index) => ({ ...each, answer: answers[index]! }));
}

function send(world: World, { order, mark }: Pick<Sent, 'order' | 'mark'>): Promise<CreatedRefund> {
  const { id: tenantId, limitedKey } = world.tenants[order.tenant]!;
  const { amountMinor } = order;
  const key = order.key === undefined ? null : `key-${order.key}`;
  const input = refundInput({
    tenantId,
    paymentId: world.payments[order.payment]!,
    amountMinor,
    metadata: mark,
    apiKey: order.isLimited ? { id: limitedKey, maxRefundedPerDayMinor: dayLimitMinor } : null,
    ...(order.isPersons && { author: { actor: 'person:maria', origin: '192.0.2.7' } }),
    idempotency: key === null ? null : { key, meaning: mark, asSent: {} },
  });
  return world.processes[order.process]!(input);
}

async function findMade({ database, tenants }: World): Promise<Map<string, Made>> {
  const text = `
SELECT r.id, r.tenant_id AS "tenantId", r.payment_id AS "paymentId", r.amount_minor AS "amountMinor",
  r.created_by_key AS "createdByKey", e.body
FROM refunds r JOIN events e ON e.tenant_id = r.tenant_id AND e.object_id = r.id AND e.type = 'refund.created'
WHERE r.tenant_id = ANY ($1)`;
  const rows = await database.query<Made>({ text }, [tenants.map(({ id }) => id)]);
  const made = new Map(rows.map((row) => [formatId('re', row.id), row]));
  assert.equal(made.size, rows.length, 'each is told of once');
  return made;
}

/** Each answer belongs to its own request, and the refunds in the database are those that were answered. */
function checkAnswers(world: World, sent: readonly Sent[], made: Map<string, Made>): void {
  const answered = new Map<string, string>();
  for (const { order, mark, answer } of sent) {
    if (answer.status === 'rejected') continue;
    const { json, replayed } = answer.value;
    const { id, paymentIntentId, amount, metadata } = JSON.parse(json);
    const row = made.get(id);
    assert.ok(row, 'an answer is of another merchant, or of nothing');
    assert.equal(row.tenantId, world.tenants[order.tenant]!.id);
    assert.equal(paymentIntentId, formatId('pi', world.payments[order.payment]!));
    assert.equal(row.paymentId, world.payments[order.payment]);
    assert.equal(JSON.stringify(metadata), mark, 'an answer went to another request');
    assert.equal(BigInt(amount), row.amountMinor);
    if (order.amountMinor !== null) assert.equal(row.amountMinor, order.amountMinor);
    assert.ok(row.body.includes(json), 'the event carries the same bytes');
    if (replayed) assert.notEqual(order.key, undefined);
    else assert.equal(answered.has(id) && order.key === undefined, false, 'one refund each');
    assert.equal(answered.get(id) ?? json, json, 'the same key got other bytes');
    answered.set(id, json);
  }
  assert.deepEqual(new Set(answered.keys()), new Set(made.keys()), 'what was made was answered');
  const first = sent.filter(
    ({ answer }) => answer.status === 'fulfilled' && !answer.value.replayed,
  );
  assert.equal(first.length, made.size, 'each was answered as new once');
}

const sumOf = (rows: Iterable<Made>) =>
  [...rows].reduce((sum, { amountMinor }) => sum + amountMinor, 0n);

/** No amount is released here, so a refund that did not fit then does not fit at the end. */
function checkRefusals(world: World, sent: readonly Sent[], made: Map<string, Made>): void {
  const rows = [...made.values()];
  for (const { order, answer } of sent) {
    if (answer.status === 'fulfilled') continue;
    const { id: tenantId, limitedKey } = world.tenants[order.tenant]!;
    const paymentId = world.payments[order.payment]!;
    const ofTenant = rows.filter((row) => row.tenantId === tenantId);
    const takenMinor = sumOf(ofTenant.filter((row) => row.paymentId === paymentId));
    const leftMinor =
      1_001n + BigInt(order.payment < sharedPayments ? order.payment : 0) - takenMinor;
    const wantedMinor = order.amountMinor ?? leftMinor;
    const error = answer.reason;
    if (!(error instanceof DomainError)) throw error;
    const isOthers = order.tenant === 1 && order.payment >= sharedPayments;
    switch (error.code) {
      case 'NOT_FOUND':
        assert.ok(isOthers && order.payment === sharedPayments + 1);
        break;
      case 'INVALID_STATE':
        assert.ok(isOthers && order.payment === sharedPayments);
        break;
      case 'REFUND_EXCEEDS_PAYMENT':
        assert.ok(wantedMinor > leftMinor || leftMinor === 0n, `${wantedMinor} of ${leftMinor}`);
        break;
      case 'FORBIDDEN':
        assert.equal(order.process, 1);
        assert.ok(takenMinor + (order.amountMinor ?? leftMinor) > approvalAboveMinor);
        break;
      case 'KEY_LIMIT_EXCEEDED': {
        assert.ok(order.isLimited);
        const usedMinor = sumOf(ofTenant.filter((row) => row.createdByKey === limitedKey));
        const left = BigInt(/; (\d+) are left/.exec(error.message)![1]!);
        assert.ok(left >= dayLimitMinor - usedMinor);
        assert.ok((order.amountMinor ?? 1_007n) > left, 'it would have had room');
        break;
      }
      case 'IDEMPOTENCY_KEY_REUSED':
        assert.notEqual(order.key, undefined);
        break;
      default:
        throw error;
    }
  }
}

/** The reservation equals the sum of the refunds, and never exceeds the payment. */
async function checkSums({ database, tenants }: World, made: Map<string, Made>): Promise<void> {
  const text = `
SELECT id, tenant_id AS "tenantId", amount_minor AS "amountMinor", refund_reserved_minor AS "takenMinor"
FROM payments WHERE tenant_id = $1`;
  for (const { id: tenantId, limitedKey } of tenants) {
    const rows = [...made.values()].filter((row) => row.tenantId === tenantId);
    type Taken = { id: string; amountMinor: bigint; takenMinor: bigint };
    for (const payment of await database.query<Taken>({ text }, [tenantId])) {
      assert.equal(payment.takenMinor, sumOf(rows.filter((row) => row.paymentId === payment.id)));
      assert.ok(payment.takenMinor <= payment.amountMinor);
    }
    const day = 'SELECT amount_minor AS "usedMinor" FROM api_key_refund_days WHERE key_id = $1';
    const used = await database.query<{ usedMinor: bigint }>({ text: day }, [limitedKey]);
    const limited = rows.filter((row) => row.createdByKey === limitedKey);
    assert.equal(
      used.reduce((sum, { usedMinor }) => sum + usedMinor, 0n),
      sumOf(limited),
    );
    assert.ok(sumOf(limited) <= dayLimitMinor, 'the day of the key has room for them');
  }
}

test('makes or refuses each of many concurrent refunds of two processes as if it were alone', async (context) => {
  const { database } = await freshDatabase(context);
  let runs = 0;
  const checkOrders = async (orders: Order[]) => {
    runs += 1;
    const world = await openWorld(database, Date.now() - 1_000_000 + runs * 10_000);
    const sent = await play(world, orders);
    const made = await findMade(world);
    checkAnswers(world, sent, made);
    checkRefusals(world, sent, made);
    await checkSums(world, made);
    const answered = sent.filter(
      ({ order: { key }, answer: { status } }) => key !== undefined && status === 'fulfilled',
    );
    const again = await Promise.all(answered.map((each) => send(world, each)));
    const first = answered.map(
      ({ answer }) => (answer as PromiseFulfilledResult<CreatedRefund>).value.json,
    );
    assert.deepEqual(
      again,
      first.map((json) => ({ json, replayed: true })),
    );
  };
  const orders = fc.array(order, { minLength: 1, maxLength: 60, size: 'max' });
  await fc.assert(fc.asyncProperty(orders, checkOrders), { numRuns: 25, endOnFailure: true });
  assert.deepEqual(await checkLedger(database), []);
});
