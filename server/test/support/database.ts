import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { type Database, openDatabase } from '../../src/platform/postgres/database.ts';
import { citusCell, citusUrl, emptyCitusSchema, noteChanged } from './citus.ts';
import { cleanUp } from './cleanup.ts';
import { giveBack, takeKept } from './kept-databases.ts';

export const templateName = 'zimbo_template';

/** The same server, another database. */
export function urlOf(serverUrl: string, database: string): string {
  return serverUrl.replace(/\/zimbo(?=\?|$)/, `/${database}`);
}

export async function createDatabase(serverUrl: string, name: string, options = ''): Promise<void> {
  await runOnServer(serverUrl, `CREATE DATABASE ${name} ${options}`);
}

/** Tests open some ten thousand connections, each of which would hash the password 4,096 times. */
export async function hastenSignIn(serverUrl: string): Promise<void> {
  const password = pg.escapeLiteral(decodeURIComponent(new URL(serverUrl).password));
  await runOnServer(
    serverUrl,
    `SET scram_iterations = 1; ALTER ROLE CURRENT_USER PASSWORD ${password}`,
  );
}

export async function runOnServer(serverUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/**
 * No statement timeout: tests fill whole tables on a machine that runs five of them, so a gateway's
 * limits would make tests flaky.
 */
const patience = { connectTimeoutMs: 30_000, statementTimeoutMs: 60_000 };

/** A migrated database without rows, which belongs to the test until its end. */
export async function testDatabase(
  context: Pick<TestContext, 'after'>,
): Promise<{ url: string; database: Database }> {
  // The schemas of further cells are not emptied.
  if (citusUrl || process.env.ZIMBO_TEST_CELLS) return freshDatabase(context);
  const kept = await takeKept(makeDatabase);
  cleanUp(context, () => giveBack(kept));
  return kept;
}

/** A database that no other test has used, for tests that count what PostgreSQL reads, dead rows included. */
export async function freshDatabase(
  context: Pick<TestContext, 'after'>,
): Promise<{ url: string; database: Database }> {
  const url = citusUrl ? await citusCell(context) : await ownDatabase(context, fromTemplate);
  return { url, database: opened(context, url) };
}

/** Takes half the time of WAL_LOG, which writes each page to the WAL. */
const fromTemplate = `TEMPLATE ${templateName} STRATEGY FILE_COPY`;

async function makeDatabase() {
  const serverUrl = serverOfTests();
  const { name, url } = await newDatabase(serverUrl, fromTemplate);
  const superuser = new pg.Client({ connectionString: url.replace('//zimbo:', '//postgres:') });
  // If the test stops the server, this fails and the database is not reused.
  superuser.on('error', () => {});
  await superuser.connect();
  const drop = () => dropDatabase(serverUrl, name);
  return { url, database: openedAt(url), superuser, drop };
}

/** Closed when the test ends. */
export function opened(context: Pick<TestContext, 'after'>, url: string): Database {
  const database = openedAt(url);
  cleanUp(context, () => database.close());
  return database;
}

const openedAt = (url: string) =>
  openDatabase({ url, log: silentLog, maxConnections: 16, ...patience });

/** A database without tables, dropped when the test ends. */
export const emptyDatabase = async (
  context: Pick<TestContext, 'after'>,
  options?: string,
): Promise<string> =>
  citusUrl ? (await emptyCitusSchema(context)).url : ownDatabase(context, options);

async function ownDatabase(context: Pick<TestContext, 'after'>, options?: string): Promise<string> {
  const serverUrl = serverOfTests();
  const { name, url } = await newDatabase(serverUrl, options);
  cleanUp(context, () => dropDatabase(serverUrl, name));
  return url;
}

function serverOfTests(): string {
  const serverUrl = process.env.ZIMBO_TEST_DATABASE;
  if (!serverUrl) throw new Error('run it with: node server/test/run.ts FILE');
  return serverUrl;
}

async function newDatabase(serverUrl: string, options?: string) {
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await createDatabase(serverUrl, name, options);
  return { name, url: urlOf(serverUrl, name) };
}

/** Changes tables of a test's database; for a cell on Citus, through the coordinator. */
export async function changeTables(url: string, sql: string): Promise<void> {
  if (citusUrl) await noteChanged(url);
  await runOnServer(url, sql);
}

const dropDatabase = (serverUrl: string, name: string): Promise<void> =>
  runOnServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);

export const silentLog = pino({ level: 'silent' });
