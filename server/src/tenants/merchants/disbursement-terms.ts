import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { prepare } from '../../platform/postgres/statement.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { DisbursementTerms } from '../../platform/values/merchant-terms.ts';
import { currencies } from '../../platform/values/money.ts';
import { findTerms } from './change-terms.ts';
import { refuseBesideOlderProcesses } from './older-processes.ts';

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
    keepBalances: 'text',
  },
  text: (given) => `
UPDATE merchants SET disbursements_allowed = ${given.isAllowed}, max_disbursement_minor = ${given.maxMinor},
  max_disbursed_per_day_minor = ${given.maxPerDayMinor},
  max_disbursed_per_wallet_and_day_minor = ${given.maxPerWalletAndDayMinor},
  keep_balances = ${given.keepBalances}::jsonb
WHERE id = ${given.id}`,
});

/** New terms; omitted ones stay. Null: settlements leave nothing in that currency. */
export type DisbursementTermsChange = Partial<Omit<DisbursementTerms, 'keepBalances'>> & {
  keepBalances?: Readonly<Record<string, bigint | null>>;
};

/**
 * Changes what a merchant may disburse, in every process within 5 seconds, and what settlements leave for that, from
 * the next one on.
 * @returns the terms as they are now
 * @throws NOT_FOUND the merchant
 * @throws VALIDATION_ERROR a limit, or what to keep
 * @throws UNAVAILABLE an older process would pay out what is to be kept
 */
export function changeDisbursementTerms(
  dependencies: Administration & { database: Database },
  merchantId: string,
  { keepBalances = {}, ...change }: DisbursementTermsChange,
): Promise<DisbursementTerms> {
  checkLimit('maxDisbursement', change.maxMinor, 1n);
  checkLimit('maxDisbursedPerDay', change.maxPerDayMinor, 0n);
  checkLimit('maxDisbursedPerWalletAndDay', change.maxPerWalletAndDayMinor, 0n);
  for (const currency of currencies)
    checkLimit(`keepBalance.${currency}`, keepBalances[currency], 1n);
  return dependencies.database.transaction(async (transaction) => {
    if (Object.values(keepBalances).some((minor) => minor != null))
      await refuseBesideOlderProcesses(transaction, 'changes no keepBalance');
    const lock = 'SELECT FROM merchants WHERE id = $1 FOR NO KEY UPDATE';
    await transaction.query({ text: lock }, [merchantId]);
    const before = await readDisbursementTerms(transaction, merchantId);
    const kept = Object.entries({ ...before.keepBalances, ...keepBalances }).flatMap(
      ([currency, minor]) => (minor == null ? [] : [[currency, minor] as const]),
    );
    const after = { ...before, ...change, keepBalances: Object.fromEntries(kept) };
    const stored = Object.fromEntries(kept.map(([currency, minor]) => [currency, `${minor}`]));
    const given = { ...after, keepBalances: JSON.stringify(stored) };
    await changeStatement.run(transaction, { id: merchantId, ...given });
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
  keepBalance: {
    CVE: terms.keepBalances.CVE?.toString() ?? null,
    AOA: terms.keepBalances.AOA?.toString() ?? null,
  },
});
