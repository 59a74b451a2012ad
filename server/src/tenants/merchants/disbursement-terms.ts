import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { prepare } from '../../platform/postgres/statement.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { DisbursementTerms } from '../../platform/values/merchant-terms.ts';
import { findTerms } from './change-terms.ts';

const largestMinor = 10n ** 15n;

/** @throws NOT_FOUND the merchant */
export async function readDisbursementTerms(
  database: Queryable,
  merchantId: string,
): Promise<DisbursementTerms> {
  const terms = await findTerms(database, merchantId);
  if (!terms) throw notFound('merchant');
  return terms.disbursements;
}

const changeStatement = prepare({
  name: 'merchants.change_disbursement_terms',
  given: {
    id: 'uuid',
    isAllowed: 'boolean',
    maxMinor: 'bigint',
    maxPerDayMinor: 'bigint',
    maxPerWalletAndDayMinor: 'bigint',
  },
  text: (given) => `
UPDATE merchants SET disbursements_allowed = ${given.isAllowed}, max_disbursement_minor = ${given.maxMinor},
  max_disbursed_per_day_minor = ${given.maxPerDayMinor},
  max_disbursed_per_wallet_and_day_minor = ${given.maxPerWalletAndDayMinor}
WHERE id = ${given.id}`,
});

/**
 * Changes what a merchant may disburse, in every process within 5 seconds; omitted terms stay.
 * @returns the terms as they are now
 * @throws NOT_FOUND the merchant
 * @throws VALIDATION_ERROR a limit
 */
export function changeDisbursementTerms(
  dependencies: Administration & { database: Database },
  merchantId: string,
  change: Partial<DisbursementTerms>,
): Promise<DisbursementTerms> {
  checkLimit('maxDisbursement', change.maxMinor, 1n);
  checkLimit('maxDisbursedPerDay', change.maxPerDayMinor, 0n);
  checkLimit('maxDisbursedPerWalletAndDay', change.maxPerWalletAndDayMinor, 0n);
  return dependencies.database.transaction(async (transaction) => {
    const lock = 'SELECT FROM merchants WHERE id = $1 FOR NO KEY UPDATE';
    await transaction.query({ text: lock }, [merchantId]);
    const before = await readDisbursementTerms(transaction, merchantId);
    const after = { ...before, ...change };
    await changeStatement.run(transaction, { id: merchantId, ...after });
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: 'merchant.disbursement_terms_changed',
      subject: formatId('me', merchantId),
      before: disbursementTermsView(before),
      after: disbursementTermsView(after),
    });
    return after;
  });
}

function checkLimit(field: string, limitMinor: bigint | null | undefined, least: bigint): void {
  if (limitMinor == null) return;
  if (limitMinor < least || limitMinor > largestMinor)
    throw invalid(field, `must be ${least} to ${largestMinor}, in centavos`);
}

/** For the admin API and audit records. */
export const disbursementTermsView = (terms: DisbursementTerms) => ({
  allowed: terms.isAllowed,
  maxDisbursement: terms.maxMinor?.toString() ?? null,
  maxDisbursedPerDay: terms.maxPerDayMinor?.toString() ?? null,
  maxDisbursedPerWalletAndDay: terms.maxPerWalletAndDayMinor?.toString() ?? null,
});
