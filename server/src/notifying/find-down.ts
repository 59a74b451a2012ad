import type { Queryable } from '../postgres/database.ts';
import { rowsQuery } from '../postgres/query.ts';

const downStatement = rowsQuery<{ operator: string }, []>({
  name: 'notices.operators_down',
  text: `
SELECT DISTINCT unnest(operators_down) AS operator
FROM running_processes WHERE seen_at > now() - interval '3 minutes' ORDER BY operator`,
});

/** The operators from which a running process gets no answer, as it said with its last heartbeat. */
export async function findDown(database: Queryable): Promise<string[]> {
  return (await downStatement(database)).map(({ operator }) => operator);
}
