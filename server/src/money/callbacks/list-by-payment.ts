import { rowsQuery } from '../../platform/postgres/query.ts';

/** That an operator, or somebody who knew the address, has sent word; not what it said. */
export interface ReceivedWord {
  kind: 'DEBIT' | 'REFUND' | 'REVERSAL';
  /** It has proved to be the operator's. */
  authenticated: boolean;
  createdAtMs: number;
}

/** What an operator has sent about a payment, its refunds and its reversals, oldest first. */
export const wordsReceived = rowsQuery<
  ReceivedWord,
  [tenantId: string, operator: string, references: readonly string[]]
>({
  name: 'operator_callbacks.of_references',
  text: `
SELECT kind, authenticated, received_at AS "createdAtMs" FROM operator_callbacks
WHERE tenant_id = $1 AND operator = $2 AND reference = ANY ($3::uuid[])
ORDER BY received_at, reference LIMIT 100`,
});
