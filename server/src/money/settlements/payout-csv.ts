import { csvLine } from '../../platform/formats/csv.ts';
import { formatMajor } from '../../platform/formats/display-format.ts';
import { notFormula } from '../../platform/formats/spreadsheet.ts';
import { formatId } from '../../platform/values/ids.ts';
import type { PayoutOrder } from './payout-order.ts';

/** One payout with the fields that banks ask for; amounts in major units. Unknown fields are empty. */
export function payoutCsv({ payable, reference, day, debtor }: PayoutOrder): string {
  const { bankAccount, ...settlement } = payable;
  const columns = {
    settlement: formatId('se', settlement.id),
    merchant: formatId('me', settlement.merchantId),
    currency: settlement.currency,
    net_amount: formatMajor(settlement.netMinor),
    gross_amount: formatMajor(settlement.grossMinor),
    fees: formatMajor(settlement.feeMinor),
    refunds: formatMajor(settlement.refundMinor),
    items: settlement.itemCount.toString(),
    period_start: new Date(settlement.periodStartMs).toISOString(),
    period_end: new Date(settlement.periodEndMs).toISOString(),
    holder: notFormula(bankAccount?.holder ?? ''),
    account: bankAccount?.accountNumber ?? '',
    bic: bankAccount?.bic ?? '',
    reference,
    date: day,
    debtor: notFormula(debtor?.holder ?? ''),
    debtor_account: debtor?.accountNumber ?? '',
    debtor_bic: debtor?.bic ?? '',
  };
  return csvLine(Object.keys(columns)) + csvLine(Object.values(columns));
}
