import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import type { PayoutFormat, PayoutSettings } from '../../platform/config/payout-account.ts';
import { invalidState } from '../../platform/errors/errors.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { findAccount } from '../../tenants/merchants/bank-account-store.ts';
import { type Payable, type PayoutFile, payoutFile } from './payout-order.ts';
import type { Settlement } from './settlement.ts';

/**
 * A settlement with the account of its cut.
 * @throws Error it is not there
 */
export async function withAccount(database: Queryable, settlement: Settlement): Promise<Payable> {
  const { merchantId, bankAccountId } = settlement;
  if (bankAccountId === null) return { ...settlement, bankAccount: null };
  const bankAccount = await findAccount(database, merchantId, bankAccountId);
  if (!bankAccount) throw new Error('the bank account of the settlement is not there');
  return { ...settlement, bankAccount };
}

/**
 * The order for the bank, written anew from what is stored: the same references, account and amount, in whichever
 * format. There is a record of who took it.
 * @throws INVALID_STATE it is not under way, or was taken back; or what it lacks
 */
export async function downloadPayout(
  dependencies: Administration & { database: Database; payouts: PayoutSettings },
  seen: Settlement,
  format?: PayoutFormat,
): Promise<PayoutFile> {
  const { database, payouts } = dependencies;
  if (seen.status !== 'PROCESSING' && seen.status !== 'COMPLETED') {
    throw invalidState(
      seen.status === 'FAILED'
        ? 'This settlement has FAILED: its order was taken back, and its money is in another one.'
        : 'Its order for the bank is not written yet.',
    );
  }
  const file = payoutFile(await withAccount(database, seen), payouts, format);
  await writeAuditRecord(database, dependencies, {
    tenantId: seen.tenantId,
    action: 'settlement.order_downloaded',
    subject: formatId('se', seen.id),
    detail: { format: file.format },
  });
  return file;
}
