import type { Logger } from 'pino';
import { createPrepareCompleted } from '../checkout/event.ts';
import { noHandover } from '../events/handover.ts';
import { findTenants } from '../merchants/store.ts';
import type { Operator } from '../operators/operator.ts';
import { simulatedTraits, traitsOf } from '../operators/traits.ts';
import { createAdvance } from '../payments/advance.ts';
import { createAttend } from '../payments/attend.ts';
import { markByHand } from '../payments/due-store.ts';
import type { Payment } from '../payments/payment.ts';
import { createReschedule } from '../payments/reschedule.ts';
import { answerOfFinding, type Finding, isUnresolved } from '../payments/review.ts';
import { findPayment } from '../payments/store.ts';
import type { Clock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';
import type { Database } from '../platform/database.ts';
import { invalidState } from '../platform/errors.ts';
import type { Ids } from '../platform/ids.ts';
import { StartError } from '../platform/start-error.ts';
import { createStartReversal } from '../reversals/start.ts';
import { createAskPerson } from '../review/ask-person.ts';

export interface ResolveParts {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Logger;
  config: Pick<
    Config,
    'publicUrl' | 'operatorTimeoutMs' | 'paymentExpiryGraceMs' | 'paymentWatchMs' | 'operators'
  >;
}

/**
 * Takes what a person found out for word from the operator: the same transitions, postings and
 * reversals follow. Gives the payment as it is then.
 * @throws INVALID_STATE a gateway attended to the payment meanwhile
 */
export type ResolvePayment = (payment: Payment, finding: Finding) => Promise<Payment>;

export function createResolvePayment(parts: ResolveParts): ResolvePayment {
  const { database, config } = parts;
  const askPerson = createAskPerson({ ...parts, onReview: () => {} });
  const attend = createAttend({
    ...parts,
    timing: {
      ...config,
      expiryGraceMs: config.paymentExpiryGraceMs,
      firstAskGapMs: 0,
      longestAskGapMs: 0,
      watchMs: config.paymentWatchMs,
    },
    advance: createAdvance({
      ...parts,
      handover: noHandover,
      prepareCompleted: createPrepareCompleted({ ...parts, publicUrl: config.publicUrl }),
      onTransition: () => {},
    }),
    operatorFor: () => unaskedOperator(parts),
    askPerson,
    onNotReceived: () => {},
    reschedule: createReschedule(database),
    // A gateway that runs, or the next that starts, finds the reversal due.
    reverse: createStartReversal({ ...parts, askPerson, wake: () => {}, onReversal: () => {} }),
  });
  return async (payment, finding) => {
    await markByHand(database, payment);
    await attend.answered(payment, answerOfFinding(finding));
    const now = await findPayment(database, payment.tenantId, payment.id);
    if (!now || isUnresolved(now)) {
      throw invalidState('The gateway attended to this payment just now: try again.');
    }
    return now;
  };
}

/** What is known of the operator without a call to it, which a person's word makes needless. */
function unaskedOperator({ database, config }: ResolveParts): Operator {
  const unasked = () => Promise.reject(new Error('the operator is not asked'));
  return {
    requestDebit: unasked,
    askDebit: unasked,
    reverse: unasked,
    askReversal: unasked,
    async traits({ tenantId, operator }) {
      const [tenant] = await findTenants(database, [tenantId]);
      const settings = operator === 'MOCK' ? undefined : config.operators[operator];
      if (tenant?.mode === 'test') return simulatedTraits;
      if (settings) return traitsOf(settings);
      throw new StartError(
        `${operator} is not configured here, and without its account nothing can be booked.`,
        `Run this with the settings of the gateway: OPERATOR_${operator}_URL and the others.`,
      );
    },
  };
}
