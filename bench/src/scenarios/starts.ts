import { setTimeout as delay } from 'node:timers/promises';
import { openDataDirectory } from '../../../server/src/platform/postgres/embedded/data-directory.ts';
import type { Figures } from '../figures.ts';
import { cleanUp } from '../gateway/cleanup.ts';
import { end, spawnGateway } from '../gateway/gateway.ts';
import { freePort, newDataDir, removeData } from '../gateway/server.ts';
import type { Plan } from '../plan.ts';
import type { Step } from '../progress.ts';

const pollMs = 10;
const limitMs = 60_000;

/** From the start of the process until /readyz succeeds: on an empty DATA_DIR, and again. */
export function startSteps(_plan: Plan, figures: Figures): Step[] {
  let dataDir: string;
  let remove: () => Promise<void>;
  return [
    {
      name: 'the first start',
      seconds: 4,
      run: async () => {
        dataDir = await newDataDir();
        remove = cleanUp(async () =>
          removeData(dataDir, (await openDataDirectory(dataDir)).location),
        );
        figures.set('ready.firstMs', await readyMs(dataDir));
      },
    },
    {
      name: 'a later start',
      seconds: 2,
      run: async () => {
        figures.set('ready.laterMs', await readyMs(dataDir));
        await remove();
      },
    },
  ];
}

async function readyMs(dataDir: string): Promise<number> {
  const port = await freePort();
  const startMs = performance.now();
  const child = spawnGateway(dataDir, { PORT: String(port) });
  const stop = cleanUp(() => end(child));
  try {
    while (performance.now() - startMs < limitMs && child.exitCode === null) {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
      if (answer?.ok) return performance.now() - startMs;
      await delay(pollMs);
    }
    throw new Error('the gateway did not start');
  } finally {
    await stop();
  }
}
