import { mkdir, open, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { PayoutSettings } from '../../platform/config/payout-account.ts';
import { syncFolder } from '../../platform/process/sync-folder.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { Currency } from '../../platform/values/money.ts';
import { type Payable, payoutFile, payoutReference } from './payout-order.ts';
import type { Settlement } from './settlement.ts';

/** Orders the bank to pay a settlement out. Repeated under the same reference, the order changes nothing. */
export interface Payout {
  /** The bank's reference of a settlement's payout; known before the payout is ordered. */
  referenceOf(settlement: Settlement, mode: 'live' | 'test'): string;
  /**
   * @param mayCount checked right before the payout takes effect
   * @throws Error unless it was handed over
   */
  pay(payable: Payable, reference: string, mayCount: () => boolean): Promise<void>;
  /**
   * Takes a payout back that must not take effect: returns its new name; undefined if there was nothing to take back.
   */
  withdraw(reference: string): Promise<string | undefined>;
}

/** Settings of processes that only take files back. */
const plain: PayoutSettings = { format: 'csv', accounts: {} };

/** Files for the bank, one for each settlement, in a folder of DATA_DIR. */
export function payoutFiles(folder: string, settings = plain): Payout {
  let count = 0;
  return {
    referenceOf({ id, currency, bankAccountId }, mode) {
      const name = `${mode === 'test' ? 'test-' : ''}${formatId('se', id)}`;
      // A payout that no bank will read must not wait for an account either.
      const lacksAccount = bankAccountId === null || !settings.accounts[currency as Currency];
      const format = mode === 'test' && lacksAccount ? 'csv' : settings.format;
      return payoutReference(name, format);
    },
    async pay(payable, reference, mayCount) {
      const { content } = payoutFile({ ...payable, payoutRef: reference }, settings);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, reference);
      // Written completely or not at all: a bank must never read half a file, and several processes may write the
      // same file at once.
      const unfinished = `${path}.${hostname()}-${process.pid}-${++count}.new`;
      try {
        await writeThrough(unfinished, content);
        // By now the settlement may have FAILED, and its money may be in another file.
        if (!mayCount()) throw new Error('writing the file took too long');
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished, { force: true }).catch(() => {});
        throw error;
      }
      await syncFolder(folder);
    },
    async withdraw(reference) {
      // Neither .csv nor .xml any more: a bank may read any file that ends so.
      const withdrawn = `${join(folder, reference)}.failed`;
      try {
        await rename(join(folder, reference), withdrawn);
      } catch (error) {
        if (/^(ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? ''))
          return undefined;
        throw error;
      }
      await syncFolder(folder);
      return withdrawn;
    },
  };
}

async function writeThrough(path: string, text: string): Promise<void> {
  const file = await open(path, 'w', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
