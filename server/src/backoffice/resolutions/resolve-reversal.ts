import { spellingsOf } from '../../integrations/operators/transaction-ids.ts';
import { returnPosting } from '../../money/ledger/postings.ts';
import type { Reversal } from '../../money/reversals/reversal.ts';
import {
  findReversal,
  markReversalByHand,
  type ReversalChange,
  takeReversal,
  transitionReversal,
} from '../../money/reversals/store.ts';
import { listedReturns } from '../../money/review/store.ts';
import { formatAmount } from '../../platform/formats/display-format.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { ReversalFinding } from './finding.ts';
import {
  accountOfReturn,
  checkNumber,
  checkTransaction,
  isBusy,
  leaseLengthMs,
  type Resolving,
} from './resolution-checks.ts';
import type { Resolver } from './resolver.ts';
import { ReviewRefusal } from './review-error.ts';

/** @returns the reversal's new state, in words */
export async function resolveReversal(
  { workspace, subject, record }: Resolving,
  finding: ReversalFinding,
): Promise<string> {
  const { tenantId, id } = subject;
  const { database } = workspace;
  const reversal = await findReversal(database, tenantId, id);
  if (!reversal) throw new Error('the reversal was there just now');
  checkState(reversal, finding);
  if (finding.kind === 'REVERSE') await checkNotGivenBack(workspace, reversal);
  const check = async () => {
    if (finding.kind !== 'GIVEN_BACK') return;
    const use = { kind: 'REVERSAL', id, isDebit: false } as const;
    checkNumber(reversal.operatorTxId, finding.operatorTxId);
    await checkTransaction(workspace, reversal, finding.operatorTxId, use);
  };
  await check();
  const nowMs = workspace.clock.nowMs();
  const leaseMs = nowMs + leaseLengthMs;
  const taken = await takeReversal(database, { tenantId, id, nowMs, leaseMs });
  if (!taken) throw isBusy(reversal);
  await record({ was: reversal.status });
  // If the gateway is to make the reversal, the operator's answer counts as usual.
  if (finding.kind !== 'REVERSE') await markReversalByHand(database, reversal);
  const isDone = finding.kind === 'GIVEN_BACK';
  const postings = isDone ? [returnPosting(taken.row, 'suspense_out', nowMs)] : [];
  const account = isDone ? await accountOfReturn(workspace, reversal) : null;
  const change = changeOf(taken.row, finding, nowMs);
  if (!(await transitionReversal(database, taken.row, change, postings, account))) {
    await check();
    throw isBusy(reversal);
  }
  return wordsOf(reversal, finding);
}

/** @throws StartError if there is nothing for a person to record */
function checkState(reversal: Reversal, finding: ReversalFinding): void {
  const { id, status, sentAtMs, byHand } = reversal;
  if (status === 'SUCCEEDED') {
    const hint = 'If the operator says otherwise: zimbo review close ID --reason "…"';
    throw new ReviewRefusal(
      'KNOWN',
      `The outcome of reversal ${id} is known: it is ${status}.`,
      hint,
    );
  }
  if (finding.kind === 'REVERSE' && status !== 'HELD') {
    const hint = 'Only a HELD debit can be reversed by hand.';
    throw new ReviewRefusal(
      'ASKED_ALREADY',
      `Reversal ${id} is ${status}: the operator was already asked to reverse it.`,
      hint,
    );
  }
  if (finding.kind !== 'NOT_GIVEN_BACK') return;
  if (status === 'FAILED' && byHand) {
    throw new ReviewRefusal(
      'KNOWN',
      `The outcome of reversal ${id} is known: it is FAILED, as entered by a person.`,
    );
  }
  if (status === 'PENDING' && sentAtMs === null) {
    throw new ReviewRefusal(
      'NEVER_SENT',
      `Reversal ${id} was never sent to the operator. The gateway sends it on its own.`,
      'See "zimbo doctor" if it does not.',
    );
  }
}

/** @throws StartError if the operator has returned some of it, for a refund that our records lack */
async function checkNotGivenBack(
  { database }: Resolver,
  { operator, operatorTxId, currency }: Reversal,
): Promise<void> {
  const [item] = await listedReturns(database, operator, spellingsOf(operatorTxId));
  if (!item) return;
  const { told } = item.detail as { told: { operatorTxId: string; amountMinor: string | null } };
  const amount =
    told.amountMinor === null ? 'some' : formatAmount(BigInt(told.amountMinor), currency);
  throw new ReviewRefusal(
    'GIVEN_BACK_ALREADY',
    `${operator} has given ${amount} of it back already, by ${told.operatorTxId} (${formatId('ri', item.id)}).`,
    `If that was all of it, use --given-back ${told.operatorTxId}. If not, settle the rest outside the gateway, and use --not-given-back.`,
  );
}

function changeOf(
  { failureCode }: Reversal,
  finding: ReversalFinding,
  nowMs: number,
): ReversalChange {
  switch (finding.kind) {
    case 'GIVEN_BACK': {
      const { operatorTxId: operatorReversalId } = finding;
      return { status: 'SUCCEEDED', operatorReversalId, dueAtMs: null, nowMs };
    }
    case 'NOT_GIVEN_BACK':
      return {
        status: 'FAILED',
        failureCode: failureCode ?? 'OPERATOR_REJECTED',
        dueAtMs: null,
        nowMs,
      };
    case 'REVERSE':
      return { status: 'PENDING', dueAtMs: nowMs, nowMs };
  }
}

function wordsOf({ id, amountMinor, currency }: Reversal, finding: ReversalFinding): string {
  const amount = formatAmount(amountMinor, currency);
  switch (finding.kind) {
    case 'GIVEN_BACK':
      return `Reversal ${id} is SUCCEEDED: ${amount} was returned by ${finding.operatorTxId}, and has left suspense.`;
    case 'NOT_GIVEN_BACK':
      return `Reversal ${id} is FAILED: ${amount} stays in suspense, and it is off the list.`;
    case 'REVERSE':
      return `Reversal ${id} is PENDING: the operator will be asked to return ${amount}.`;
  }
}
