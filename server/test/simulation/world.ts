import { randomUUID } from 'node:crypto';
import { createAttemptPayment } from '../../src/checkout/attempt.ts';
import { createCreateSession } from '../../src/checkout/create.ts';
import { createPrepareEnded } from '../../src/checkout/event.ts';
import { createExpireSession, expire } from '../../src/checkout/expire.ts';
import { createLinkSecrets } from '../../src/checkout/link-secrets.ts';
import { claimDueSessions, findSession, findSessionHead } from '../../src/checkout/store.ts';
import { operatorNames, recordOf } from '../../src/config/catalogue.ts';
import { noHandover } from '../../src/events/handover.ts';
import { givingBackPosting } from '../../src/ledger/posting.ts';
import { Simulator } from '../../src/operators/simulator/simulator.ts';
import { createAdvance } from '../../src/payments/advance.ts';
import { type Attend, createAttend } from '../../src/payments/attend.ts';
import { createCancelPayment } from '../../src/payments/cancel.ts';
import { createConfirmPayment } from '../../src/payments/confirm.ts';
import { createCreatePayment } from '../../src/payments/create.ts';
import { claimDuePayments, reschedulePayments } from '../../src/payments/due-store.ts';
import type { Database } from '../../src/platform/database.ts';
import { parseId, randomIds } from '../../src/platform/ids.ts';
import { createAdvanceRefund } from '../../src/refunds/advance.ts';
import { createAttendRefund } from '../../src/refunds/attend.ts';
import { createCreateRefund } from '../../src/refunds/create.ts';
import { claimDueRefunds } from '../../src/refunds/due-store.ts';
import { createStartReversal } from '../../src/reversals/start.ts';
import { claimDueReversals, moveReversal } from '../../src/reversals/store.ts';
import { createAskPerson } from '../../src/review/ask-person.ts';
import { completeSettlement, failSettlement } from '../../src/settlements/finish.ts';
import { createProcessSettlement } from '../../src/settlements/process.ts';
import type { Settlement } from '../../src/settlements/settlement.ts';
import { listSettlements, moveSettlement } from '../../src/settlements/store.ts';
import { tellChunk } from '../../src/settlements/tell.ts';
import { silentLog } from '../database.ts';
import { testHashes } from '../request-hashes.ts';

const expiryMs = 60_000;
const leaseMs = 5_000;
const publicUrl = 'https://pay.example.cv';
const promptLimits = { live: undefined, test: undefined };
const fee = { basisPoints: 200, fixedMinor: 50n };

/**
 * One tenant with the real use cases, a real database, the real simulator and a clock of its own.
 * What workers do by themselves in a gateway happens here when it is asked for.
 */
export class World {
  readonly tenantId = randomUUID();
  readonly merchantId = randomUUID();
  readonly database: Database;
  readonly payments: string[] = [];
  readonly sessions: string[] = [];
  #nowMs = Date.parse('2026-11-21T09:30:00.000Z');
  #parts;

  constructor(database: Database) {
    this.database = database;
    this.#parts = this.#compose();
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
    const { json } = await this.#parts.createPayment({
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
    });
    this.payments.push(parseId('pi', JSON.parse(json).id)!);
  }

  async openSession(amountMinor: number): Promise<void> {
    const { session } = await this.#parts.createSession({
      tenantId: this.tenantId,
      items: null,
      amountMinor,
      currency: 'CVE',
      customerId: null,
      description: null,
      returnUrl: null,
      completionUrl: null,
      // Shorter than the API allows, so that sessions end while there is something to meet.
      expiresInMinutes: 1,
      metadata: null,
      idempotency: null,
      apiKey: null,
    });
    this.sessions.push(session.id);
  }

  /** The customer presses the button; what the page knows of the session may be out of date by then. */
  async attempt(sessionId: string, suffix: string): Promise<void> {
    const session = (await findSessionHead(this.database, this.tenantId, sessionId))!;
    const choice = { operator: 'MOCK', phone: `+2389912${suffix}` } as const;
    if ((await this.#parts.attemptPayment(session, 'test', choice)) !== 'MADE') return;
    const { latestPaymentId } = (await findSession(this.database, this.tenantId, sessionId))!;
    this.payments.push(latestPaymentId!);
  }

  async expireSession(id: string): Promise<void> {
    await this.#parts.expireSession(this.tenantId, id);
  }

  async cancel(id: string): Promise<void> {
    await this.#parts.cancelPayment(this.tenantId, id);
  }

  async confirm(id: string): Promise<void> {
    await this.#parts.confirmPayment({ tenantId: this.tenantId, mode: 'test' }, () => id);
  }

  async refund(paymentId: string, amountMinor: bigint | null): Promise<void> {
    const { tenantId } = this;
    const input = { tenantId, paymentId, amountMinor, reason: null, metadata: null };
    const given = { ...input, mode: 'test' as const, idempotency: null, apiKey: null };
    await this.#parts.createRefund(given);
  }

  /** Attends to everything that is due now: payments, refunds, checkout sessions, reversals. */
  async work(): Promise<void> {
    const { attend, attendRefund, simulator, checkout } = this.#parts;
    const untilMs = this.#nowMs + leaseMs;
    const sessions = await claimDueSessions(this.database, this.#nowMs, untilMs, 100);
    const payments = await claimDuePayments(this.database, this.#nowMs, untilMs, 100);
    const refunds = await claimDueRefunds(this.database, this.#nowMs, untilMs, 100);
    await Promise.all([
      ...payments.map((payment) => attend.attend(payment, 'DATABASE')),
      ...refunds.map((refund) => attendRefund.attend(refund, 'DATABASE')),
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
      await moveReversal(this.database, reversal, change, [
        givingBackPosting(reversal, 'suspense_out', this.#nowMs),
      ]);
    }
  }

  async settle(): Promise<Settlement | undefined> {
    const { tenantId, merchantId } = this;
    const input = { tenantId, merchantId, currency: 'CVE', idempotencyKey: null };
    return (await this.#parts.processSettlement(input))?.settlement;
  }

  /** What becomes of the payout of the open settlement, if there is one. */
  async finish(how: 'complete' | 'fail'): Promise<void> {
    const [open] = await listSettlements(this.database, this.tenantId, 'PENDING', { limit: 1 });
    if (!open) return;
    if (how === 'fail') {
      await this.database.transaction((database) =>
        failSettlement({ ...this.#parts.base, database }, open),
      );
      return;
    }
    const processing: Settlement = { ...open, version: open.version + 1, status: 'PROCESSING' };
    const move = { next: processing, events: [], postings: [], deliveriesDueAtMs: this.#nowMs };
    if (!(await moveSettlement(this.database, open, move))) return;
    let left: Settlement | undefined = await completeSettlement(this.#parts.base, processing);
    while (left) left = await tellChunk(this.#parts.base, left, left.dueAtMs! + 1);
  }

  #compose() {
    const { database } = this;
    const clock = { nowMs: () => this.#nowMs };
    const fixed = { log: silentLog, handover: noHandover, requestHashes: testHashes };
    const base = { database, clock, ids: randomIds(), ...fixed };
    const timing = {
      operatorTimeoutMs: 1_000,
      expiryGraceMs: 2_000,
      firstAskGapMs: 1_000,
      longestAskGapMs: 4_000,
      watchMs: 120_000,
    };
    const checkout = { ...base, publicUrl };
    const askPerson = createAskPerson({ ...base, onReview() {} });
    const onNotReceived = () => {};
    const onTransition = () => {};
    const onRefund = () => {};
    const wake = () => {};
    const worker = { leaseMs: (row: { createdAtMs: number }) => row.createdAtMs, accept() {} };
    const notify = async () => {};
    const simulator = new Simulator({ ...base, delayMs: 0, notify });
    const advance = createAdvance({
      ...base,
      onTransition,
      prepareEnded: createPrepareEnded(checkout),
    });
    const attend: Attend = createAttend({
      ...base,
      timing,
      advance,
      operatorFor: () => simulator,
      reschedule: async (payment, leaseMs, dueAtMs, sentAtMs) => {
        const row = { payment, leaseMs, dueAtMs, sentAtMs };
        return (await reschedulePayments(database, [row])).has(payment.id);
      },
      reverse: createStartReversal({ ...base, askPerson, wake, onReversal() {} }),
      askPerson,
      onNotReceived,
    });
    const attendRefund = createAttendRefund({
      ...base,
      timing,
      advance: createAdvanceRefund({ ...base, onRefund, onTransition }),
      operatorFor: () => simulator,
      wake,
      askPerson,
      onLateSuccess() {},
      onNotReceived,
    });
    const fees = recordOf(operatorNames, () => fee);
    const linkSecrets = createLinkSecrets(Buffer.alloc(32));
    const create = { fees, expiryMs, worker, checkOperator() {}, onTransition };
    return {
      base,
      simulator,
      attend,
      attendRefund,
      checkout,
      createSession: createCreateSession({ ...base, linkSecrets }),
      attemptPayment: createAttemptPayment({ ...base, ...create, promptLimits }),
      expireSession: createExpireSession(checkout),
      createPayment: createCreatePayment({ ...base, ...create }),
      cancelPayment: createCancelPayment({ ...base, advance, wake }),
      confirmPayment: createConfirmPayment({ ...base, attend, simulator }),
      createRefund: createCreateRefund({ ...base, worker, onRefund }),
      processSettlement: createProcessSettlement({ ...base, wake }),
    };
  }
}
