import pg from 'pg';
import { StartError } from '../../../platform/errors/start-error.ts';
import { givingWay, type Patience } from '../../../platform/postgres/lock-timeouts.ts';
import { primaryUrlOf } from '../../../platform/postgres/primary.ts';
import type { Owner } from './catalog.ts';
import type { Mark, Run } from './marks.ts';

/*
 * What a run adds to the tables of a cell for as long as it lasts: the check of writes (triggers.ts), and where it is
 * needed an index (indexes.ts).
 */

/** Tables wait behind such a change, as they do behind a migration: so it gives way sooner than that. */
export const patience: Patience = {
  lockMs: 1_200,
  intervalsMs: [100, 200, 400, 800, 1_000, 2_000, 2_000, 4_000, 8_000, 15_000],
};

/** By the run: one that was taken for dead takes away nothing of the next. */
export const runName = ({ moveId }: Pick<Run, 'moveId'>) => `moving_${moveId.replaceAll('-', '')}`;

/**
 * In a transaction, nobody takes the mark away to its end.
 * @throws StartError where the run does not have the merchant any more
 */
export async function requireMark(
  client: pg.Client,
  schema: string,
  { merchantId, moveId, state }: Mark,
): Promise<void> {
  const text = `
SELECT FROM ${schema}.moving_merchants WHERE merchant_id = $1 AND move_id = $2 AND state = $3 FOR SHARE`;
  const { rowCount } = await client.query(text, [merchantId, moveId, state]);
  if (rowCount === 0)
    throw new StartError('Another process has taken over the move of this merchant.');
}

/** @param of which triggers and indexes: a condition of their `name`, and of `says`, what they name */
const addedText = (of: string) => `
SELECT "table", statement FROM (
  SELECT c.relname::text AS "table", t.tgname::text AS name, encode(t.tgargs, 'escape') AS says,
    format('DROP TRIGGER IF EXISTS %I ON %s', t.tgname, c.oid::regclass) AS statement
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE c.relnamespace = current_schema()::regnamespace
  UNION ALL
  SELECT c.relname::text, n.relname::text, pg_get_expr(i.indpred, i.indrelid),
    format('DROP INDEX IF EXISTS %s', n.oid::regclass)
  FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid JOIN pg_class n ON n.oid = i.indexrelid
  WHERE c.relnamespace = current_schema()::regnamespace
) AS added
WHERE starts_with(name, 'moving_') AND ${of}
ORDER BY 1, 2`;

/** Takes away what a run has added, wherever it is. The function of the check stays: others may move. */
export const dropAdded = (url: string, move: Pick<Run, 'moveId'>): Promise<void> =>
  dropWhere(url, { condition: 'starts_with(name, $1)', values: [runName(move)] });

/**
 * The same of all other runs of a merchant, which are over: a check of theirs would stop this one's rows.
 * @throws StartError if the run does not have the merchant any more
 */
export const dropOthersAdded = (
  url: string,
  { merchantId, tenantIds }: Owner,
  mark: Pick<Mark, 'moveId' | 'state'>,
): Promise<void> =>
  dropWhere(url, {
    condition: `NOT starts_with(name, $1) AND EXISTS (SELECT FROM unnest($2::text[]) AS id WHERE strpos(says, id) > 0)`,
    values: [runName(mark), [merchantId, ...tenantIds]],
    // One that was taken for dead would take away the check of the run that has the merchant now.
    confirm: (client, schema) => requireMark(client, schema, { ...mark, merchantId }),
  });

interface Dropped {
  condition: string;
  values: unknown[];
  confirm?: (client: pg.Client, schema: string) => Promise<void>;
}

function dropWhere(url: string, { condition, values, confirm }: Dropped): Promise<void> {
  return onOwnConnection(url, async (client, schema) => {
    const { rows } = await client.query<{ table: string; statement: string }>(
      addedText(condition),
      values,
    );
    for (const { table, statement } of rows) {
      const change = async () => {
        await confirm?.(client, schema);
        await client.query(statement);
      };
      await givingWay(client, `The check of ${table}`, change, { patience });
    }
  });
}

/** What waits for locks of its own accord must not wait for a connection of those who hold them. */
export async function onOwnConnection(
  url: string,
  work: (client: pg.Client, schema: string) => Promise<void>,
): Promise<void> {
  const client = new pg.Client({
    connectionString: await primaryUrlOf(url),
    connectionTimeoutMillis: 10_000,
    application_name: 'zimbo cells move',
  });
  client.on('error', () => {});
  await client.connect();
  try {
    // Elsewhere than on Citus it is a setting that nobody reads.
    await client.query('SET citus.enable_unsafe_triggers = on');
    const text = 'SELECT quote_ident(current_schema()) AS schema';
    const { rows } = await client.query<{ schema: string }>(text);
    await work(client, rows[0]!.schema);
  } finally {
    await client.end().catch(() => {});
  }
}
