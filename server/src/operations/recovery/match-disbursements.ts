import type { AccountTransaction } from '../../integrations/operators/adapter.ts';
import type { OperatorName } from '../../integrations/operators/operator.ts';
import { uuidArray } from '../../platform/postgres/arrays.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import type { Outcome, Tally } from './outcomes.ts';

const statement = {
  name: 'disbursements.known_references',
  text: `
SELECT d.reference FROM tenants t JOIN disbursements d ON d.tenant_id = t.id
WHERE t.mode = 'live' AND d.operator = $1 AND d.reference = ANY ($2::uuid[])`,
};

const outcomes: Record<AccountTransaction['status'], Outcome> = {
  SUCCEEDED: 'KNOWN',
  UNREADABLE: 'KNOWN',
  FAILED: 'NOTHING',
  OPEN: 'OPEN',
};

/**
 * Counts our own disbursements, which their reference explains, and returns the other transactions. A disbursement that
 * our records lack is of another kind, like any payout.
 */
export async function withoutDisbursements(
  { database, operator }: { database: Queryable; operator: OperatorName },
  chunk: readonly AccountTransaction[],
  tally: Tally,
): Promise<AccountTransaction[]> {
  const references = chunk.flatMap(({ kind, reference }) =>
    kind === 'DISBURSEMENT' && reference !== null ? reference : [],
  );
  const values = [operator, uuidArray(references)];
  const rows =
    references.length === 0 ? [] : await database.query<{ reference: string }>(statement, values);
  const ours = new Set(rows.map(({ reference }) => reference));
  return chunk.flatMap((each) => {
    if (each.kind !== 'DISBURSEMENT') return each;
    if (!ours.has(each.reference ?? '')) return { ...each, kind: 'OTHER', type: 'disbursement' };
    tally.add(each, outcomes[each.status]);
    return [];
  });
}
