import pg from 'pg';
import { primaryUrlOf } from './primary.ts';

/**
 * Cells on Citus: each cell is a schema that Citus keeps whole on one of its nodes. DDL goes through the coordinator,
 * to which a cell's URL points; statements go straight to the node (citus-pools.ts).
 */

/** The node of a schema. */
export interface CitusNode {
  host: string;
  port: number;
}

const connectLimitMs = 10_000;

/** Any node can answer. Citus finds a schema by its tables: a schema without tables is on no node. */
export const nodeText = `
SELECT node.nodename AS host, node.nodeport AS port FROM pg_dist_schema schema
JOIN pg_dist_partition part USING (colocationid)
JOIN pg_dist_shard shard ON shard.logicalrelid = part.logicalrelid
JOIN pg_dist_placement placement ON placement.shardid = shard.shardid
JOIN pg_dist_node node ON node.groupid = placement.groupid AND node.noderole = 'primary'
WHERE schema.schemaid = to_regnamespace($1) LIMIT 1`;

/**
 * Asks the coordinator which node holds a schema now.
 * @returns undefined if the schema is not distributed
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
 * Moves a cell to another node while it is in use: Citus copies its tables, replicates changes meanwhile, and blocks
 * writes at the end for some tenths of a second. Clients connected to the old node continue to work. The role must
 * own the schema, but need not be a superuser.
 * @throws the error of PostgreSQL, for example if the cell is there already; a failed move leaves the cell where it
 * was
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

/** Whether Citus has distributed the schema: from then on, Citus applies DDL on a node. */
export async function isDistributed(client: pg.Client, schema: string): Promise<boolean> {
  const text = 'SELECT FROM pg_dist_schema WHERE schemaid = to_regnamespace($1)';
  return (await client.query(text, [schema])).rows.length > 0;
}

/** Tables without a primary key: logical replication identifies their rows by all columns during a move. */
const withoutKeyText = `
SELECT c.oid::regclass::text AS name FROM pg_class c
WHERE c.relnamespace = to_regnamespace($1) AND c.relkind = 'r' AND c.relreplident = 'd'
  AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.oid AND i.indisprimary)`;

/**
 * Distributes a schema with all its tables; Citus chooses the node. Tables created earlier come along, so earlier
 * migrations need not suit Citus.
 * @param client a session on the coordinator
 */
export async function distributeSchema(client: pg.Client, schema: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(withoutKeyText, [schema]);
  for (const { name } of rows) await client.query(`ALTER TABLE ${name} REPLICA IDENTITY FULL`);
  // Citus considers foreign keys unsafe if they can reach rows on other nodes; a schema is on one node.
  await client.query('SET citus.enable_unsafe_triggers = on');
  await client.query('SELECT citus_schema_distribute($1)', [schema]);
}

async function sessionOn(coordinatorUrl: string): Promise<AsyncDisposable & { client: pg.Client }> {
  const client = new pg.Client({
    connectionString: await primaryUrlOf(coordinatorUrl),
    connectionTimeoutMillis: connectLimitMs,
    application_name: 'zimbo cells',
  });
  // A lost connection fails the query in flight.
  client.on('error', () => {});
  await client.connect();
  return { client, [Symbol.asyncDispose]: () => client.end().catch(() => {}) };
}
