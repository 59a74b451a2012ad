import { notFound } from '../../platform/errors/errors.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { rowQuery, rowsQuery } from '../../platform/postgres/query.ts';
import { prepare, table } from '../../platform/postgres/statement.ts';
import type { BankAccount } from './bank-account.ts';

const accounts = table<BankAccount>({
  merchantId: 'uuid',
  id: 'uuid',
  currency: 'text',
  accountNumber: 'text',
  holder: 'text',
  bic: 'text',
  validFromMs: 'timestamptz',
  validUntilMs: 'timestamptz',
});
const { columns } = accounts;
const newAccounts = accounts.rowsWithout('validUntilMs');

const endStatement = prepare({
  name: 'bank_accounts.end',
  given: { merchantId: 'uuid', currency: 'text', atMs: 'timestamptz' },
  text: ({ merchantId, currency, atMs }) => `
UPDATE bank_accounts SET valid_until = ${atMs}
WHERE merchant_id = ${merchantId} AND currency = ${currency} AND valid_until IS NULL`,
});

const insertStatement = prepare({
  name: 'bank_accounts.insert',
  given: { accounts: newAccounts },
  text: (given) => `
INSERT INTO bank_accounts (${newAccounts.names}) SELECT ${newAccounts.names} FROM ${given.accounts}`,
});

/**
 * Locks the merchant's accounts until the transaction ends.
 * @throws NOT_FOUND the merchant
 */
export async function lockMerchant(transaction: Queryable, merchantId: string): Promise<void> {
  const text = 'SELECT id FROM merchants WHERE id = $1 FOR NO KEY UPDATE';
  if ((await transaction.query({ text }, [merchantId])).length === 0) throw notFound('merchant');
}

/** Makes the account current and ends the previous one. The caller must hold the lock on the merchant's row. */
export async function replaceAccount(transaction: Queryable, account: BankAccount): Promise<void> {
  const { merchantId, currency, validFromMs } = account;
  await endStatement.run(transaction, { merchantId, currency, atMs: validFromMs });
  await insertStatement.run(transaction, { accounts: [account] });
}

/** The current account; undefined without one. */
export const findCurrentAccount = rowQuery<BankAccount, [merchantId: string, currency: string]>({
  name: 'bank_accounts.current',
  text: `SELECT ${columns} FROM bank_accounts WHERE merchant_id = $1 AND currency = $2 AND valid_until IS NULL`,
});

export const findAccount = rowQuery<BankAccount, [merchantId: string, id: string]>({
  name: 'bank_accounts.find',
  text: `SELECT ${columns} FROM bank_accounts WHERE merchant_id = $1 AND id = $2`,
});

/** The current accounts, at most one for each currency. */
export const listCurrentAccounts = rowsQuery<BankAccount, [merchantId: string]>({
  name: 'bank_accounts.list_current',
  text: `SELECT ${columns} FROM bank_accounts WHERE merchant_id = $1 AND valid_until IS NULL ORDER BY currency DESC`,
});

const listStatement = {
  name: 'bank_accounts.list',
  text: `
SELECT ${columns} FROM bank_accounts WHERE merchant_id = $1 AND ($2::uuid IS NULL OR id < $2)
ORDER BY id DESC LIMIT $3`,
};

/** All accounts a merchant ever had, newest first. One row beyond the limit shows that there are more. */
export function listAccounts(
  database: Queryable,
  merchantId: string,
  page: { limit: number; startingAfter?: string | undefined },
): Promise<BankAccount[]> {
  const values = [merchantId, page.startingAfter ?? null, page.limit + 1];
  return database.query<BankAccount>(listStatement, values);
}
