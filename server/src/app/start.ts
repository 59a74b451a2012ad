import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Config } from '../config/config.ts';
import { randomIds } from '../ids.ts';
import { hashApiKey } from '../merchants/api-key.ts';
import { ensureDemoMerchant } from '../merchants/demo.ts';
import { findKeyByHash } from '../merchants/store.ts';
import { openTracing } from '../observability/tracing.ts';

import { loadAdapters } from '../operators/load-adapters.ts';
import { makeFirstLink } from '../people/first-link.ts';

import { isTransient, openDatabase } from '../postgres/database.ts';
import { openEmbeddedDatabase } from '../postgres/embedded/embedded.ts';
import { migrate } from '../postgres/migrations.ts';
import { clearTextHost } from '../postgres/unencrypted.ts';
import { openSecretKeys } from '../secrets/secret-keys.ts';
import { StartError } from '../start-error.ts';
import { version } from '../version.ts';
import { compose, type Gateway } from './compose.ts';
import type { Timing } from './surroundings.ts';

export interface RunningGateway {
  /** If it listens, for example `http://127.0.0.1:3000`. */
  url: string;
  /** Where /metrics and /docs are, if not there. */
  operationsUrl: string | undefined;
  /** Of the merchant that an empty embedded database begins with. */
  demoKey: string | undefined;
  /** Signs a newcomer in to the console, once; while nobody has an account. */
  firstLink: string | undefined;
  /** Where the embedded database lies. */
  databaseLocation: string | undefined;
  stop(): Promise<void>;
}

interface Storage {
  url: string;
  location?: string;
  close(): Promise<void>;
}

const databaseWaitMs = 60_000;
const databaseRetryMs = 1_000;

/**
 * Starts the gateway: database, migrations, secret key, HTTP, workers.
 * @param timing shorter for tests that would otherwise wait
 * @throws StartError with words for whoever starts it
 */
export async function startGateway(
  config: Config,
  log: Logger,
  timing: Partial<Timing> = {},
): Promise<RunningGateway> {
  const storage = await openStorage(config);
  let gateway: Gateway | undefined;
  try {
    await whenDatabaseAnswers(log, () =>
      migrate(storage.url, { now: new Date(), tell: (words) => log.warn(words) }),
    );
    const { current: secretKey, previous: previousSecretKey } = await openSecretKeys(config);
    const tracing = await openTracing(config.tracing, { log, version, random: Math.random });
    const keys = { secretKey, previousSecretKey };
    if (config.databaseUrl) warnOfClearText(config.databaseUrl, log);
    let started = false;
    const isStarted = () => started;
    const adapterOf = await loadAdapters(config.operators);
    const surroundings = { config, adapterOf, databaseUrl: storage.url, ...keys };
    const running = compose({ ...surroundings, log, tracing, timing, isStarted });
    gateway = running;
    await whenDatabaseAnswers(log, () => running.prepare());
    const url = await listen(running.http, config, 'PORT');
    const { operations } = running;
    const operationsUrl =
      operations && config.operations
        ? await listen(operations, config.operations, 'OPERATIONS_PORT')
        : undefined;
    const place = { databaseUrl: storage.url, url, clock: running.clock };
    const newcomer = config.databaseUrl ? undefined : await welcome(config, place, log);
    if (config.role !== 'api') running.startWorkers();
    // Whoever waits for /readyz finds demo.env written.
    started = true;
    return {
      url,
      operationsUrl,
      demoKey: newcomer?.demoKey,
      firstLink: newcomer?.firstLink,
      databaseLocation: storage.location,
      async stop() {
        await running.stop();
        await storage.close();
      },
    };
  } catch (error) {
    await gateway?.stop();
    await storage.close();
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

async function openStorage({ databaseUrl, dataDir }: Config): Promise<Storage> {
  if (databaseUrl) return { url: databaseUrl, close: async () => {} };
  return openEmbeddedDatabase({ dataDir, role: 'gateway' });
}

/** A database that is still starting, or is being restarted, is waited for. */
async function whenDatabaseAnswers(log: Logger, run: () => Promise<unknown>): Promise<void> {
  const deadlineMs = Date.now() + databaseWaitMs;
  for (;;) {
    try {
      await run();
      return;
    } catch (error) {
      if (!isTransient(error)) throw error;
      if (Date.now() > deadlineMs) {
        throw new StartError(
          `The database of DATABASE_URL has not answered for ${databaseWaitMs / 1_000} seconds: ${(error as Error).message}`,
          'Check that PostgreSQL is running, and that its host, port and password are correct.',
        );
      }
      log.warn({ reason: (error as Error).message }, 'the database does not answer yet');
      await delay(databaseRetryMs);
    }
  }
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

/** The demo merchant's key, and the link to the console: for whoever has just started the gateway here. */
async function welcome(
  config: Config,
  { databaseUrl, url, clock }: { databaseUrl: string; url: string; clock: Clock },
  log: Logger,
): Promise<{ demoKey: string; firstLink: string | undefined } | undefined> {
  const database = openDatabase({ url: databaseUrl, log, maxConnections: 1 });
  try {
    const base = { database, clock, ids: randomIds(), dataDir: config.dataDir, url };
    const demoKey = await ensureDemoMerchant(base);
    if (demoKey === undefined) return undefined;
    const { merchantId } = (await findKeyByHash(database, hashApiKey(demoKey)))!;
    // PORT=0 has become a port by now.
    const consoleUrl = config.consoleUrl.replace(/:0$/, `:${new URL(url).port}`);
    return { demoKey, firstLink: await makeFirstLink(base, { merchantId, consoleUrl }) };
  } finally {
    await database.close();
  }
}
