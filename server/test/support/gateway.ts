import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Logger } from 'pino';

import { Zimbo } from '../../../sdk/typescript/src/index.ts';

import type { Gateway } from '../../src/app/compose.ts';
import { composeWithCells } from '../../src/app/compose-with-cells.ts';
import type { Timing } from '../../src/app/gateway-options.ts';
import type { Machine } from '../../src/app/shared-resources.ts';
import { loadAdapters } from '../../src/integrations/operators/load-adapters.ts';
import { loadConfig } from '../../src/platform/config/config.ts';
import { openTracing } from '../../src/platform/observability/tracing.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import { type Clock, systemClock } from '../../src/platform/process/clock.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { allPermissions } from '../../src/tenants/merchants/api-key.ts';
import { createMerchant } from '../../src/tenants/merchants/create-merchant.ts';
import { issueKey } from '../../src/tenants/merchants/keys.ts';
import { cleanUp } from './cleanup.ts';
import { silentLog, testDatabase } from './database.ts';
import { eventually } from './eventually.ts';
import {
  addFurtherCells,
  cellOfTests,
  type DatabaseOfCells,
  furtherCells,
} from './further-cells.ts';
import { severalGateways } from './several-gateways.ts';

export { eventually } from './eventually.ts';

export interface TestGateway {
  url: string;
  gateway: Gateway;
  /** Runs the test's queries as if there were one cell. */
  database: Database;
  /** The home's database. */
  databaseUrl: string;
  /** The URL of the merchants' cell, for changes to its tables. */
  cellUrl: string;
  /** A test key of the gateway's first merchant. */
  key: string;
  /** The gateway's API through the SDK, and as raw HTTP. */
  zimbo: Zimbo;
  api: Api;
}

/** How many processes a test's gateway consists of: `ZIMBO_TEST_PROCESSES=2 npm test`. */
export const processCount = Number(process.env.ZIMBO_TEST_PROCESSES || 1);

/** Patient enough for a busy machine, short enough for a test. */
export const shortTiming: Partial<Timing> = {
  operatorTimeoutMs: 1_000,
  firstBackoffMs: 100,
  maxBackoffMs: 400,
  expiryGraceMs: 300,
  copyIntervalMs: 200,
};

/** Options of `npm start` that no test sets. */
export const plainStart = { DATABASE_URL: '', WEBHOOK_ALLOW_PRIVATE: '' };

export interface TestGatewayOptions {
  environment?: Record<string, string>;
  timing?: Partial<Timing>;
  log?: Logger;
  /** The machine's clock, which may be wrong. */
  wallClock?: Clock;
  /** State shared with other processes. */
  machine?: Machine;
  /** The port to listen on; by default any free port. */
  port?: number;
}

/** A complete gateway in this process, with its own database and port. */
export async function testGateway(
  context: Pick<TestContext, 'after'>,
  options: TestGatewayOptions = {},
): Promise<TestGateway> {
  const { url: databaseUrl, cellUrl, database } = await gatewayDatabase(context);
  const { url, gateway } = await anotherGateway(context, databaseUrl, options);
  const key = await testKey(database);
  const zimbo = zimboOf(url, key);
  return { url, gateway, database, databaseUrl, cellUrl, key, zimbo, api: apiOf(url, key) };
}

/** The only database; with ZIMBO_TEST_CELLS, the databases of several cells, seen as one. */
export async function gatewayDatabase(
  context: Pick<TestContext, 'after'>,
): Promise<DatabaseOfCells> {
  const home = await testDatabase(context);
  if (furtherCells.length === 0) return { ...home, cellUrl: home.url };
  return addFurtherCells(context, home);
}

/** Another gateway on an existing database. */
export async function anotherGateway(
  context: Pick<TestContext, 'after'>,
  databaseUrl: string,
  options: TestGatewayOptions = {},
): Promise<{ url: string; gateway: Gateway }> {
  const config = loadConfig({
    PORT: '0',
    ZIMBO_PROCESSES: String(processCount),
    DATA_DIR: dataDirOf(context),
    SIMULATOR_DELAY_MS: '40',
    DATABASE_CONNECTIONS: '4',
    // Most tests use the same phone repeatedly.
    PROMPTS_PER_PHONE: 'off',
    DISBURSEMENTS: 'on',
    // Otherwise a gateway with an external database reaches no receivers on this machine.
    WEBHOOK_ALLOW_PRIVATE: 'true',
    DATABASE_URL: databaseUrl,
    ZIMBO_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    ...options.environment,
  });
  const timing = { ...shortTiming, ...options.timing };
  const log = options.log ?? silentLog;
  const tracing = await openTracing(config.tracing, { log, version: 'test', random: Math.random });
  const { secretKey = Buffer.alloc(0), previousSecretKey } = config;
  const keys = { secretKey, previousSecretKey };
  const { wallClock, machine } = options;
  const adapterOf = await loadAdapters(config.operators);
  const gatewayOptions = {
    adapterOf,
    databaseUrl,
    ...keys,
    log,
    timing,
    tracing,
    wallClock,
    machine,
  };
  if (processCount > 1)
    return severalGateways(context, config, { gatewayOptions, port: options.port });
  const gateway = await composeWithCells({ config, ...gatewayOptions });
  // A test may stop it earlier.
  let stopping: Promise<void> | undefined;
  const stop = () => (stopping ??= gateway.stop());
  cleanUp(context, stop);
  await gateway.prepare();
  const url = await gateway.http.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  if (config.role !== 'api') gateway.startWorkers();
  return { url, gateway: { ...gateway, stop } };
}

/** Pays out to files even though the gateway has an external database. */
function dataDirOf(context: Pick<TestContext, 'after'>): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'zimbo-data-'));
  cleanUp(context, () => rmSync(dataDir, { recursive: true, force: true }));
  return dataDir;
}

/** A key of a new merchant, with all permissions. */
export async function testKey(database: Database, mode: 'test' | 'live' = 'test'): Promise<string> {
  return (await testMerchant(database, mode)).key;
}

/** A new merchant with a key. */
export async function testMerchant(
  database: Database,
  mode: 'test' | 'live' = 'test',
): Promise<{ merchantId: string; key: string }> {
  const base = { database, clock: systemClock, ids: randomIds() };
  const { id: merchantId } = await createMerchant(base, 'Loja de teste');
  const permissions = allPermissions;
  const { key } = await issueKey(base, { merchantId, mode, permissions });
  return { merchantId, key };
}

/** A merchant's client that never retries, so that tests see every failure. */
export function zimboOf(url: string, key: string): Zimbo {
  return new Zimbo(key, { baseUrl: url, maxRetries: 0 });
}

/** Waits until a resource has a status, and returns it. */
export function reach<Item extends { status: string }>(
  resources: { get(id: string): Promise<Item> },
  id: string,
  status: Item['status'],
): Promise<Item> {
  return eventually(`${id} becomes ${status}`, async () => {
    const item = await resources.get(id);
    return item.status === status && item;
  });
}

export interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of all shapes.
  body: any;
  text: string;
  headers: Headers;
}

export type Api = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answer>;

/**
 * With several cells, lets staff commands name the cell that tests know. People and keys are in the
 * home; audit records come from all cells.
 */
export const inCellOfTests = (path: string): Record<string, string> =>
  cellOfTests !== undefined &&
  /^\/admin\/v1(?!\/(?:audit-records(?!\/export)|admin-keys|staff)\b)/.test(path)
    ? { 'zimbo-cell': cellOfTests }
    : {};

/** Calls the API in raw HTTP: for tests about bodies, headers and bytes. */
export function apiOf(url: string, key: string): Api {
  return async (method, path, body, headers = {}) => {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...inCellOfTests(path),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    const parsed = isJson && text !== '' ? JSON.parse(text) : undefined;
    return { status: answer.status, body: parsed, text, headers: answer.headers };
  };
}
