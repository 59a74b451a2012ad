import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import { type Author, writeAuditRecord } from '../../platform/audit/record.ts';
import { type RequestHashes, requireSame } from '../../platform/idempotency/idempotency.ts';
import { Batcher } from '../../platform/jobs/batcher.ts';
import { createSemaphore } from '../../platform/jobs/semaphore.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { retryOnce } from '../../platform/postgres/transient-errors.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { formatId, type Ids } from '../../platform/values/ids.ts';
import type { CreateRefundInput, Creation } from './creation.ts';
import type { DueRefund } from './lease-store.ts';
import type { PrepareDependencies } from './prepare.ts';
import type { Refund } from './refund.ts';
import { lockPayment } from './store.ts';
import { type Outcome, type Written, writeRefunds } from './write.ts';

export interface CreatedRefund {
  /** The API's response, identical to the byte for each repetition of the request. */
  json: string;
  replayed: boolean;
}

/**
 * Creates a refund with its reservation, posting, refund.created event and deliveries; the operator is called later.
 * @throws FORBIDDEN the merchant is suspended
 * @throws NOT_FOUND the tenant has no such payment
 * @throws INVALID_STATE the payment is not debited
 * @throws REFUND_EXCEEDS_PAYMENT pending and succeeded refunds would exceed the payment
 * @throws KEY_LIMIT_EXCEEDED the API key has reached its daily limit of refunds
 * @throws FORBIDDEN (ApprovalNeeded) the payment's refunds would reach an amount that needs a second person's
 * approval
 * @throws IDEMPOTENCY_KEY_REUSED the key was used before with another body
 */
export type CreateRefund = (input: CreateRefundInput) => Promise<CreatedRefund>;

export interface CreateRefundDependencies extends PrepareDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  dispatcher: DeliveryDispatcher;
  /** Processes refunds in memory as they are written; its lease keeps other workers away from them. */
  worker: { leaseMs(refund: DueRefund): number; accept(refund: DueRefund): void };
  onRefund(refund: Refund): void;
  requestHashes: RequestHashes;
}

/** How many connections refunds written singly may hold. */
const maxTransactions = 4;
/** How often a refund may lose against another process before it waits behind the lock of its payment. */
const maxTogether = 3;
/** How often it is decided again behind the lock: each time, another refund of its API key must have come first. */
const maxAlone = 10;

export function makeCreateRefund(dependencies: CreateRefundDependencies): CreateRefund {
  const batcher = new Batcher<Creation, Outcome>({
    maxItems: 256,
    maxInFlight: 1,
    // Two refunds of one payment never share a batch: the second depends on what the first leaves.
    keyOf: ({ input }) => input.tenantId + input.paymentId,
    ownerOf: ({ input }) => input.tenantId,
    write: (creations) => writeTogether(dependencies, creations),
  });
  const semaphore = createSemaphore(maxTransactions);
  // If the connection breaks, the second try finds any refunds that the first committed.
  const alone = (creation: Creation) =>
    semaphore(() => retryOnce(() => writeAlone(dependencies, creation)));
  const together = async (creation: Creation) => {
    for (let tries = 0; tries < maxTogether; tries++) {
      const outcome = await batcher.submit(creation);
      if (outcome.kind !== 'lost') return outcome;
    }
    return alone(creation);
  };

  return async (input) => {
    const nowMs = dependencies.clock.nowMs();
    const creation = { id: dependencies.ids.next(nowMs), nowMs, input };
    const outcome = await (input.author ? alone(creation) : together(creation));
    if (outcome.kind === 'refused') throw outcome.error;
    const { refund, json } = outcome;
    if (outcome.kind === 'earlier') {
      requireSame(dependencies.requestHashes, refund, input.idempotency);
    } else {
      dependencies.onRefund(refund);
      dependencies.worker.accept({ ...refund, mode: input.mode });
    }
    return { json, replayed: outcome.kind === 'earlier' };
  };
}

async function writeTogether(
  dependencies: CreateRefundDependencies,
  creations: Creation[],
): Promise<Outcome[]> {
  const done = await writeRefunds(dependencies, dependencies.database, creations);
  handOn(dependencies, done);
  return done.outcomes;
}

/** In a transaction that holds the payment, with the audit record of the person who asked: both or neither. */
async function writeAlone(
  dependencies: CreateRefundDependencies,
  creation: Creation,
): Promise<Exclude<Outcome, { kind: 'lost' }>> {
  const { tenantId, paymentId, author } = creation.input;
  const done = await dependencies.database.transaction(async (transaction) => {
    await lockPayment(transaction, tenantId, paymentId);
    // Behind the lock, it can lose only against another refund under its key or of its API key's day; reading again
    // shows that one.
    for (let tries = 0; tries < maxAlone; tries++) {
      const written = await writeRefunds(dependencies, transaction, [creation]);
      const outcome = written.outcomes[0]!;
      if (outcome.kind === 'refused') throw outcome.error;
      if (outcome.kind === 'lost') continue;
      if (author && written.events.length > 0)
        await record(transaction, dependencies, outcome.refund, author);
      return { written, outcome };
    }
    throw new Error('a refund was neither written nor found');
  });
  handOn(dependencies, done.written);
  return done.outcome;
}

/** Passes the committed deliveries to the dispatcher. */
const handOn = (
  { dispatcher }: CreateRefundDependencies,
  { subscriptions, events, dueAtMs }: Written,
) => dispatcher.accept(subscriptions, events, dueAtMs);

function record(
  transaction: Queryable,
  dependencies: CreateRefundDependencies,
  { tenantId, id, paymentId, amountMinor, currency, reason }: Refund,
  author: Author,
): Promise<void> {
  const detail = { refund: formatId('re', id), amount: amountMinor.toString(), currency, reason };
  const subject = formatId('pi', paymentId);
  const about = { tenantId, action: 'refund.created', subject, detail } as const;
  return writeAuditRecord(transaction, { ...dependencies, ...author }, about);
}
