import pg from 'pg';
import { givingWay, type Patience } from '../../postgres/lock-timeouts.ts';
import { primaryUrlOf } from '../../postgres/primary.ts';
import { movingState } from '../../postgres/transient.ts';
import { StartError } from '../../start-error.ts';
import { type Owner, ownersIn, type Shape } from './catalog.ts';
import type { Mark, Run } from './marks.ts';

/**
 * What a lease changes, and when a key was last used: a write of nothing else can be left undone. Whoever claims a row
 * takes it for another's, and the rows of others that it claims at once are claimed.
 */
const leaseColumns =
  'due_at,asking_until,ask_count,sent_at,updated_at,planned_at,look_count,mail_due_at,post_due_at,last_used_at';

const words = 'This merchant is being moved to another database: send the request again.';

/**
 * What becomes of a write, by the state of its merchant. The lock comes first: a mark is changed under it only, and
 * each query of a trigger sees what is committed by then.
 */
const functionText = (schema: string) => `
CREATE OR REPLACE FUNCTION ${schema}.check_moving() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  merchant constant uuid := TG_ARGV[0];
  key constant text[] := TG_ARGV[1]::text[];
  -- On a node of Citus, TG_TABLE_NAME is the name of the shard.
  of_table constant text := TG_ARGV[2];
  mark record;
  old_row jsonb;
  new_row jsonb;
  begins boolean := false;
BEGIN
  PERFORM pg_advisory_xact_lock_shared(hashtextextended(TG_TABLE_SCHEMA || ' ' || merchant, 43));
  SELECT state, stopped_until > clock_timestamp() AS holds INTO mark
  FROM ${schema}.moving_merchants WHERE merchant_id = merchant;
  IF NOT FOUND THEN RETURN coalesce(NEW, OLD); END IF;
  IF TG_OP <> 'INSERT' THEN old_row := to_jsonb(OLD); END IF;
  IF TG_OP <> 'DELETE' THEN new_row := to_jsonb(NEW); END IF;

  IF mark.state IN ('GONE', 'ARRIVING') OR (mark.state = 'STOPPED' AND mark.holds) THEN
    -- What sweeps over all merchants goes on without this one.
    IF TG_OP = 'DELETE' THEN RETURN NULL; END IF;
    -- The log of requests is written for all merchants at once, and of one that is refused nothing was done.
    IF TG_OP = 'INSERT' AND of_table = 'api_request_chunks' THEN RETURN NULL; END IF;
    IF TG_OP = 'UPDATE' AND old_row - '{${leaseColumns}}'::text[] = new_row - '{${leaseColumns}}'::text[] THEN
      RETURN NULL;
    END IF;
    RAISE EXCEPTION '${words}' USING ERRCODE = '${movingState}';
  END IF;

  IF mark.state = 'DRAINING' AND mark.holds AND TG_OP = 'UPDATE' THEN
    IF of_table IN ('payments', 'refunds', 'reversals') THEN
      begins := new_row -> 'sent_at' NOT IN ('null'::jsonb, old_row -> 'sent_at');
    ELSIF of_table = 'settlements' THEN
      -- Its claim is the beginning of a payout.
      begins := (old_row ->> 'status' = 'PENDING' AND new_row ->> 'status' = 'PROCESSING')
        OR old_row - '{${leaseColumns}}'::text[] = new_row - '{${leaseColumns}}'::text[];
    END IF;
    IF begins THEN RETURN NULL; END IF;
  END IF;

  IF key <> '{}' THEN
    INSERT INTO ${schema}.moving_changes (merchant_id, table_name, row_key)
    SELECT DISTINCT merchant, of_table, (SELECT jsonb_object_agg(name, changed -> name) FROM unnest(key) AS name)
    FROM unnest(ARRAY[old_row, new_row]) AS changed WHERE changed IS NOT NULL;
  END IF;
  RETURN coalesce(NEW, OLD);
END
$$`;

/** Tables wait behind a trigger that is made, as they do behind a migration: so it gives way sooner than that. */
const patience: Patience = {
  lockMs: 1_200,
  intervalsMs: [100, 200, 400, 800, 1_000, 2_000, 2_000, 4_000, 8_000, 15_000],
};

const functionLock = '2053729634, 43';

/** By the run: one that was taken for dead takes away nothing of the next. */
const nameOf = ({ moveId }: Pick<Run, 'moveId'>) => `moving_${moveId.replaceAll('-', '')}`;

/**
 * Has every write of the merchant's rows checked but those of this run of the mover. Others pay for one comparison
 * with a constant. Once this returns, no transaction is under way that began without the check, or in an earlier run.
 * @throws StartError if long transactions were in the way too often, or if the run does not have the merchant any more:
 *   whoever calls it off takes away what there is then, and nothing comes after that
 */
export function installTriggers(
  url: string,
  shapes: readonly Shape[],
  owner: Owner,
  mark: Pick<Mark, 'moveId' | 'state'>,
): Promise<void> {
  return onOwnConnection(url, async (client, schema) => {
    const make = async () => {
      // Two that make it at once would fail; the lock ends with the transaction.
      await client.query(`SELECT pg_advisory_xact_lock(${functionLock})`);
      await client.query(functionText(schema));
    };
    await givingWay(client, 'The check of writes', make, { patience });
    for (const shape of shapes) {
      const change = async () => {
        await requireMark(client, schema, { ...mark, merchantId: owner.merchantId });
        for (const statement of triggersOf(shape, schema, owner, mark))
          await client.query(statement);
      };
      await givingWay(client, `The check of ${shape.name}`, change, { patience });
    }
  });
}

/** To the end of the transaction, nobody takes the mark away. */
async function requireMark(
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

function triggersOf(
  shape: Shape,
  schema: string,
  owner: Owner,
  move: Pick<Run, 'moveId'>,
): string[] {
  const ids = ownersIn(shape, owner).map((id) => `'${id}'`);
  const key = `'${owner.merchantId}', '{${shape.key.join()}}', '${shape.name}'`;
  const isOther = `current_setting('zimbo.move_id', true) IS DISTINCT FROM '${move.moveId}'`;
  const make = (name: string, event: string, row: string) => `
CREATE OR REPLACE TRIGGER ${nameOf(move)}_${name} BEFORE ${event} ON ${schema}.${shape.name}
FOR EACH ROW WHEN (${row}.${shape.owner.column} IN (${ids.join()}) AND ${isOther})
EXECUTE FUNCTION ${schema}.check_moving(${key})`;
  return [make('insert', 'INSERT', 'NEW'), make('change', 'UPDATE OR DELETE', 'OLD')];
}

const triggersText = (condition: string) => `
SELECT c.relname::text AS table, t.tgname::text AS name
FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
WHERE c.relnamespace = current_schema()::regnamespace AND ${condition}
ORDER BY 1, 2`;

/** Takes the check away, wherever it is. The function stays: others may move. */
export const dropTriggers = (url: string, move: Pick<Run, 'moveId'>): Promise<void> =>
  dropWhere(url, 'starts_with(t.tgname, $1)', [nameOf(move)]);

/** The same of all other runs of a merchant, which are over: a check of theirs would stop this one's rows. */
export const dropOtherTriggers = (url: string, move: Run): Promise<void> =>
  dropWhere(
    url,
    `starts_with(t.tgname, 'moving_') AND NOT starts_with(t.tgname, $1)
  AND starts_with(encode(t.tgargs, 'escape'), $2)`,
    [nameOf(move), move.merchantId],
  );

function dropWhere(url: string, condition: string, values: string[]): Promise<void> {
  return onOwnConnection(url, async (client, schema) => {
    const text = triggersText(condition);
    const { rows } = await client.query<{ table: string; name: string }>(text, values);
    for (const { table, name } of rows) {
      const statement = `DROP TRIGGER IF EXISTS ${name} ON ${schema}.${table}`;
      const change = async () => void (await client.query(statement));
      await givingWay(client, `The check of ${table}`, change, { patience });
    }
  });
}

/** What waits for locks of its own accord must not wait for a connection of those who hold them. */
async function onOwnConnection(
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
