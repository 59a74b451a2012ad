import type { AccountTransaction } from '../../integrations/operators/adapter.ts';
import {
  canonicalName,
  isSameName,
  readableName,
} from '../../integrations/operators/transaction-ids.ts';
import {
  type Finding,
  type ReviewKind,
  reviewItemOf,
  type SubjectKind,
} from '../../money/review/review-item.ts';
import { findReviewItem, reviewItemsAbout } from '../../money/review/store.ts';
import type { ReviewSubject } from '../../money/review/subjects.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { derivedUuid } from '../../platform/values/ids.ts';
import { unassigned } from '../../tenants/merchants/unassigned-merchant.ts';
import type { RecoverDependencies } from './dependencies.ts';
import type { Outcome } from './outcomes.ts';

/** It was shown to a person, unless a person has closed it since. */
export async function findListedItems(
  database: Database,
  tenantId: string,
  id: string,
): Promise<Outcome> {
  const items = await reviewItemsAbout(database, tenantId, [id]);
  return items.some(({ closedAtMs }) => closedAtMs === null) ? 'LISTED' : 'KNOWN';
}

/** The amount of a payment that cannot be refunded while one of its returns waits for a person. */
export interface Reserved {
  tenantId: string;
  paymentId: string;
  amountMinor: bigint;
}

/** The parts of a payment, refund or reversal that an item needs. */
export type Listed = Pick<
  ReviewSubject,
  'kind' | 'tenantId' | 'id' | 'status' | 'operatorTxId' | 'debitTxId' | 'amountMinor' | 'currency'
>;

/** The known object of a transaction. */
interface About {
  subject?: Listed | undefined;
  reserved?: Reserved | undefined;
}

function kindOfUnknown({ kind, type }: AccountTransaction): SubjectKind {
  if (kind === 'DEBIT') return 'PAYMENT';
  const isDisbursement = kind === 'DISBURSEMENT' || type === 'disbursement';
  return isDisbursement ? 'DISBURSEMENT' : 'REFUND';
}

/** Shows a person the operator's data, and changes nothing; closed items stay closed. */
export async function list(
  dependencies: RecoverDependencies,
  transaction: AccountTransaction,
  kind: ReviewKind,
  { subject, reserved }: About = {},
): Promise<Outcome> {
  const { operator, database } = dependencies;
  const subjectKind: SubjectKind = subject?.kind ?? kindOfUnknown(transaction);
  // The payment whose amount it reserves is in the same ledger.
  const { tenantId } = reserved ?? subject ?? unassigned;
  const about = { tenantId, id: subject?.id ?? referenceOf(transaction), operator };
  let finding = findingOf(transaction, kind, { subject, reserved });
  const find = () => {
    const { id } = reviewItemOf(subjectKind, about, finding, dependencies.clock.nowMs());
    return findReviewItem(database, id);
  };
  let listed = await find();
  if (listed && !isSameTransaction(listed, finding)) {
    finding = { ...finding, about: inFull(finding) };
    listed = await find();
  }
  if (listed && listed.closedAtMs !== null) return 'KNOWN';
  if (dependencies.isDryRun) return 'LISTED';
  if (tenantId === unassigned.tenantId) await dependencies.ensureUnassigned();
  await dependencies.requestReview(subjectKind, about, finding);
  return 'LISTED';
}

type StatedTransaction = Record<string, string | null | undefined>;

const readStatement = ({ detail }: Pick<Finding, 'detail'>): StatedTransaction =>
  (detail.told ?? {}) as StatedTransaction;

/** Two transactions under one id are separate findings. Fields that either omits make no difference. */
function isSameTransaction(listed: Pick<Finding, 'detail'>, finding: Finding): boolean {
  const [one, other] = [readStatement(listed), readStatement(finding)];
  // If absent, it succeeded.
  if (one.listedAs !== other.listedAs) return false;
  // An answer only says that the debit failed.
  if (one.failureCode !== undefined) return true;
  const isSame = (name: string) =>
    one[name] === other[name] || (one[name] ?? other[name] ?? null) === null;
  return telling.every(isSame) && (!one.at || !other.at || isSame('at'));
}

const telling = ['amountMinor', 'currency', 'debitTxId'];

/** The first keeps the plain id as its name, as all did in earlier versions. */
const inFull = (finding: Finding) =>
  [
    finding.about,
    ...[...telling, 'at', 'listedAs'].map((name) => readStatement(finding)[name] ?? ''),
  ].join(' ');

function findingOf(
  { operatorTxId, status, amountMinor, currency, atMs, debitTxId }: AccountTransaction,
  kind: ReviewKind,
  { subject, reserved }: About,
): Finding {
  const told = {
    operatorTxId: readableName(operatorTxId),
    ...(status !== 'SUCCEEDED' && { listedAs: status }),
    amountMinor: amountMinor?.toString() ?? null,
    currency,
    at: atMs === null ? null : new Date(atMs).toISOString(),
    // Our own records say which debit a refund belongs to.
    ...(debitTxId !== null && !isDebitOf(subject, debitTxId) && { debitTxId }),
  };
  const booked = subject && {
    status: subject.status,
    operatorTxId: subject.operatorTxId,
    amountMinor: subject.amountMinor.toString(),
    currency: subject.currency,
  };
  const detail = {
    booked: booked ?? 'nothing',
    told,
    by: 'list',
    ...(reserved && {
      reserved: { paymentId: reserved.paymentId, amountMinor: reserved.amountMinor.toString() },
    }),
  };
  return { kind, about: told.operatorTxId, detail };
}

const isDebitOf = (subject: Listed | undefined, debitTxId: string) =>
  subject?.kind === 'REFUND' && isSameName(debitTxId, subject.debitTxId);

/** Our reference if the operator names it; otherwise the same for the same transaction. */
export const referenceOf = ({ reference, operatorTxId }: AccountTransaction) =>
  reference ?? derivedUuid(unassigned.tenantId, canonicalName(operatorTxId));
