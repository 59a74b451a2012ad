import pg from 'pg';
import { StartError } from '../errors/start-error.ts';

/** The remedy if the role may not create tables: since PostgreSQL 15, only a database's owner may. */
export const ownershipHint = (role: string, database: string) => {
  const [owner, name] = [pg.escapeIdentifier(role), pg.escapeIdentifier(database)];
  return `As an administrator of PostgreSQL:  ALTER DATABASE ${name} OWNER TO ${owner};`;
};

/** @throws StartError with instructions for an administrator if this role may not create tables */
export async function withCreatePrivilege(
  client: pg.Client,
  create: () => Promise<unknown>,
): Promise<void> {
  try {
    await create();
  } catch (error) {
    const [insufficientPrivilege, noSchema] = ['42501', '3F000'];
    const { code, message } = error as pg.DatabaseError;
    if (code !== insufficientPrivilege && code !== noSchema) throw error;
    const { user = '', database = '' } = client;
    throw new StartError(
      `The role ${user} may not create tables in the database ${database}: ${message}.`,
      ownershipHint(user, database),
      { cause: error },
    );
  }
}
