import type {
  PayoutAccount,
  PayoutFormat,
  PayoutSettings,
} from '../../platform/config/payout-account.ts';
import { invalidState } from '../../platform/errors/errors.ts';
import { wallClock } from '../../platform/values/local-day.ts';
import { type Currency, timeZoneOf } from '../../platform/values/money.ts';
import type { BankAccount } from '../../tenants/merchants/bank-account.ts';
import { pain001 } from './pain001.ts';
import { payoutCsv } from './payout-csv.ts';
import type { Settlement } from './settlement.ts';

/** A settlement with the account that it goes to; null if the merchant had none at the cut. */
export type Payable = Settlement & { bankAccount: BankAccount | null };

/** The data of a payout order. It is always the same, whenever and in whichever format it is written. */
export interface PayoutOrder {
  payable: Payable;
  /**
   * By which the bank recognises a repeated payout: the same for every message, order and transfer. At most 35
   * characters.
   */
  reference: string;
  madeAtMs: number;
  /** The date of that in the zone of the currency: `2026-11-21`. */
  day: string;
  /** The gateway's own account; null if none is configured. */
  debtor: PayoutAccount | null;
}

const extensions: Record<PayoutFormat, string> = { csv: 'csv', 'pain.001': 'xml' };
const writers: Record<PayoutFormat, (order: PayoutOrder) => string> = {
  csv: payoutCsv,
  'pain.001': pain001,
};

/** Names the file of an order; the reference fixes the format for ever. */
export const payoutReference = (name: string, format: PayoutFormat) =>
  `${name}.${extensions[format]}`;

const formatOf = (payoutRef: string): PayoutFormat =>
  payoutRef.endsWith(`.${extensions['pain.001']}`) ? 'pain.001' : 'csv';

/** The reference in the transfer itself, which both banks' statements show. Banks accept no underscores. */
export const transferReference = (payoutRef: string) =>
  payoutRef.replace(/\.[a-z]+$/, '').replaceAll('_', '-');

/** The order of a payout as a file. */
export interface PayoutFile {
  fileName: string;
  format: PayoutFormat;
  content: string;
}

/**
 * Writes the order of a payout that is on its way, or was.
 * @param asked if absent, the format in which the payout was handed over
 * @throws INVALID_STATE data is missing
 */
export function payoutFile(
  payable: Payable,
  { accounts }: Pick<PayoutSettings, 'accounts'>,
  asked?: PayoutFormat,
): PayoutFile {
  const { payoutRef, processedAtMs, currency } = payable;
  if (payoutRef === null || processedAtMs === null) {
    throw invalidState('Its order for the bank is not written yet.');
  }
  const format = asked ?? formatOf(payoutRef);
  const name = payoutRef.replace(/\.[a-z]+$/, '');
  const timeZone = timeZoneOf[currency as Currency];
  const content = writers[format]({
    payable,
    reference: transferReference(payoutRef),
    madeAtMs: processedAtMs,
    day: wallClock(processedAtMs, timeZone).slice(0, 10),
    debtor: accounts[currency as Currency] ?? null,
  });
  return { fileName: payoutReference(name, format), format, content };
}
