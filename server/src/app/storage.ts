import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../platform/config/config.ts';
import { StartError } from '../platform/errors/start-error.ts';
import { openEmbeddedDatabase } from '../platform/postgres/embedded/embedded.ts';
import { isTransient } from '../platform/postgres/transient-errors.ts';

/** The database, and the function that closes it. */
export interface Storage {
  url: string;
  /** The folder of the embedded database. */
  location?: string;
  close(): Promise<void>;
}

const databaseWaitMs = 60_000;
const databaseRetryMs = 1_000;

/** @param onWait called if PostgreSQL needs more than a moment */
export async function openStorage(
  { databaseUrl, dataDir }: Config,
  onWait: () => void,
): Promise<Storage> {
  if (databaseUrl) return { url: databaseUrl, close: async () => {} };
  return openEmbeddedDatabase({ dataDir, role: 'gateway', onWait });
}

/** Waits for a database that is starting or restarting. */
export async function whenDatabaseAnswers<Result>(
  log: Logger,
  run: () => Promise<Result>,
): Promise<Result> {
  let told: string | undefined;
  const deadlineMs = performance.now() + databaseWaitMs;
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (error instanceof StartError || !isTransient(error)) throw error;
      if (performance.now() > deadlineMs) {
        throw new StartError(
          `The database could not be used for ${databaseWaitMs / 1_000} seconds: ${(error as Error).message}`,
          'If the machine is very busy, start again when it is not. With DATABASE_URL, check that PostgreSQL is running, and that its host, port and password are correct.',
        );
      }
      const reason = (error as Error).message;
      if (reason !== told) log.warn({ reason }, 'the database does not answer yet');
      told = reason;
      await delay(databaseRetryMs);
    }
  }
}
