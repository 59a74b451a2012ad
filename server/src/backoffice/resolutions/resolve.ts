import { isSameName, spellingsOf } from '../../integrations/operators/transaction-ids.ts';
import type { ReviewItem, SubjectKind } from '../../money/review/review-item.ts';
import { closeReviewItem, listedReturns } from '../../money/review/store.ts';
import type { ReviewSubject } from '../../money/review/subjects.ts';
import { type AuditRecord, writeAuditRecord } from '../../platform/audit/record.ts';
import { asDatabase } from '../../platform/postgres/database.ts';
import { confirmFinding } from './confirm-finding.ts';
import { subjectIdOf } from './describe-case.ts';
import { type FoundCase, find, namesOf } from './find-case.ts';
import type {
  DisbursementFinding,
  Finding,
  PaymentFinding,
  RefundFinding,
  ReversalFinding,
} from './finding.ts';
import type { Resolving } from './resolution-checks.ts';
import { resolveDisbursement } from './resolve-disbursement.ts';
import { resolvePayment } from './resolve-payment.ts';
import { resolveRefund } from './resolve-refund.ts';
import { resolveReversal } from './resolve-reversal.ts';
import type { Resolver } from './resolver.ts';
import { ReviewRefusal } from './review-error.ts';

/**
 * Has the operator confirm the transaction that a person names, if any, and records the finding.
 * @param read parses the finding, once the object is known
 * @returns the new state, in words
 * @throws StartError if there is no such object, or nothing to record about it
 * @throws ReviewRefusal NOT_CONFIRMED and others of {@link confirmFinding}
 */
export async function resolveReview(resolver: Resolver, ...said: Said): Promise<string> {
  const [id, read, note] = said;
  const { subject } = await find(resolver, id);
  if (!subject) return recordFinding(resolver, ...said);
  const finding = read({ kind: subject.kind, name: subjectIdOf(subject.kind, subject.id) });
  const confirmed = await confirmFinding(resolver, subject, finding);
  return recordFinding(resolver, id, () => confirmed, note);
}

type Said = [id: string, read: Reading, note?: string];
type Reading = (subject: { kind: SubjectKind; name: string }) => Finding;

/**
 * Records the operator's answer to a person, with its consequences, in one transaction, so that no object is marked
 * as decided by a person without its outcome. It calls no operator: {@link confirmFinding} comes first.
 */
export function recordFinding(resolver: Resolver, ...said: Said): Promise<string> {
  return resolver.database.transaction((transaction) =>
    recordInside({ ...resolver, database: asDatabase(transaction) }, ...said),
  );
}

async function recordInside(resolver: Resolver, ...[id, read, note]: Said): Promise<string> {
  const found = await find(resolver, id);
  const { subject } = found;
  if (!subject) {
    throw new ReviewRefusal(
      'NOTHING_BOOKED',
      `The ledger has nothing under the reference of ${id}, so nothing can be booked.`,
      'Settle it with the operator, then run: zimbo review close ID --reason "…"',
    );
  }
  const finding = read({ kind: subject.kind, name: subjectIdOf(subject.kind, subject.id) });
  return record(resolver, { ...found, subject }, { finding, note });
}

const actions: Record<SubjectKind, AuditRecord['action']> = {
  PAYMENT: 'payment.resolved',
  REFUND: 'refund.resolved',
  REVERSAL: 'reversal.resolved',
  DISBURSEMENT: 'disbursement.resolved',
};

async function record(
  workspace: Resolver,
  { subject, open }: FoundCase & { subject: ReviewSubject },
  { finding, note }: { finding: Finding; note: string | undefined },
): Promise<string> {
  const { kind: said, ...rest } = finding;
  const detail = { finding: said, ...rest, ...(note !== undefined && { note }) };
  const resolving: Resolving = {
    workspace,
    subject,
    open,
    // Audited first: nothing is ever resolved by hand without a record.
    record: (more) =>
      writeAuditRecord(workspace.database, workspace, {
        tenantId: subject.tenantId,
        action: actions[subject.kind],
        subject: subjectIdOf(subject.kind, subject.id),
        before: { status: subject.status },
        detail: { ...detail, ...more, ...amountIn(finding) },
      }),
  };
  const words = await resolved(resolving, subject.kind, finding);
  const answered = [...open, ...(await matching(workspace, subject, finding))];
  return `${words}${await closeAll(workspace, answered, finding)}`;
}

/** The amount of the operator's return in the finding, if any. */
async function matching(
  { database }: Resolver,
  { operator, debitTxId }: ReviewSubject,
  finding: Finding,
): Promise<ReviewItem[]> {
  if (finding.kind !== 'GIVEN_BACK' || debitTxId === null) return [];
  const items = await listedReturns(database, operator, spellingsOf(debitTxId));
  return items.filter(({ detail }) => {
    const { told } = detail as { told?: { operatorTxId?: unknown } };
    return isSameName(finding.operatorTxId, String(told?.operatorTxId));
  });
}

const amountIn = (finding: Finding) =>
  finding.kind === 'DEBITED' ? { amountMinor: finding.amountMinor.toString() } : {};

async function resolved(
  resolving: Resolving,
  kind: SubjectKind,
  finding: Finding,
): Promise<string> {
  switch (kind) {
    case 'PAYMENT': {
      return resolvePayment(resolving, finding as PaymentFinding);
    }
    case 'REFUND': {
      return resolveRefund(resolving, finding as RefundFinding);
    }
    case 'REVERSAL': {
      return resolveReversal(resolving, finding as ReversalFinding);
    }
    case 'DISBURSEMENT': {
      return resolveDisbursement(resolving, finding as DisbursementFinding);
    }
  }
}

/**
 * The finding answers all open items about the object, except for reserved returns: whether these are explained is a
 * separate question, and closing such an item releases its amount.
 */
async function closeAll(
  { database, clock, actor: by }: Resolver,
  open: readonly ReviewItem[],
  finding: Finding,
): Promise<string> {
  const said = finding.kind.toLowerCase().replaceAll('_', ' ');
  const reason = 'operatorTxId' in finding ? `${said}: ${finding.operatorTxId}` : said;
  let closed = 0;
  const waiting: ReviewItem[] = [];
  for (const item of open) {
    if (item.detail.reserved !== undefined) waiting.push(item);
    else if (await closeReviewItem(database, item.id, { nowMs: clock.nowMs(), by, reason })) {
      closed += 1;
    }
  }
  return [
    closed === 1 && '\nIts review item is closed.',
    closed > 1 && `\nIts ${closed} review items are closed.`,
    waiting.length > 0 && `\nStill to explain, and not refundable: ${namesOf(waiting)}.`,
  ]
    .filter((each) => each !== false)
    .join('');
}
