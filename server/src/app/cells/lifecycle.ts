import type { Logger } from 'pino';
import type { Config } from '../../platform/config/config.ts';
import { monotonicClock } from '../../platform/process/clock.ts';
import { homeName } from '../../tenants/cells/cell.ts';
import type { CopyWorker } from '../../tenants/cells/copy-worker.ts';
import type { Gateway } from '../compose.ts';
import { worksHere } from '../gateway-options.ts';
import type { makeLoadRecentKeys } from './recent-keys.ts';
import type { ServedCell } from './served-cell.ts';

/** Less than the patience of service managers: systemd kills after 40 s. */
const stopLimitMs = 30_000;

interface LifecycleOptions {
  config: Config;
  log: Logger;
  home: Gateway;
  served: ReadonlyMap<string, ServedCell>;
  loadRecentKeys: ReturnType<typeof makeLoadRecentKeys>;
  copies: CopyWorker;
}

/** Starts and stops a gateway of several cells. */
export function lifecycleOf(
  options: LifecycleOptions,
): Pick<Gateway, 'prepare' | 'startWorkers' | 'stop'> {
  const { config, log, home, served, loadRecentKeys, copies } = options;
  const isMine = (own: string) => worksHere({ config, cells: { own } });
  return {
    async prepare() {
      await home.prepare();
      await loadRecentKeys(home);
      for (const cell of served.values()) cell.startPreparing(() => loadRecentKeys(cell.gateway));
      // Usually all cells are reachable; an unreachable one is awaited in the background.
      await Promise.all([...served.values()].map((cell) => cell.waitUntilPrepared()));
    },
    startWorkers() {
      if (isMine(homeName)) {
        home.startWorkers();
        copies.start();
      }
      for (const [name, cell] of served) if (isMine(name)) cell.startWorkers();
    },
    async stop() {
      const limit = limitFrom(monotonicClock.nowMs());
      const copied = copies.stop();
      // The home listens for all cells; its close waits for the requests that it handed over.
      const closed = [...served.values()].map((cell) => cell.close());
      await Promise.allSettled([home.http.close(), ...closed]);
      const stopped = [...served].map(([name, cell]) =>
        cell
          .stop()
          .catch((err: unknown) => log.error({ err, cell: name }, 'a cell failed to stop cleanly')),
      );
      // Cells write to the home's database until their end, which a frozen cell never reaches.
      await home.stop(limit(Promise.all([copied, ...stopped]), log));
    },
  };
}

/** Limits the whole stop, counted from its beginning. */
const limitFrom = (begunMs: number) => async (stopped: Promise<unknown>, log: Logger) => {
  const late = Promise.withResolvers<void>();
  const leftMs = stopLimitMs - (monotonicClock.nowMs() - begunMs);
  const timer = setTimeout(() => {
    log.warn('a cell has not stopped in time; stopping without it');
    late.resolve();
  }, leftMs);
  await Promise.race([stopped, late.promise]);
  clearTimeout(timer);
};
