import { rowsQuery } from '../../platform/postgres/query.ts';

/** Records that an operator, or someone who knew the address, called back; not what the callback said. */
export interface ReceivedCallback {
  kind: 'DEBIT' | 'REFUND' | 'REVERSAL';
  /** Whether the callback was authenticated. */
  authenticated: boolean;
  createdAtMs: number;
}

/** The operator's callbacks about a payment, its refunds and its reversals, oldest first. */
export const wordsReceived = rowsQuery<
  ReceivedCallback,
  [tenantId: string, operator: string, references: readonly string[]]
>({
  name: 'operator_callbacks.of_references',
  text: `
SELECT kind, authenticated, received_at AS "createdAtMs" FROM operator_callbacks
WHERE tenant_id = $1 AND operator = $2 AND reference = ANY ($3::uuid[])
ORDER BY received_at, reference LIMIT 100`,
});
