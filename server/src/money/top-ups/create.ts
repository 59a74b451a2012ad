import { canonicalName, isName } from '../../integrations/operators/transaction-ids.ts';
import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { type DomainError, invalid, invalidState, notFound } from '../../platform/errors/errors.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { prepare } from '../../platform/postgres/statement.ts';
import { type FourEyes, requireNoApproval } from '../../platform/values/four-eyes.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { Currency } from '../../platform/values/money.ts';
import { findTenant } from '../../tenants/merchants/store.ts';
import { appendPostings, newPostings, postingRows } from '../ledger/append.ts';
import { topUpPosting } from '../ledger/postings.ts';

/** What was paid into our bank account for a merchant's balance. */
export interface TopUp {
  tenantId: string;
  id: string;
  currency: Currency;
  amountMinor: bigint;
  /** What the bank's statement says, in capitals. */
  bankReference: string;
  /** The person or key, as the audit log names it. */
  createdBy: string;
  createdAtMs: number;
}

const largestMinor = 10n ** 15n;
const longestReference = 140;

// The reference is unique: a transfer that was booked before is not booked again.
const createStatement = prepare({
  name: 'top_ups.create',
  given: {
    tenantId: 'uuid',
    id: 'uuid',
    currency: 'text',
    amountMinor: 'bigint',
    bankReference: 'text',
    createdBy: 'text',
    createdAtMs: 'timestamptz',
    postings: postingRows,
  },
  text: (given) => `
WITH made AS (
  INSERT INTO top_ups (tenant_id, id, currency, amount_minor, bank_reference, created_by, created_at)
  VALUES (${given.tenantId}, ${given.id}, ${given.currency}, ${given.amountMinor}, ${given.bankReference},
    ${given.createdBy}, ${given.createdAtMs})
  ON CONFLICT (currency, bank_reference) DO NOTHING
  RETURNING tenant_id, id
),
${newPostings(given.postings, 'made')},
${appendPostings}
SELECT id FROM made`,
});

/** A transfer as the bank's statement shows it. */
export type TopUpDetails = Pick<TopUp, 'currency' | 'amountMinor' | 'bankReference'>;

/**
 * Checks a transfer that somebody typed.
 * @throws VALIDATION_ERROR names the field
 */
export function checkTopUp({ currency, amountMinor, ...given }: TopUpDetails): TopUpDetails {
  const bankReference = referenceIn(given.bankReference);
  if (amountMinor <= 0n || amountMinor > largestMinor) {
    throw invalid('amount', `must be 1 to ${largestMinor}, in centavos`);
  }
  if (!isName(bankReference) || bankReference.length > longestReference) {
    const rule = `must have 1 to ${longestReference} characters, all of which can be seen`;
    throw invalid('bankReference', rule);
  }
  return { currency, amountMinor, bankReference };
}

/** The one spelling of a reference: people type it from a statement, and what looks the same is the same transfer. */
const referenceIn = (typed: string): string =>
  canonicalName(typed.normalize('NFKC').trim().replace(/\s+/g, ' ')).toUpperCase();

const bookedStatement = {
  name: 'top_ups.find_booked',
  text: `SELECT FROM top_ups WHERE currency = $1 AND bank_reference = $2`,
};

/** Whether a transfer is booked already, for any merchant. */
export async function isBooked(
  database: Queryable,
  { currency, bankReference }: Pick<TopUp, 'currency' | 'bankReference'>,
): Promise<boolean> {
  return (await database.query(bookedStatement, [currency, bankReference])).length > 0;
}

/** The refusal of a transfer that is booked already. */
export const bookedAlready = ({ bankReference }: Pick<TopUp, 'bankReference'>): DomainError =>
  invalidState(`The transfer ${bankReference} is booked already.`);

/**
 * Books a transfer from the bank's statement for the balance of a merchant's live mode. A transfer is known by its
 * reference, so repeating the request books nothing twice.
 * @throws FORBIDDEN (ApprovalNeeded) a second person has to agree
 * @throws NOT_FOUND the merchant
 * @throws VALIDATION_ERROR names the field
 * @throws INVALID_STATE the reference is booked already
 */
export async function createTopUp(
  dependencies: Administration & { database: Database; fourEyes: FourEyes },
  merchantId: string,
  given: TopUpDetails,
): Promise<TopUp> {
  const { database, fourEyes } = dependencies;
  requireNoApproval(fourEyes, 'top-ups');
  const details = checkTopUp(given);
  const tenant = await findTenant(database, merchantId, 'live');
  if (!tenant) throw notFound('merchant');
  const of = { tenantId: tenant.id, merchantId };
  return database.transaction((transaction) => writeTopUp(transaction, dependencies, of, details));
}

/** The same in a transaction, after approval. @throws INVALID_STATE the reference is booked already */
export async function writeTopUp(
  transaction: Queryable,
  dependencies: Administration,
  { tenantId, merchantId }: { tenantId: string; merchantId: string },
  details: TopUpDetails,
): Promise<TopUp> {
  const { clock, ids, actor: createdBy = 'system' } = dependencies;
  const createdAtMs = clock.nowMs();
  const id = ids.next(createdAtMs);
  const topUp = { ...details, tenantId, id, createdBy, createdAtMs };
  const postings = [topUpPosting(topUp)];
  const made = await createStatement.run(transaction, { ...topUp, postings });
  if (made.length === 0) throw bookedAlready(details);
  const { amountMinor, ...recorded } = details;
  await writeAuditRecord(transaction, dependencies, {
    tenantId,
    action: 'balance.topped_up',
    subject: formatId('me', merchantId),
    detail: { topUp: formatId('tu', id), ...recorded, amountMinor: amountMinor.toString() },
  });
  return topUp;
}
