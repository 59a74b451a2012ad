import pg from 'pg';
import { StartError } from '../../platform/errors/start-error.ts';
import { addressOf } from '../../platform/postgres/address.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { schemaOf } from '../../platform/postgres/url-options.ts';
import { findDigestKeyBox } from '../../platform/secrets/digest-key.ts';
import { type Cell, homeName } from './cell.ts';
import { findThisCell } from './this-cell.ts';

/** What is in a schema that shall be a cell. */
export interface SchemaContent {
  /** Undefined where it is none. */
  cell: string | undefined;
  digestKeyBox: Buffer | undefined;
  hasMerchants: boolean;
  /** Tables that no migration of ours has made. */
  isForeign: boolean;
}

/** @param database with that schema as its search path */
export async function inspectSchema(database: Database): Promise<SchemaContent> {
  const text = `
SELECT to_regclass('schema_migrations') IS NOT NULL AS "isMigrated", to_regclass('this_cell') IS NOT NULL AS "hasName",
  to_regclass('phone_digest_key') IS NOT NULL AS "hasKey", to_regclass('merchants') IS NOT NULL AS "hasTables",
  EXISTS (SELECT FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p')) AS "hasAnything"`;
  const [found] = await database.query<Record<string, boolean>>({ text });
  const { isMigrated, hasName, hasKey, hasTables, hasAnything } = found!;
  const merchants = hasTables
    ? await database.query({ text: 'SELECT FROM merchants LIMIT 1' })
    : [];
  return {
    cell: hasName ? await findThisCell(database) : undefined,
    digestKeyBox: hasKey ? await findDigestKeyBox(database) : undefined,
    hasMerchants: merchants.length > 0,
    isForeign: hasAnything === true && !isMigrated,
  };
}

/**
 * Looks at what lies at the address of a cell, before anything is done there: an empty database would be given tables,
 * and be taken for a cell that knows none of its merchants.
 * @throws StartError where it is no cell, or another
 */
export async function expectCell(
  { name, url }: Cell,
  database: Database,
  advice = 'Set DATABASE_URL to the database of the home.',
): Promise<SchemaContent> {
  const found = await inspectSchema(database);
  const { cell: there } = found;
  if (there === name || (there === undefined && name === homeName)) return found;
  const what = there === undefined ? 'no cell' : `the cell ${there}`;
  const place = `${addressOf(url)}${name === homeName ? '' : `, schema ${schemaOf(url)}`}`;
  throw new StartError(`${place} is ${what}: the cell ${name} is not there.`, advice);
}

/**
 * Makes a schema where there is none; one that is there need only allow tables to be made in it.
 * @param database any of the same database
 * @throws StartError with what an administrator has to do, where this role may not
 */
export async function makeSchema(database: Database, schemaName: string): Promise<void> {
  const text = `
SELECT (SELECT has_schema_privilege(oid, 'CREATE') FROM pg_namespace WHERE nspname = $1) AS "mayMakeTables",
  has_database_privilege(current_database(), 'CREATE') AS "mayMakeSchema",
  current_user::text AS role, current_database()::text AS name`;
  interface Rights {
    mayMakeTables: boolean | null;
    mayMakeSchema: boolean;
    role: string;
    name: string;
  }
  const [rights] = await database.query<Rights>({ text }, [schemaName]);
  const { mayMakeTables, mayMakeSchema, role, name } = rights!;
  if (mayMakeTables === true) return;
  const schema = pg.escapeIdentifier(schemaName);
  const owner = pg.escapeIdentifier(role);
  const advice = (statement: string) =>
    `As an administrator of PostgreSQL, in the database ${name}:  ${statement}`;
  if (mayMakeTables === false) {
    throw new StartError(
      `The role ${role} may not create tables in the schema ${schemaName} of the database ${name}.`,
      advice(`ALTER SCHEMA ${schema} OWNER TO ${owner};`),
    );
  }
  if (!mayMakeSchema) {
    throw new StartError(
      `The role ${role} may not make schemas in the database ${name}.`,
      advice(`CREATE SCHEMA ${schema} AUTHORIZATION ${owner};`),
    );
  }
  // Of two at once, IF NOT EXISTS lets one fail.
  const uniqueViolation = '23505';
  await database.query({ text: `CREATE SCHEMA IF NOT EXISTS ${schema}` }).catch((error) => {
    if ((error as { code?: unknown }).code !== uniqueViolation) throw error;
  });
}
