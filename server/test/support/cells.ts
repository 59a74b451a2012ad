import type { TestContext } from 'node:test';
import type { Zimbo } from '../../../sdk/typescript/src/index.ts';
import type { Gateway } from '../../src/app/compose.ts';
import { type Database, openDatabase } from '../../src/platform/postgres/database.ts';
import { migrate } from '../../src/platform/postgres/migrations.ts';
import { withSchema } from '../../src/platform/postgres/url-options.ts';
import { findDigestKeyBox } from '../../src/platform/secrets/digest-key.ts';
import { createSecretBox } from '../../src/platform/secrets/secret-box.ts';
import { insertCell } from '../../src/tenants/cells/store.ts';
import { nameThisCell } from '../../src/tenants/cells/this-cell.ts';
import { cleanUp } from './cleanup.ts';
import { silentLog, testDatabase } from './database.ts';
import { anotherGateway, type TestGatewayOptions, testKey, zimboOf } from './gateway.ts';

export interface TestCells {
  url: string;
  gateway: Gateway;
  homeUrl: string;
  /** The databases by cell: `home` and the requested cells. */
  databases: Record<string, Database>;
  urls: Record<string, string>;
  /** The test key of a merchant in each cell. */
  keys: Record<string, string>;
  zimbos: Record<string, Zimbo>;
}

export interface TestCellsOptions extends TestGatewayOptions {
  /** The home's URL, and the test's own connection to it. */
  home?: { url: string; database: Database };
  /** Called when everything but the gateway exists. */
  beforeStart?: () => void | Promise<void>;
}

const secretKey = Buffer.alloc(32, 7);

/** A gateway with further cells (schemas in the home's database), and a merchant in each. */
export async function testCells(
  context: TestContext,
  names: readonly string[],
  options: TestCellsOptions = {},
): Promise<TestCells> {
  const { url: homeUrl, database: home } = options.home ?? (await testDatabase(context));
  const databases: Record<string, Database> = { home };
  const urls: Record<string, string> = { home: homeUrl };
  for (const name of names) {
    const url = await makeCell(home, homeUrl, name);
    urls[name] = url;
    databases[name] = openDatabase({ url, log: silentLog, maxConnections: 4 });
    cleanUp(context, () => databases[name]!.close());
  }
  const keys: Record<string, string> = {};
  for (const [name, database] of Object.entries(databases)) keys[name] = await testKey(database);
  await options.beforeStart?.();
  const { url, gateway } = await anotherGateway(context, homeUrl, options);
  const zimbos = Object.fromEntries(
    Object.entries(keys).map(([name, key]) => [name, zimboOf(url, key)]),
  );
  return { url, gateway, homeUrl, databases, urls, keys, zimbos };
}

/** Creates a cell like `zimbo cells create`. @returns the URL of its tables */
async function makeCell(home: Database, homeUrl: string, name: string): Promise<string> {
  await home.query({ text: `CREATE SCHEMA ${name}` });
  const url = withSchema(homeUrl, name);
  await migrate(url, { now: new Date() });
  const cell = openDatabase({ url, log: silentLog, maxConnections: 1 });
  await home.query(
    {
      text: `INSERT INTO phone_digest_key (box) VALUES ($1) ON CONFLICT DO NOTHING`,
    },
    [
      createSecretBox(secretKey).encrypt(
        Buffer.alloc(32, 5).toString('base64'),
        'phone_digest_key',
      ),
    ],
  );
  const box = await findDigestKeyBox(home);
  await nameThisCell(cell, name);
  await cell.query({ text: 'INSERT INTO phone_digest_key (box) VALUES ($1)' }, [box]);
  await cell.close();
  await insertCell(home, { name, isOnCitus: false, schemaName: name, createdAtMs: Date.now() });
  return url;
}
