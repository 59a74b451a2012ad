import type { Logger } from 'pino';
import type { Processor } from '../../integrations/operators/request-processor.ts';
import { spellingsOf } from '../../integrations/operators/transaction-ids.ts';
import { returnPosting } from '../ledger/postings.ts';
import {
  createOutgoingProcessor,
  type OutgoingDependencies,
  returnsOf,
} from '../outgoing/process.ts';
import { findOpenReturn } from '../review/store.ts';
import { contradiction, decideReversal, type Outcome } from './decide.ts';
import type { Reversal } from './reversal.ts';
import {
  findReversal,
  type ReversalChange,
  renewReversal,
  takeReversal,
  transitionReversal,
} from './store.ts';

export interface ReversalProcessorDependencies extends OutgoingDependencies<Reversal> {
  log: Logger;
}

export type ReversalProcessor = Processor<Reversal>;

export function createReversalProcessor(
  dependencies: ReversalProcessorDependencies,
): ReversalProcessor {
  const { database, clock } = dependencies;
  const move = (reversal: Reversal, change: Omit<ReversalChange, 'nowMs'>) =>
    transitionReversal(database, reversal, { ...change, nowMs: clock.nowMs() }, []);
  return createOutgoingProcessor<Reversal, Outcome>(dependencies, {
    ...returnsOf<Reversal>(database, 'REVERSAL'),
    decide: decideReversal,
    find: (tenantId, id) => findReversal(database, tenantId, id),
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
    contradiction,
    notReceived: { status: 'FAILED', failureCode: 'OPERATOR_UNAVAILABLE' },
    unclear: ({ status, operatorTxId }) => ({ status, operatorTxId }),
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
