import { isoInstant } from '../../platform/formats/instant.ts';
import { formatId } from '../../platform/values/ids.ts';
import { maskPhone } from '../../platform/values/phone.ts';
import type { Disbursement } from './disbursement.ts';

/** Increased with each field that is added here; new rows store it. */
export const disbursementRendering = 1;

/** The disbursement as the API shows it. Every field is always present. */
export function disbursementView(disbursement: Disbursement) {
  const { batchId, metadata } = disbursement;
  return {
    id: formatId('di', disbursement.id),
    externalId: disbursement.externalId,
    batchId: batchId === null ? null : formatId('dib', batchId),
    amount: disbursement.amountMinor.toString(),
    currency: disbursement.currency,
    feeAmount: disbursement.feeMinor.toString(),
    operator: disbursement.operator,
    operatorPhone: disbursement.operatorPhone,
    operatorTxId: disbursement.operatorTxId,
    status: disbursement.status,
    failureCode: disbursement.failureCode,
    failureMessage: disbursement.failureMessage,
    description: disbursement.description,
    statementDescriptor: disbursement.statementDescriptor,
    customerId: disbursement.customerId,
    metadata: metadata === null ? null : (JSON.parse(metadata) as Record<string, unknown>),
    expiresAt: isoInstant(disbursement.expiresAtMs),
    createdAt: isoInstant(disbursement.createdAtMs),
    updatedAt: isoInstant(disbursement.updatedAtMs),
  };
}

export const disbursementJson = (disbursement: Disbursement): string =>
  JSON.stringify(disbursementView(disbursement));

/** The same with the phone masked, for a key without the permission to read phones. */
export function maskedDisbursementJson(disbursement: Disbursement): string {
  const { operatorPhone: phone } = disbursement;
  return disbursementJson({ ...disbursement, operatorPhone: phone && maskPhone(phone) });
}

/**
 * The disbursement as it was when it was created, whatever it has become since: a repeated request gets the same bytes.
 */
export const createdDisbursement = (disbursement: Disbursement): Disbursement => ({
  ...disbursement,
  status: 'CREATED',
  operatorTxId: null,
  failureCode: null,
  failureMessage: null,
  updatedAtMs: disbursement.createdAtMs,
});
