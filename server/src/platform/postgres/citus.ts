import pg from 'pg';
import { primaryUrlOf } from './primary.ts';

/**
 * Cells on Citus: each is a schema that Citus keeps whole on one of its nodes. Tables are made and changed through the
 * coordinator, whose address a cell has; statements go straight to the node (see citus-pools.ts).
 */

/** Where a schema is. */
export interface CitusNode {
  host: string;
  port: number;
}

const connectLimitMs = 10_000;

/** Any node can be asked. It is told by the tables of the schema; where there is none yet, it is nowhere. */
export const nodeText = `
SELECT node.nodename AS host, node.nodeport AS port FROM pg_dist_schema schema
JOIN pg_dist_partition part USING (colocationid)
JOIN pg_dist_shard shard ON shard.logicalrelid = part.logicalrelid
JOIN pg_dist_placement placement ON placement.shardid = shard.shardid
JOIN pg_dist_node node ON node.groupid = placement.groupid AND node.noderole = 'primary'
WHERE schema.schemaid = to_regnamespace($1) LIMIT 1`;

/**
 * Asks the coordinator which node holds a schema now.
 * @returns undefined while it is not distributed
 */
export async function citusNodeOf(
  coordinatorUrl: string,
  schema: string,
): Promise<CitusNode | undefined> {
  await using session = await sessionOn(coordinatorUrl);
  const { rows } = await session.client.query<CitusNode>(nodeText, [schema]);
  return rows[0];
}

/** The nodes that can hold schemas, in a fixed order. */
export async function citusNodes(coordinatorUrl: string): Promise<CitusNode[]> {
  await using session = await sessionOn(coordinatorUrl);
  const text = `
SELECT nodename AS host, nodeport AS port FROM pg_dist_node
WHERE noderole = 'primary' AND isactive AND shouldhaveshards ORDER BY nodeid`;
  return (await session.client.query<CitusNode>(text)).rows;
}

/** The same database, role and options on a node. */
export function urlOnNode(coordinatorUrl: string, { host, port }: CitusNode): string {
  const url = new URL(coordinatorUrl);
  url.hostname = host;
  url.port = String(port);
  return url.href;
}

/**
 * Moves a cell to another node while it is served: Citus copies its tables, follows what is written meanwhile, and lets
 * writes wait at the end, for some tenths of a second. Whoever is connected to the node that it leaves goes on working.
 * The role must own the schema; it need not be a superuser.
 * @throws as PostgreSQL says, for example if it is there already; a move that fails leaves the cell where it was
 */
export async function moveCitusSchema(
  coordinatorUrl: string,
  schema: string,
  to: CitusNode,
): Promise<void> {
  await using session = await sessionOn(coordinatorUrl);
  await session.client.query('SET statement_timeout = 0');
  const text = `SELECT citus_schema_move($1, $2, $3, 'auto')`;
  await session.client.query(text, [schema, to.host, to.port]);
}

/** Whether Citus has it: from then on, changes of its tables go to a node. */
export async function isDistributed(client: pg.Client, schema: string): Promise<boolean> {
  const text = 'SELECT FROM pg_dist_schema WHERE schemaid = to_regnamespace($1)';
  return (await client.query(text, [schema])).rows.length > 0;
}

/** Of tables without a primary key, what was changed during a move is told by whole rows. */
const withoutKeyText = `
SELECT c.oid::regclass::text AS name FROM pg_class c
WHERE c.relnamespace = to_regnamespace($1) AND c.relkind = 'r' AND c.relreplident = 'd'
  AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)`;

/**
 * Gives a schema to Citus, with all its tables; Citus chooses the node. What was made before comes along, so that no
 * migration had to be one that Citus understands.
 * @param client a session on the coordinator
 */
export async function distributeSchema(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(withoutKeyText, [schema]);
  for (const { name } of rows) await client.query(`ALTER TABLE ${name} REPLICA IDENTITY FULL`);
  // Citus holds those for unsafe that reach rows of other nodes; a schema is on one.
  await client.query('SET citus.enable_unsafe_triggers = on');
  await client.query('SELECT citus_schema_distribute($1)', [schema]);
}

async function sessionOn(coordinatorUrl: string): Promise<AsyncDisposable & { client: pg.Client }> {
  const client = new pg.Client({
    connectionString: await primaryUrlOf(coordinatorUrl),
    connectionTimeoutMillis: connectLimitMs,
    application_name: 'zimbo cells',
  });
  // A query in flight reports a lost connection itself.
  client.on('error', () => {});
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end().catch(() => {}) };
}
