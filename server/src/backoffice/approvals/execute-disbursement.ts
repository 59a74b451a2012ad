import { idempotentRequest } from '../../platform/idempotency/idempotency.ts';
import { type Approval, requestOf } from './approval.ts';
import { authorOf, type EffectDependencies, finish, isOver, modeAndTerms } from './effect.ts';

/** The approval's id names it at the operator too, so that a second try never pays twice. */
export async function disburse(
  dependencies: EffectDependencies,
  approval: Approval<'DISBURSEMENT'>,
) {
  const { tenantId, id, askedBy: personId } = approval;
  const request = requestOf(approval);
  const { amountMinor, operatorPhone, ...asked } = request;
  // The phone is gone: it has been carried out, and its end is written.
  if (operatorPhone === null) throw isOver();
  const { disbursement } = await dependencies.createDisbursement({
    ...asked,
    tenantId,
    ...(await modeAndTerms(dependencies.database, tenantId)),
    amountMinor: BigInt(amountMinor),
    operatorPhone,
    customerId: null,
    statementDescriptor: null,
    metadata: null,
    apiKey: null,
    personId,
    isApproved: true,
    idempotency: idempotentRequest(`approval → ${id}`, request, () => request)!,
    author: authorOf(approval),
  });
  await dependencies.database.transaction((transaction) =>
    finish(transaction, dependencies, approval, { resultId: disbursement.id }),
  );
}

/** The same of a batch. */
export async function disburseMany(
  dependencies: EffectDependencies,
  approval: Approval<'DISBURSEMENT_BATCH'>,
) {
  const { tenantId, id, askedBy: personId } = approval;
  const { description, rows } = requestOf<'DISBURSEMENT_BATCH'>(approval);
  if (rows === null) throw isOver();
  const none = { customerId: null, statementDescriptor: null, metadata: null };
  const { batch } = await dependencies.createBatch({
    tenantId,
    ...(await modeAndTerms(dependencies.database, tenantId)),
    description,
    rows: rows.map((row) => ({ ...none, ...row, amountMinor: BigInt(row.amountMinor) })),
    externalId: null,
    retryOf: null,
    apiKey: null,
    personId,
    isApproved: true,
    idempotency: idempotentRequest(`approval → ${id}`, rows, () => rows)!,
    author: authorOf(approval),
  });
  await dependencies.database.transaction((transaction) =>
    finish(transaction, dependencies, approval, { resultId: batch.id }),
  );
}
