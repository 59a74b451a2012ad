import type { Logger } from 'pino';
import type { Config } from '../platform/config/config.ts';
import { migrate } from '../platform/postgres/migrations.ts';
import { removeForgottenScratch } from '../platform/process/scratch.ts';
import type { Timing } from './gateway-options.ts';
import type { RunningGateway } from './run.ts';
import { openStorage, whenDatabaseAnswers } from './storage.ts';

export type { RunningGateway } from './run.ts';

/**
 * Starts the gateway: database, migrations, secret key, HTTP, workers. Loading its modules takes most of the start, so
 * it happens while PostgreSQL starts. @param timing shorter for tests that would otherwise wait @throws StartError with
 * an explanation for the person who starts it
 */
export async function startGateway(
  config: Config,
  log: Logger,
  timing: Partial<Timing> = {},
): Promise<RunningGateway> {
  let loaded: Promise<typeof import('./run.ts')> | undefined;
  const load = () => {
    loaded ??= import('./run.ts');
    return loaded;
  };
  await removeForgottenScratch(Date.now());
  // Errors are reported below.
  const storage = await openStorage(config, () => void load().catch(() => {}));
  try {
    await whenDatabaseAnswers(log, () =>
      migrate(storage.url, { now: new Date(), report: (words) => log.warn(words) }),
    );
    const { runGateway } = await load();
    return await runGateway(storage, { config, log, timing });
  } catch (error) {
    await storage.close();
    throw error;
  }
}
