import { StartError } from '../errors/start-error.ts';

/** What keeps a session from writing, as {@link writesText} tells. */
export interface Writes {
  role: string;
  isStandby: boolean;
  isReadOnly: boolean;
  /** True as well where there are no tables yet. */
  mayWrite: boolean;
  /** The record of migrations is another program's. */
  isOfOthers: boolean;
}

export const writesText = `
SELECT current_user AS role, pg_is_in_recovery() AS "isStandby",
  current_setting('transaction_read_only')::boolean AS "isReadOnly",
  to_regclass('schema_migrations') IS NOT NULL AND NOT EXISTS (SELECT FROM pg_attribute
    WHERE attrelid = to_regclass('schema_migrations') AND attname = 'number') AS "isOfOthers",
  coalesce(bool_and(has_table_privilege(name, 'SELECT') AND has_table_privilege(name, 'INSERT')
    AND has_table_privilege(name, 'UPDATE')), true) AS "mayWrite"
FROM unnest(ARRAY[to_regclass('payments'), to_regclass('events'), to_regclass('balances')]) AS name
WHERE name IS NOT NULL`;

/** A standby may become the primary at any moment; the other reasons last until somebody changes them. */
export function writeProblem({
  role,
  isStandby,
  isReadOnly,
  mayWrite,
  isOfOthers,
}: Writes): StartError | Error | undefined {
  if (isStandby) return new StandbyError('the database server is a standby, which takes no writes');
  if (isReadOnly) {
    return new StartError(
      `The role ${role} can only read: default_transaction_read_only is on.`,
      `Turn it off, as an administrator of PostgreSQL:  ALTER ROLE ${role} RESET default_transaction_read_only;  or the same with ALTER DATABASE or ALTER SYSTEM, wherever it is set.`,
    );
  }
  if (isOfOthers) {
    return new StartError(
      'The database has a table schema_migrations of another program, which names its migrations in its own way.',
      "Give Zimbo a database of its own:  CREATE DATABASE zimbo ENCODING 'UTF8' TEMPLATE template0;",
    );
  }
  if (mayWrite) return undefined;
  return new StartError(
    `The role ${role} may not read and write the tables of Zimbo.`,
    'Let DATABASE_URL name the role that owns them, which made them at the first start or "zimbo migrate".',
  );
}

/** The code is that of a write to a standby, so that a start waits for the server to be promoted. */
class StandbyError extends Error {
  readonly code = '25006';
}
