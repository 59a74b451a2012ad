import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import { noDispatcher } from '../../src/integrations/events/dispatch.ts';
import { newEvent } from '../../src/integrations/events/event.ts';
import type { CallbackKind } from '../../src/integrations/operators/callback-token.ts';
import { loadAdapters } from '../../src/integrations/operators/load-adapters.ts';
import { leaseMarginMs, queryBackoff } from '../../src/integrations/operators/query-schedule.ts';
import { defaultHintBackoffMs, makeHandleCallback } from '../../src/money/callbacks/handle.ts';
import { makeTakeCallback } from '../../src/money/callbacks/receive.ts';
import { claimDueCallbacks } from '../../src/money/callbacks/store.ts';
import { callbackSubjects } from '../../src/money/callbacks/subjects.ts';
import { claimDueDisbursements } from '../../src/money/disbursements/lease-store.ts';
import {
  createDisbursementProcessor,
  type DisbursementProcessorDependencies,
} from '../../src/money/disbursements/process.ts';
import {
  type ApplyDisbursementTransitionDependencies,
  makeApplyDisbursementTransition,
} from '../../src/money/disbursements/transition.ts';
import { makeCancelPayment } from '../../src/money/payments/cancel.ts';
import type { PaymentTiming } from '../../src/money/payments/decide.ts';
import { claimDuePayments } from '../../src/money/payments/lease-store.ts';
import type { Payment } from '../../src/money/payments/payment.ts';
import { createPaymentProcessor } from '../../src/money/payments/process.ts';
import { makeReschedule } from '../../src/money/payments/reschedule.ts';
import { findPayment, insertAttempt, insertPayments } from '../../src/money/payments/store.ts';
import { makeApplyTransition } from '../../src/money/payments/transition.ts';
import { paymentJson } from '../../src/money/payments/view.ts';
import { makeCreateRefund } from '../../src/money/refunds/create.ts';
import { claimDueRefunds } from '../../src/money/refunds/lease-store.ts';
import { createRefundProcessor } from '../../src/money/refunds/process.ts';
import type { Refund } from '../../src/money/refunds/refund.ts';
import { findRefund } from '../../src/money/refunds/store.ts';
import { makeApplyRefundTransition } from '../../src/money/refunds/transition.ts';
import { makeCreateReversal } from '../../src/money/reversals/create.ts';
import { createReversalProcessor } from '../../src/money/reversals/process.ts';
import type { Reversal } from '../../src/money/reversals/reversal.ts';
import { claimDueReversals, findReversal } from '../../src/money/reversals/store.ts';
import { makeRequestReview } from '../../src/money/review/request-review.ts';
import type { ReviewItem } from '../../src/money/review/review-item.ts';
import { openReviewItems } from '../../src/money/review/store.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { standardTerms } from '../../src/platform/values/merchant-terms.ts';
import { silentLog, testDatabase } from '../support/database.ts';
import { examplePayment } from '../support/payment.ts';
import { testHashes } from '../support/request-hashes.ts';
import { ScriptedOperator } from './scripted.ts';

/** A gateway's defaults. */
export const timing: PaymentTiming = {
  ...queryBackoff,
  operatorTimeoutMs: 10_000,
  expiryGraceMs: 60_000,
  watchMs: 72 * 3_600_000,
};
export const leaseMs = timing.operatorTimeoutMs + leaseMarginMs;

export const ids = randomIds();
const adapterOf = await loadAdapters({});

interface Options {
  mode?: 'live' | 'test';
  /** Shares this database, like another gateway process. */
  database?: Database;
}

/**
 * The real use cases on a real database, behind a scripted operator, with a stopped clock. The test itself runs the
 * steps of the workers' loops.
 */
export class Harness {
  readonly database: Database;
  readonly operator: ScriptedOperator;
  readonly useCases;
  nowMs = Date.parse('2026-11-21T09:30:00.000Z');
  /** The merchant used if no other is named. */
  tenantId = '';
  /** Requests that were closed because the operator never had them. */
  notReceived: string[] = [];
  lateRefunds: Refund[] = [];
  /** The warnings in the log. */
  warnings: string[] = [];
  readonly #log = { warn: (...[, text]: unknown[]) => void this.warnings.push(String(text)) };
  /** Runs after the commit of a statement of the use cases, and before they learn of it. */
  afterStatement: (name: string) => void | Promise<void> = () => {};

  constructor(database: Database) {
    this.database = database;
    this.operator = new ScriptedOperator(() => this.nowMs);
    this.useCases = this.#compose();
  }

  wait(ms: number): void {
    this.nowMs += ms;
  }

  async newTenant(mode: 'live' | 'test' = 'live'): Promise<string> {
    const [merchantId, tenantId] = [randomUUID(), randomUUID()];
    const merchant =
      'INSERT INTO merchants (id, name, disbursements_allowed, created_at) VALUES ($1, $2, true, now())';
    await this.database.query({ text: merchant }, [merchantId, 'Loja']);
    const tenant =
      'INSERT INTO tenants (id, merchant_id, mode, created_at) VALUES ($1, $2, $3, now())';
    await this.database.query({ text: tenant }, [tenantId, merchantId, mode]);
    return tenantId;
  }

  /** A payment of 100 CVE that is written, due and unprocessed. */
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

  /** A payment that the operator debited at the first request. */
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

  /** A payment that this process created and sent. */
  async sent(change: Partial<Payment> = {}): Promise<Payment> {
    const payment = await this.create({ dueAtMs: this.nowMs + leaseMs, ...change });
    await this.useCases.processor.process(payment, 'MEMORY');
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
      terms: standardTerms,
    } as const;
    const accepted: Refund[] = [];
    const create = makeCreateRefund({
      refundApprovalAbove: {},
      refundRendering: { at: () => 2 },
      ...this.useCases.base,
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
    return this.useCases.cancel(tenantId, id);
  }

  /** Processes all due rows once, and returns how many there were. */
  async work(): Promise<number> {
    const { database, nowMs } = this;
    const untilMs = nowMs + leaseMs;
    const payments = await claimDuePayments(database, nowMs, untilMs, 100);
    const refunds = await claimDueRefunds(database, nowMs, untilMs, 100);
    const reversals = await claimDueReversals(database, nowMs, untilMs, 100);
    const disbursements = await claimDueDisbursements(database, nowMs, untilMs, 100);
    const { processor, refundProcessor, reversalProcessor, disbursementProcessor } = this.useCases;
    for (const each of payments) await processor.process(each, 'DATABASE');
    for (const each of refunds) await refundProcessor.process(each, 'DATABASE');
    for (const each of reversals) await reversalProcessor.process(each, 'DATABASE');
    for (const each of disbursements) await disbursementProcessor.process(each, 'DATABASE');
    return [payments, refunds, reversals, disbursements].flat().length;
  }

  /** Moves the clock from one due row to the next until this much time has passed; returns how many it processed. */
  async workFor(ms: number): Promise<number> {
    const endMs = this.nowMs + ms;
    let processed = 0;
    for (;;) {
      const nextMs = await this.nextDueMs();
      if (nextMs === null || nextMs > endMs) break;
      this.nowMs = Math.max(this.nowMs, nextMs);
      processed += await this.work();
    }
    this.nowMs = Math.max(this.nowMs, endMs);
    return processed;
  }

  async nextDueMs(): Promise<number | null> {
    const text = `SELECT min(due_at) AS "dueAtMs" FROM (
      SELECT due_at FROM payments UNION ALL SELECT due_at FROM refunds UNION ALL SELECT due_at FROM reversals
      UNION ALL SELECT due_at FROM disbursements) AS d`;
    return (await this.database.query<{ dueAtMs: number | null }>({ text }))[0]!.dueAtMs;
  }

  /** Sends a callback, from the operator or anyone with the address. */
  async callBack(
    kind: CallbackKind,
    { tenantId, id: reference }: { tenantId: string; id: string },
    body: unknown,
  ): Promise<'TAKEN' | 'TOO_MANY'> {
    const address = { operator: 'CVMOVEL', kind, tenantId, reference } as const;
    return this.useCases.take({ address, authenticated: false, body });
  }

  /** Handles all due callbacks at once. */
  async handleCallbacks(): Promise<number> {
    const { database, nowMs } = this;
    const due = await claimDueCallbacks(database, nowMs, nowMs + leaseMs, 100);
    await Promise.all(due.map((callback) => this.useCases.handle(callback)));
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

  /** The balances of a tenant that are not zero. */
  async balances(tenantId = this.tenantId): Promise<Record<string, number>> {
    const text = `SELECT account, balance_minor AS minor FROM balances
      WHERE tenant_id = $1 AND balance_minor <> 0 ORDER BY account`;
    const rows = await this.database.query<{ account: string; minor: bigint }>({ text }, [
      tenantId,
    ]);
    return Object.fromEntries(rows.map(({ account, minor }) => [account, Number(minor)]));
  }

  #watched(): Database {
    return {
      ...this.database,
      query: async (statement, values) => {
        const rows = await this.database.query(statement, values);
        await this.afterStatement(statement.name ?? statement.text);
        return rows as never;
      },
    };
  }

  #compose() {
    const { operator } = this;
    const database = this.#watched();
    const clock = { nowMs: () => this.nowMs };
    const base = { database, clock, ids, log: silentLog, timing, dispatcher: noDispatcher };
    const wake = () => {};
    const operatorFor = () => operator;
    const requestReview = makeRequestReview({ ...base, onReview: () => {} });
    const onNotReceived = ({ id }: { id: string }) => void this.notReceived.push(id);
    const told = { wake, operatorFor, requestReview, onNotReceived };
    const onTransition = () => {};
    const applyTransition = makeApplyTransition({
      ...base,
      prepareEnded: async () => undefined,
      onTransition,
    });
    const reverse = makeCreateReversal({ ...base, ...told, onReversal: () => {} });
    const reschedule = makeReschedule(database);
    const processorDependencies = { ...base, ...told, applyTransition, reschedule, reverse };
    const processor = createPaymentProcessor(processorDependencies);
    const counted = { onRefund: () => {}, onTransition };
    const applyRefundTransition = makeApplyRefundTransition({ ...base, ...counted });
    const refundDependencies = {
      ...base,
      ...told,
      applyTransition: applyRefundTransition,
      onLateSuccess: (refund: Refund) => void this.lateRefunds.push(refund),
    };
    const refundProcessor = createRefundProcessor(refundDependencies);
    const reversalProcessor = createReversalProcessor({ ...base, ...told });
    const disbursing = { ...base, ...told, home: this.database };
    const disbursementProcessor = disbursementProcessorOf(disbursing);
    const ofReturns = { refunds: refundProcessor, reversals: reversalProcessor };
    const money = { ...ofReturns, disbursements: disbursementProcessor };
    const processors = { payments: processor, ...money };
    const subjects = callbackSubjects({ ...base, ...told, ...processors, reverse });
    const leaseMs = (row: { createdAtMs: number }) => row.createdAtMs;
    const worker = { leaseMs, accept: () => {}, wake };
    return {
      base,
      processorDependencies,
      applyTransition,
      processor,
      applyRefundTransition,
      refundDependencies,
      refundProcessor,
      reversalProcessor,
      disbursementProcessor,
      reverse,
      cancel: makeCancelPayment({ ...base, applyTransition, wake }),
      take: makeTakeCallback({
        ...base,
        adapterOf,
        worker,
        metrics: { excessCallbacks: { inc: () => {} } as never },
      }),
      handle: makeHandleCallback({
        ...base,
        ...told,
        log: this.#log,
        adapterOf,
        subjects,
        provesSender: () => false,
        hintBackoffMs: defaultHintBackoffMs,
      }),
    };
  }
}

function disbursementProcessorOf(
  given: Omit<DisbursementProcessorDependencies, 'applyTransition' | 'onLateSuccess'> &
    Omit<ApplyDisbursementTransitionDependencies, 'onDisbursement'>,
) {
  const base = { ...given, onDisbursement: () => {}, onLateSuccess: () => {} };
  return createDisbursementProcessor({
    ...base,
    applyTransition: makeApplyDisbursementTransition(base),
  });
}

/** The harness of one merchant, in live mode unless stated otherwise. */
export async function openHarness(context: TestContext, options: Options = {}): Promise<Harness> {
  const database = options.database ?? (await testDatabase(context)).database;
  const harness = new Harness(database);
  harness.tenantId = await harness.newTenant(options.mode);
  return harness;
}
