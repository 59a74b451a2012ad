import type { DeliveryDispatcher } from '../../integrations/events/dispatch.ts';
import { type Author, writeAuditRecord } from '../../platform/audit/record.ts';
import { type IdempotentRequest, requireSame } from '../../platform/idempotency/idempotency.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { retryOnce } from '../../platform/postgres/transient-errors.ts';
import { requireSmallDisbursement } from '../../platform/values/four-eyes.ts';
import { formatId } from '../../platform/values/ids.ts';
import { refuseBesideOlderProcesses } from '../../tenants/merchants/older-processes.ts';
import { createDisbursements } from './create-many.ts';
import type { Disbursement } from './disbursement.ts';
import {
  type CreateDisbursementInput,
  type DueDisbursement,
  type NewDisbursement,
  type PrepareDependencies,
  prepareDisbursement,
  referenceOf,
} from './prepare.ts';
import { findByReference } from './store.ts';
import { createdDisbursement } from './view.ts';

export interface CreatedDisbursement {
  /** As it was when it was created, the same for each repetition of the request. */
  disbursement: Disbursement;
  replayed: boolean;
}

/**
 * Creates a disbursement: amount and fee leave the balance, with the event disbursement.created and its deliveries.
 * The operator is called later.
 * @throws FORBIDDEN disbursements are switched off, the merchant is suspended or may not disburse, or a limit of the
 * merchant is exceeded
 * @throws FORBIDDEN (ApprovalNeeded) the amount needs a second person's approval
 * @throws KEY_LIMIT_EXCEEDED a limit of the API key is exceeded
 * @throws VALIDATION_ERROR phone; in live mode an operator or currency that is not configured
 * @throws INSUFFICIENT_BALANCE the balance does not cover amount and fee
 * @throws IDEMPOTENCY_KEY_REUSED the key was used before with another body
 * @throws UNAVAILABLE a process that does not know disbursements is running
 */
export type CreateDisbursement = (
  input: CreateDisbursementInput & {
    idempotency: IdempotentRequest;
    /** A person, named in the audit log. */
    author?: Author;
    /** A second person has approved it. */
    isApproved?: boolean;
  },
) => Promise<CreatedDisbursement>;

export interface CreateDisbursementDependencies extends PrepareDependencies {
  database: Database;
  dispatcher: DeliveryDispatcher;
  /** Processes disbursements in memory as they are written. */
  worker: PrepareDependencies['worker'] & { accept(disbursement: DueDisbursement): void };
  onDisbursement(disbursement: Disbursement): void;
}

export function makeCreateDisbursement(
  dependencies: CreateDisbursementDependencies,
): CreateDisbursement {
  const { database, requestHashes } = dependencies;
  const replay = (
    disbursement: Disbursement,
    { idempotency }: { idempotency: IdempotentRequest },
  ): CreatedDisbursement => {
    requireSame(requestHashes, disbursement, idempotency);
    return { disbursement: createdDisbursement(disbursement), replayed: true };
  };

  return async (input) => {
    let prepared: NewDisbursement;
    try {
      prepared = await prepareDisbursement(dependencies, input, input);
      if (!input.isApproved) {
        const { approvalAbove } = dependencies.disbursementSettings;
        requireSmallDisbursement(approvalAbove, [prepared.disbursement], 'disbursement');
      }
      await refuseBesideOlderProcesses(database);
    } catch (error) {
      // A request that was once accepted keeps its answer, even if it would be refused by now.
      const reference = referenceOf(input.tenantId, input);
      const earlier = await findByReference(database, input.tenantId, reference);
      if (!earlier) throw error;
      return replay(earlier, input);
    }
    // If the connection breaks, the second try finds a disbursement that the first committed.
    const original = await retryOnce(() => write(dependencies, prepared, input.author));
    if (original.id !== prepared.disbursement.id) return replay(original, input);
    dependencies.onDisbursement(prepared.disbursement);
    dependencies.worker.accept(prepared.disbursement);
    return { disbursement: prepared.disbursement, replayed: false };
  };
}

/** The new disbursement, or the one under its reference. */
async function write(
  dependencies: CreateDisbursementDependencies,
  prepared: NewDisbursement,
  author: Author | undefined,
): Promise<Disbursement> {
  const { database, dispatcher } = dependencies;
  const made = await database.transaction(async (transaction) => {
    const written = await createDisbursements(transaction, dependencies, [prepared], 'refuse');
    if (author && written.outcomes[0]!.kind === 'made')
      await record(transaction, dependencies, prepared.disbursement, author);
    return written;
  });
  const [outcome] = made.outcomes;
  if (outcome!.kind === 'refused') throw outcome!.error;
  dispatcher.accept(made.subscriptions, made.events, made.dueAtMs);
  return outcome!.disbursement;
}

function record(
  transaction: Queryable,
  dependencies: CreateDisbursementDependencies,
  { tenantId, id, amountMinor, feeMinor, currency, operator }: Disbursement,
  author: Author,
): Promise<void> {
  const amounts = { amount: amountMinor.toString(), feeAmount: feeMinor.toString() };
  const detail = { ...amounts, currency, operator };
  const subject = formatId('di', id);
  const about = { tenantId, action: 'disbursement.created', subject, detail } as const;
  return writeAuditRecord(transaction, { ...dependencies, ...author }, about);
}
