import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import pg from 'pg';
import { pino } from 'pino';
import { type Database, openDatabase } from '../src/platform/database.ts';
import { cleanUp } from './cleanup.ts';

export const templateName = 'zimbo_template';

/** The same server, another database. */
export function urlOf(serverUrl: string, database: string): string {
  return serverUrl.replace(/\/zimbo(?=\?|$)/, `/${database}`);
}

export async function createDatabase(
  serverUrl: string,
  name: string,
  template?: string,
): Promise<void> {
  const from = template ? ` TEMPLATE ${template}` : '';
  await runOnServer(serverUrl, `CREATE DATABASE ${name}${from}`);
}

async function runOnServer(serverUrl: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** A migrated database of the test's own, dropped when the test ends. */
export async function testDatabase(
  context: Pick<TestContext, 'after'>,
): Promise<{ url: string; database: Database }> {
  const serverUrl = process.env.ZIMBO_TEST_DATABASE;
  if (!serverUrl) throw new Error('run it with: node server/test/run.ts FILE');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await createDatabase(serverUrl, name, templateName);
  const url = urlOf(serverUrl, name);
  const database = openDatabase({ url, log: silentLog, maxConnections: 16 });
  cleanUp(context, async () => {
    await database.close();
    await runOnServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
  });
  return { url, database };
}

export const silentLog = pino({ level: 'silent' });
