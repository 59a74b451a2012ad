import { randomUUID } from 'node:crypto';
import { noDispatcher } from '../../src/integrations/events/dispatch.ts';
import { Simulator } from '../../src/integrations/operators/simulator/simulator.ts';
import { returnPosting } from '../../src/money/ledger/postings.ts';
import { makeCancelPayment } from '../../src/money/payments/cancel.ts';
import { makeConfirmPayment } from '../../src/money/payments/confirm.ts';
import { makeCreatePayment } from '../../src/money/payments/create.ts';
import { claimDuePayments, reschedulePayments } from '../../src/money/payments/lease-store.ts';
import { createPaymentProcessor, type PaymentProcessor } from '../../src/money/payments/process.ts';
import { makeApplyTransition } from '../../src/money/payments/transition.ts';
import { makeCreateRefund } from '../../src/money/refunds/create.ts';
import { claimDueRefunds } from '../../src/money/refunds/lease-store.ts';
import { createRefundProcessor } from '../../src/money/refunds/process.ts';
import { makeApplyRefundTransition } from '../../src/money/refunds/transition.ts';
import { makeCreateReversal } from '../../src/money/reversals/create.ts';
import { claimDueReversals, transitionReversal } from '../../src/money/reversals/store.ts';
import { makeRequestReview } from '../../src/money/review/request-review.ts';
import { makeProcessSettlement } from '../../src/money/settlements/create.ts';
import { completeSettlement, failSettlement } from '../../src/money/settlements/finish.ts';
import { markChunkSettled } from '../../src/money/settlements/mark-settled.ts';
import type { Settlement } from '../../src/money/settlements/settlement.ts';
import { listSettlements, transitionSettlement } from '../../src/money/settlements/store.ts';
import { operatorNames, recordOf } from '../../src/platform/config/operator-catalogue.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { noFourEyes } from '../../src/platform/values/four-eyes.ts';
import { parseId, randomIds } from '../../src/platform/values/ids.ts';
import { standardTerms } from '../../src/platform/values/merchant-terms.ts';
import { makeAttemptPayment } from '../../src/storefront/checkout/attempt.ts';
import { makeCreateSession } from '../../src/storefront/checkout/create.ts';
import { makePrepareEnded } from '../../src/storefront/checkout/event.ts';
import { expire, makeExpireSession } from '../../src/storefront/checkout/expire.ts';
import { createLinkSecrets } from '../../src/storefront/checkout/link-secrets.ts';
import { claimDueSessions, findSessionHead } from '../../src/storefront/checkout/store.ts';
import { silentLog } from '../support/database.ts';
import { testHashes } from '../support/request-hashes.ts';
import { refundSettings, settlementRendering } from './settings.ts';

const expiryMs = 60_000;
const leaseMs = 5_000;
const publicUrl = 'https://pay.example.cv';
const promptLimits = { live: undefined, test: undefined };
const fee = { basisPoints: 200, fixedMinor: 50n };

/**
 * One tenant with the real use cases, a real database, the real simulator and its own clock.
 * Workers act only when the test tells them to.
 */
export class World {
  readonly tenantId = randomUUID();
  readonly merchantId = randomUUID();
  readonly database: Database;
  readonly payments: string[] = [];
  readonly sessions: string[] = [];
  #nowMs = Date.parse('2026-11-21T09:30:00.000Z');
  #dependencies;

  constructor(database: Database) {
    this.database = database;
    this.#dependencies = this.#compose();
  }

  async begin(): Promise<void> {
    const merchant = 'INSERT INTO merchants (id, name, created_at) VALUES ($1, $2, now())';
    await this.database.query({ text: merchant }, [this.merchantId, 'Loja']);
    const tenant = `INSERT INTO tenants (id, merchant_id, mode, created_at) VALUES ($1, $2, 'test', now())`;
    await this.database.query({ text: tenant }, [this.tenantId, this.merchantId]);
  }

  wait(ms: number): void {
    this.#nowMs += ms;
  }

  async create(amountMinor: bigint, suffix: string): Promise<void> {
    const { json } = await this.#dependencies.createPayment({
      tenantId: this.tenantId,
      mode: 'test',
      amountMinor,
      operator: 'MOCK',
      operatorPhone: `+2389912${suffix}`,
      currency: null,
      externalId: null,
      customerId: null,
      description: null,
      statementDescriptor: null,
      metadata: null,
      idempotency: null,
      apiKey: null,
      terms: standardTerms,
    });
    this.payments.push(parseId('pi', JSON.parse(json).id)!);
  }

  async openSession(amountMinor: number): Promise<void> {
    const { session } = await this.#dependencies.createSession({
      tenantId: this.tenantId,
      items: null,
      amountMinor,
      currency: 'CVE',
      externalId: null,
      customerId: null,
      description: null,
      returnUrl: null,
      completionUrl: null,
      // Shorter than the API allows, so that sessions end while attempts are still under way.
      expiresInMinutes: 1,
      metadata: null,
      idempotency: null,
      apiKey: null,
      terms: standardTerms,
    });
    this.sessions.push(session.id);
  }

  /** The customer presses the button; the page's view of the session may be outdated by then. */
  async attempt(sessionId: string, suffix: string): Promise<void> {
    const session = (await findSessionHead(this.database, this.tenantId, sessionId))!;
    const choice = { operator: 'MOCK', phone: `+2389912${suffix}` } as const;
    const shop = { mode: 'test', terms: standardTerms } as const;
    const made = await this.#dependencies.attemptPayment(session, shop, choice);
    if (typeof made === 'object') this.payments.push(made.id);
  }

  /** The number was wrong: cancels the attempt, and makes another at once. */
  async changeNumber(sessionId: string, suffix: string): Promise<void> {
    const { latestPaymentId } = (await findSessionHead(this.database, this.tenantId, sessionId))!;
    if (latestPaymentId !== null) await this.cancel(latestPaymentId);
    await this.attempt(sessionId, suffix);
  }

  async expireSession(id: string): Promise<void> {
    await this.#dependencies.expireSession(this.tenantId, id);
  }

  async cancel(id: string): Promise<void> {
    await this.#dependencies.cancelPayment(this.tenantId, id);
  }

  async confirm(id: string): Promise<void> {
    await this.#dependencies.confirmPayment({ tenantId: this.tenantId, mode: 'test' }, () => id);
  }

  async refund(paymentId: string, amountMinor: bigint | null): Promise<void> {
    const { tenantId } = this;
    const input = { tenantId, paymentId, amountMinor, reason: null, metadata: null };
    const given = {
      ...input,
      mode: 'test' as const,
      idempotency: null,
      apiKey: null,
      terms: standardTerms,
    };
    await this.#dependencies.createRefund(given);
  }

  /** Processes everything that is due: payments, refunds, checkout sessions, reversals. */
  async work(): Promise<void> {
    const { processor, refundProcessor, simulator, checkout } = this.#dependencies;
    const untilMs = this.#nowMs + leaseMs;
    const sessions = await claimDueSessions(this.database, this.#nowMs, untilMs, 100);
    const payments = await claimDuePayments(this.database, this.#nowMs, untilMs, 100);
    const refunds = await claimDueRefunds(this.database, this.#nowMs, untilMs, 100);
    await Promise.all([
      ...payments.map((payment) => processor.process(payment, 'DATABASE')),
      ...refunds.map((refund) => refundProcessor.process(refund, 'DATABASE')),
      expire(checkout, sessions),
    ]);
    const reversals = await claimDueReversals(this.database, this.#nowMs, untilMs, 100);
    for (const reversal of reversals) {
      await simulator.reverse({
        ...reversal,
        kind: 'REVERSAL',
        reference: reversal.id,
        repeated: false,
      });
      const change = { status: 'SUCCEEDED', dueAtMs: null, nowMs: this.#nowMs } as const;
      await transitionReversal(this.database, reversal, change, [
        returnPosting(reversal, 'suspense_out', this.#nowMs),
      ]);
    }
  }

  async settle(): Promise<Settlement | undefined> {
    const { tenantId, merchantId } = this;
    const input = { tenantId, merchantId, currency: 'CVE', idempotencyKey: null };
    return (await this.#dependencies.processSettlement(input))?.settlement;
  }

  /** The outcome of the open settlement's payout, if there is one. */
  async finish(how: 'complete' | 'fail'): Promise<void> {
    const [open] = await listSettlements(this.database, this.tenantId, 'PENDING', { limit: 1 });
    if (!open) return;
    if (how === 'fail') {
      await this.database.transaction((database) =>
        failSettlement({ ...this.#dependencies.base, database, fourEyes: noFourEyes }, open),
      );
      return;
    }
    const processing: Settlement = { ...open, version: open.version + 1, status: 'PROCESSING' };
    const move = { next: processing, events: [], postings: [], deliveriesDueAtMs: this.#nowMs };
    if (!(await transitionSettlement(this.database, open, move))) return;
    let left: Settlement | undefined = await completeSettlement(
      { ...this.#dependencies.base, fourEyes: noFourEyes },
      processing,
    );
    while (left) left = await markChunkSettled(this.#dependencies.base, left, left.dueAtMs! + 1);
  }

  #compose() {
    const { database } = this;
    const clock = { nowMs: () => this.#nowMs };
    const fixed = { log: silentLog, dispatcher: noDispatcher, requestHashes: testHashes };
    const base = { database, clock, ids: randomIds(), ...fixed };
    const timing = {
      operatorTimeoutMs: 1_000,
      expiryGraceMs: 2_000,
      firstBackoffMs: 1_000,
      maxBackoffMs: 4_000,
      watchMs: 120_000,
    };
    const checkout = { ...base, publicUrl };
    const requestReview = makeRequestReview({ ...base, onReview() {} });
    const onNotReceived = () => {};
    const onTransition = () => {};
    const onRefund = () => {};
    const wake = () => {};
    const worker = { leaseMs: (row: { createdAtMs: number }) => row.createdAtMs, accept() {} };
    const notify = async () => {};
    const simulator = new Simulator({ ...base, delayMs: 0, notify });
    const applyTransition = makeApplyTransition({
      ...base,
      onTransition,
      prepareEnded: makePrepareEnded(checkout),
    });
    const processor: PaymentProcessor = createPaymentProcessor({
      ...base,
      timing,
      applyTransition,
      operatorFor: () => simulator,
      reschedule: async (payment, leaseMs, dueAtMs, sentAtMs) => {
        const row = { payment, leaseMs, dueAtMs, sentAtMs };
        return (await reschedulePayments(database, [row])).has(payment.id);
      },
      reverse: makeCreateReversal({ ...base, requestReview, wake, onReversal() {} }),
      requestReview,
      onNotReceived,
    });
    const refundProcessor = createRefundProcessor({
      ...base,
      timing,
      applyTransition: makeApplyRefundTransition({ ...base, onRefund, onTransition }),
      operatorFor: () => simulator,
      wake,
      requestReview,
      onLateSuccess() {},
      onNotReceived,
    });
    const fees = recordOf(operatorNames, () => fee);
    const linkSecrets = createLinkSecrets(Buffer.alloc(32));
    const create = { fees, expiryMs, worker, checkOperator() {}, onTransition };
    return {
      base,
      simulator,
      processor,
      refundProcessor,
      checkout,
      createSession: makeCreateSession({ ...base, linkSecrets }),
      attemptPayment: makeAttemptPayment({ ...base, ...create, promptLimits }),
      expireSession: makeExpireSession(checkout),
      createPayment: makeCreatePayment({ ...base, ...create }),
      cancelPayment: makeCancelPayment({ ...base, applyTransition, wake }),
      confirmPayment: makeConfirmPayment({ ...base, applyTransition, processor, simulator }),
      createRefund: makeCreateRefund({ ...base, ...refundSettings, worker, onRefund }),
      processSettlement: makeProcessSettlement({ ...base, settlementRendering, wake }),
    };
  }
}
