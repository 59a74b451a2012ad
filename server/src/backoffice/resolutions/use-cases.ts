import { noDispatcher } from '../../integrations/events/dispatch.ts';
import type { Operator } from '../../integrations/operators/operator.ts';
import { createDisbursementProcessor } from '../../money/disbursements/process.ts';
import { makeApplyDisbursementTransition } from '../../money/disbursements/transition.ts';
import type { PaymentTiming } from '../../money/payments/decide.ts';
import { createPaymentProcessor } from '../../money/payments/process.ts';
import { makeReschedule } from '../../money/payments/reschedule.ts';
import { makeApplyTransition } from '../../money/payments/transition.ts';
import { createRefundProcessor } from '../../money/refunds/process.ts';
import { makeApplyRefundTransition } from '../../money/refunds/transition.ts';
import { makeCreateReversal } from '../../money/reversals/create.ts';
import { createReversalProcessor } from '../../money/reversals/process.ts';
import { makeRequestReview } from '../../money/review/request-review.ts';
import { makePrepareEnded } from '../../storefront/checkout/event.ts';
import { traitsFor } from './resolution-checks.ts';
import type { Resolver } from './resolver.ts';

/**
 * The use cases that apply an operator's answer, for commands: they call no operator, and a running gateway, or the
 * next one to start, finds the rows that come due.
 */
export function useCasesOf(workspace: Resolver) {
  const { config, database } = workspace;
  const timing: PaymentTiming = {
    ...config,
    expiryGraceMs: config.paymentExpiryGraceMs,
    firstBackoffMs: 0,
    maxBackoffMs: 0,
    watchMs: config.paymentWatchMs,
  };
  const nothing = () => {};
  const operator = uncalledOperator(workspace);
  const base = {
    ...workspace,
    timing,
    dispatcher: noDispatcher,
    operatorFor: () => operator,
    requestReview: makeRequestReview({ ...workspace, onReview: nothing }),
    wake: nothing,
    onNotReceived: nothing,
    onTransition: nothing,
  };
  const prepareEnded = makePrepareEnded({ ...workspace, publicUrl: config.publicUrl });
  const reverse = makeCreateReversal({ ...base, onReversal: nothing });
  const applyTransition = makeApplyTransition({ ...base, prepareEnded });
  const reschedule = makeReschedule(database);
  return {
    timing,
    requestReview: base.requestReview,
    reverse,
    payments: createPaymentProcessor({ ...base, applyTransition, reschedule, reverse }),
    refunds: createRefundProcessor({
      ...base,
      applyTransition: makeApplyRefundTransition({ ...base, onRefund: nothing }),
      onLateSuccess: nothing,
    }),
    reversals: createReversalProcessor(base),
    disbursements: createDisbursementProcessor({
      ...base,
      applyTransition: makeApplyDisbursementTransition({ ...base, onDisbursement: nothing }),
      onLateSuccess: nothing,
      // Commands send nothing, so they ask nobody's membership.
      home: database,
    }),
  };
}

/** The configuration of operators, without calls to them. */
function uncalledOperator(workspace: Resolver): Operator {
  const uncalled = () => Promise.reject(new Error('commands do not call the operator'));
  return {
    requestDebit: uncalled,
    queryDebit: uncalled,
    reverse: uncalled,
    queryReversal: uncalled,
    disburse: uncalled,
    queryDisbursement: uncalled,
    traits: (addressed) => traitsFor(workspace, addressed, false),
  };
}
