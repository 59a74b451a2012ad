import { EmptyPeriodError, NoPeriodError } from '../../money/ledger/reconcile-statement.ts';
import { withoutPhones } from '../../platform/audit/mask.ts';
import { notFound } from '../../platform/errors/errors.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { findMerchant } from '../../tenants/merchants/store.ts';
import { reconciliationLimits, type Scope, type StoredReconciliation } from './reconciliation.ts';
import { type Content, packLines, storeLines } from './statement-lines.ts';
import { recordStep, requireRoom, type StepDependencies } from './steps.ts';
import { askComparison, findSame, insertReconciliation, lockReconciliation } from './store.ts';

/** An uploaded file. */
export interface UploadedFile {
  /** Its folder has space for another file. */
  path: string;
  name: string;
}

export interface TakenStatement {
  id: string;
  /** False: the same file existed before, with the same scope. */
  isNew: boolean;
}

export interface TakeStatementDependencies extends StepDependencies {
  /** A comparison is due. */
  wake: (atMs: number) => void;
}

/**
 * Stores a statement for comparison: the request is committed before the comparison starts. The same file with the
 * same scope is the same reconciliation, for any uploader.
 * @throws CsvError with the line and the problem
 * @throws NoPeriodError
 * @throws EmptyPeriodError
 * @throws NOT_FOUND the merchant
 * @throws LIMIT_REACHED too many wait to be compared
 */
export async function takeStatement(
  dependencies: TakeStatementDependencies,
  scope: Scope,
  file: UploadedFile,
): Promise<TakenStatement> {
  const { database, clock, wake } = dependencies;
  const { merchantId, currency } = scope;
  if (merchantId !== null && !(await findMerchant(database, merchantId))) {
    throw notFound('merchant');
  }
  await requireRoom(database);
  const packed = `${file.path}.packed`;
  const isCounted = (row: { currency: string }) => currency === null || row.currency === currency;
  const content = await packLines(file.path, packed, isCounted);
  requirePeriod(scope, content);
  const made = newReconciliation(dependencies, scope, file, content);
  const taken = await database.transaction(async (transaction) => {
    if (!(await insertReconciliation(transaction, made))) {
      return takeAgain(transaction, dependencies, made, packed);
    }
    await storeLines(transaction, made.id, packed);
    await recordStep(transaction, dependencies, 'reconciliation.uploaded', made.id, about(made));
    return { id: made.id, isNew: true };
  });
  wake(clock.nowMs());
  return taken;
}

/** Stores nothing twice, but restores lines that were removed for their age. */
async function takeAgain(
  transaction: Queryable,
  dependencies: TakeStatementDependencies,
  made: StoredReconciliation,
  packed: string,
): Promise<TakenStatement> {
  const same = await findSame(transaction, made);
  const earlier = same && (await lockReconciliation(transaction, same.id));
  if (!earlier) throw new Error('the same statement was there just now');
  const { id, hasLines } = earlier;
  if (!hasLines) {
    const { actor = 'gateway', origin } = dependencies;
    await storeLines(transaction, id, packed);
    await askComparison(transaction, id, { nowMs: made.createdAtMs, actor, origin });
    await recordStep(transaction, dependencies, 'reconciliation.uploaded', id, about(made));
  }
  return { id, isNew: false };
}

function about(reconciliation: StoredReconciliation): Record<string, unknown> {
  const { operator, mode, merchantId, currency, fileName, fileDigest, lineCount } = reconciliation;
  return {
    operator,
    mode,
    ...(merchantId !== null && { merchant: formatId('me', merchantId) }),
    ...(currency !== null && { currency }),
    fileName,
    sha256: fileDigest.toString('hex'),
    lines: lineCount,
  };
}

function requirePeriod({ askedFromMs, askedUntilMs }: Scope, { firstMs, lastMs }: Content): void {
  const fromMs = askedFromMs ?? firstMs;
  const untilMs = askedUntilMs ?? (lastMs === null ? null : lastMs + 1);
  if (fromMs === null || untilMs === null) throw new NoPeriodError();
  if (fromMs >= untilMs) throw new EmptyPeriodError();
}

function newReconciliation(
  { clock, ids, actor = 'gateway', origin }: StepDependencies,
  scope: Scope,
  { name }: UploadedFile,
  { digest, bytes, lineCount }: Content,
): StoredReconciliation {
  const nowMs = clock.nowMs();
  return {
    ...scope,
    id: ids.next(nowMs),
    status: 'COMPARING',
    fileName: withoutPhones(name.slice(0, reconciliationLimits.fileName).toWellFormed()),
    fileDigest: digest,
    fileBytes: bytes,
    hasLines: true,
    uploadedBy: actor,
    askedBy: actor,
    askedOrigin: origin ?? null,
    askedAtMs: nowMs,
    dueAtMs: nowMs,
    tries: 0,
    comparedAtMs: null,
    fromAtMs: null,
    untilAtMs: null,
    lineCount,
    matchedCount: 0,
    withoutMoneyCount: 0,
    differenceCount: 0,
    openCount: 0,
    failure: null,
    closedBy: null,
    closedAtMs: null,
    createdAtMs: nowMs,
  };
}
