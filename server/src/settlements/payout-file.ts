import { mkdir, open, rename, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { csvLine } from '../formats/csv.ts';
import { notFormula } from '../formats/sheet.ts';
import { formatId } from '../ids.ts';
import type { BankAccount } from '../merchants/bank-account.ts';
import { syncFolder } from '../sync-folder.ts';
import type { Settlement } from './settlement.ts';

/** A settlement with the account that it goes to; null where the merchant had none at the cut. */
export type Payable = Settlement & { bankAccount: BankAccount | null };

/** Tells the bank to pay a settlement out. Told again under the same reference, it changes nothing. */
export interface Payout {
  /** How the payout of a settlement is called at the bank; known before it is asked for. */
  referenceOf(settlement: Settlement, mode: 'live' | 'test'): string;
  /**
   * @param mayCount is to be asked right before the payout begins to count
   * @throws Error unless it was handed over
   */
  pay(payable: Payable, reference: string, mayCount: () => boolean): Promise<void>;
  /** It does not count: gives the name that it has now; undefined if there was nothing to take back. */
  withdraw(reference: string): Promise<string | undefined>;
}

const columns =
  'settlement,merchant,currency,net_amount,gross_amount,fees,refunds,items,period_start,period_end,holder,account,bic';

/** A CSV for the bank, one file for each settlement, in a folder of DATA_DIR; amounts in major units. */
export function csvPayout(folder: string): Payout {
  let count = 0;
  return {
    referenceOf: ({ id }, mode) => `${mode === 'test' ? 'test-' : ''}${formatId('se', id)}.csv`,
    async pay(payable, reference, mayCount) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, reference);
      // Whole or not at all: a bank must never read half a file, and several may write it at once.
      const unfinished = `${path}.${hostname()}-${process.pid}-${++count}.new`;
      try {
        await writeThrough(unfinished, `${columns}\n${rowOf(payable)}`);
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
      // Not a .csv any more: a bank may take whatever is one.
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

function rowOf({ bankAccount, ...settlement }: Payable): string {
  return csvLine([
    formatId('se', settlement.id),
    formatId('me', settlement.merchantId),
    settlement.currency,
    majorUnits(settlement.netMinor),
    majorUnits(settlement.grossMinor),
    majorUnits(settlement.feeMinor),
    majorUnits(settlement.refundMinor),
    settlement.itemCount.toString(),
    new Date(settlement.periodStartMs).toISOString(),
    new Date(settlement.periodEndMs).toISOString(),
    notFormula(bankAccount?.holder ?? ''),
    bankAccount?.accountNumber ?? '',
    bankAccount?.bic ?? '',
  ]);
}

/** Both currencies have two minor digits (ISO 4217). */
function majorUnits(amountMinor: bigint): string {
  const sign = amountMinor < 0n ? '-' : '';
  const digits = (amountMinor < 0n ? -amountMinor : amountMinor).toString().padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
