import type { Logger } from 'pino';
import { loadAdapters } from '../integrations/operators/load-adapters.ts';
import type { Config } from '../platform/config/config.ts';
import { StartError } from '../platform/errors/start-error.ts';
import { leaveToOtherProcesses, letClientsGo } from '../platform/http/drain-connections.ts';
import type { MetricJson } from '../platform/observability/aggregate-metrics.ts';
import { openTracing } from '../platform/observability/tracing.ts';
import { type Database, openDatabase } from '../platform/postgres/database.ts';
import { plaintextHost } from '../platform/postgres/plaintext-host.ts';
import type { Clock } from '../platform/process/clock.ts';
import { version } from '../platform/process/version.ts';
import { openSecretKeys } from '../platform/secrets/secret-keys.ts';
import { randomIds } from '../platform/values/ids.ts';
import { hashApiKey } from '../tenants/merchants/api-key.ts';
import { ensureDemoMerchant } from '../tenants/merchants/demo.ts';
import { findKeyByHash, hasMerchants } from '../tenants/merchants/store.ts';
import { makeFirstLink } from '../tenants/people/first-sign-in-link.ts';
import type { Gateway } from './compose.ts';
import { composeWithCells } from './compose-with-cells.ts';
import type { Timing } from './gateway-options.ts';
import type { Machine } from './shared-resources.ts';
import { type Storage, whenDatabaseAnswers } from './storage.ts';

const letGoLimitMs = 2_000;
/** Twice as long as the proxies of deploy/ keep an idle connection. */
const idleLimitMs = 10_000;

export interface RunningGateway {
  /** The URL of the gateway, for example `http://127.0.0.1:3000`. */
  url: string;
  /** The URL of /metrics and /docs, if different. */
  operationsUrl: string | undefined;
  /** The key of the demo merchant in a new embedded database. */
  demoKey: string | undefined;
  /** Undefined in all processes but the first, because only the first checks. */
  hasMerchants: boolean | undefined;
  /** The link that signs a new user in to the console, once; while nobody has an account. */
  firstLink: string | undefined;
  /** The folder of the embedded database. */
  databaseLocation: string | undefined;
  /** With several processes: rejects with the reason when workers can no longer be started. */
  failed?: Promise<never>;
  /** Replaces several processes, one after the other, without refusing a request. */
  restart?: () => Promise<void>;
  /**
   * Drains connections before the stop: each answer closes its connection, so that no client sends on a closing one.
   */
  letGo?: () => Promise<void>;
  stop(): Promise<void>;
}

/** The gateway of one process. */
export interface GatewayOfProcess extends RunningGateway {
  /** The same when other processes serve the port: no request fails. */
  leave(): Promise<void>;
  letGo: () => Promise<void>;
  metrics: () => Promise<MetricJson[]>;
}

export interface RunOptions {
  config: Config;
  log: Logger;
  timing: Partial<Timing>;
  /** False for all processes but the first: the demo already exists. */
  isFirst?: boolean;
  machine?: Machine;
}

/** Runs the gateway on a migrated database; stopping it closes the storage, failing to start does not. */
export async function runGateway(
  storage: Storage,
  { config, log, timing, machine, isFirst = true }: RunOptions,
): Promise<GatewayOfProcess> {
  let gateway: Gateway | undefined;
  try {
    const { current: secretKey, previous: previousSecretKey } = await openSecretKeys(config);
    const tracing = await openTracing(config.tracing, { log, version, random: Math.random });
    const keys = { secretKey, previousSecretKey };
    if (config.databaseUrl) warnOfClearText(config.databaseUrl, log);
    let started = false;
    const isStarted = () => started;
    const adapterOf = await loadAdapters(config.operators);
    const options = { config, adapterOf, databaseUrl: storage.url, ...keys };
    const all = { ...options, machine, log, tracing, timing, isStarted };
    const running = await composeWithCells(all);
    gateway = running;
    await whenDatabaseAnswers(log, () => running.prepare());
    const url = await listen(running.http, config, 'PORT');
    const { operations } = running;
    const operationsUrl =
      operations && config.operations
        ? await listen(operations, config.operations, 'OPERATIONS_PORT')
        : undefined;
    const listeners = operations ? [running.http, operations] : [running.http];
    const place = { databaseUrl: storage.url, url, clock: running.clock };
    const newcomer = isFirst ? await welcome(config, place, log) : undefined;
    if (config.role !== 'api') running.startWorkers();
    // Written before /readyz succeeds, so that scripts can rely on demo.env.
    started = true;
    return {
      url,
      operationsUrl,
      demoKey: newcomer?.demoKey,
      hasMerchants: newcomer?.hasMerchants,
      firstLink: newcomer?.firstLink,
      databaseLocation: storage.location,
      metrics: running.metrics,
      async leave() {
        const limits = { limitMs: letGoLimitMs, idleLimitMs };
        await Promise.all(listeners.map((app) => leaveToOtherProcesses(app, limits)));
      },
      async letGo() {
        await Promise.all(listeners.map((app) => letClientsGo(app, letGoLimitMs)));
      },
      async stop() {
        await running.stop();
        await storage.close();
      },
    };
  } catch (error) {
    await gateway?.stop();
    throw error;
  }
}

function warnOfClearText(url: string, log: Logger): void {
  const host = plaintextHost(url);
  if (host === undefined) return;
  log.warn(
    { host },
    `DATABASE_URL leads to ${host} without TLS: anyone in between can read and change everything. Add ?sslmode=verify-full, or ?sslmode=disable if the network is safe`,
  );
}

async function listen(
  app: Gateway['http'],
  { host, port }: Pick<Config, 'host' | 'port'>,
  setting: 'PORT' | 'OPERATIONS_PORT',
): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (syscall === undefined) throw error;
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `${setting} ${port} is in use by another program.`,
        `Choose another: ${setting}=${port < 65_535 ? port + 1 : port - 1} npm start`,
      );
    }
    if (code === 'EACCES') throw new StartError(`${setting} ${port} may not be used by this user.`);
    // An address without its zone, or a name that does not resolve, among others.
    throw new StartError(
      `${setting.replace('PORT', 'HOST')} ${host} is not an address of this machine (${code}).`,
    );
  }
}

const connectTimeoutMs = 10_000;

type ForNewcomer = Pick<RunningGateway, 'demoKey' | 'firstLink' | 'hasMerchants'>;

interface Place {
  databaseUrl: string;
  url: string;
  clock: Clock;
}

/**
 * For the person who started the gateway: on a laptop the demo merchant's key and the console link, and whether there
 * are merchants.
 */
async function welcome(config: Config, place: Place, log: Logger): Promise<ForNewcomer> {
  // On a very busy machine, the first connections of a first start take their time.
  const database = openDatabase({
    url: place.databaseUrl,
    log,
    maxConnections: 1,
    connectTimeoutMs,
  });
  try {
    return await whenDatabaseAnswers(log, () => findForNewcomer(config, place, database));
  } finally {
    await database.close();
  }
}

/** Repeating it is safe. */
async function findForNewcomer(
  config: Config,
  { url, clock }: Place,
  database: Database,
): Promise<ForNewcomer> {
  const none = { demoKey: undefined, firstLink: undefined };
  if (config.databaseUrl) return { ...none, hasMerchants: await hasMerchants(database) };
  const base = { database, clock, ids: randomIds(), dataDir: config.dataDir, url };
  const demoKey = await ensureDemoMerchant(base);
  if (demoKey === undefined) return { ...none, hasMerchants: true };
  const { merchantId } = (await findKeyByHash(database, hashApiKey(demoKey)))!;
  // PORT=0 has been replaced by the actual port.
  const consoleUrl = config.consoleUrl.replace(/:0$/, `:${new URL(url).port}`);
  const firstLink = await makeFirstLink(base, { merchantId, consoleUrl });
  return { demoKey, firstLink, hasMerchants: true };
}
