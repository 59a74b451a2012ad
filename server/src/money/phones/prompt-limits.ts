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
 * Takes permission to prompt the phone of a live payment for its PIN, or says why it must not be prompted: a prompt
 * is open or has just ended, the phone had too many prompts today, or its owner has blocked prompts.
 */
export type TakePrompt = (payment: PromptedPayment) => Promise<PromptRefusal | undefined>;

interface PromptDependencies {
  database: Database;
  clock: Clock;
  phoneDigests: PhoneDigests;
  /** Undefined: no limits but blocked phones. */
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
    // Payments do not wait for a lost key; the log says that phones are unprotected.
    if (!phoneDigest) return undefined;
    const { tenantId, id: paymentId } = payment;
    const refusal = await batcher.submit({ tenantId, paymentId, phoneDigest });
    if (refusal) dependencies.onRefused(refusal, payment);
    return refusal;
  };
}
