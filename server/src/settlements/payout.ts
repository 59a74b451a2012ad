import { mkdir, open, rename } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { formatId } from '../platform/ids.ts';
import { syncFolder } from '../platform/sync-folder.ts';
import type { Settlement } from './settlement.ts';

/** Tells the bank to pay a settlement out. Told again under the same reference, it changes nothing. */
export interface Payout {
  /** How the payout of a settlement is called at the bank; known before it is asked for. */
  referenceOf(settlement: Settlement, mode: 'live' | 'test'): string;
  pay(settlement: Settlement, reference: string): Promise<void>;
}

const columns =
  'settlement,merchant,currency,net_amount,gross_amount,fees,refunds,items,period_start,period_end';

/** A CSV for the bank, one file for each settlement, in a folder of DATA_DIR; amounts in major units. */
export function csvPayout(folder: string): Payout {
  return {
    referenceOf: ({ id }, mode) => `${mode === 'test' ? 'test-' : ''}${formatId('se', id)}.csv`,
    async pay(settlement, reference) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, reference);
      // Whole or not at all: a bank must never read half a file, and two processes may write it at once.
      const unfinished = `${path}.${hostname()}-${process.pid}.new`;
      const file = await open(unfinished, 'w', 0o600);
      try {
        await file.writeFile(`${columns}\n${rowOf(settlement)}\n`);
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, path);
      await syncFolder(folder);
    },
  };
}

function rowOf(settlement: Settlement): string {
  return [
    formatId('se', settlement.id),
    formatId('me', settlement.merchantId),
    settlement.currency,
    majorUnits(settlement.netMinor),
    majorUnits(settlement.grossMinor),
    majorUnits(settlement.feeMinor),
    majorUnits(settlement.refundMinor),
    settlement.itemCount,
    new Date(settlement.periodStartMs).toISOString(),
    new Date(settlement.periodEndMs).toISOString(),
  ].join(',');
}

/** Both currencies have two minor digits (ISO 4217). */
function majorUnits(amountMinor: bigint): string {
  const sign = amountMinor < 0n ? '-' : '';
  const digits = (amountMinor < 0n ? -amountMinor : amountMinor).toString().padStart(3, '0');
  return `${sign}${digits.slice(0, -2)}.${digits.slice(-2)}`;
}
