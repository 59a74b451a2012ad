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

export function printStatement(found: Statement): void {
  const amount = (text: string, sign = 1n) => formatAmount(sign * BigInt(text), found.currency);
  const moved = (of: Pick<Statement, 'amount' | 'feeTotal' | 'refundTotal' | 'payoutTotal'>) => [
    amount(of.amount),
    amount(of.feeTotal, -1n),
    amount(of.refundTotal, -1n),
    amount(of.payoutTotal, -1n),
  ];
  const [payments, fees, refunds, payouts] = moved(found) as [string, string, string, string];
  printFields({
    Statement: `${found.month}, ${found.timeZone}${found.isOver ? '' : ' (the month is not over)'}`,
    'Opening balance': amount(found.openingBalance),
    Payments: payments,
    Fees: fees,
    Refunds: refunds,
    Payouts: payouts,
    [found.isOver ? 'Closing balance' : 'Balance so far']: amount(found.closingBalance),
  });
  if (found.days.length === 0) return;
  console.log();
  printTable(
    ['DAY', 'PAYMENTS', 'FEES', 'REFUNDS', 'PAYOUTS', 'BALANCE'],
    found.days.map((day) => [day.day, ...moved(day), amount(day.closingBalance)]),
  );
}
