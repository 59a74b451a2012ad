import type { OperatorName } from '../../integrations/operators/operator.ts';
import { Batcher } from '../../platform/jobs/batcher.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { PhoneDigests } from './digest.ts';
import { type PromptLimits, type PromptRefusal, type PromptRequest, takePrompts } from './store.ts';

export interface PromptedPayment {
  tenantId: string;
  id: string;
  operator: OperatorName;
  operatorPhone: string;
}

/**
 * Takes leave to ask the phone of a live payment for its PIN, or says why it is not to be asked: it is
 * being asked or has just been, it was asked too often today, or its owner does not want to be asked.
 */
export type TakePrompt = (payment: PromptedPayment) => Promise<PromptRefusal | undefined>;

interface PromptDependencies {
  database: Database;
  clock: Clock;
  phoneDigests: PhoneDigests;
  /** Undefined: none but those that are blocked. */
  promptLimits: PromptLimits | undefined;
  onRefused(refusal: PromptRefusal, payment: PromptedPayment): void;
}

export function makeTakePrompt(dependencies: PromptDependencies): TakePrompt {
  const { database, clock, phoneDigests, promptLimits } = dependencies;
  const batcher = new Batcher<PromptRequest, PromptRefusal | undefined>({
    maxItems: 256,
    maxInFlight: 1,
    keyOf: ({ phoneDigest }) => phoneDigest.toString('hex'),
    ownerOf: ({ tenantId }) => tenantId,
    write: (requests) => takePrompts(database, requests, clock.nowMs(), promptLimits),
  });
  return async (payment) => {
    const phoneDigest = await phoneDigests.of(payment.operatorPhone);
    // Money does not wait for a key that somebody lost; the log says that nobody is protected.
    if (!phoneDigest) return undefined;
    const { tenantId, id: paymentId } = payment;
    const refusal = await batcher.submit({ tenantId, paymentId, phoneDigest });
    if (refusal) dependencies.onRefused(refusal, payment);
    return refusal;
  };
}
