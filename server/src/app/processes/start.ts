import cluster from 'node:cluster';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config/config.ts';
import { migrate } from '../../platform/postgres/migrations.ts';
import { openSecretKeys } from '../../platform/secrets/secret-keys.ts';
import type { Timing } from '../gateway-options.ts';
import type { RunningGateway } from '../run.ts';
import { pageLimits } from '../shared-resources.ts';
import { openStorage, whenDatabaseAnswers } from '../storage.ts';
import { Processes } from './processes.ts';

/**
 * Starts the gateway in several processes on one port. This one opens the database, migrates it and makes the key; its
 * workers answer requests and do the work. @param timing shorter for tests that would otherwise wait @throws StartError
 * with an explanation for the person who starts it
 */
export async function startGateway(
  config: Config,
  log: Logger,
  timing: Partial<Timing> = {},
): Promise<RunningGateway> {
  if (cluster.isWorker) {
    const { runWorker } = await import('./run-worker.ts');
    return runWorker(config, { log, timing });
  }
  const storage = await openStorage(config, () => {});
  const processes = new Processes({
    count: config.processes,
    storageUrl: storage.url,
    pages: pageLimits(config),
    log,
  });
  const stop = async () => {
    await processes.stop();
    await storage.close();
  };
  try {
    await whenDatabaseAnswers(log, () =>
      migrate(storage.url, { now: new Date(), report: (words) => log.warn(words) }),
    );
    await openSecretKeys(config);
    const told = await processes.start();
    return {
      ...told,
      databaseLocation: storage.location,
      failed: processes.failed,
      restart: () => processes.restart(),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
