import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { writeNotices } from '../../platform/notices/write.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { type FourEyes, requireNoApproval } from '../../platform/values/four-eyes.ts';
import { formatId } from '../../platform/values/ids.ts';
import {
  type AccountDetails,
  type BankAccount,
  checkAccount,
  isSameAccount,
  maskedAccount,
} from './bank-account.ts';
import { findCurrentAccount, lockMerchant, replaceAccount } from './bank-account-store.ts';

/**
 * Changes the account for a merchant's future payouts. Existing settlements keep theirs.
 * @returns the current account; the previous one if nothing differs
 * @throws FORBIDDEN (ApprovalNeeded) a second person has to agree
 * @throws NOT_FOUND the merchant
 * @throws VALIDATION_ERROR names the field
 */
export async function changeBankAccount(
  dependencies: Administration & { database: Database; fourEyes: FourEyes },
  merchantId: string,
  typed: Parameters<typeof checkAccount>[0],
): Promise<BankAccount> {
  requireNoApproval(dependencies.fourEyes, 'bank-accounts');
  const details = checkAccount(typed);
  return dependencies.database.transaction((transaction) =>
    writeBankAccount(transaction, dependencies, merchantId, details),
  );
}

/** The same in a transaction, after approval. */
export async function writeBankAccount(
  transaction: Queryable,
  dependencies: Administration,
  merchantId: string,
  details: AccountDetails,
): Promise<BankAccount> {
  await lockMerchant(transaction, merchantId);
  const before = await findCurrentAccount(transaction, merchantId, details.currency);
  if (before && isSameAccount(before, details)) return before;
  const nowMs = dependencies.clock.nowMs();
  const account: BankAccount = {
    ...details,
    merchantId,
    id: dependencies.ids.next(nowMs),
    validFromMs: nowMs,
    validUntilMs: null,
  };
  await replaceAccount(transaction, account);
  await writeAuditRecord(transaction, dependencies, {
    tenantId: null,
    action: 'merchant.bank_account_changed',
    subject: formatId('me', merchantId),
    ...(before && { before: recorded(before) }),
    after: recorded(account),
  });
  await noticeChange(transaction, account);
  return account;
}

/** Notifies the merchant's people: an intruder on the staff's page could redirect their money. */
async function noticeChange(transaction: Queryable, account: BankAccount): Promise<void> {
  const { id, merchantId, currency, validFromMs } = account;
  const text = `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'live'`;
  const tenants = await transaction.query<{ id: string }>({ text }, [merchantId]);
  const change = { kind: 'BANK_ACCOUNT_CHANGED', subject: id, detail: { currency } } as const;
  await writeNotices(
    transaction,
    tenants.map((tenant) => ({ ...change, tenantId: tenant.id, atMs: validFromMs })),
  );
}

/** The id leads to the row with the other details, which stays. */
const recorded = (account: BankAccount) => ({
  id: formatId('ba', account.id),
  ...maskedAccount(account),
});
