import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ApprovalStatus, approvalTransitions } from '../src/backoffice/approvals/approval.ts';
import { approveStored, endApproval } from '../src/backoffice/approvals/store.ts';
import {
  type DeliveryStatus,
  deliveryTransitions,
} from '../src/integrations/webhooks/deliveries/delivery.ts';
import { makeRedeliver } from '../src/integrations/webhooks/deliveries/redeliver.ts';
import {
  type DeliveryAttempt,
  recordAttempts,
} from '../src/integrations/webhooks/delivery-store.ts';
import { deleteEndpoint } from '../src/integrations/webhooks/endpoint-store.ts';
import {
  type DisbursementStatus,
  disbursementTransitions,
} from '../src/money/disbursements/disbursement.ts';
import { transitionDisbursements } from '../src/money/disbursements/transition-store.ts';
import { type PaymentStatus, paymentTransitions } from '../src/money/payments/payment.ts';
import { sessionTransitions } from '../src/money/payments/session-slot.ts';
import { settleTransitions } from '../src/money/payments/settle.ts';
import { transitionPayments } from '../src/money/payments/transition-store.ts';
import { type RefundStatus, refundTransitions } from '../src/money/refunds/refund.ts';
import { transitionRefunds } from '../src/money/refunds/store.ts';
import { type ReversalStatus, reversalTransitions } from '../src/money/reversals/reversal.ts';
import { findReversal, transitionReversal } from '../src/money/reversals/store.ts';
import {
  type SettlementStatus,
  settlementTransitions,
} from '../src/money/settlements/settlement.ts';
import { findSettlement, transitionSettlement } from '../src/money/settlements/store.ts';
import type { Database } from '../src/platform/postgres/database.ts';
import { systemClock } from '../src/platform/process/clock.ts';
import { randomIds } from '../src/platform/values/ids.ts';
import type { Transitions } from '../src/platform/values/transitions.ts';
import type { CheckoutSession } from '../src/storefront/checkout/session.ts';
import { expireSessions, findSession } from '../src/storefront/checkout/store.ts';
import { beginApproval } from './support/approvals.ts';
import { testDatabase } from './support/database.ts';
import { exampleDisbursement, insertDisbursements } from './support/disbursement.ts';
import { examplePayment } from './support/payment.ts';
import { exampleRefund } from './support/refund.ts';
import { changedIn } from './support/status-changes.ts';
import {
  at,
  keyOf,
  nowMs,
  paymentRow,
  type Row,
  refundRow,
  sessionRow,
  stamps,
} from './support/status-rows.ts';

const ids = randomIds();
/** A statement that changes a status. On real rows, it must make exactly the transitions of the table. */
interface Changing<Status extends string> {
  table: string;
  transitions: Transitions<Status>;
  begin(database: Database, row: Row, from: Status): Promise<unknown>;
  /** The possible targets of the statement, each tried from each status. */
  targets: readonly Status[];
  change(database: Database, row: Row, from: Status, to: Status): Promise<unknown>;
}

/** Outside the list's type, because each entry has its own statuses. */
const changing = <Status extends string>(each: Changing<Status>) =>
  each as unknown as Changing<string>;

function insert(database: Database, table: string, row: Record<string, unknown>) {
  const columns = Object.keys(row);
  const values = columns.map((_, index) => `$${index + 1}`);
  const text = `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})`;
  return database.query({ text }, Object.values(row));
}

async function beginDelivery(database: Database, row: Row, status: DeliveryStatus) {
  const { tenantId, id } = row;
  const url = 'https://example.com/';
  const endpoint = { status: 'ACTIVE', events: ['payment.created'], secret_box: Buffer.alloc(8) };
  await insert(database, 'webhook_endpoints', {
    ...keyOf(row),
    ...stamps,
    ...endpoint,
    url,
    version: 1,
  });
  const event = { type: 'payment.created', object_id: id, sequence: 1, body: '{}' };
  await insert(database, 'events', { ...keyOf(row), ...event, created_at: at });
  const delivery = { tenant_id: tenantId, endpoint_id: id, event_id: id, status, attempt_count: 1 };
  await insert(database, 'deliveries', { ...delivery, ...stamps, due_at: at });
}

const beginRequest = (database: Database, row: Row, status: ApprovalStatus) =>
  beginApproval(insert, database, { ...row, status, nowMs });

const refundOf = ({ tenantId, id }: Row, status: RefundStatus) =>
  exampleRefund({ tenantId, id, paymentId: id, status, amountMinor: 10_000n });

const nothing = { refundedMinor: 0n, releasedMinor: 0n, lateMinor: 0n };
const author = { actor: { kind: 'operator', name: 'test' }, requestId: null } as never;
const redeliver = (database: Database) =>
  makeRedeliver({ database, clock: systemClock, ids, endpointChanged: () => {} });

const statements = [
  changing<PaymentStatus>({
    table: 'payments',
    transitions: paymentTransitions,
    targets: Object.keys(paymentTransitions) as PaymentStatus[],
    begin: (database, row, from) => insert(database, 'payments', paymentRow(row, from)),
    change: (database, row, from, to) => {
      const seen = examplePayment({ ...row, status: from });
      const transition = { seen, next: { ...seen, status: to, dueAtMs: nowMs }, postings: [] };
      return transitionPayments(database, [transition], nowMs);
    },
  }),
  changing<PaymentStatus>({
    table: 'payments',
    transitions: paymentTransitions,
    targets: ['PARTIALLY_REFUNDED', 'REFUNDED'],
    begin: async (database, row, from) => {
      await insert(database, 'payments', paymentRow(row, from, { refund_reserved_minor: 10_000 }));
      await insert(database, 'refunds', refundRow(row, 'PROCESSING'));
    },
    change: (database, row, _, to) => {
      const seen = refundOf(row, 'PROCESSING');
      const next = { ...seen, status: 'SUCCEEDED' as const };
      const refundedMinor = to === 'REFUNDED' ? 10_000n : 1n;
      return transitionRefunds(database, [{ ...nothing, seen, next, refundedMinor }], nowMs);
    },
  }),
  changing<RefundStatus>({
    table: 'refunds',
    transitions: refundTransitions,
    targets: Object.keys(refundTransitions) as RefundStatus[],
    begin: (database, row, from) => insert(database, 'refunds', refundRow(row, from)),
    change: (database, row, from, to) => {
      const seen = refundOf(row, from);
      return transitionRefunds(
        database,
        [{ ...nothing, seen, next: { ...seen, status: to } }],
        nowMs,
      );
    },
  }),
  changing<ReversalStatus>({
    table: 'reversals',
    transitions: reversalTransitions,
    targets: Object.keys(reversalTransitions) as ReversalStatus[],
    begin: (database, row, from) => {
      const { version: _, ...values } = refundRow(row, from);
      return insert(database, 'reversals', { ...values, reason: 'LATE_DEBIT' });
    },
    change: async (database, { tenantId, id }, _, to) => {
      const seen = (await findReversal(database, tenantId, id))!;
      return transitionReversal(
        database,
        seen,
        { status: to, dueAtMs: nowMs, nowMs: nowMs + 1 },
        [],
      );
    },
  }),
  changing<DisbursementStatus>({
    table: 'disbursements',
    transitions: disbursementTransitions,
    targets: Object.keys(disbursementTransitions) as DisbursementStatus[],
    begin: (database, row, from) =>
      insertDisbursements(
        database,
        exampleDisbursement({ ...row, reference: row.id, status: from }),
      ),
    change: (database, row, from, to) => {
      const seen = exampleDisbursement({ ...row, reference: row.id, status: from });
      const next = { ...seen, status: to, updatedAtMs: nowMs + 1 };
      return transitionDisbursements(database, [{ seen, next, postings: [] }], nowMs);
    },
  }),
  changing<SettlementStatus>({
    table: 'settlements',
    transitions: settlementTransitions,
    targets: Object.keys(settlementTransitions) as SettlementStatus[],
    begin: (database, row, from) =>
      insert(database, 'settlements', {
        ...keyOf(row),
        status: from,
        version: 1,
        merchant_id: row.id,
        currency: 'CVE',
        gross_minor: 2,
        fee_minor: 1,
        refund_minor: 0,
        net_minor: 1,
        item_count: 1,
        period_start: at,
        period_end: at,
        created_at: at,
      }),
    change: async (database, { tenantId, id }, _, to) => {
      const seen = (await findSettlement(database, tenantId, id))!;
      const move = { events: [], postings: [], deliveriesDueAtMs: nowMs };
      return transitionSettlement(database, seen, { ...move, next: { ...seen, status: to } });
    },
  }),
  changing<ApprovalStatus>({
    table: 'approvals',
    transitions: approvalTransitions,
    targets: ['APPROVED'],
    begin: beginRequest,
    change: (database, { tenantId, id }) => {
      const approver = { personId: id, identity: null, origin: 'test' };
      const times = { nowMs, dueAtMs: nowMs };
      return approveStored(database, { tenantId, id, kind: 'REFUND' }, approver, times);
    },
  }),
  changing<ApprovalStatus>({
    table: 'approvals',
    transitions: approvalTransitions,
    targets: ['DONE', 'FAILED', 'REJECTED', 'CANCELLED', 'EXPIRED'],
    begin: beginRequest,
    change: (database, row, from, to) => endApproval(database, row, { from, to, nowMs }),
  }),
  changing<CheckoutSession['status']>({
    table: 'checkout_sessions',
    transitions: sessionTransitions,
    targets: ['COMPLETED', 'EXPIRED'],
    begin: async (database, row, from) => {
      const attempt = { attempt_in_flight: true, latest_payment_id: row.id };
      await insert(database, 'checkout_sessions', sessionRow(row, from, attempt));
      const payment = paymentRow(row, 'OPERATOR_PENDING', { checkout_session_id: row.id });
      await insert(database, 'payments', payment);
    },
    change: (database, row, _, to) => {
      const checkoutSessionId = row.id;
      const seen = examplePayment({ ...row, status: 'OPERATOR_PENDING', checkoutSessionId });
      const status = to === 'COMPLETED' ? ('DEBITED' as const) : ('FAILED' as const);
      return transitionPayments(
        database,
        [{ seen, next: { ...seen, status }, postings: [] }],
        nowMs,
      );
    },
  }),
  changing<CheckoutSession['status']>({
    table: 'checkout_sessions',
    transitions: sessionTransitions,
    targets: ['EXPIRED'],
    begin: (database, row, from) =>
      insert(database, 'checkout_sessions', sessionRow(row, from, {})),
    change: async (database, { tenantId, id }) => {
      const session = (await findSession(database, tenantId, id))!;
      const next = { ...session, version: 2 };
      const expiry = { next, eventId: ids.next(nowMs), aroundItems: ['', ''] as [string, string] };
      return expireSessions(database, [expiry], nowMs);
    },
  }),
  changing<DeliveryStatus>({
    table: 'deliveries',
    transitions: deliveryTransitions,
    targets: ['PENDING', 'SUCCEEDED', 'FAILED'],
    begin: beginDelivery,
    change: (database, { tenantId, id }, _, status) => {
      const delivery = { tenantId, endpointId: id, eventId: id, dueAtMs: nowMs };
      const attempt = { status, dueAtMs: null, attemptCount: 2, statusCode: 200, error: null };
      return recordAttempts(database, [
        { ...attempt, delivery, atMs: nowMs + 1 } as DeliveryAttempt,
      ]);
    },
  }),
  changing<DeliveryStatus>({
    table: 'deliveries',
    transitions: deliveryTransitions,
    targets: ['PENDING'],
    begin: beginDelivery,
    change: (database, row) => redeliver(database).one(row, row.id, author),
  }),
  changing<DeliveryStatus>({
    table: 'deliveries',
    transitions: deliveryTransitions,
    targets: ['PENDING'],
    begin: beginDelivery,
    change: (database, row) => {
      const range = { sinceMs: nowMs - 1, untilMs: nowMs + 1_000 };
      return redeliver(database).range(row, range, author);
    },
  }),
  changing<DeliveryStatus>({
    table: 'deliveries',
    transitions: deliveryTransitions,
    targets: ['FAILED'],
    begin: beginDelivery,
    change: (database, { tenantId, id }) => deleteEndpoint(database, tenantId, id, nowMs),
  }),
];

/** The transitions that a statement really makes, each tried on a fresh row. */
async function madeBy(database: Database, statement: Changing<string>): Promise<string[]> {
  const { table, transitions, targets } = statement;
  const made: string[] = [];
  const idColumn = table === 'deliveries' ? 'event_id' : 'id';
  const text = `SELECT status, xmin::text FROM ${table} WHERE tenant_id = $1 AND ${idColumn} = $2`;
  for (const from of Object.keys(transitions)) {
    for (const to of targets) {
      const row = { tenantId: randomUUID(), id: ids.next(nowMs) };
      await statement.begin(database, row, from);
      const key = [row.tenantId, row.id];
      const look = () => database.query<{ status: string; xmin: string }>({ text }, key);
      const [before] = await look();
      await statement.change(database, row, from, to).catch(() => {});
      const [after] = await look();
      if (before!.xmin === after!.xmin) continue;
      made.push(`${from} → ${after!.status}`);
      if (after!.status !== from) assert.equal(after!.status, to);
    }
  }
  return made;
}

const listed = (transitions: Transitions<string>) =>
  Object.entries(transitions).flatMap(([from, next]) => next.map((to) => `${from} → ${to}`));

test('makes exactly the transitions of the table by each statement', async (context) => {
  const { database } = await testDatabase(context);
  const madeOf = new Map<Transitions<string>, Set<string>>();
  for (const statement of statements) {
    const { table, transitions, targets } = statement;
    // Without a new status, a reversal is only postponed.
    const made = (await madeBy(database, statement)).filter(
      (each) => table !== 'reversals' || !/^(\w+) → \1$/.test(each),
    );
    assert.ok(made.length > 0, `${table}: ${targets.join(', ')}`);
    const all = listed(transitions);
    assert.deepEqual(
      made.filter((each) => !all.includes(each)),
      [],
      `${table}: ${targets.join(', ')}`,
    );
    const known = madeOf.get(transitions) ?? new Set();
    madeOf.set(transitions, new Set([...known, ...made]));
  }
  for (const [transitions, made] of madeOf) {
    assert.deepEqual([...made].sort(), listed(transitions).sort());
  }
});

test('has no other statement that changes a status', () => {
  const source = join(import.meta.dirname, '..', 'src');
  const found = globSync('**/*.ts', { cwd: source })
    .filter((file) => !/test/.test(file))
    .flatMap((file) => changedIn(readFileSync(join(source, file), 'utf8')));
  // A restore expires pending requests, and fails approved ones, as their tables allow.
  const restored = ['approvals', 'approvals'];
  const known = [...statements.map(({ table }) => table), ...restored];
  assert.deepEqual(found.sort(), known.sort());
});

test('allows the transitions of payments in a completed settlement', () => {
  const statuses = Object.keys(paymentTransitions) as PaymentStatus[];
  const settled = settleTransitions(
    statuses.map((status) => examplePayment({ status })),
    ids,
    nowMs,
  );
  assert.deepEqual(
    settled.map(({ seen, next }) => `${seen.status} → ${next.status}`),
    ['DEBITED → SETTLED', 'PARTIALLY_REFUNDED → PARTIALLY_REFUNDED'],
  );
});
