import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { invalid, invalidState } from '../../platform/errors/errors.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { Settlement } from './settlement.ts';

/** As long as the longest text of a transfer. */
export const longestBankReference = 140;

/**
 * The bank's reference as typed, without spaces around it.
 * @throws VALIDATION_ERROR
 */
export function parseBankReference(text: string): string {
  const reference = text.trim().normalize('NFC');
  const isReadable = !/[\p{C}\p{Zl}\p{Zp}]/u.test(reference);
  if (reference !== '' && reference.length <= longestBankReference && isReadable) return reference;
  const rule = `must have 1 to ${longestBankReference} characters, in one line`;
  throw invalid('bankReference', rule);
}

const recordStatement = {
  name: 'settlements.bank_reference',
  text: `
UPDATE settlements SET bank_reference = $3
WHERE tenant_id = $1 AND id = $2 AND status IN ('PROCESSING', 'COMPLETED')
  AND bank_reference IS NOT DISTINCT FROM $4
RETURNING id`,
};

/**
 * Records the bank's own reference of a payout, with an audit record. It completes nothing.
 * @param transaction the change and its record belong together
 * @throws INVALID_STATE no order has been made, the payout has failed, or it has another reference than the one seen
 */
export async function recordBankReference(
  transaction: Queryable,
  administration: Administration,
  { seen, reference }: { seen: Settlement; reference: string },
): Promise<Settlement> {
  const { tenantId, id, bankReference } = seen;
  const changed = await transaction.query(recordStatement, [
    tenantId,
    id,
    reference,
    bankReference,
  ]);
  if (changed.length === 0) {
    throw invalidState(
      seen.status === 'PROCESSING' || seen.status === 'COMPLETED'
        ? 'Somebody has changed the payout meanwhile: look at it again.'
        : 'Only a payout that the bank has been ordered to pay has its reference.',
    );
  }
  if (bankReference === reference) return seen;
  await writeAuditRecord(transaction, administration, {
    tenantId,
    action: 'settlement.bank_reference_recorded',
    subject: formatId('se', id),
    before: { bankReference },
    after: { bankReference: reference },
  });
  return { ...seen, bankReference: reference };
}
