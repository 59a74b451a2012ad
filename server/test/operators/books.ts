import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { newEvent } from '../../src/events/event.ts';
import { noHandover } from '../../src/events/handover.ts';
import { loadAdapters } from '../../src/operators/adapters.ts';
import { askGaps, leaseMarginMs } from '../../src/operators/asking.ts';
import { createHandleCallback, defaultHintGapsMs } from '../../src/operators/callbacks/handle.ts';
import { claimDueCallbacks } from '../../src/operators/callbacks/store.ts';
import { callbackSubjects } from '../../src/operators/callbacks/subjects.ts';
import { createTakeCallback } from '../../src/operators/callbacks/take.ts';
import type { CallbackKind } from '../../src/operators/callbacks/token.ts';
import { createAdvance } from '../../src/payments/advance.ts';
import { createAttend } from '../../src/payments/attend.ts';
import { createCancelPayment } from '../../src/payments/cancel.ts';
import type { PaymentTiming } from '../../src/payments/decide.ts';
import { claimDuePayments } from '../../src/payments/due-store.ts';
import { examplePayment } from '../../src/payments/payment.fixture.ts';
import type { Payment } from '../../src/payments/payment.ts';
import { createReschedule } from '../../src/payments/reschedule.ts';
import { findPayment, insertAttempt, insertPayments } from '../../src/payments/store.ts';
import { paymentJson } from '../../src/payments/view.ts';
import type { Database } from '../../src/platform/database.ts';
import { randomIds } from '../../src/platform/ids.ts';
import { createAdvanceRefund } from '../../src/refunds/advance.ts';
import { createAttendRefund } from '../../src/refunds/attend.ts';
import { createCreateRefund } from '../../src/refunds/create.ts';
import { claimDueRefunds } from '../../src/refunds/due-store.ts';
import type { Refund } from '../../src/refunds/refund.ts';
import { findRefund } from '../../src/refunds/store.ts';
import { createAttendReversal } from '../../src/reversals/attend.ts';
import type { Reversal } from '../../src/reversals/reversal.ts';
import { createStartReversal } from '../../src/reversals/start.ts';
import { claimDueReversals, findReversal } from '../../src/reversals/store.ts';
import { createAskPerson } from '../../src/review/ask-person.ts';
import type { ReviewItem } from '../../src/review/review-item.ts';
import { openReviewItems } from '../../src/review/store.ts';
import { silentLog, testDatabase } from '../database.ts';
import { testHashes } from '../request-hashes.ts';
import { ScriptedOperator } from './scripted.ts';

/** As a gateway has it by its defaults. */
export const timing: PaymentTiming = {
  ...askGaps,
  operatorTimeoutMs: 10_000,
  expiryGraceMs: 60_000,
  watchMs: 72 * 3_600_000,
};
export const leaseMs = timing.operatorTimeoutMs + leaseMarginMs;

const ids = randomIds();
const adapterOf = await loadAdapters({});

interface Options {
  mode?: 'live' | 'test';
  /** Shares these books, as another gateway process does. */
  database?: Database;
}

/**
 * The real use cases on a real database, behind an operator that says what its test wants, with a clock
 * that stands still. What the loops of workers do happens here when it is asked for.
 */
export class Books {
  readonly database: Database;
  readonly operator: ScriptedOperator;
  readonly parts;
  nowMs = Date.parse('2026-11-21T09:30:00.000Z');
  /** Of the merchant that is meant where none is named. */
  tenantId = '';
  /** What was closed because the operator never had it. */
  notReceived: string[] = [];
  lateRefunds: Refund[] = [];
  /** What happens when a statement of the use cases has been committed, and before they hear of it. */
  afterStatement: (name: string) => void | Promise<void> = () => {};

  constructor(database: Database) {
    this.database = database;
    this.operator = new ScriptedOperator(() => this.nowMs);
    this.parts = this.#compose();
  }

  wait(ms: number): void {
    this.nowMs += ms;
  }

  async newTenant(mode: 'live' | 'test' = 'live'): Promise<string> {
    const [merchantId, tenantId] = [randomUUID(), randomUUID()];
    const merchant = 'INSERT INTO merchants (id, name, created_at) VALUES ($1, $2, now())';
    await this.database.query({ text: merchant }, [merchantId, 'Loja']);
    const tenant =
      'INSERT INTO tenants (id, merchant_id, mode, created_at) VALUES ($1, $2, $3, now())';
    await this.database.query({ text: tenant }, [tenantId, merchantId, mode]);
    return tenantId;
  }

  /** A payment of 100 CVE that is written, due, and not attended to. */
  async create(change: Partial<Payment> = {}): Promise<Payment> {
    const { nowMs } = this;
    const payment = examplePayment({
      tenantId: this.tenantId,
      id: ids.next(nowMs),
      operator: 'CVMOVEL',
      dueAtMs: nowMs,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
      expiresAtMs: nowMs + 300_000,
      ...change,
    });
    const { tenantId, id: objectId } = payment;
    const about = { tenantId, id: ids.next(nowMs), objectId, sequence: 1, createdAtMs: nowMs };
    const event = newEvent({ ...about, type: 'payment.created' }, paymentJson(payment));
    if (payment.checkoutSessionId === null) {
      await insertPayments(this.database, [{ payment, event }], nowMs);
    } else await insertAttempt(this.database, { payment, event }, 0, nowMs);
    return payment;
  }

  /** One that the operator has debited when it was first asked for it. */
  async debited(operatorTxId: string, change: Partial<Payment> = {}): Promise<Payment> {
    const { onRequestDebit } = this.operator;
    this.operator.onRequestDebit = ({ amountMinor }) => ({
      kind: 'succeeded',
      operatorTxId,
      amountMinor,
    });
    const payment = await this.sent(change);
    this.operator.onRequestDebit = onRequestDebit;
    return payment;
  }

  /** One that was created and sent by this process. */
  async sent(change: Partial<Payment> = {}): Promise<Payment> {
    const payment = await this.create({ dueAtMs: this.nowMs + leaseMs, ...change });
    await this.parts.attend.attend(payment, 'MEMORY');
    return this.payment(payment);
  }

  async refund(payment: Payment, amountMinor: bigint | null): Promise<Refund> {
    const { tenantId, id: paymentId } = payment;
    const text = {
      mode: 'live',
      reason: null,
      metadata: null,
      idempotency: null,
      apiKey: null,
    } as const;
    const accepted: Refund[] = [];
    const create = createCreateRefund({
      ...this.parts.base,
      requestHashes: testHashes,
      worker: {
        leaseMs: ({ createdAtMs }) => createdAtMs,
        accept: (refund) => accepted.push(refund),
      },
      onRefund: () => {},
    });
    await create({ tenantId, paymentId, amountMinor, ...text });
    return accepted[0]!;
  }

  cancel({ tenantId, id }: Payment): Promise<Payment> {
    return this.parts.cancel(tenantId, id);
  }

  /** Attends once to all that is due: gives how many rows that were. */
  async work(): Promise<number> {
    const { database, nowMs } = this;
    const untilMs = nowMs + leaseMs;
    const payments = await claimDuePayments(database, nowMs, untilMs, 100);
    const refunds = await claimDueRefunds(database, nowMs, untilMs, 100);
    const reversals = await claimDueReversals(database, nowMs, untilMs, 100);
    const { attend, attendRefund, attendReversal } = this.parts;
    for (const each of payments) await attend.attend(each, 'DATABASE');
    for (const each of refunds) await attendRefund.attend(each, 'DATABASE');
    for (const each of reversals) await attendReversal.attend(each, 'DATABASE');
    return payments.length + refunds.length + reversals.length;
  }

  /** Goes from one due row to the next until this much time has passed; gives how many were attended to. */
  async workFor(ms: number): Promise<number> {
    const endMs = this.nowMs + ms;
    let attended = 0;
    for (;;) {
      const nextMs = await this.nextDueMs();
      if (nextMs === null || nextMs > endMs) break;
      this.nowMs = Math.max(this.nowMs, nextMs);
      attended += await this.work();
    }
    this.nowMs = Math.max(this.nowMs, endMs);
    return attended;
  }

  async nextDueMs(): Promise<number | null> {
    const text = `SELECT min(due_at) AS "dueAtMs" FROM (
      SELECT due_at FROM payments UNION ALL SELECT due_at FROM refunds UNION ALL SELECT due_at FROM reversals) AS d`;
    return (await this.database.query<{ dueAtMs: number | null }>({ text }))[0]!.dueAtMs;
  }

  /** The operator, or whoever has the address, calls back. */
  async callBack(
    kind: CallbackKind,
    { tenantId, id: reference }: { tenantId: string; id: string },
    body: unknown,
  ): Promise<void> {
    const address = { operator: 'CVMOVEL', kind, tenantId, reference } as const;
    await this.parts.take({ address, authenticated: false, body });
  }

  /** Handles each callback that is due, all at once. */
  async handleCallbacks(): Promise<number> {
    const { database, nowMs } = this;
    const due = await claimDueCallbacks(database, nowMs, nowMs + leaseMs, 100);
    await Promise.all(due.map((callback) => this.parts.handle(callback)));
    return due.length;
  }

  /** Lets callbacks come due for this long, and does nothing else meanwhile. */
  async handleCallbacksFor(ms: number): Promise<void> {
    const endMs = this.nowMs + ms;
    for (;;) {
      const text = 'SELECT min(due_at) AS "dueAtMs" FROM operator_callbacks';
      const [row] = await this.database.query<{ dueAtMs: number | null }>({ text });
      if (!row || row.dueAtMs === null || row.dueAtMs > endMs) break;
      this.nowMs = Math.max(this.nowMs, row.dueAtMs);
      await this.handleCallbacks();
    }
    this.nowMs = endMs;
  }

  async payment({ tenantId, id }: Pick<Payment, 'tenantId' | 'id'>): Promise<Payment> {
    return (await findPayment(this.database, tenantId, id))!;
  }

  async refundNow({ tenantId, id }: Refund): Promise<Refund> {
    return (await findRefund(this.database, tenantId, id))!;
  }

  async reversals(): Promise<Reversal[]> {
    const text = 'SELECT tenant_id AS "tenantId", id FROM reversals ORDER BY created_at, id';
    const rows = await this.database.query<Pick<Reversal, 'tenantId' | 'id'>>({ text });
    const all = rows.map(({ tenantId, id }) => findReversal(this.database, tenantId, id));
    return (await Promise.all(all)) as Reversal[];
  }

  review(): Promise<ReviewItem[]> {
    return openReviewItems(this.database);
  }

  /** The balances of a tenant that are not nothing. */
  async balances(tenantId = this.tenantId): Promise<Record<string, number>> {
    const text = `SELECT account, balance_minor AS minor FROM balances
      WHERE tenant_id = $1 AND balance_minor <> 0 ORDER BY account`;
    const rows = await this.database.query<{ account: string; minor: bigint }>({ text }, [
      tenantId,
    ]);
    return Object.fromEntries(rows.map(({ account, minor }) => [account, Number(minor)]));
  }

  #compose() {
    const { operator } = this;
    const database: Database = {
      ...this.database,
      query: async (statement, values) => {
        const rows = await this.database.query(statement, values);
        await this.afterStatement(statement.name ?? statement.text);
        return rows as never;
      },
    };
    const clock = { nowMs: () => this.nowMs };
    const base = { database, clock, ids, log: silentLog, timing, handover: noHandover };
    const wake = () => {};
    const operatorFor = () => operator;
    const askPerson = createAskPerson({ ...base, onReview: () => {} });
    const onNotReceived = ({ id }: { id: string }) => void this.notReceived.push(id);
    const told = { wake, operatorFor, askPerson, onNotReceived };
    const onTransition = () => {};
    const advance = createAdvance({
      ...base,
      prepareEnded: async () => undefined,
      onTransition,
    });
    const reverse = createStartReversal({ ...base, ...told, onReversal: () => {} });
    const reschedule = createReschedule(database);
    const attendParts = { ...base, ...told, advance, reschedule, reverse };
    const attend = createAttend(attendParts);
    const advanceRefund = createAdvanceRefund({ ...base, onRefund: () => {}, onTransition });
    const refundParts = {
      ...base,
      ...told,
      advance: advanceRefund,
      onLateSuccess: (refund: Refund) => void this.lateRefunds.push(refund),
    };
    const attendRefund = createAttendRefund(refundParts);
    const attendReversal = createAttendReversal({ ...base, ...told });
    const noticing = { payments: attend, refunds: attendRefund, reversals: attendReversal };
    const subjects = callbackSubjects({ ...base, ...told, ...noticing, reverse });
    const worker = { leaseMs: (row: { createdAtMs: number }) => row.createdAtMs, accept: () => {} };
    return {
      base,
      attendParts,
      advance,
      attend,
      advanceRefund,
      refundParts,
      attendRefund,
      attendReversal,
      reverse,
      cancel: createCancelPayment({ ...base, advance, wake }),
      take: createTakeCallback({
        ...base,
        adapterOf,
        worker,
        metrics: { excessCallbacks: { inc: () => {} } as never },
      }),
      handle: createHandleCallback({
        ...base,
        ...told,
        adapterOf,
        subjects,
        provesSender: () => false,
        hintGapsMs: defaultHintGapsMs,
      }),
    };
  }
}

/** Books of one merchant, live unless it is said otherwise. */
export async function openBooks(context: TestContext, options: Options = {}): Promise<Books> {
  const database = options.database ?? (await testDatabase(context)).database;
  const books = new Books(database);
  books.tenantId = await books.newTenant(options.mode);
  return books;
}
