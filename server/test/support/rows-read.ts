import type { Queryable } from '../../src/platform/postgres/database.ts';

interface Plan {
  'Node Type': string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

/**
 * Runs a query, and returns how many rows its statements read from tables and indexes, including
 * filtered rows.
 */
export async function rowsRead(
  database: Queryable,
  run: (watched: Queryable) => Promise<unknown>,
): Promise<number> {
  let read = 0;
  await run({
    async query<Row>(statement: { text: string }, values?: readonly unknown[]) {
      const text = `EXPLAIN (ANALYZE, TIMING off, FORMAT JSON) ${statement.text}`;
      const [row] = await database.query<{ 'QUERY PLAN': { Plan: Plan }[] }>({ text }, values);
      read += readBy(row!['QUERY PLAN'][0]!.Plan);
      return database.query<Row>({ text: statement.text }, values);
    },
  });
  return read;
}

function readBy(plan: Plan): number {
  const isScan =
    plan['Node Type'].endsWith('Scan') && !/CTE|Subquery|Function/.test(plan['Node Type']);
  const own = (plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0)) * plan['Actual Loops'];
  const beneath = (plan.Plans ?? []).reduce((sum, each) => sum + readBy(each), 0);
  return beneath + (isScan ? own : 0);
}
