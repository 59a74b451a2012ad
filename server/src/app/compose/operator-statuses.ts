import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import { describeOperator } from '../../integrations/operators/details.ts';
import { statusWorkers } from '../../integrations/operators/statuses/worker.ts';
import type { Base } from './base.ts';

/** Composes the judgement of operators, and its announcement to merchants. */
export function composeOperatorStatuses(base: Base, dispatcher: DeliveryDispatcher) {
  const { config, timing } = base;
  return statusWorkers({
    ...base,
    ...timing,
    dispatcher,
    describe: (state) => describeOperator(config, state.operator, state),
  });
}
