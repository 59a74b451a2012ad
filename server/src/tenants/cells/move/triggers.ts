import type { Queryable } from '../../../platform/postgres/database.ts';
import { givingWay } from '../../../platform/postgres/lock-timeouts.ts';
import { movingState } from '../../../platform/postgres/transient-errors.ts';
import { onOwnConnection, patience, requireMark, runName } from './added.ts';
import { isOf, type Owner, ownersIn, type Shape } from './catalog.ts';
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

const functionLock = '2053729634, 43';

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

/** The tables on which the run's check of writes is missing: a cell that failed over may have lost it. */
export async function uncheckedTables(
  cell: Queryable,
  shapes: readonly Shape[],
  move: Pick<Run, 'moveId'>,
): Promise<string[]> {
  const text = `
SELECT name FROM unnest($1::text[]) AS name
WHERE (SELECT count(*) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relname = name
    AND t.tgname = ANY ($2::text[]) AND t.tgenabled <> 'D') < cardinality($2::text[])`;
  const names = events.map((event) => `${runName(move)}_${event}`);
  const values = [shapes.map(({ name }) => name), names];
  const rows = await cell.query<{ name: string }>({ text }, values);
  return rows.map(({ name }) => name);
}

const events = ['insert', 'change'] as const;

function triggersOf(
  shape: Shape,
  schema: string,
  owner: Owner,
  move: Pick<Run, 'moveId'>,
): string[] {
  const key = `'${owner.merchantId}', '{${shape.key.join()}}', '${shape.name}'`;
  const isOther = `current_setting('zimbo.move_id', true) IS DISTINCT FROM '${move.moveId}'`;
  const make = (name: (typeof events)[number], event: string, row: string) => `
CREATE OR REPLACE TRIGGER ${runName(move)}_${name} BEFORE ${event} ON ${schema}.${shape.name}
FOR EACH ROW WHEN (${isOf(shape, ownersIn(shape, owner), `${row}.`)} AND ${isOther})
EXECUTE FUNCTION ${schema}.check_moving(${key})`;
  return [make('insert', 'INSERT', 'NEW'), make('change', 'UPDATE OR DELETE', 'OLD')];
}
