import type { Logger } from 'pino';
import type { Config } from '../../platform/config/config.ts';
import { monotonicClock } from '../../platform/process/clock.ts';
import { homeName } from '../../tenants/cells/cell.ts';
import type { CopyWorker } from '../../tenants/cells/copy-worker.ts';
import type { Gateway } from '../compose.ts';
import { worksHere } from '../gateway-options.ts';
import type { makeLearn } from './learn.ts';
import type { ServedCell } from './served-cell.ts';

/** Before whoever stops the process loses patience: systemd after 40 s. */
const stopLimitMs = 30_000;

interface Lived {
  config: Config;
  log: Logger;
  home: Gateway;
  served: ReadonlyMap<string, ServedCell>;
  learn: ReturnType<typeof makeLearn>;
  copies: CopyWorker;
}

/** How a gateway of several cells starts, and ends. */
export function lifeOf(lived: Lived): Pick<Gateway, 'prepare' | 'startWorkers' | 'stop'> {
  const { config, log, home, served, learn, copies } = lived;
  const isMine = (own: string) => worksHere({ config, cells: { own } });
  return {
    async prepare() {
      await home.prepare();
      await learn(home);
      for (const cell of served.values()) cell.begin(() => learn(cell.gateway));
      // Most starts find all cells there; a cell that is away is waited for in the background.
      await Promise.all([...served.values()].map((cell) => cell.soon()));
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
      // The home listens for all, and what it handed over is answered before it has closed.
      const closed = [...served.values()].map((cell) => cell.close());
      await Promise.allSettled([home.http.close(), ...closed]);
      const stopped = [...served].map(([name, cell]) =>
        cell
          .stop()
          .catch((err: unknown) => log.error({ err, cell: name }, 'a cell did not stop well')),
      );
      // Cells write to the home's database to their end; one that is frozen has none.
      await home.stop(limit(Promise.all([copied, ...stopped]), log));
    },
  };
}

/** Of all that a stop waits for, from its beginning. */
const limitFrom = (begunMs: number) => async (stopped: Promise<unknown>, log: Logger) => {
  const late = Promise.withResolvers<void>();
  const leftMs = stopLimitMs - (monotonicClock.nowMs() - begunMs);
  const timer = setTimeout(() => {
    log.warn('a cell has not stopped in time, and is left as it is');
    late.resolve();
  }, leftMs);
  await Promise.race([stopped, late.promise]);
  clearTimeout(timer);
};
