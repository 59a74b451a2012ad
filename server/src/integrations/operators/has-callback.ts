import type { Queryable } from '../../platform/postgres/database.ts';
import { prepare } from '../../platform/postgres/statement.ts';

const calledBack = prepare({
  name: 'operator_callbacks.called_back',
  given: { tenantId: 'uuid', operator: 'text', id: 'uuid' },
  text: (given) => `
SELECT 1 AS one FROM operator_callbacks
WHERE tenant_id = ${given.tenantId} AND operator = ${given.operator} AND reference = ${given.id}
LIMIT 1`,
});

/** Whether the operator, or a stranger with the address, ever called back about this request of ours. */
export async function isCalledBack(
  database: Queryable,
  request: { tenantId: string; operator: string; id: string },
): Promise<boolean> {
  return (await calledBack.run(database, request)).length > 0;
}
