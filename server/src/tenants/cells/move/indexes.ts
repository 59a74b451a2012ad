import type pg from 'pg';
import { onOwnConnection, requireMark, runName } from './added.ts';
import { isOf, type Owner, ownersIn, type Shape } from './catalog.ts';
import type { Mark } from './marks.ts';

/** So many bytes are read from end to end within a moment. */
export const largeBytes = 128 * 1024 * 1024;

/**
 * Gives large tables in which no index finds the rows of one owner an index of this merchant's alone, for as long as the
 * run lasts: each look at them would read the whole table, and some are made while writes have stopped. An index of
 * everybody's rows would be written with every payment.
 *
 * It is made while the table is written to, after transactions that are under way. What a run that dies leaves of it is
 * dropped with the rest that it has added.
 * @param atLeastBytes from which size of a table on
 * @throws StartError if the run does not have the merchant any more
 */
export function indexOwned(
  url: string,
  shapes: readonly Shape[],
  owner: Owner,
  { atLeastBytes, ...mark }: Pick<Mark, 'moveId' | 'state'> & { atLeastBytes: number },
): Promise<void> {
  return onOwnConnection(url, async (client, schema) => {
    // Of a mover that has died, nobody would drop an index that is made afterwards.
    await client.query(`SET client_connection_check_interval = '2s'`);
    for (const shape of shapes.filter(({ isIndexed }) => !isIndexed)) {
      if ((await bytesOf(client, schema, shape)) < atLeastBytes) continue;
      const name = `${runName(mark)}_${shape.name}`;
      const columns = [shape.owner.column, ...shape.key].join(', ');
      await client.query(`
CREATE INDEX CONCURRENTLY ${name} ON ${schema}.${shape.name} (${columns}) WHERE ${isOf(shape, ownersIn(shape, owner))}`);
      // Whoever has called the run off before looked for what it had added then.
      await requireMark(client, schema, { ...mark, merchantId: owner.merchantId }).catch(
        async (error: unknown) => {
          await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${schema}.${name}`);
          throw error;
        },
      );
    }
  });
}

async function bytesOf(client: pg.Client, schema: string, { name }: Shape): Promise<number> {
  const text = 'SELECT pg_relation_size($1::regclass)::float8 AS bytes';
  return (await client.query<{ bytes: number }>(text, [`${schema}.${name}`])).rows[0]!.bytes;
}
