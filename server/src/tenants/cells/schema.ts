import pg from 'pg';
import { StartError } from '../../platform/errors/start-error.ts';
import { addressOf } from '../../platform/postgres/address.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { schemaOf } from '../../platform/postgres/url-options.ts';
import { findDigestKeyBox } from '../../platform/secrets/digest-key.ts';
import { type Cell, homeName } from './cell.ts';
import { findThisCell } from './this-cell.ts';

/** The content of a schema that should be a cell. */
export interface SchemaContent {
  /** Undefined if it is not a cell. */
  cell: string | undefined;
  digestKeyBox: Buffer | undefined;
  hasMerchants: boolean;
  /** There are tables that none of our migrations created. */
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
 * Checks that a URL leads to the expected cell before anything is done there: an empty database would be migrated,
 * and pass for a cell without merchants.
 * @throws StartError if it is no cell, or another one
 */
export async function verifyCell(
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
 * Creates a schema; an existing one only needs to allow the creation of tables.
 * @param database any connection to the same database
 * @throws StartError with instructions for an administrator, if this role may not
 */
export async function ensureSchema(database: Database, schemaName: string): Promise<void> {
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
      `The role ${role} may not create schemas in the database ${name}.`,
      advice(`CREATE SCHEMA ${schema} AUTHORIZATION ${owner};`),
    );
  }
  // If two run concurrently, IF NOT EXISTS lets one fail.
  const uniqueViolation = '23505';
  await database.query({ text: `CREATE SCHEMA IF NOT EXISTS ${schema}` }).catch((error) => {
    if ((error as { code?: unknown }).code !== uniqueViolation) throw error;
  });
}
