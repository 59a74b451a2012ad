import type { ReportedSuccess } from '../../integrations/operators/operator.ts';
import type { Finding } from './review-item.ts';

/** A success that differs from our request, with both sides: nothing is booked, and a person must ask the operator. */
export function mismatch(
  { amountMinor, ...booked }: { amountMinor: bigint; currency: string } & Record<string, unknown>,
  { operatorTxId, ...told }: ReportedSuccess,
): Finding {
  const said = { transactionReference: operatorTxId, transactionStatus: 'succeeded', ...told };
  const ours = { ...booked, amountMinor: amountMinor.toString() };
  return { kind: 'MISMATCH', about: operatorTxId, detail: { booked: ours, told: said } };
}
