import { formatMajor } from '../../src/platform/formats/display-format.ts';
import type { SimulatedTransaction } from '../operator-torture/simulator-process.ts';

const statusOf = { completed: 'COMPLETED', pending: 'PENDING', failed: 'FAILED' } as const;

/** The statement that the operator would send for these transactions (docs/reconciliation.md). */
export function statementOf(
  transactions: readonly SimulatedTransaction[],
  completedAt: string,
): string {
  const rows = transactions.map((one) =>
    [
      one.transactionReference,
      one.requestingOrganisationTransactionReference,
      one.type === 'merchantpay' ? 'DEBIT' : 'REVERSAL',
      formatMajor(BigInt(one.amountMinor)),
      one.currency,
      statusOf[one.transactionStatus],
      completedAt,
    ].join(','),
  );
  const columns = 'transaction_id,reference,type,amount,currency,status,completed_at';
  return [columns, ...rows, ''].join('\n');
}
