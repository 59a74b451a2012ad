import { createPrepareEnded } from '../checkout/event.ts';
import { noHandover } from '../events/handover.ts';
import type { Operator } from '../operators/operator.ts';
import { createAdvance } from '../payments/advance.ts';
import { createAttend } from '../payments/attend.ts';
import type { PaymentTiming } from '../payments/decide.ts';
import { createReschedule } from '../payments/reschedule.ts';
import { createAdvanceRefund } from '../refunds/advance.ts';
import { createAttendRefund } from '../refunds/attend.ts';
import { createAttendReversal } from '../reversals/attend.ts';
import { createStartReversal } from '../reversals/start.ts';
import { createAskPerson } from '../review/ask-person.ts';
import { traitsFor } from './review/resolving.ts';
import type { Workspace } from './workspace.ts';

/**
 * The use cases that take an operator's word, for commands: nobody is called, and what comes due is found by a
 * gateway that runs, or by the next that starts.
 */
export function attendingOf(workspace: Workspace) {
  const { config, database } = workspace;
  const timing: PaymentTiming = {
    ...config,
    expiryGraceMs: config.paymentExpiryGraceMs,
    firstAskGapMs: 0,
    longestAskGapMs: 0,
    watchMs: config.paymentWatchMs,
  };
  const nothing = () => {};
  const operator = unaskedOperator(workspace);
  const base = {
    ...workspace,
    timing,
    handover: noHandover,
    operatorFor: () => operator,
    askPerson: createAskPerson({ ...workspace, onReview: nothing }),
    wake: nothing,
    onNotReceived: nothing,
    onTransition: nothing,
  };
  const prepareEnded = createPrepareEnded({ ...workspace, publicUrl: config.publicUrl });
  const reverse = createStartReversal({ ...base, onReversal: nothing });
  const advance = createAdvance({ ...base, prepareEnded });
  const reschedule = createReschedule(database);
  return {
    timing,
    askPerson: base.askPerson,
    reverse,
    payments: createAttend({ ...base, advance, reschedule, reverse }),
    refunds: createAttendRefund({
      ...base,
      advance: createAdvanceRefund({ ...base, onRefund: nothing }),
      onLateSuccess: nothing,
    }),
    reversals: createAttendReversal(base),
  };
}

/** What is known of operators without a call to them. */
function unaskedOperator(workspace: Workspace): Operator {
  const unasked = () => Promise.reject(new Error('the operator is not asked'));
  return {
    requestDebit: unasked,
    askDebit: unasked,
    reverse: unasked,
    askReversal: unasked,
    traits: (addressed) => traitsFor(workspace, addressed, false),
  };
}
