import type { AuditRecord } from '../../audit/record.ts';
import type { ReviewItem, SubjectKind } from '../../review/review-item.ts';
import type { ReviewSubject } from '../../review/subjects.ts';
import { StartError } from '../../start-error.ts';
import { type Workspace, withWorkspace } from '../workspace.ts';
import { type Found, find } from './find.ts';
import {
  type Finding,
  findingOf,
  type PaymentFinding,
  type RefundFinding,
  type ResolveOptions,
  type ReversalFinding,
} from './finding.ts';
import type { Resolving } from './resolving.ts';
import { subjectIdOf } from './words.ts';

/** Records what the operator told a person; what follows from it follows. */
export async function resolve(id: string, options: ResolveOptions): Promise<void> {
  const words = await withWorkspace(async (workspace) => {
    const found = await find(workspace, id);
    const { subject } = found;
    if (!subject) {
      throw new StartError(
        `The ledger has nothing under the reference of ${id}, so nothing can be booked.`,
        'Settle it with the operator, then run: zimbo review close ID --reason "…"',
      );
    }
    const name = subjectIdOf(subject.kind, subject.id);
    const finding = findingOf(options, { kind: subject.kind, name });
    return record(workspace, { ...found, subject }, finding);
  });
  console.log(words);
}

const actions: Record<SubjectKind, AuditRecord['action']> = {
  PAYMENT: 'payment.resolved',
  REFUND: 'refund.resolved',
  REVERSAL: 'reversal.resolved',
};

async function record(
  workspace: Workspace,
  { subject, open }: Found & { subject: ReviewSubject },
  finding: Finding,
): Promise<string> {
  const { writeAuditRecord } = await import('../../audit/record.ts');
  const { kind: said, ...rest } = finding;
  const detail = { finding: said, ...rest };
  const resolving: Resolving = {
    workspace,
    subject,
    open,
    // Written first: nothing is ever resolved by hand without a record of it.
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

/** What the operator was seen to give back, where that is what was said. */
async function matching(
  { database }: Workspace,
  { operator, debitTxId }: ReviewSubject,
  finding: Finding,
): Promise<ReviewItem[]> {
  if (finding.kind !== 'GIVEN_BACK' || debitTxId === null) return [];
  const { givenBackItems } = await import('../../review/store.ts');
  const items = await givenBackItems(database, operator, debitTxId);
  return items.filter(({ detail }) => {
    const { told } = detail as { told?: { operatorTxId?: unknown } };
    return told?.operatorTxId === finding.operatorTxId;
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
      const { resolvePayment } = await import('./resolve-payment.ts');
      return resolvePayment(resolving, finding as PaymentFinding);
    }
    case 'REFUND': {
      const { resolveRefund } = await import('./resolve-refund.ts');
      return resolveRefund(resolving, finding as RefundFinding);
    }
    case 'REVERSAL': {
      const { resolveReversal } = await import('./resolve-reversal.ts');
      return resolveReversal(resolving, finding as ReversalFinding);
    }
  }
}

/** What was listed about it is answered by what was said. */
async function closeAll(
  { database, clock, actor: by }: Workspace,
  open: readonly ReviewItem[],
  finding: Finding,
): Promise<string> {
  const { closeReviewItem } = await import('../../review/store.ts');
  const said = finding.kind.toLowerCase().replaceAll('_', ' ');
  const reason = 'operatorTxId' in finding ? `${said}: ${finding.operatorTxId}` : said;
  let closed = 0;
  for (const { id } of open) {
    if (await closeReviewItem(database, id, { nowMs: clock.nowMs(), by, reason })) closed += 1;
  }
  if (closed === 0) return '';
  return closed === 1 ? '\nIts review item is closed.' : `\nIts ${closed} review items are closed.`;
}
