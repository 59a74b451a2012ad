import pg from 'pg';
import type { BenchGateway } from './gateway.ts';

/** Makes PostgreSQL count statements. */
export const countStatements = { shared_preload_libraries: 'pg_stat_statements' };
/** Makes PostgreSQL remember when each transaction was committed. */
export const keepCommitTimes = { track_commit_timestamp: 'on' };

/** What the database of a gateway has done until now. */
export interface DatabaseCounts {
  walBytes: number;
  statements: number;
}

/** Counts what the gateway does to its database. Its own queries go to another one, and are not counted. */
export async function openCounter({ databaseUrl }: BenchGateway) {
  // Its server lets in whoever reaches its socket, as the superuser too.
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
