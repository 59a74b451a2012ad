import type { Clock } from '../../platform/process/clock.ts';
import {
  disburseWith,
  type Operator,
  type OperatorAnswer,
  type OperatorName,
  queryDisbursementWith,
} from './operator.ts';

type OperatorCallName = Exclude<keyof Operator, 'heldUntilMs' | 'recordOf' | 'traits'>;

/** One call to an operator: its answer and duration. */
export interface OperatorCall {
  operator: OperatorName;
  call: OperatorCallName;
  /** `succeeded`, a failure code, or, for an unknown outcome, how far the call is known to have come. */
  answer: string;
  durationMs: number;
}

/** Wraps an operator so that its calls are reported to `observe`. */
export function measuredOperator(
  operator: Operator,
  clock: Clock,
  observe: (call: OperatorCall) => void,
): Operator {
  const measure = async (
    call: OperatorCallName,
    name: OperatorName,
    work: () => Promise<OperatorAnswer>,
  ): Promise<OperatorAnswer> => {
    const startMs = clock.nowMs();
    const tell = (answer: string) =>
      observe({ operator: name, call, answer, durationMs: clock.nowMs() - startMs });
    try {
      const answer = await work();
      tell(answerOf(answer));
      return answer;
    } catch (error) {
      tell('THREW');
      throw error;
    }
  };
  return {
    requestDebit: (request) =>
      measure('requestDebit', request.operator, () => operator.requestDebit(request)),
    queryDebit: (request) =>
      measure('queryDebit', request.operator, () => operator.queryDebit(request)),
    reverse: (request) => measure('reverse', request.operator, () => operator.reverse(request)),
    queryReversal: (request) =>
      measure('queryReversal', request.operator, () => operator.queryReversal(request)),
    disburse: (request) =>
      measure('disburse', request.operator, () => disburseWith(operator, request)),
    queryDisbursement: (request) =>
      measure('queryDisbursement', request.operator, () =>
        queryDisbursementWith(operator, request),
      ),
    traits: (request) => operator.traits(request),
    heldUntilMs: async (request) => (await operator.heldUntilMs?.(request)) ?? null,
    recordOf: async (request) => (await operator.recordOf?.(request)) ?? null,
  };
}

function answerOf(answer: OperatorAnswer): string {
  if (answer.kind === 'succeeded') return answer.kind;
  return answer.kind === 'failed' ? answer.failureCode : answer.progress;
}
