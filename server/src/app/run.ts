import type { Logger } from 'pino';
import { loadAdapters } from '../integrations/operators/load-adapters.ts';
import type { Config } from '../platform/config/config.ts';
import { StartError } from '../platform/errors/start-error.ts';
import { letClientsGo, refuseConnections } from '../platform/http/drain-connections.ts';
import type { MetricJson } from '../platform/observability/aggregate-metrics.ts';
import { openTracing } from '../platform/observability/tracing.ts';
import { type Database, openDatabase } from '../platform/postgres/database.ts';
import { clearTextHost } from '../platform/postgres/plaintext-host.ts';
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

export interface RunningGateway {
  /** If it listens, for example `http://127.0.0.1:3000`. */
  url: string;
  /** Where /metrics and /docs are, if not there. */
  operationsUrl: string | undefined;
  /** Of the merchant that an empty embedded database begins with. */
  demoKey: string | undefined;
  /** Undefined where nobody asked: in the processes beside the first. */
  hasMerchants: boolean | undefined;
  /** Signs a newcomer in to the console, once; while nobody has an account. */
  firstLink: string | undefined;
  /** Where the embedded database lies. */
  databaseLocation: string | undefined;
  /** Of several processes: fails with the reason when they cannot be started any more. */
  failed?: Promise<never>;
  /** Replaces several processes, one after the other, without refusing a request. */
  restart?: () => Promise<void>;
  /** Before it is stopped: each answer closes its connection, so that no request is sent on one that closes. */
  letGo?: () => Promise<void>;
  stop(): Promise<void>;
}

/** The gateway of one process. */
export interface GatewayOfProcess extends RunningGateway {
  /** From now on no connection is taken: the other processes have the port. */
  refuseConnections(): void;
  letGo: () => Promise<void>;
  metrics: () => Promise<MetricJson[]>;
}

export interface RunOptions {
  config: Config;
  log: Logger;
  timing: Partial<Timing>;
  /** False for the processes beside the first: what a newcomer needs is there. */
  isFirst?: boolean;
  machine?: Machine;
}

/** Runs the gateway on a database that is up to date; stopping it closes the storage, failing to start does not. */
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
    const surroundings = { config, adapterOf, databaseUrl: storage.url, ...keys };
    const all = { ...surroundings, machine, log, tracing, timing, isStarted };
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
    // Whoever waits for /readyz finds demo.env written.
    started = true;
    return {
      url,
      operationsUrl,
      demoKey: newcomer?.demoKey,
      hasMerchants: newcomer?.hasMerchants,
      firstLink: newcomer?.firstLink,
      databaseLocation: storage.location,
      metrics: running.metrics,
      refuseConnections: () => listeners.forEach(refuseConnections),
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
  const host = clearTextHost(url);
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
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `${setting} ${port} is in use by another program.`,
        `Choose another: ${setting}=${port + 1} npm start`,
      );
    }
    if (code === 'EACCES') throw new StartError(`${setting} ${port} may not be used by this user.`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new StartError(
        `${setting.replace('PORT', 'HOST')} ${host} is not an address of this machine.`,
      );
    }
    throw error;
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
 * For whoever has just started the gateway: the demo merchant's key and the link to the console on a laptop, and
 * whether there are merchants.
 */
async function welcome(config: Config, place: Place, log: Logger): Promise<ForNewcomer> {
  // On a very busy machine the first connections of a first start take their time.
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

/** Done again, it finds what it has made. */
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
  // PORT=0 has become a port by now.
  const consoleUrl = config.consoleUrl.replace(/:0$/, `:${new URL(url).port}`);
  const firstLink = await makeFirstLink(base, { merchantId, consoleUrl });
  return { demoKey, firstLink, hasMerchants: true };
}
