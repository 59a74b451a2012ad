import { withoutPhones } from '../audit/mask.ts';
import { writeAuditRecord } from '../audit/record.ts';
import type { Clock } from '../clock.ts';
import { forbidden, idempotencyKeyReused, invalidState, notFound } from '../errors.ts';
import { canonicalJson } from '../formats/canonical-json.ts';
import type { FourEyes } from '../four-eyes.ts';
import { derivedUuid, formatId, type Ids } from '../ids.ts';
import { allPermissions, parsePermissions } from '../merchants/api-key.ts';
import { checkTerms, type KeyTerms } from '../merchants/key-terms.ts';
import { writeNotices } from '../notices/write.ts';
import type { Database, Queryable } from '../postgres/database.ts';
import { amountToRefund } from '../refunds/refund.ts';
import { lockPayment } from '../refunds/store.ts';
import { findReviewItem } from '../review/store.ts';
import { findSettlement } from '../settlements/store.ts';
import {
  type Approval,
  type ApprovalKind,
  type Asker,
  approvalKinds,
  approvalTimes,
  isOfKind,
  type Requests,
  requestOf,
} from './approval.ts';
import { findApproval, insertApproval, standingOf } from './store.ts';
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
    /** @throws NOT_FOUND, FORBIDDEN */
    settlement: (asking: Asking, given: { settlementId: string; to: 'COMPLETE' | 'FAIL' }) =>
      ask(asking, settlementOrder(asking, given)),
    /** @throws NOT_FOUND, INVALID_STATE, FORBIDDEN */
    review: (asking: Asking, given: { itemId: string; finding: Record<string, string> }) =>
      ask(asking, reviewOrder(asking, given)),
    /** @throws VALIDATION_ERROR for a wrong label, expiry, address or limit; FORBIDDEN */
    liveKey: (asking: Asking & { merchantId: string }, given: WantedKey) =>
      ask(asking, keyOrder(asking, given, dependencies.clock)),
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
      const { netMinor, currency, payoutRef } = found;
      return { netMinor: netMinor.toString(), currency, payoutRef };
    },
  };
}

function reviewOrder(
  { tenantId }: Asking,
  { itemId, finding }: { itemId: string; finding: Record<string, string> },
): Order<'REVIEW_RESOLVE'> {
  return {
    kind: 'REVIEW_RESOLVE',
    subjectId: itemId,
    async freeze(transaction) {
      const item = await findReviewItem(transaction, itemId);
      if (item?.tenantId !== tenantId) throw notFound('review item');
      if (item.closedAtMs !== null) throw invalidState('The review item is closed already.');
      return { finding };
    },
  };
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

const withoutPhonesIn = (text: string | null) => (text === null ? null : withoutPhones(text));

interface Order<Kind extends ApprovalKind> {
  kind: Kind;
  subjectId: string;
  /** Whether the same form asked for the same before, where its fields could be others. */
  isSame?: (request: Requests[Kind]) => boolean;
  /** What is asked for, as it is to be carried out. */
  freeze: (transaction: Queryable) => Promise<Requests[Kind]>;
}

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
  const approval: Approval = {
    tenantId,
    id,
    kind,
    status: 'PENDING',
    subjectId,
    request: canonicalJson(await freeze(transaction)),
    subjectState: await subjectState(transaction, { tenantId, kind, subjectId }),
    askedBy: asker.personId,
    askedAtMs: nowMs,
    expiresAtMs: nowMs + approvalTimes.openMs,
    decidedBy: null,
    decidedAtMs: null,
    dueAtMs: null,
    endedAtMs: null,
    resultId: null,
    failure: null,
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
  const { tenantId, id, kind, request } = approval;
  const by =
    author === undefined
      ? {}
      : { actor: `person:${formatId('pe', author.personId)}`, origin: author.origin };
  const about = { kind, about: subjectOf(approval), request: JSON.parse(request) };
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
