import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import type { PayoutFormat, PayoutSettings } from '../../platform/config/payout-account.ts';
import { invalidState } from '../../platform/errors/errors.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';
import { findAccount } from '../../tenants/merchants/bank-account-store.ts';
import { type Payable, type PayoutFile, payoutFile } from './payout-order.ts';
import type { Settlement } from './settlement.ts';

/**
 * A settlement with the bank account at its cut.
 * @throws Error not found
 */
export async function withAccount(database: Queryable, settlement: Settlement): Promise<Payable> {
  const { merchantId, bankAccountId } = settlement;
  if (bankAccountId === null) return { ...settlement, bankAccount: null };
  const bankAccount = await findAccount(database, merchantId, bankAccountId);
  if (!bankAccount) throw new Error('the bank account of the settlement is not there');
  return { ...settlement, bankAccount };
}

/**
 * The payout order for the bank, rewritten from stored data: the same references, account and amount in any format.
 * The download is audited.
 * @throws INVALID_STATE it is not under way, or was taken back; or data is missing
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
