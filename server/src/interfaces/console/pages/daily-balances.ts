import type { BalanceDay, Movement } from '../../../money/ledger/daily-balances.ts';
import { amount, calendarDay } from '../parts/format.ts';
import { table } from '../parts/table.ts';
import type { MerchantContext, RequestContext } from '../request-context.ts';
import { words as allWords } from './money.words.ts';

/** The movements that every merchant has with their signs, in the order of every table and file. */
export const signed = ({ grossMinor, feeMinor, refundMinor, payoutMinor }: Movement) =>
  [grossMinor, -feeMinor, -refundMinor, -payoutMinor] as const;

/** Whether anything was disbursed on these days: otherwise a page does not speak of it. */
export const hasDisbursed = (days: readonly BalanceDay[]): boolean =>
  days.some(({ disbursementMinor }) => disbursementMinor !== 0n);

/** The days of a balance, in the given order. */
export function daysTable(
  visit: RequestContext,
  caption: string,
  currency: string,
  days: readonly BalanceDay[],
) {
  const words = allWords[visit.language];
  const cell = (minor: bigint) => (minor === 0n ? undefined : amount(visit, minor, currency));
  const heads = [words.payments, words.fees, words.refunds, words.payouts];
  const disbursed = {
    head: words.disbursements,
    isNumber: true,
    cell: ({ disbursementMinor }: BalanceDay) => cell(-disbursementMinor),
  };
  return table<BalanceDay>(
    caption,
    [
      { head: words.day, cell: ({ day }) => calendarDay(visit, day) },
      ...heads.map((head, index) => ({
        head,
        isNumber: true,
        cell: (row: BalanceDay) => cell(signed(row)[index]!),
      })),
      ...(hasDisbursed(days) ? [disbursed] : []),
      {
        head: words.balance,
        isNumber: true,
        cell: ({ closingMinor }) => amount(visit, closingMinor, currency),
      },
    ],
    days,
  );
}

/** The currency of the address, if the merchant has it; otherwise the first. */
export function chosenCurrency(visit: MerchantContext, currencies: readonly string[]): string {
  const asked = visit.query.get('currency');
  return currencies.find((each) => each === asked) ?? currencies[0] ?? visit.ownCurrency ?? 'CVE';
}
