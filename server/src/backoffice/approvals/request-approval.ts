import type { TopUpDetails } from '../../money/top-ups/create.ts';
import { writeAuditRecord } from '../../platform/audit/record.ts';
import {
  forbidden,
  idempotencyKeyReused,
  invalidState,
  limitReached,
} from '../../platform/errors/errors.ts';
import { canonicalJson } from '../../platform/formats/canonical-json.ts';
import { writeNotices } from '../../platform/notices/write.ts';
import { lockCount } from '../../platform/postgres/advisory-lock.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { FourEyes } from '../../platform/values/four-eyes.ts';
import { derivedUuid, formatId, type Ids } from '../../platform/values/ids.ts';
import {
  type Approval,
  type ApprovalKind,
  approvalKinds,
  approvalTimes,
  isOfKind,
  maskedRequest,
  type Requester,
  requestOf,
} from './approval.ts';
import {
  type ApprovalContext,
  accountOrder,
  type BatchRequest,
  batchOrder,
  type ClosingRequest,
  closingOrder,
  type DisbursementRequest,
  disbursementOrder,
  type KeyRequest,
  keyOrder,
  type Order,
  type RefundRequest,
  type ReviewRequest,
  refundOrder,
  reviewOrder,
  settlementOrder,
  type TypedAccount,
  topUpOrder,
} from './build-requests.ts';
import { countPending, findApproval, findRelation, insertApproval } from './store.ts';
import { subjectOf, subjectState } from './subjects.ts';

export interface RequestApprovalDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  fourEyes: FourEyes;
}

/** A person who may act alone needs no request; a request freezes the action as it is then. */
export type RequestApproval = ReturnType<typeof makeRequestApproval>;

export function makeRequestApproval(dependencies: RequestApprovalDependencies) {
  const ask = <Kind extends ApprovalKind>(asking: ApprovalContext, order: Order<Kind>) =>
    dependencies.database.transaction((transaction) =>
      write(transaction, dependencies, asking, order),
    );
  return {
    /**
     * @throws NOT_FOUND, INVALID_STATE or REFUND_EXCEEDS_PAYMENT as the refund itself would
     * @throws FORBIDDEN the person may not request it
     */
    refund: (asking: ApprovalContext, given: RefundRequest) =>
      ask(asking, refundOrder(asking, given)),
    /** @throws NOT_FOUND, INVALID_STATE, FORBIDDEN */
    settlement: (
      asking: ApprovalContext,
      given: { settlementId: string; to: 'COMPLETE' | 'FAIL' },
    ) => ask(asking, settlementOrder(asking, given)),
    /** @throws NOT_FOUND, INVALID_STATE, FORBIDDEN */
    review: (asking: ApprovalContext, given: ReviewRequest) =>
      ask(asking, reviewOrder(asking, given)),
    /** @throws NOT_FOUND, INVALID_STATE, FORBIDDEN */
    closing: (asking: ApprovalContext, given: ClosingRequest) =>
      ask(asking, closingOrder(asking, given)),
    /** @throws VALIDATION_ERROR for a wrong label, expiry, address or limit; FORBIDDEN */
    liveKey: (asking: ApprovalContext & { merchantId: string }, given: KeyRequest) =>
      ask(asking, keyOrder(asking, given, dependencies.clock)),
    /** @throws FORBIDDEN, LIMIT_REACHED */
    disbursement: (asking: ApprovalContext & { merchantId: string }, given: DisbursementRequest) =>
      ask(asking, disbursementOrder(asking, given)),
    /** @throws FORBIDDEN, LIMIT_REACHED */
    batch: (asking: ApprovalContext & { merchantId: string }, given: BatchRequest) =>
      ask(asking, batchOrder(asking, given)),
    /**
     * @param asking with the merchant's live tenant
     * @throws VALIDATION_ERROR names the field; INVALID_STATE the account is in use already; FORBIDDEN
     */
    bankAccount: async (asking: ApprovalContext & { merchantId: string }, typed: TypedAccount) =>
      ask(asking, accountOrder(asking, typed)),
    /**
     * @param asking with the merchant's live tenant
     * @throws VALIDATION_ERROR names the field; INVALID_STATE the transfer is booked already; FORBIDDEN
     */
    topUp: async (asking: ApprovalContext & { merchantId: string }, given: TopUpDetails) =>
      ask(asking, topUpOrder(asking, given)),
  };
}

/** More requests than this would bury those of others. */
const mostPending = 20;

async function write<Kind extends ApprovalKind>(
  transaction: Queryable,
  { clock, ids, fourEyes }: RequestApprovalDependencies,
  { tenantId, asker, key }: ApprovalContext,
  order: Order<Kind>,
): Promise<Approval> {
  const { kind, subjectId, freeze } = order;
  const { act } = approvalKinds[kind];
  if (act !== undefined && !fourEyes.has(act)) throw invalidState('This action needs no approval.');
  const nowMs = clock.nowMs();
  // Derived from tenant, person and form, so that nobody can choose the id of another's request.
  const id = derivedUuid(tenantId, `approval ${asker.personId} ${key}`);
  const earlier = await findApproval(transaction, tenantId, id);
  if (earlier) return sameRequest(earlier, order);
  await lockCount(transaction, `requests of ${tenantId} ${asker.personId}`);
  if ((await countPending(transaction, tenantId, asker.personId)) >= mostPending) {
    throw limitReached(`A person may have at most ${mostPending} pending requests.`);
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
  if (!(await findRelation(transaction, approval, asker)).mayAsk)
    throw forbidden('lacks the right');
  await recordStep(transaction, { clock, ids }, 'approval.asked', approval, asker);
  await writeNotices(transaction, [
    { kind: 'APPROVAL_ASKED', tenantId, subject: id, detail: { approval: kind }, atMs: nowMs },
  ]);
  return approval;
}

/** The same form came before: either it made the same request, or it is a different form. */
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

/** Each step with its author; without an author the step is the gateway's own. */
export function recordStep(
  transaction: Queryable,
  { clock, ids }: { clock: Clock; ids: Ids },
  action: Step,
  approval: Approval,
  author?: Requester,
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
