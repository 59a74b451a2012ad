import type { Logger } from 'pino';
import type { Operator } from '../../integrations/operators/operator.ts';
import type { QueryTiming } from '../../integrations/operators/query-schedule.ts';
import {
  QueryThenSend,
  type ReturnProcessor,
} from '../../integrations/operators/query-then-send.ts';
import { spellingsOf } from '../../integrations/operators/transaction-ids.ts';
import type { Database } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { returnPosting } from '../ledger/postings.ts';
import { findPayment } from '../payments/store.ts';
import { clashOf } from '../review/clash.ts';
import type { RequestReview } from '../review/request-review.ts';
import type { Finding } from '../review/review-item.ts';
import { closeAnswered, findOpenReturn, findReportedSuccess } from '../review/store.ts';
import { contradiction, decideReversal, type Outcome } from './decide.ts';
import type { Reversal } from './reversal.ts';
import {
  findReversal,
  type ReversalChange,
  renewReversal,
  takeReversal,
  transitionReversal,
} from './store.ts';

export interface ReversalProcessorDependencies {
  database: Database;
  clock: Clock;
  log: Logger;
  timing: QueryTiming;
  operatorFor(reversal: Reversal): Operator;
  wake(atMs: number): void;
  requestReview: RequestReview;
  /** The operator never had the request, although we queried it until the end of the watch. */
  onNotReceived(reversal: Reversal): void;
}

export type ReversalProcessor = ReturnProcessor<Reversal>;

export function createReversalProcessor(
  dependencies: ReversalProcessorDependencies,
): ReversalProcessor {
  const { database, clock } = dependencies;
  const move = (reversal: Reversal, change: Omit<ReversalChange, 'nowMs'>) =>
    transitionReversal(database, reversal, { ...change, nowMs: clock.nowMs() }, []);
  return new QueryThenSend<Reversal, Outcome, Finding>({
    ...dependencies,
    kind: 'REVERSAL',
    decide: decideReversal,
    find: (tenantId, id) => findReversal(database, tenantId, id),
    phoneOf: async ({ tenantId, paymentId }) =>
      (await findPayment(database, tenantId, paymentId))?.operatorPhone,
    take: (taking) => takeReversal(database, taking),
    renew: (reversal, leaseMs) => renewReversal(database, reversal, leaseMs),
    begin: async (reversal, plan) => {
      if (await isGivenBackAlready(dependencies, reversal)) {
        await move(reversal, { status: 'HELD', dueAtMs: null });
        return undefined;
      }
      const change = { ...plan, status: 'PROCESSING' } as const;
      return (await move(reversal, change)) ? { ...reversal, ...change } : undefined;
    },
    reschedule: move,
    finish: (reversal, outcome, account) => finish(dependencies, reversal, outcome, account),
    findClash: (reversal, answer, account) => clashOf(database, reversal, answer, account),
    isToldSuccess: async ({ tenantId, id }) =>
      (await findReportedSuccess(database, tenantId, id)) !== undefined,
    contradiction,
    notReceived: { status: 'FAILED', failureCode: 'OPERATOR_UNAVAILABLE' },
    unclear: ({ status, operatorTxId }) => {
      return { kind: 'UNCLEAR', about: '', detail: { status, operatorTxId } };
    },
    requestReview: (reversal, finding) => dependencies.requestReview('REVERSAL', reversal, finding),
    closeAnswered: (reversal, given) => closeAnswered(database, reversal, given),
  });
}

/**
 * Whether the operator's list shows a return of the same debit that waits for a person: before it is cleared up,
 * sending an unsent reversal would return the debit a second time.
 */
async function isGivenBackAlready(
  { database, log }: ReversalProcessorDependencies,
  { id, operator, operatorTxId, sentAtMs }: Reversal,
): Promise<boolean> {
  if (sentAtMs !== null) return false;
  const item = await findOpenReturn(database, operator, spellingsOf(operatorTxId));
  if (item) log.warn({ reversal: id, review: item.id }, 'a debit is held: it went back already');
  return item !== undefined;
}

/** The lease is the `dueAtMs` as read; a success takes the amount out of suspense. */
async function finish(
  { database, clock, log }: ReversalProcessorDependencies,
  reversal: Reversal,
  outcome: Outcome,
  account: string | null,
): Promise<boolean> {
  const nowMs = clock.nowMs();
  const isDone = outcome.status === 'SUCCEEDED';
  const postings = isDone ? [returnPosting(reversal, 'suspense_out', nowMs)] : [];
  const change = { ...outcome, dueAtMs: null, nowMs };
  const isMine = await transitionReversal(
    database,
    reversal,
    change,
    postings,
    isDone ? account : null,
  );
  if (isMine && outcome.status === 'FAILED') {
    const context = { reversal: reversal.id, failureCode: outcome.failureCode };
    log.error(context, 'the operator refused to reverse a debit');
  }
  return isMine;
}
