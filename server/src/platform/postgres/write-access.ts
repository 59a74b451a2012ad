import { StartError } from '../errors/start-error.ts';

/** The reasons why a session cannot write, from {@link writeAccessText}. */
export interface WriteAccess {
  role: string;
  isStandby: boolean;
  isReadOnly: boolean;
  /** Also true if there are no tables yet. */
  mayWrite: boolean;
  /** The table of migrations belongs to another program. */
  hasForeignMigrations: boolean;
}

export const writeAccessText = `
SELECT current_user AS role, pg_is_in_recovery() AS "isStandby",
  current_setting('transaction_read_only')::boolean AS "isReadOnly",
  to_regclass('schema_migrations') IS NOT NULL AND NOT EXISTS (SELECT FROM pg_attribute
    WHERE attrelid = to_regclass('schema_migrations') AND attname = 'number') AS "hasForeignMigrations",
  coalesce(bool_and(has_table_privilege(name, 'SELECT') AND has_table_privilege(name, 'INSERT')
    AND has_table_privilege(name, 'UPDATE')), true) AS "mayWrite"
FROM unnest(ARRAY[to_regclass('payments'), to_regclass('events'), to_regclass('balances')]) AS name
WHERE name IS NOT NULL`;

/** A standby may become the primary at any moment; the other reasons last until somebody changes them. */
export function explainWriteProblem({
  role,
  isStandby,
  isReadOnly,
  mayWrite,
  hasForeignMigrations,
}: WriteAccess): StartError | Error | undefined {
  if (isStandby) return new StandbyError('the database server is a standby, which takes no writes');
  if (isReadOnly) {
    return new StartError(
      `The role ${role} can only read: default_transaction_read_only is on.`,
      `As an administrator of PostgreSQL, turn it off:  ALTER ROLE ${role} RESET default_transaction_read_only;  or the same with ALTER DATABASE or ALTER SYSTEM, wherever it is set.`,
    );
  }
  if (hasForeignMigrations) {
    return new StartError(
      "The database has another program's table schema_migrations.",
      "Give Zimbo a database of its own:  CREATE DATABASE zimbo ENCODING 'UTF8' TEMPLATE template0;",
    );
  }
  if (mayWrite) return undefined;
  return new StartError(
    `The role ${role} may not read and write the tables of Zimbo.`,
    'Use the role in DATABASE_URL that owns them: the one that created them at the first start or with "zimbo migrate".',
  );
}

/** The code is that of a write to a standby, so that a start waits for a promotion. */
class StandbyError extends Error {
  readonly code = '25006';
}
