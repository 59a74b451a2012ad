import type { TestContext } from 'node:test';
import pg from 'pg';
import { citusNodeOf, urlOnNode } from '../../src/platform/postgres/citus.ts';
import { migrate } from '../../src/platform/postgres/migrations.ts';
import { citusSchemaOf, withCitus, withSchema } from '../../src/platform/postgres/url-options.ts';
import { cleanUp } from './cleanup.ts';

/** The coordinator of a Citus for tests, as a superuser. The tests may delete anything in its database. */
export const citusUrl = process.env.ZIMBO_TEST_CITUS;
/** For tests that need Citus. */
export const withoutCitus = citusUrl
  ? false
  : 'needs Citus: set ZIMBO_TEST_CITUS (see docs/testing.md)';

/**
 * A cell on Citus for one test, placed on the nodes in turn. Creating a cell takes seconds, so
 * tests pass cells on; each is emptied before it is reused. @returns the URL of the cell, as the
 * role that owns the database
 */
export async function citusCell(context: Pick<TestContext, 'after'>): Promise<string> {
  const { schema, owner } = await lend(context, 'test_cell');
  const url = withCitus(withSchema(owner, schema));
  const node = (await isChanged(owner, schema)) ? undefined : await citusNodeOf(owner, schema);
  if (node) await empty(urlOnNode(citusUrl!, node), schema);
  else {
    await makeSchema(owner, schema);
    await migrate(url, { now: new Date() });
  }
  return url;
}

const changed = 'tables changed';

/** Why a test does not run on Citus. */
export const skipOnCitus = (why: string): string | false => (citusUrl ? `on Citus ${why}` : false);

/** Marks the cell's tables as changed, so that the next borrower recreates them. */
export const noteChanged = (url: string): Promise<void> =>
  onServer(url, `COMMENT ON SCHEMA ${citusSchemaOf(url)} IS '${changed}'`);

/**
 * A schema without tables on the coordinator. @returns `url`: migrating through it hands the schema
 * to Citus; and `plain`: migrating through it leaves the schema on the coordinator
 */
export async function emptyCitusSchema(
  context: Pick<TestContext, 'after'>,
): Promise<{ url: string; plain: string; schema: string }> {
  const { schema, owner } = await lend(context, 'test_empty');
  await makeSchema(owner, schema);
  const plain = withSchema(owner, schema);
  return { url: withCitus(plain), plain, schema };
}

/** Drops the schemas of earlier runs, which may have other tables, but none that a test is using. */
export async function removeCitusCells(): Promise<void> {
  const client = await connect(citusUrl!);
  try {
    const text = `SELECT nspname AS name FROM pg_namespace WHERE nspname ~ '^test_(cell|empty)_\\d+$'`;
    const { rows } = await client.query<{ name: string }>(text);
    for (const { name } of rows)
      if (await tryLock(client, name)) await client.query(`DROP SCHEMA ${name} CASCADE`);
  } finally {
    await client.end();
  }
}

/** Locks the first free schema until the test ends. */
async function lend(
  context: Pick<TestContext, 'after'>,
  prefix: string,
): Promise<{ schema: string; owner: string }> {
  const client = await connect(citusUrl!);
  cleanUp(context, () => client.end());
  for (let number = 1; ; number++) {
    const schema = `${prefix}_${number}`;
    if (await tryLock(client, schema)) return { schema, owner: await ownerUrl(client) };
  }
}

async function isChanged(owner: string, schema: string): Promise<boolean> {
  const client = await connect(owner);
  try {
    const text = `SELECT obj_description(to_regnamespace($1), 'pg_namespace') AS note`;
    return (await client.query<{ note: string | null }>(text, [schema])).rows[0]?.note === changed;
  } finally {
    await client.end();
  }
}

/** Held until the session ends. */
async function tryLock(client: pg.Client, schema: string): Promise<boolean> {
  const text = 'SELECT pg_try_advisory_lock(hashtextextended($1, 0)) AS locked';
  return (await client.query<{ locked: boolean }>(text, [schema])).rows[0]!.locked;
}

const makeSchema = (owner: string, schema: string): Promise<void> =>
  onServer(owner, `DROP SCHEMA IF EXISTS ${schema} CASCADE; CREATE SCHEMA ${schema}`);

/** Empties all tables but the record of migrations; a superuser bypasses triggers and foreign keys. */
async function empty(nodeUrl: string, schema: string): Promise<void> {
  await onServer(
    nodeUrl,
    `SET session_replication_role = replica;
     SET citus.override_table_visibility = off;
     DO $$ DECLARE shard text; BEGIN
       FOR shard IN SELECT oid::regclass FROM pg_class WHERE relnamespace = '${schema}'::regnamespace
         AND relkind = 'r' AND relname ~ '_\\d{6,}$' AND relname !~ '^schema_migrations_'
       LOOP EXECUTE 'DELETE FROM ' || shard; END LOOP;
     END $$`,
  );
}

/** Not a superuser, so that it can lose UPDATE on its own tables. */
async function ownerUrl(client: pg.Client): Promise<string> {
  const text = `SELECT pg_get_userbyid(datdba) AS name FROM pg_database WHERE datname = current_database()`;
  const { rows } = await client.query<{ name: string }>(text);
  const url = new URL(citusUrl!);
  url.username = rows[0]!.name;
  return url.href;
}

async function onServer(url: string, sql: string): Promise<void> {
  const client = await connect(url);
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
