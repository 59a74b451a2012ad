import pg from 'pg';
import type { BenchGateway } from './gateway.ts';

/** Makes PostgreSQL count statements. */
export const countStatements = { shared_preload_libraries: 'pg_stat_statements' };
/** Makes PostgreSQL record commit times. */
export const keepCommitTimes = { track_commit_timestamp: 'on' };

/** The counters of a gateway's database. */
export interface DatabaseCounts {
  walBytes: number;
  statements: number;
}

/**
 * Counts the gateway's work on its database. The counting queries use another database, so they are
 * not counted.
 */
export async function openCounter({ databaseUrl }: BenchGateway) {
  // The server accepts everybody who reaches its socket, even as superuser.
  const connectionString = databaseUrl
    .replace(/\/\/zimbo/, '//postgres')
    .replace('/zimbo?', '/postgres?');
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query('CREATE EXTENSION IF NOT EXISTS pg_stat_statements');
  return {
    async counts(): Promise<DatabaseCounts> {
      const { rows } = await client.query<DatabaseCounts>(`
        SELECT (pg_current_wal_lsn() - '0/0')::float8 AS "walBytes",
          coalesce(sum(calls), 0)::float8 AS statements
        FROM pg_stat_statements JOIN pg_database ON pg_database.oid = dbid WHERE datname = 'zimbo'`);
      return rows[0]!;
    },
    close: () => client.end(),
  };
}
