import { completeByHand, failByHand } from '../../money/settlements/manual-outcome.ts';
import { findSettlement } from '../../money/settlements/store.ts';
import { writeTopUp } from '../../money/top-ups/create.ts';
import { withoutPhones } from '../../platform/audit/mask.ts';
import {
  DomainError,
  forbidden,
  invalidState,
  NotNow,
  notFound,
} from '../../platform/errors/errors.ts';
import { idempotentRequest } from '../../platform/idempotency/idempotency.ts';
import { backoffMs } from '../../platform/jobs/backoff.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { noFourEyes } from '../../platform/values/four-eyes.ts';
import { formatId, parseId } from '../../platform/values/ids.ts';
import { lockMerchant } from '../../tenants/merchants/bank-account-store.ts';
import { writeBankAccount } from '../../tenants/merchants/change-bank-account.ts';
import type { KeyTerms } from '../../tenants/merchants/key-restrictions.ts';
import { issueKey } from '../../tenants/merchants/keys.ts';
import {
  type Approval,
  approvalTimes,
  EffectRefused,
  type Failure,
  isOfKind,
  type Requester,
  requestOf,
} from './approval.ts';
import {
  authorOf,
  type EffectDependencies,
  type Finishing,
  finish,
  isOver,
  modeAndTerms,
} from './effect.ts';
import { disburse, disburseMany } from './execute-disbursement.ts';
import { recordStep } from './request-approval.ts';
import { endApproval, findApproval, lockApproval, postponeEffect } from './store.ts';
import { subjectState } from './subjects.ts';

/** Carries out approved requests, and nothing else: each effect happens once, however often it is tried. */
export type ExecuteApproval = (approval: Approval) => Promise<void>;

/** An effect that cannot succeed is FAILED; after any other error the worker retries it, for a day. */
export function makeExecuteApproval(dependencies: EffectDependencies): ExecuteApproval {
  const { database } = dependencies;
  return async (approval) => {
    try {
      if (hasTriedEnough(approval, dependencies.clock.nowMs())) throw new EffectRefused('GAVE_UP');
      await effectOf(dependencies, approval);
    } catch (error) {
      const failure = failureOf(error);
      const end = (transaction: Queryable) =>
        failure === undefined
          ? postpone(transaction, dependencies, approval, error)
          : fail(transaction, dependencies, approval, failure);
      // If not even this can be written, the worker finds the request when the lease is over.
      await database.transaction(end).catch(() => {});
    }
  };
}

/** Undefined: the error is temporary, as far as we know. */
function failureOf(error: unknown): Failure | undefined {
  if (error instanceof EffectRefused) return error.failure;
  if (!(error instanceof DomainError) || error instanceof NotNow) return undefined;
  // While the gateway is upgraded, for example.
  return error.code === 'UNAVAILABLE' ? undefined : error.code;
}

/** The requester must collect a key, within a period of its own. */
const hasTriedEnough = ({ kind, decidedAtMs }: Approval, nowMs: number) =>
  kind !== 'LIVE_KEY' && nowMs - (decidedAtMs ?? nowMs) >= approvalTimes.triesMs;

const longestRemark = 200;

function postpone(
  transaction: Queryable,
  { clock, log }: EffectDependencies,
  approval: Approval,
  error: unknown,
): Promise<void> {
  const { id, tryCount } = approval;
  const { leaseMs, longestWaitMs } = approvalTimes;
  const waitMs = backoffMs(tryCount, leaseMs, longestWaitMs);
  log.warn({ err: error, approval: formatId('ap', id), waitMs }, 'an effect is tried again');
  const message = error instanceof Error ? error.message : String(error);
  const remark = withoutPhones(message.slice(0, longestRemark));
  return postponeEffect(transaction, approval, { nextMs: clock.nowMs() + waitMs, remark });
}

async function effectOf(dependencies: EffectDependencies, approval: Approval): Promise<void> {
  if (isOfKind(approval, 'REFUND')) return refund(dependencies, approval);
  if (isOfKind(approval, 'DISBURSEMENT')) return disburse(dependencies, approval);
  if (isOfKind(approval, 'DISBURSEMENT_BATCH')) return disburseMany(dependencies, approval);
  if (isOfKind(approval, 'SETTLEMENT_COMPLETE', 'SETTLEMENT_FAIL')) {
    return settlement(dependencies, approval);
  }
  if (isOfKind(approval, 'REVIEW_RESOLVE', 'REVIEW_CLOSE')) return review(dependencies, approval);
  if (isOfKind(approval, 'BANK_ACCOUNT')) return bankAccount(dependencies, approval);
  if (isOfKind(approval, 'TOP_UP')) return topUp(dependencies, approval);
  // Its secret is shown once, to the requester, who makes the key in their own time.
  const { database, clock } = dependencies;
  if ((approval.dueAtMs ?? 0) > clock.nowMs() + leaseLookMs) return;
  await database.transaction((transaction) =>
    fail(transaction, dependencies, approval, 'NOT_COLLECTED'),
  );
}

/** More than the lease of a worker, and less than the time in which a key can be collected. */
const leaseLookMs = 3_600_000;

/**
 * The approval's id is the idempotency key, so that a second try finds the result of the first. The arrow separates
 * it from the keys of requests, which are ASCII: otherwise an API key could use it first.
 */
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
    idempotency: idempotentRequest(`approval → ${id}`, request, () => request),
    author: authorOf(approval),
  });
  const { id: made } = JSON.parse(created.json) as { id: string };
  await dependencies.database.transaction((transaction) =>
    finish(transaction, dependencies, approval, { resultId: parseId('re', made) }),
  );
}

/** Effect and end share one transaction: both happen or neither. */
async function settlement(
  dependencies: EffectDependencies,
  approval: Approval<'SETTLEMENT_COMPLETE' | 'SETTLEMENT_FAIL'>,
): Promise<void> {
  const { tenantId, subjectId, subjectState: wanted, kind } = approval;
  const { database } = dependencies;
  const seen = await findSettlement(database, tenantId, subjectId);
  if (!seen) throw notFound('settlement');
  // If another process has just carried it out, its request has ended, and this changes nothing.
  if (`version ${seen.version}` !== wanted) throw new EffectRefused('CHANGED');
  const act = kind === 'SETTLEMENT_COMPLETE' ? completeByHand : failByHand;
  const within = { ...dependencies, ...authorOf(approval), fourEyes: noFourEyes };
  await act(within, seen, async (transaction, warning) => {
    const done = { resultId: seen.id, ...(warning && { remark: warning.kind }) };
    if (!(await finish(transaction, dependencies, approval, done))) throw isOver();
  });
}

/** The same: only the process that locks the request's row works on it. */
function review(
  dependencies: EffectDependencies,
  approval: Approval<'REVIEW_RESOLVE' | 'REVIEW_CLOSE'>,
): Promise<void> {
  const { tenantId, id, subjectId: resultId } = approval;
  return dependencies.database.transaction(async (transaction) => {
    const now = await lockApproval(transaction, tenantId, id);
    if (now?.status !== 'APPROVED') return;
    if ((await subjectState(transaction, now)) !== now.subjectState) {
      throw new EffectRefused('CHANGED');
    }
    const request = requestOf<'REVIEW_RESOLVE' | 'REVIEW_CLOSE'>(approval);
    await dependencies.decideReview(transaction, request, authorOf(approval));
    await finish(transaction, dependencies, approval, { resultId });
  });
}

/** Effect and end share one transaction, and the new account replaces only the account at the time of the request. */
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
      throw invalidState('The bank account has changed since the request.');
    const by = { ...dependencies, ...authorOf(approval) };
    const made = await writeBankAccount(transaction, by, merchantId, requestOf(approval));
    await finish(transaction, dependencies, approval, { resultId: made.id });
  });
}

/** The same; the bank's reference is unique, so the transfer is booked once whoever books it. */
function topUp(dependencies: EffectDependencies, approval: Approval<'TOP_UP'>): Promise<void> {
  return dependencies.database.transaction(async (transaction) => {
    const now = await lockApproval(transaction, approval.tenantId, approval.id);
    if (now?.status !== 'APPROVED') return;
    const { tenantId, subjectId: merchantId } = approval;
    const { amountMinor, ...asked } = requestOf(approval);
    const by = { ...dependencies, ...authorOf(approval) };
    const details = { ...asked, amountMinor: BigInt(amountMinor) };
    const made = await writeTopUp(transaction, by, { tenantId, merchantId }, details);
    await finish(transaction, dependencies, approval, { resultId: made.id });
  });
}

/**
 * Makes the approved live key. Only this answer shows it.
 * @throws NOT_FOUND
 * @throws FORBIDDEN someone else requested it
 * @throws INVALID_STATE it is not approved, or was made before
 */
export async function collectKey(
  dependencies: Pick<EffectDependencies, 'database' | 'clock' | 'ids'>,
  { tenantId, id, by }: { tenantId: string; id: string; by: Requester },
): Promise<{ id: string; key: string }> {
  const { database } = dependencies;
  const approval = await findApproval(database, tenantId, id);
  if (!approval || !isOfKind(approval, 'LIVE_KEY')) throw notFound('request');
  if (approval.askedBy !== by.personId) throw forbidden('Only the requester can collect the key.');
  if (approval.status !== 'APPROVED') throw invalidState(`The request is ${approval.status}.`);
  const { permissions, label, allowedAddresses, ...request } = requestOf(approval);
  const amount = (text: string | null | undefined) => (text == null ? null : BigInt(text));
  const terms: KeyTerms = {
    label,
    allowedAddresses,
    expiresAtMs: request.expiresAt === null ? null : Date.parse(request.expiresAt),
    maxPaymentMinor: amount(request.maxPaymentMinor),
    maxRefundedPerDayMinor: amount(request.maxRefundedPerDayMinor),
    maxDisbursementMinor: amount(request.maxDisbursementMinor),
    maxDisbursedPerDayMinor: amount(request.maxDisbursedPerDayMinor),
  };
  const order = { merchantId: approval.subjectId, mode: 'live' as const, permissions, terms };
  const author = { ...authorOf(approval), fourEyes: noFourEyes };
  const made = await issueKey({ ...dependencies, ...author }, { ...order, once: `approval ${id}` });
  await database.transaction((transaction) =>
    finish(transaction, dependencies, approval, { resultId: made.id }, by),
  );
  return made;
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
