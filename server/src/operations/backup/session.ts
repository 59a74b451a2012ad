import { Socket } from 'node:net';
import pg from 'pg';
import { primaryUrlOf } from '../../platform/postgres/primary.ts';
import type { TableHeader } from './format.ts';

const connectLimitMs = 30_000;

/**
 * Makes the formats of values independent of the settings of server, role and URL, and disables time-outs. Set after
 * connecting: start options of the URL take precedence over ours, and a pooler may drop them.
 */
const settings = `
  SET timezone = 'UTC';
  SET datestyle = 'ISO';
  SET intervalstyle = 'postgres';
  SET bytea_output = 'hex';
  SET client_encoding = 'UTF8';
  SET statement_timeout = 0;
  SET lock_timeout = 0;
  SET idle_in_transaction_session_timeout = 0;
  SET idle_session_timeout = 0`;

/**
 * Runs with one connection. After an error the connection is cut, because a COPY may be in progress: the server then
 * rolls back.
 * @param signal also cuts the connection
 */
export async function withSession<T>(
  databaseUrl: string,
  run: (client: pg.Client) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const socket = new Socket();
  const client = new pg.Client({
    connectionString: await primaryUrlOf(databaseUrl),
    stream: () => socket,
    connectionTimeoutMillis: connectLimitMs,
    keepAlive: true,
    application_name: 'zimbo backup',
  });
  // A lost connection fails the query in flight.
  client.on('error', () => {});
  const cut = () => socket.destroy();
  signal?.addEventListener('abort', cut, { once: true });
  try {
    signal?.throwIfAborted();
    await client.connect();
    await client.query(settings);
    const result = await run(client);
    await client.end();
    return result;
  } finally {
    signal?.removeEventListener('abort', cut);
    socket.destroy();
  }
}

/** The ordinary tables of the current schema, referenced ones first, without those of extensions. */
export async function listTables(client: pg.Client): Promise<TableHeader[]> {
  const { rows } = await client.query<TableHeader>(tablesStatement);
  return rows;
}

const tablesStatement = `
WITH RECURSIVE own AS (
  SELECT oid, relname FROM pg_class
  WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace
    AND NOT EXISTS (
      SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = pg_class.oid AND d.deptype = 'e')
), reference (oid, depth) AS (
  SELECT oid, 0 FROM own
  UNION
  SELECT c.conrelid, r.depth + 1
  FROM reference r
  JOIN pg_constraint c ON c.contype = 'f' AND c.confrelid = r.oid AND c.conrelid <> r.oid
)
SELECT o.relname AS "table", a.columns
FROM own o
JOIN (SELECT oid, max(depth) AS depth FROM reference GROUP BY oid) AS r USING (oid)
CROSS JOIN LATERAL (
  SELECT array_agg(attname::text ORDER BY attnum) AS columns
  FROM pg_attribute WHERE attrelid = o.oid AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
) AS a
ORDER BY r.depth, o.relname`;

/** A table with its columns, for COPY. */
export function copyTarget({ table, columns }: TableHeader): string {
  return `${pg.escapeIdentifier(table)} (${columns.map((name) => pg.escapeIdentifier(name)).join(', ')})`;
}
