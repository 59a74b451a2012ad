import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { operatorNames } from '../../platform/config/operator-catalogue.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import { type Database, type Queryable, timestamp } from '../../platform/postgres/database.ts';
import type { Fee } from '../../platform/values/fee.ts';
import { formatId } from '../../platform/values/ids.ts';
import {
  type MerchantTerms,
  requireActive,
  standardTerms,
} from '../../platform/values/merchant-terms.ts';

/** The terms, to add to a statement that runs anyway: another statement per payment would cost too much. */
export const termsColumns = `
  m.suspended_at AS "suspendedAtMs", m.fees AS "agreedFees", m.max_payment_minor AS "mostPerPaymentMinor",
  m.disbursements_allowed AS "disbursementsAllowed", m.max_disbursement_minor AS "mostPerDisbursementMinor",
  m.max_disbursed_per_day_minor AS "mostDisbursedPerDayMinor",
  m.max_disbursed_per_wallet_and_day_minor AS "mostDisbursedPerWalletAndDayMinor",
  m.keep_balances AS "keepBalances"`;

export interface StoredTerms {
  suspendedAtMs: number | null;
  agreedFees: Record<string, { basisPoints: number; fixedMinor: string }>;
  mostPerPaymentMinor: bigint | null;
  disbursementsAllowed: boolean;
  mostPerDisbursementMinor: bigint | null;
  mostDisbursedPerDayMinor: bigint | null;
  mostDisbursedPerWalletAndDayMinor: bigint | null;
  keepBalances: Record<string, string>;
}

export const termsOf = ({
  suspendedAtMs,
  agreedFees,
  mostPerPaymentMinor,
  ...stored
}: StoredTerms): MerchantTerms => ({
  suspendedAtMs,
  fees: Object.fromEntries(
    Object.entries(agreedFees).map(([operator, { basisPoints, fixedMinor }]) => [
      operator,
      { basisPoints, fixedMinor: BigInt(fixedMinor) },
    ]),
  ),
  maxPaymentMinor: mostPerPaymentMinor,
  disbursements: {
    isAllowed: stored.disbursementsAllowed,
    maxMinor: stored.mostPerDisbursementMinor,
    maxPerDayMinor: stored.mostDisbursedPerDayMinor,
    maxPerWalletAndDayMinor: stored.mostDisbursedPerWalletAndDayMinor,
    keepBalances: Object.fromEntries(
      Object.entries(stored.keepBalances).map(([currency, minor]) => [currency, BigInt(minor)]),
    ),
  },
});

export async function findTerms(
  database: Queryable,
  merchantId: string,
): Promise<MerchantTerms | undefined> {
  const text = `SELECT ${termsColumns} FROM merchants m WHERE m.id = $1`;
  return (await database.query<StoredTerms>({ text }, [merchantId])).map(termsOf)[0];
}

/**
 * The terms, which do not change until the transaction ends.
 * @throws FORBIDDEN the merchant is suspended
 */
export async function requireActiveMerchant(
  transaction: Queryable,
  merchantId: string,
): Promise<MerchantTerms> {
  const text = `SELECT ${termsColumns} FROM merchants m WHERE m.id = $1 FOR SHARE`;
  const [stored] = await transaction.query<StoredTerms>({ text }, [merchantId]);
  const terms = stored ? termsOf(stored) : standardTerms;
  requireActive(terms);
  return terms;
}

/** New terms; omitted ones stay. */
export interface TermsChange {
  fees?: Readonly<Record<string, Fee>>;
  maxPaymentMinor?: bigint | null;
}

/** A fee above the whole amount must be a mistake. */
const mostBasisPoints = 10_000;
const largestMinor = 10n ** 15n;

/**
 * Changes a merchant's fees or limits for future payments, in every process within 5 seconds.
 * @throws NOT_FOUND the merchant
 * @throws VALIDATION_ERROR fees, or maxPayment
 */
export function changeTerms(
  dependencies: Administration & { database: Database },
  merchantId: string,
  change: TermsChange,
): Promise<void> {
  const fees = change.fees && storedFees(change.fees);
  const { maxPaymentMinor } = change;
  if (maxPaymentMinor != null && (maxPaymentMinor <= 0n || maxPaymentMinor > largestMinor)) {
    throw invalid('maxPayment', 'must be above 0');
  }
  return dependencies.database.transaction(async (transaction) => {
    const before = await lockTerms(transaction, merchantId);
    const after: StoredTerms = {
      ...before,
      ...(fees !== undefined && { agreedFees: fees }),
      ...(maxPaymentMinor !== undefined && { mostPerPaymentMinor: maxPaymentMinor }),
    };
    const text = 'UPDATE merchants SET fees = $2, max_payment_minor = $3 WHERE id = $1';
    const { agreedFees, mostPerPaymentMinor } = after;
    const limit = mostPerPaymentMinor?.toString() ?? null;
    await transaction.query({ text }, [merchantId, JSON.stringify(agreedFees), limit]);
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: 'merchant.terms_changed',
      subject: formatId('me', merchantId),
      before: termsView(before),
      after: termsView(after),
    });
  });
}

/**
 * Suspends or reactivates a merchant, in every process within 5 seconds. Payments in progress continue.
 * @returns false if nothing changed
 * @throws NOT_FOUND the merchant
 */
export function suspendMerchant(
  dependencies: Administration & { database: Database },
  merchantId: string,
  isSuspended: boolean,
): Promise<boolean> {
  return dependencies.database.transaction(async (transaction) => {
    const before = await lockTerms(transaction, merchantId);
    if ((before.suspendedAtMs !== null) === isSuspended) return false;
    const atMs = isSuspended ? dependencies.clock.nowMs() : null;
    const text = 'UPDATE merchants SET suspended_at = $2 WHERE id = $1';
    await transaction.query({ text }, [merchantId, timestamp(atMs)]);
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: isSuspended ? 'merchant.suspended' : 'merchant.resumed',
      subject: formatId('me', merchantId),
    });
    return true;
  });
}

async function lockTerms(transaction: Queryable, merchantId: string): Promise<StoredTerms> {
  const text = `SELECT ${termsColumns} FROM merchants m WHERE m.id = $1 FOR UPDATE`;
  const [terms] = await transaction.query<StoredTerms>({ text }, [merchantId]);
  if (!terms) throw notFound('merchant');
  return terms;
}

function storedFees(fees: Readonly<Record<string, Fee>>): StoredTerms['agreedFees'] {
  const stored = Object.entries(fees).map(([operator, { basisPoints, fixedMinor }]) => {
    const isKnown = operator === 'ALL' || operatorNames.some((name) => name === operator);
    if (!isKnown) throw invalid('fees', 'must name operators, or ALL');
    const isShare =
      Number.isInteger(basisPoints) && basisPoints >= 0 && basisPoints <= mostBasisPoints;
    if (!isShare || fixedMinor < 0n || fixedMinor > largestMinor) {
      throw invalid('fees', 'must be 0 to 10000 basis points and a fixed part of at least 0');
    }
    return [operator, { basisPoints, fixedMinor: fixedMinor.toString() }] as const;
  });
  return Object.fromEntries(stored);
}

const termsView = ({ agreedFees, mostPerPaymentMinor }: StoredTerms) => ({
  fees: agreedFees,
  maxPayment: mostPerPaymentMinor?.toString() ?? null,
});
