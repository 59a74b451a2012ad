import { noDispatcher } from '../../integrations/events/dispatch.ts';
import { markRefundByHand, takeRefund } from '../../money/refunds/lease-store.ts';
import type { Refund } from '../../money/refunds/refund.ts';
import { findRefund } from '../../money/refunds/store.ts';
import {
  type ApplyRefundTransition,
  makeApplyRefundTransition,
} from '../../money/refunds/transition.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { RefundFinding } from './finding.ts';
import {
  accountOfReturn,
  checkNumber,
  checkTransaction,
  isBusy,
  isContradicted,
  leaseLengthMs,
  type Resolving,
} from './resolution-checks.ts';
import { ReviewRefusal } from './review-error.ts';

/** @returns the refund's new state, in words */
export async function resolveRefund(resolving: Resolving, finding: RefundFinding): Promise<string> {
  const { workspace, subject, record } = resolving;
  const { tenantId, id } = subject;
  const { database } = workspace;
  const refund = await findRefund(database, tenantId, id);
  if (!refund) throw new Error('the refund was there just now');
  checkState(refund, finding, isContradicted(resolving, refund));
  const check = async () => {
    if (finding.kind !== 'REFUNDED') return;
    const use = { kind: 'REFUND', id, isDebit: false } as const;
    await checkTransaction(workspace, refund, finding.operatorTxId, use);
    // Simulated debits are booked under no account.
    checkNumber(refund.operatorTxId, finding.operatorTxId);
  };
  await check();
  const nowMs = workspace.clock.nowMs();
  const taken = await takeRefund(database, { tenantId, id, nowMs, leaseMs: nowMs + leaseLengthMs });
  if (!taken) throw isBusy(refund);
  await record({ was: refund.status });
  await markRefundByHand(database, refund);
  const applyTransition = makeApplyRefundTransition({
    ...workspace,
    dispatcher: noDispatcher,
    onRefund: () => {},
    onTransition: () => {},
  });
  const account = await accountOfReturn(workspace, refund);
  const now = await advanced(applyTransition, taken.row, finding, { nowMs, account });
  if (!now) {
    await check();
    throw isBusy(refund);
  }
  return `${formatId('re', id)} is ${now.status}.${warningOf(now)}`;
}

/** @throws StartError if there is nothing for a person to record */
function checkState(refund: Refund, finding: RefundFinding, wasWrong: boolean): void {
  const { status, operatorRefundId, sentAtMs } = refund;
  const name = formatId('re', refund.id);
  const isLate = status === 'FAILED' && operatorRefundId === null && wasWrong;
  const isOpen = status === 'PENDING' || status === 'PROCESSING';
  if (!isOpen && !(isLate && finding.kind === 'REFUNDED')) {
    const hint = 'If the operator says otherwise: zimbo review close ID --reason "…"';
    throw new ReviewRefusal('KNOWN', `The outcome of ${name} is known: it is ${status}.`, hint);
  }
  if (isOpen && sentAtMs === null) {
    throw new ReviewRefusal(
      'NEVER_SENT',
      `${name} was never sent to the operator. The gateway sends it on its own.`,
      'See "zimbo doctor" if it does not.',
    );
  }
}

/** Undefined if a gateway was faster. */
async function advanced(
  applyTransition: ApplyRefundTransition,
  taken: Refund,
  finding: RefundFinding,
  { nowMs, account }: { nowMs: number; account: string | null },
): Promise<Refund | undefined> {
  const dueAtMs = null;
  const leaseMs = taken.dueAtMs ?? nowMs;
  const processing =
    taken.status === 'PENDING'
      ? await applyTransition(taken, { to: 'PROCESSING', dueAtMs: leaseMs }, leaseMs)
      : taken;
  if (!processing) return undefined;
  if (finding.kind === 'NOT_REFUNDED') {
    const failureCode = 'OPERATOR_REJECTED';
    return applyTransition(processing, { to: 'FAILED', failureCode, dueAtMs }, leaseMs);
  }
  // The merchant has seen that it failed, so it stays FAILED.
  const to = processing.status === 'FAILED' ? 'FAILED' : 'SUCCEEDED';
  const { operatorTxId: operatorRefundId } = finding;
  return applyTransition(processing, { to, operatorRefundId, account, dueAtMs }, leaseMs);
}

const warningOf = ({ status, operatorRefundId }: Refund) =>
  status === 'FAILED' && operatorRefundId !== null
    ? ' It succeeded after all: its amount is missing in suspense ("zimbo ledger suspense").'
    : '';
