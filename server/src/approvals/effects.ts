import type { Logger } from 'pino';
import { type Author, writeAuditRecord } from '../audit/record.ts';
import type { Clock } from '../clock.ts';
import { DomainError, forbidden, invalidState, notFound } from '../errors.ts';
import type { DeliveryDispatcher } from '../events/dispatch.ts';
import { noFourEyes } from '../four-eyes.ts';
import { idempotentRequest } from '../idempotency.ts';
import { formatId, type Ids, parseId } from '../ids.ts';
import { lockMerchant } from '../merchants/bank-account-store.ts';
import { writeBankAccount } from '../merchants/change-bank-account.ts';
import type { KeyTerms } from '../merchants/key-terms.ts';
import { issueKey } from '../merchants/keys.ts';
import { findTenants } from '../merchants/store.ts';
import { findTerms } from '../merchants/terms.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import type { CreateRefund } from '../refunds/create.ts';
import { completeSettlement, failSettlement } from '../settlements/finish.ts';
import type { Payout } from '../settlements/payout-file.ts';
import { findSettlement } from '../settlements/store.ts';
import { type Approval, type Asker, isOfKind, requestOf } from './approval.ts';
import { recordStep } from './ask.ts';
import { endApproval, findApproval, lockApproval } from './store.ts';
import { subjectState } from './subjects.ts';

export interface EffectDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  log: Pick<Logger, 'warn'>;
  dispatcher: DeliveryDispatcher;
  createRefund: CreateRefund;
  payout: Pick<Payout, 'withdraw'>;
  /**
   * Says what the operator told, once, however often it is called with one approval.
   * Undefined: nobody resolves reviews here yet.
   */
  resolveReview?: (
    review: { tenantId: string; itemId: string; finding: Record<string, string> },
    author: Author,
  ) => Promise<void>;
}

/** Carries out what was approved, and nothing else: each effect happens once, however often it is tried. */
export type CarryOut = (approval: Approval) => Promise<void>;

/** What leads nowhere is FAILED; whatever else goes wrong is tried again by the worker. */
export function makeCarryOut(dependencies: EffectDependencies): CarryOut {
  const { database, log } = dependencies;
  return async (approval) => {
    try {
      await effectOf(dependencies, approval);
    } catch (error) {
      if (error instanceof DomainError) {
        const failed = (transaction: Queryable) =>
          fail(transaction, dependencies, approval, error.code);
        await database.transaction(failed).catch(() => {});
      } else {
        log.warn({ err: error, approval: formatId('ap', approval.id) }, 'an effect is tried again');
      }
    }
  };
}

async function effectOf(dependencies: EffectDependencies, approval: Approval): Promise<void> {
  if (isOfKind(approval, 'REFUND')) return refund(dependencies, approval);
  if (isOfKind(approval, 'SETTLEMENT_COMPLETE', 'SETTLEMENT_FAIL')) {
    return settlement(dependencies, approval);
  }
  if (isOfKind(approval, 'REVIEW_RESOLVE')) return review(dependencies, approval);
  if (isOfKind(approval, 'BANK_ACCOUNT')) return bankAccount(dependencies, approval);
  // Its secret is shown once, to whoever asked: they make it themselves, in their time.
  const { database, clock } = dependencies;
  if ((approval.dueAtMs ?? 0) > clock.nowMs() + leaseLookMs) return;
  await database.transaction((transaction) =>
    fail(transaction, dependencies, approval, 'NOT_COLLECTED'),
  );
}

/** More than the lease of a worker, and less than the time in which a key can be collected. */
const leaseLookMs = 3_600_000;

/** The approval's id is the idempotency key, so that a second try finds what the first has made. */
async function refund(dependencies: EffectDependencies, approval: Approval<'REFUND'>) {
  const { tenantId, id, subjectId: paymentId } = approval;
  const request = requestOf(approval);
  const created = await dependencies.createRefund({
    tenantId,
    ...(await modeAndTerms(dependencies.database, tenantId)),
    paymentId,
    amountMinor: BigInt(request.amountMinor),
    reason: request.reason,
    metadata: null,
    apiKey: null,
    isApproved: true,
    idempotency: idempotentRequest(`approval:${id}`, request, () => request),
    author: authorOf(approval),
  });
  const { id: made } = JSON.parse(created.json) as { id: string };
  await dependencies.database.transaction((transaction) =>
    finish(transaction, dependencies, approval, parseId('re', made)),
  );
}

/** A merchant who was suspended meanwhile takes no refund, however well approved. */
async function modeAndTerms(database: Queryable, tenantId: string) {
  const [tenant] = await findTenants(database, [tenantId]);
  const terms = await findTerms(database, tenant!.merchantId);
  return { mode: tenant!.mode, terms: terms! };
}

/** Effect and end are one transaction: neither is without the other. */
function settlement(
  dependencies: EffectDependencies,
  approval: Approval<'SETTLEMENT_COMPLETE' | 'SETTLEMENT_FAIL'>,
): Promise<void> {
  const { tenantId, subjectId, subjectState } = approval;
  return dependencies.database.transaction(async (transaction) => {
    const now = await lockApproval(transaction, tenantId, approval.id);
    if (now?.status !== 'APPROVED') return;
    const seen = await findSettlement(transaction, tenantId, subjectId);
    if (!seen) throw notFound('settlement');
    if (`version ${seen.version}` !== subjectState) throw invalidState('It has changed.');
    const parts = { ...dependencies, database: transaction, fourEyes: noFourEyes };
    const isDone = approval.kind === 'SETTLEMENT_COMPLETE';
    const next = isDone ? await completeSettlement(parts, seen) : await failSettlement(parts, seen);
    const { payoutRef, payoutError } = seen;
    const record = {
      tenantId,
      subject: formatId('se', seen.id),
      before: { status: seen.status },
      after: { status: next.status },
      detail: { payoutRef, payoutError },
    };
    const administration = { ...dependencies, ...authorOf(approval) };
    const action = isDone ? 'settlement.completed' : 'settlement.failed';
    await writeAuditRecord(transaction, administration, { ...record, action });
    // The file is taken back before it is certain that the settlement is FAILED: never the other way round.
    if (!isDone && payoutRef !== null) await dependencies.payout.withdraw(payoutRef);
    await finish(transaction, dependencies, approval, seen.id);
  });
}

async function review(dependencies: EffectDependencies, approval: Approval<'REVIEW_RESOLVE'>) {
  const { resolveReview, database } = dependencies;
  if (!resolveReview) throw invalidState('No reviews are resolved here.');
  const { tenantId, subjectId: itemId } = approval;
  await resolveReview({ tenantId, itemId, ...requestOf(approval) }, authorOf(approval));
  await database.transaction((transaction) => finish(transaction, dependencies, approval, itemId));
}

/** Effect and end are one transaction, and what was asked for replaces only what stood there then. */
function bankAccount(
  dependencies: EffectDependencies,
  approval: Approval<'BANK_ACCOUNT'>,
): Promise<void> {
  return dependencies.database.transaction(async (transaction) => {
    const now = await lockApproval(transaction, approval.tenantId, approval.id);
    if (now?.status !== 'APPROVED') return;
    const { subjectId: merchantId, subjectState: asked } = approval;
    await lockMerchant(transaction, merchantId);
    if ((await subjectState(transaction, approval)) !== asked)
      throw invalidState('It has changed.');
    const by = { ...dependencies, ...authorOf(approval) };
    const made = await writeBankAccount(transaction, by, merchantId, requestOf(approval));
    await finish(transaction, dependencies, approval, made.id);
  });
}

/**
 * Makes the live key that was approved. Only this answer shows it.
 * @throws NOT_FOUND
 * @throws FORBIDDEN somebody else asked for it
 * @throws INVALID_STATE it is not approved, or was made before
 */
export async function collectKey(
  dependencies: Pick<EffectDependencies, 'database' | 'clock' | 'ids'>,
  { tenantId, id, by }: { tenantId: string; id: string; by: Asker },
): Promise<{ id: string; key: string }> {
  const { database } = dependencies;
  const approval = await findApproval(database, tenantId, id);
  if (!approval || !isOfKind(approval, 'LIVE_KEY')) throw notFound('request');
  if (approval.askedBy !== by.personId) throw forbidden('Only whoever asked for the key gets it.');
  if (approval.status !== 'APPROVED') throw invalidState(`The request is ${approval.status}.`);
  const { permissions, label, allowedAddresses, ...request } = requestOf(approval);
  const amount = (text: string | null) => (text === null ? null : BigInt(text));
  const terms: KeyTerms = {
    label,
    allowedAddresses,
    expiresAtMs: request.expiresAt === null ? null : Date.parse(request.expiresAt),
    maxPaymentMinor: amount(request.maxPaymentMinor),
    maxRefundedPerDayMinor: amount(request.maxRefundedPerDayMinor),
  };
  const order = { merchantId: approval.subjectId, mode: 'live' as const, permissions, terms };
  const author = { ...authorOf(approval), fourEyes: noFourEyes };
  const made = await issueKey({ ...dependencies, ...author }, { ...order, once: `approval ${id}` });
  await database.transaction((transaction) =>
    finish(transaction, dependencies, approval, made.id, by),
  );
  return made;
}

/** The wish is that of whoever asked; where it came from is the approval, whose records name who agreed. */
const authorOf = ({ id, askedBy }: Approval): Author => ({
  actor: `person:${formatId('pe', askedBy)}`,
  origin: formatId('ap', id),
});

type Finishing = Pick<EffectDependencies, 'clock' | 'ids'>;

async function finish(
  transaction: Queryable,
  dependencies: Finishing,
  approval: Approval,
  resultId: string | undefined,
  by?: Asker,
): Promise<void> {
  const nowMs = dependencies.clock.nowMs();
  const move = { from: 'APPROVED', to: 'DONE', nowMs, ...(resultId && { resultId }) } as const;
  if (!(await endApproval(transaction, approval, move))) return;
  await recordStep(transaction, dependencies, 'approval.done', approval, by);
}

async function fail(
  transaction: Queryable,
  dependencies: Finishing,
  approval: Approval,
  failure: string,
): Promise<void> {
  const nowMs = dependencies.clock.nowMs();
  const move = { from: 'APPROVED', to: 'FAILED', nowMs, failure } as const;
  if (!(await endApproval(transaction, approval, move))) return;
  await recordStep(transaction, dependencies, 'approval.failed', approval, undefined, { failure });
}
