import type { Logger } from 'pino';
import { createPrepareCompleted } from '../checkout/event.ts';
import { noHandover } from '../events/handover.ts';
import { createAdvance } from '../payments/advance.ts';
import { createAttend } from '../payments/attend.ts';
import type { Payment } from '../payments/payment.ts';
import { createReschedule } from '../payments/reschedule.ts';
import { answerOfFinding, type Finding, isUnresolved } from '../payments/review.ts';
import { findPayment } from '../payments/store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import { invalidState } from '../platform/errors.ts';
import type { Ids } from '../platform/ids.ts';
import { createStartReversal } from '../reversals/start.ts';

export interface ResolveParts {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
  config: Pick<Config, 'publicUrl' | 'operatorTimeoutMs' | 'paymentExpiryGraceMs'>;
}

/**
 * Takes what a person found out for word from the operator: the same transitions, postings and
 * reversals follow. Gives the payment as it is then.
 * @throws INVALID_STATE a gateway attended to the payment meanwhile
 */
export type ResolvePayment = (payment: Payment, finding: Finding) => Promise<Payment>;

export function createResolvePayment(parts: ResolveParts): ResolvePayment {
  const { database, config } = parts;
  const attend = createAttend({
    ...parts,
    timing: {
      ...config,
      expiryGraceMs: config.paymentExpiryGraceMs,
      firstAskGapMs: 0,
      longestAskGapMs: 0,
    },
    advance: createAdvance({
      ...parts,
      handover: noHandover,
      prepareCompleted: createPrepareCompleted({ ...parts, publicUrl: config.publicUrl }),
      onTransition: () => {},
    }),
    operatorFor: () => {
      throw new Error('the operator is not asked');
    },
    reschedule: createReschedule(database),
    // A gateway that runs, or the next that starts, finds the reversal due.
    reverse: createStartReversal({ ...parts, wake: () => {}, onReversal: () => {} }),
  });
  return async (payment, finding) => {
    await attend.answered(payment, answerOfFinding(finding));
    const now = await findPayment(database, payment.tenantId, payment.id);
    if (!now || isUnresolved(now)) {
      throw invalidState('The gateway attended to this payment just now: try again.');
    }
    return now;
  };
}
