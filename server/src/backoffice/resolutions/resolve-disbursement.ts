import { noDispatcher } from '../../integrations/events/dispatch.ts';
import { decideLateDisbursement } from '../../money/disbursements/decide-late.ts';
import type { Disbursement } from '../../money/disbursements/disbursement.ts';
import { markDisbursementByHand, takeDisbursement } from '../../money/disbursements/lease-store.ts';
import { findDisbursement } from '../../money/disbursements/store.ts';
import {
  type ApplyDisbursementTransition,
  makeApplyDisbursementTransition,
} from '../../money/disbursements/transition.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { DisbursementFinding, FindingOf } from './finding.ts';
import {
  accountOfReturn,
  checkTransaction,
  isBusy,
  isContradicted,
  leaseLengthMs,
  type Resolving,
} from './resolution-checks.ts';
import { ReviewRefusal } from './review-error.ts';

type OutcomeFinding = FindingOf<'PAID_OUT' | 'NOT_PAID_OUT'>;

/** @returns the disbursement's new state, in words */
export async function resolveDisbursement(
  resolving: Resolving,
  finding: DisbursementFinding,
): Promise<string> {
  const { workspace, subject, record } = resolving;
  const { tenantId, id } = subject;
  const { database } = workspace;
  const disbursement = await findDisbursement(database, tenantId, id);
  if (!disbursement) throw new Error('the disbursement was there just now');
  if (finding.kind === 'CHARGE' || finding.kind === 'WRITE_OFF') {
    return decideLate(resolving, disbursement, finding.kind);
  }
  checkState(disbursement, finding, resolving);
  const check = async () => {
    if (finding.kind !== 'PAID_OUT') return;
    const use = { kind: 'DISBURSEMENT', id, isDebit: false } as const;
    await checkTransaction(workspace, disbursement, finding.operatorTxId, use);
  };
  await check();
  const nowMs = workspace.clock.nowMs();
  const leaseMs = nowMs + leaseLengthMs;
  const taken = await takeDisbursement(database, { tenantId, id, nowMs, leaseMs });
  if (!taken) throw isBusy(disbursement);
  await record({ was: disbursement.status });
  await markDisbursementByHand(database, disbursement);
  const applyTransition = makeApplyDisbursementTransition({
    ...workspace,
    dispatcher: noDispatcher,
    onDisbursement: () => {},
  });
  const account = await accountOfReturn(workspace, disbursement);
  const now = await advanced(applyTransition, taken.row, finding, { nowMs, account });
  if (!now) {
    await check();
    throw isBusy(disbursement);
  }
  return `${formatId('di', id)} is ${now.status}.${warningOf(now)}`;
}

/** The merchant is charged, or the company bears it: suspense has its amount again, and the status stays. */
async function decideLate(
  { workspace, record }: Resolving,
  disbursement: Disbursement,
  kind: 'CHARGE' | 'WRITE_OFF',
): Promise<string> {
  const outcome = kind === 'CHARGE' ? 'CHARGED' : 'WRITTEN_OFF';
  const name = formatId('di', disbursement.id);
  await record({ was: disbursement.status });
  const given = { disbursement, outcome, nowMs: workspace.clock.nowMs() } as const;
  if (!(await decideLateDisbursement(workspace.database, given))) {
    throw new ReviewRefusal(
      'NOT_LATE',
      `${name} did not succeed after it had ended without success, or somebody has decided who bears it.`,
      '"zimbo ledger suspense" lists what is to decide.',
    );
  }
  return kind === 'CHARGE'
    ? `${name} is charged to the merchant, with its fee.`
    : `${name} is written off: the company bears it.`;
}

const isOpen = ({ status }: Disbursement) => status === 'CREATED' || status === 'PROCESSING';

/** @throws StartError if there is nothing for a person to record */
function checkState(
  disbursement: Disbursement,
  { kind }: OutcomeFinding,
  resolving: Resolving,
): void {
  const { status, operatorTxId, sentAtMs } = disbursement;
  const name = formatId('di', disbursement.id);
  const isUndone = !isOpen(disbursement) && operatorTxId === null;
  const isLate = isUndone && isContradicted(resolving, disbursement);
  if (!isOpen(disbursement) && !(isLate && kind === 'PAID_OUT')) {
    const hint = 'If the operator says otherwise: zimbo review close ID --reason "…"';
    throw new ReviewRefusal('KNOWN', `The outcome of ${name} is known: it is ${status}.`, hint);
  }
  // After a restore, the operator may have one that our records call unsent; then it is a case.
  if (isOpen(disbursement) && sentAtMs === null && resolving.open.length === 0) {
    throw new ReviewRefusal(
      'NEVER_SENT',
      `${name} was never sent to the operator. The gateway sends it on its own, or ends it when it expires.`,
      'See "zimbo doctor" if it does not.',
    );
  }
}

/** Undefined if a gateway was faster. */
async function advanced(
  applyTransition: ApplyDisbursementTransition,
  taken: Disbursement,
  finding: OutcomeFinding,
  { nowMs, account }: { nowMs: number; account: string | null },
): Promise<Disbursement | undefined> {
  const dueAtMs = null;
  const leaseMs = taken.dueAtMs ?? nowMs;
  if (finding.kind === 'NOT_PAID_OUT') {
    const failureCode = 'OPERATOR_REJECTED';
    return applyTransition(taken, { to: 'FAILED', failureCode, dueAtMs }, leaseMs);
  }
  const processing =
    taken.status === 'CREATED'
      ? await applyTransition(taken, { to: 'PROCESSING', dueAtMs: leaseMs }, leaseMs)
      : taken;
  if (!processing) return undefined;
  // The merchant has seen that it ended without success, so its status stays.
  const to = isOpen(processing) ? 'SUCCEEDED' : processing.status;
  const { operatorTxId } = finding;
  return applyTransition(processing, { to, operatorTxId, account, dueAtMs }, leaseMs);
}

const warningOf = ({ status, operatorTxId }: Disbursement) =>
  status !== 'SUCCEEDED' && operatorTxId !== null
    ? ' It succeeded after all: its amount is missing in suspense ("zimbo ledger suspense").'
    : '';
