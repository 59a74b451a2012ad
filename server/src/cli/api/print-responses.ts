import type {
  CheckoutSession,
  Statement,
  ZimboEvent,
} from '../../../../sdk/typescript/src/index.ts';
import { formatAmount, printFields, printTable } from '../output.ts';
import { printItem } from './print-items.ts';
import { qrCode } from './qr-code.ts';

/** An event, then its object. */
export function printEvent(event: ZimboEvent): void {
  printFields({ Event: event.id, Type: event.type, At: event.createdAt });
  console.log('');
  printItem(event.data, {});
}

/** For a till: the customer's camera opens the link from the screen. In a file, a QR code would be useless. */
export function printSession(session: CheckoutSession): void {
  printItem(session, {});
  if (process.stdout.isTTY) console.log(`\n${qrCode(session.url)}`);
}

type Moved = Pick<
  Statement,
  'amount' | 'feeTotal' | 'refundTotal' | 'disbursementTotal' | 'payoutTotal'
>;

export function printStatement(found: Statement): void {
  const amount = (text: string, sign = 1n) => formatAmount(sign * BigInt(text), found.currency);
  // Merchants who never disburse need not read about it.
  const disburses = found.days.some(({ disbursementTotal = '0' }) => disbursementTotal !== '0');
  const moved = (of: Moved): Record<string, string> => ({
    Payments: amount(of.amount),
    Fees: amount(of.feeTotal, -1n),
    Refunds: amount(of.refundTotal, -1n),
    ...(disburses && { Disbursements: amount(of.disbursementTotal ?? '0', -1n) }),
    Payouts: amount(of.payoutTotal, -1n),
  });
  printFields({
    Statement: `${found.month}, ${found.timeZone}${found.isOver ? '' : ' (the month is not over)'}`,
    'Opening balance': amount(found.openingBalance),
    ...moved(found),
    [found.isOver ? 'Closing balance' : 'Balance so far']: amount(found.closingBalance),
  });
  if (found.days.length === 0) return;
  console.log();
  printTable(
    ['Day', ...Object.keys(moved(found)), 'Balance'].map((head) => head.toUpperCase()),
    found.days.map((day) => [day.day, ...Object.values(moved(day)), amount(day.closingBalance)]),
  );
}
