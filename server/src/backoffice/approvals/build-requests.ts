import { amountToRefund } from '../../money/refunds/refund.ts';
import { lockPayment } from '../../money/refunds/store.ts';
import { unexplainedMinorOf } from '../../money/refunds/unexplained-amount.ts';
import { findWaitingOf } from '../../money/review/open-cases.ts';
import { findSettlement } from '../../money/settlements/store.ts';
import {
  bookedAlready,
  checkTopUp,
  isBooked,
  type TopUpDetails,
} from '../../money/top-ups/create.ts';
import { withoutPhones } from '../../platform/audit/mask.ts';
import { invalidState, notFound } from '../../platform/errors/errors.ts';
import { canonicalJson } from '../../platform/formats/canonical-json.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { rowQuery } from '../../platform/postgres/query.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { parsePermissions, unlistedPermissions } from '../../tenants/merchants/api-key.ts';
import { checkAccount, isSameAccount } from '../../tenants/merchants/bank-account.ts';
import { findCurrentAccount } from '../../tenants/merchants/bank-account-store.ts';
import { checkTerms, type KeyTerms } from '../../tenants/merchants/key-restrictions.ts';
import type { ApprovalKind, Requester, Requests } from './approval.ts';

export interface ApprovalContext {
  tenantId: string;
  asker: Requester;
  /** The id of the form: sent again, the form makes no further request. */
  key: string;
}

/** The requested action of each kind, frozen as it will be carried out. */
export interface Order<Kind extends ApprovalKind> {
  kind: Kind;
  subjectId: string;
  /** Whether the same form made the same request before, for kinds whose fields may vary. */
  isSame?: (request: Requests[Kind]) => boolean;
  /** The action, as it will be carried out. */
  freeze: (transaction: Queryable) => Promise<Requests[Kind]>;
}

export interface RefundRequest {
  paymentId: string;
  amountMinor: bigint;
  reason: string | null;
}

export function refundOrder({ tenantId }: ApprovalContext, given: RefundRequest): Order<'REFUND'> {
  // An erasure does not reach this copy, so it never contains the phone.
  const reason = withoutPhonesIn(given.reason);
  return {
    kind: 'REFUND',
    subjectId: given.paymentId,
    isSame: (request) =>
      request.amountMinor === given.amountMinor.toString() && request.reason === reason,
    async freeze(transaction) {
      const payment = await lockPayment(transaction, tenantId, given.paymentId);
      if (!payment) throw notFound('payment');
      const { paymentId } = given;
      const unexplainedMinor = await unexplainedMinorOf(
        transaction,
        { tenantId, paymentId },
        payment,
      );
      const wanted = amountToRefund({ ...payment, unexplainedMinor }, given.amountMinor);
      const amountMinor = wanted.toString();
      return { amountMinor, currency: payment.currency, reason };
    },
  };
}

export function settlementOrder(
  { tenantId }: ApprovalContext,
  { settlementId, to }: { settlementId: string; to: 'COMPLETE' | 'FAIL' },
): Order<'SETTLEMENT_COMPLETE' | 'SETTLEMENT_FAIL'> {
  return {
    kind: `SETTLEMENT_${to}`,
    subjectId: settlementId,
    async freeze(transaction) {
      const found = await findSettlement(transaction, tenantId, settlementId);
      if (!found) throw notFound('settlement');
      const isOpen = found.status === 'PROCESSING' || (to === 'FAIL' && found.status === 'PENDING');
      if (!isOpen) throw invalidState(`The settlement is ${found.status}.`);
      const { netMinor, currency, payoutRef } = found;
      return { netMinor: netMinor.toString(), currency, payoutRef };
    },
  };
}

/** The review item, or the payment, refund or reversal that waits without an item. */
export interface DecisionRequest {
  subjectId: string;
  /** The same in people's notation. */
  about: string;
}
export interface ReviewRequest extends DecisionRequest {
  finding: Record<string, string>;
  note: string | null;
}
export interface ClosingRequest extends DecisionRequest {
  reason: string;
}

export function reviewOrder(
  { tenantId }: ApprovalContext,
  { subjectId, about, finding, note }: ReviewRequest,
): Order<'REVIEW_RESOLVE'> {
  const request = { about, finding, note: withoutPhonesIn(note) };
  return {
    kind: 'REVIEW_RESOLVE',
    subjectId,
    // The currency of the payment.
    isSame: (earlier) =>
      canonicalJson({ ...earlier, currency: null }) ===
      canonicalJson({ ...request, currency: null }),
    async freeze(transaction) {
      const { subject } = await requireWaiting(transaction, tenantId, subjectId);
      return { ...request, currency: subject?.currency ?? null };
    },
  };
}

export function closingOrder(
  { tenantId }: ApprovalContext,
  { subjectId, about, reason }: ClosingRequest,
): Order<'REVIEW_CLOSE'> {
  const request = { about, reason: withoutPhones(reason) };
  return {
    kind: 'REVIEW_CLOSE',
    subjectId,
    isSame: (earlier) => canonicalJson(earlier) === canonicalJson(request),
    async freeze(transaction) {
      await requireWaiting(transaction, tenantId, subjectId);
      return request;
    },
  };
}

/** @throws INVALID_STATE it is closed, or no longer waits for anybody */
async function requireWaiting(transaction: Queryable, tenantId: string, id: string) {
  const [waiting] = await findWaitingOf(transaction, [{ tenantId, id }]);
  if (!waiting) throw notFound('review');
  if (waiting.item?.closedAtMs) throw invalidState('The review item is closed already.');
  return waiting;
}

export interface KeyRequest {
  permissions?: readonly string[];
  terms: KeyTerms;
}

export function keyOrder(
  { merchantId }: { merchantId: string },
  { permissions = unlistedPermissions('live'), terms: given }: KeyRequest,
  clock: Clock,
): Order<'LIVE_KEY'> {
  return {
    kind: 'LIVE_KEY',
    subjectId: merchantId,
    async freeze() {
      const terms = checkTerms(given, clock.nowMs());
      const { expiresAtMs, maxPaymentMinor, maxRefundedPerDayMinor } = terms;
      const { maxDisbursementMinor, maxDisbursedPerDayMinor } = terms;
      return {
        label: withoutPhonesIn(terms.label),
        permissions: parsePermissions(permissions),
        expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
        allowedAddresses: terms.allowedAddresses,
        maxPaymentMinor: maxPaymentMinor?.toString() ?? null,
        maxRefundedPerDayMinor: maxRefundedPerDayMinor?.toString() ?? null,
        maxDisbursementMinor: maxDisbursementMinor?.toString() ?? null,
        maxDisbursedPerDayMinor: maxDisbursedPerDayMinor?.toString() ?? null,
      };
    },
  };
}

export interface DisbursementRequest extends Omit<Requests['DISBURSEMENT'], 'amountMinor'> {
  amountMinor: bigint;
  operatorPhone: string;
}

export function disbursementOrder(
  { merchantId }: { merchantId: string },
  { amountMinor, ...given }: DisbursementRequest,
): Order<'DISBURSEMENT'> {
  const request = { ...given, amountMinor: amountMinor.toString() };
  return {
    kind: 'DISBURSEMENT',
    subjectId: merchantId,
    // Of a request that has ended, the phone and the texts are gone.
    isSame: (earlier) => {
      const gone = { operatorPhone: null, externalId: null, description: null };
      const left = earlier.operatorPhone === null ? { ...request, ...gone } : request;
      return canonicalJson(earlier) === canonicalJson(left);
    },
    freeze: () => Promise.resolve(request),
  };
}

export type BatchRequest = Omit<Requests['DISBURSEMENT_BATCH'], 'rows' | 'itemCount'> & {
  rows: readonly DisbursementRequest[];
};

export function batchOrder(
  { merchantId }: { merchantId: string },
  { description, totals, rows: given }: BatchRequest,
): Order<'DISBURSEMENT_BATCH'> {
  const rows = given.map(({ amountMinor, ...row }) => ({ ...row, amountMinor: `${amountMinor}` }));
  const itemCount = rows.length;
  const request = { description, itemCount, totals, rows };
  return {
    kind: 'DISBURSEMENT_BATCH',
    subjectId: merchantId,
    // Of a request that has ended, the rows and the description are gone.
    isSame: (earlier) => {
      const left = earlier.rows === null ? { ...request, rows: null, description: null } : request;
      return canonicalJson(earlier) === canonicalJson(left);
    },
    freeze: () => Promise.resolve(request),
  };
}

export type TypedAccount = Parameters<typeof checkAccount>[0];

export function accountOrder(
  { merchantId }: { merchantId: string },
  typed: TypedAccount,
): Order<'BANK_ACCOUNT'> {
  const details = checkAccount(typed);
  return {
    kind: 'BANK_ACCOUNT',
    subjectId: merchantId,
    isSame: (request) => isSameAccount(request, details),
    async freeze(transaction) {
      const now = await findCurrentAccount(transaction, merchantId, details.currency);
      if (now && isSameAccount(now, details))
        throw invalidState('This bank account is already in use.');
      return details;
    },
  };
}

const findOpenTopUp = rowQuery<
  { id: string },
  [tenantId: string, currency: string, bankReference: string]
>({
  name: 'approvals.find_open_top_up',
  text: `
SELECT id FROM approvals
WHERE tenant_id = $1 AND kind = 'TOP_UP' AND status IN ('PENDING', 'APPROVED')
  AND request::jsonb ->> 'currency' = $2 AND request::jsonb ->> 'bankReference' = $3
LIMIT 1`,
});

export function topUpOrder(
  { tenantId, merchantId }: { tenantId: string; merchantId: string },
  given: TopUpDetails,
): Order<'TOP_UP'> {
  const { amountMinor, ...details } = checkTopUp(given);
  const request = { ...details, amountMinor: amountMinor.toString() };
  return {
    kind: 'TOP_UP',
    subjectId: merchantId,
    isSame: (earlier) => canonicalJson(earlier) === canonicalJson(request),
    async freeze(transaction) {
      if (await isBooked(transaction, details)) throw bookedAlready(details);
      const { currency, bankReference } = details;
      if (await findOpenTopUp(transaction, tenantId, currency, bankReference))
        throw invalidState('Booking this transfer is requested already.');
      return request;
    },
  };
}

const withoutPhonesIn = (text: string | null) => (text === null ? null : withoutPhones(text));
