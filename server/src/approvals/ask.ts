import { withoutPhones } from '../audit/mask.ts';
import { writeAuditRecord } from '../audit/record.ts';
import type { Clock } from '../clock.ts';
import {
  forbidden,
  idempotencyKeyReused,
  invalidState,
  limitReached,
  notFound,
} from '../errors.ts';
import { canonicalJson } from '../formats/canonical-json.ts';
import type { FourEyes } from '../four-eyes.ts';
import { derivedUuid, formatId, type Ids } from '../ids.ts';
import { allPermissions, parsePermissions } from '../merchants/api-key.ts';
import { checkAccount, isSameAccount } from '../merchants/bank-account.ts';
import { findCurrentAccount } from '../merchants/bank-account-store.ts';
import { checkTerms, type KeyTerms } from '../merchants/key-terms.ts';
import { writeNotices } from '../notices/write.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { amountToRefund } from '../refunds/refund.ts';
import { lockPayment } from '../refunds/store.ts';
import { findWaitingOf } from '../review/waiting.ts';
import { findSettlement } from '../settlements/store.ts';
import {
  type Approval,
  type ApprovalKind,
  type Asker,
  approvalKinds,
  approvalTimes,
  isOfKind,
  maskedRequest,
  type Requests,
  requestOf,
} from './approval.ts';
import { countPending, findApproval, insertApproval, standingOf } from './store.ts';
import { subjectOf, subjectState } from './subjects.ts';

export interface AskDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  fourEyes: FourEyes;
}

interface Asking {
  tenantId: string;
  asker: Asker;
  /** That of the form: sent again, it asks for nothing more. */
  key: string;
}

/** Whoever may do something alone need not ask; what is asked for is frozen as it is then. */
export type Ask = ReturnType<typeof makeAsk>;

export function makeAsk(dependencies: AskDependencies) {
  const ask = <Kind extends ApprovalKind>(asking: Asking, order: Order<Kind>) =>
    dependencies.database.transaction((transaction) =>
      write(transaction, dependencies, asking, order),
    );
  return {
    /**
     * @throws NOT_FOUND, INVALID_STATE or REFUND_EXCEEDS_PAYMENT as the refund itself would
     * @throws FORBIDDEN the person may not ask for it
     */
    refund: (asking: Asking, given: WantedRefund) => ask(asking, refundOrder(asking, given)),
    /** @throws NOT_FOUND, INVALID_STATE, FORBIDDEN */
    settlement: (asking: Asking, given: { settlementId: string; to: 'COMPLETE' | 'FAIL' }) =>
      ask(asking, settlementOrder(asking, given)),
    /** @throws NOT_FOUND, INVALID_STATE, FORBIDDEN */
    review: (asking: Asking, given: WantedReview) => ask(asking, reviewOrder(asking, given)),
    /** @throws NOT_FOUND, INVALID_STATE, FORBIDDEN */
    closing: (asking: Asking, given: WantedClosing) => ask(asking, closingOrder(asking, given)),
    /** @throws VALIDATION_ERROR for a wrong label, expiry, address or limit; FORBIDDEN */
    liveKey: (asking: Asking & { merchantId: string }, given: WantedKey) =>
      ask(asking, keyOrder(asking, given, dependencies.clock)),
    /**
     * @param asking with the merchant's live tenant
     * @throws VALIDATION_ERROR names the field; INVALID_STATE it is the account already; FORBIDDEN
     */
    bankAccount: async (asking: Asking & { merchantId: string }, typed: TypedAccount) =>
      ask(asking, accountOrder(asking, typed)),
  };
}

interface WantedRefund {
  paymentId: string;
  amountMinor: bigint;
  reason: string | null;
}

function refundOrder({ tenantId }: Asking, given: WantedRefund): Order<'REFUND'> {
  // Nothing of it is erased with the payment, so it has no phone from the beginning.
  const reason = withoutPhonesIn(given.reason);
  return {
    kind: 'REFUND',
    subjectId: given.paymentId,
    isSame: (request) =>
      request.amountMinor === given.amountMinor.toString() && request.reason === reason,
    async freeze(transaction) {
      const payment = await lockPayment(transaction, tenantId, given.paymentId);
      if (!payment) throw notFound('payment');
      const amountMinor = amountToRefund(payment, given.amountMinor).toString();
      return { amountMinor, currency: payment.currency, reason };
    },
  };
}

function settlementOrder(
  { tenantId }: Asking,
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

/** The review item, or the payment, refund or reversal that waits by itself. */
interface WantedDecision {
  subjectId: string;
  /** The same as people name it. */
  about: string;
}
interface WantedReview extends WantedDecision {
  finding: Record<string, string>;
  note: string | null;
}
interface WantedClosing extends WantedDecision {
  reason: string;
}

function reviewOrder(
  { tenantId }: Asking,
  { subjectId, about, finding, note }: WantedReview,
): Order<'REVIEW_RESOLVE'> {
  const request = { about, finding, note: withoutPhonesIn(note) };
  return {
    kind: 'REVIEW_RESOLVE',
    subjectId,
    isSame: ({ currency: _, ...earlier }) => canonicalJson(earlier) === canonicalJson(request),
    async freeze(transaction) {
      const { subject } = await requireWaiting(transaction, tenantId, subjectId);
      return { ...request, currency: subject?.currency ?? null };
    },
  };
}

function closingOrder(
  { tenantId }: Asking,
  { subjectId, about, reason }: WantedClosing,
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

/** @throws INVALID_STATE it is closed, or waits for nobody any more */
async function requireWaiting(transaction: Queryable, tenantId: string, id: string) {
  const [waiting] = await findWaitingOf(transaction, [{ tenantId, id }]);
  if (!waiting) throw notFound('review');
  if (waiting.item?.closedAtMs) throw invalidState('The review item is closed already.');
  return waiting;
}

interface WantedKey {
  permissions?: readonly string[];
  terms: KeyTerms;
}

function keyOrder(
  { merchantId }: { merchantId: string },
  { permissions = allPermissions, terms: given }: WantedKey,
  clock: Clock,
): Order<'LIVE_KEY'> {
  return {
    kind: 'LIVE_KEY',
    subjectId: merchantId,
    async freeze() {
      const terms = checkTerms(given, clock.nowMs());
      const { expiresAtMs, maxPaymentMinor, maxRefundedPerDayMinor } = terms;
      return {
        label: withoutPhonesIn(terms.label),
        permissions: parsePermissions(permissions),
        expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
        allowedAddresses: terms.allowedAddresses,
        maxPaymentMinor: maxPaymentMinor?.toString() ?? null,
        maxRefundedPerDayMinor: maxRefundedPerDayMinor?.toString() ?? null,
      };
    },
  };
}

type TypedAccount = Parameters<typeof checkAccount>[0];

function accountOrder(
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
      if (now && isSameAccount(now, details)) throw invalidState('It is the account already.');
      return details;
    },
  };
}

const withoutPhonesIn = (text: string | null) => (text === null ? null : withoutPhones(text));

interface Order<Kind extends ApprovalKind> {
  kind: Kind;
  subjectId: string;
  /** Whether the same form asked for the same before, where its fields could be others. */
  isSame?: (request: Requests[Kind]) => boolean;
  /** What is asked for, as it is to be carried out. */
  freeze: (transaction: Queryable) => Promise<Requests[Kind]>;
}

/** Who asks for more would bury what others ask for. */
const mostPending = 20;

async function write<Kind extends ApprovalKind>(
  transaction: Queryable,
  { clock, ids, fourEyes }: AskDependencies,
  { tenantId, asker, key }: Asking,
  order: Order<Kind>,
): Promise<Approval> {
  const { kind, subjectId, freeze } = order;
  const { act } = approvalKinds[kind];
  if (act !== undefined && !fourEyes.has(act)) throw invalidState('No approval is needed for it.');
  const nowMs = clock.nowMs();
  // Of tenant, person and form together, so that nobody can aim at the id of another's request.
  const id = derivedUuid(tenantId, `approval ${asker.personId} ${key}`);
  const earlier = await findApproval(transaction, tenantId, id);
  if (earlier) return sameRequest(earlier, order);
  if ((await countPending(transaction, tenantId, asker.personId)) >= mostPending) {
    throw limitReached(`Nobody may have more than ${mostPending} requests waiting.`);
  }
  const request = canonicalJson(await freeze(transaction));
  const approval: Approval = {
    tenantId,
    id,
    kind,
    status: 'PENDING',
    subjectId,
    request,
    subjectState: await subjectState(transaction, { tenantId, kind, subjectId, request }),
    askedBy: asker.personId,
    askedAtMs: nowMs,
    expiresAtMs: nowMs + approvalTimes.openMs,
    decidedBy: null,
    decidedAtMs: null,
    dueAtMs: null,
    endedAtMs: null,
    resultId: null,
    failure: null,
    tryCount: 0,
    remark: null,
  };
  if (!(await insertApproval(transaction, approval, asker))) {
    const other = await findApproval(transaction, tenantId, id);
    if (!other) throw new Error('a request was neither written nor found');
    return sameRequest(other, order);
  }
  if (!(await standingOf(transaction, approval, asker)).mayAsk) throw forbidden('lacks the right');
  await recordStep(transaction, { clock, ids }, 'approval.asked', approval, asker);
  await writeNotices(transaction, [
    { kind: 'APPROVAL_ASKED', tenantId, subject: id, detail: { approval: kind }, atMs: nowMs },
  ]);
  return approval;
}

/** The same form came before: it asked for the same thing, or it is not the same form. */
function sameRequest<Kind extends ApprovalKind>(
  earlier: Approval,
  { kind, subjectId, isSame = () => true }: Order<Kind>,
): Approval {
  if (!isOfKind(earlier, kind) || earlier.subjectId !== subjectId || !isSame(requestOf(earlier))) {
    throw idempotencyKeyReused();
  }
  return earlier;
}

type Step = Extract<Parameters<typeof writeAuditRecord>[2]['action'], `approval.${string}`>;

/** Each step with its author; without one it is the gateway's own. */
export function recordStep(
  transaction: Queryable,
  { clock, ids }: { clock: Clock; ids: Ids },
  action: Step,
  approval: Approval,
  author?: Asker,
  more: Record<string, unknown> = {},
): Promise<void> {
  const { tenantId, id, kind } = approval;
  const by =
    author === undefined
      ? {}
      : { actor: `person:${formatId('pe', author.personId)}`, origin: author.origin };
  const about = { kind, about: subjectOf(approval), request: maskedRequest(approval) };
  return writeAuditRecord(
    transaction,
    { clock, ids, ...by },
    {
      tenantId,
      action,
      subject: formatId('ap', id),
      detail: { ...about, ...more },
    },
  );
}
