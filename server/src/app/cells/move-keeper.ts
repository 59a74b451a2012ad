import type { Logger } from 'pino';
import { Poller } from '../../platform/jobs/poller.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { randomIds } from '../../platform/values/ids.ts';
import { type OpenCell, openForMove } from '../../tenants/cells/move/cells.ts';
import { finishMoves } from '../../tenants/cells/move/index.ts';
import { listLeft } from '../../tenants/cells/move/left.ts';
import { usualTiming } from '../../tenants/cells/move/move.ts';
import { onceServed } from '../../tenants/cells/not-served.ts';

const intervalMs = 10_000;

/**
 * Looks for merchants whose mover has died: past the point of no return their move is finished, before it they are
 * served where they were.
 */
export function moveKeeper(
  cells: readonly OpenCell[],
  { clock, log, isServed }: { clock: Clock; log: Logger; isServed: (cell: string) => boolean },
): Poller {
  const [home] = cells;
  const options = { by: { clock, ids: randomIds() }, timing: usualTiming };
  const finish = async () => {
    const opened = cells.map((cell) => openForMove(cell, log));
    const all = opened.map((cell) => ({
      ...cell,
      database: onceServed(cell.database, () => isServed(cell.name)),
    }));
    try {
      return await finishMoves({ home: all[0]!, all }, options, log);
    } finally {
      await Promise.all(opened.map(({ database }) => database.close()));
    }
  };
  return new Poller({
    name: 'moves of merchants',
    clock,
    log,
    claim: async () => {
      const left = await listLeft({ home: home!, all: cells });
      return left.length === 0 ? 0 : finish();
    },
    minIntervalMs: intervalMs,
    maxIntervalMs: intervalMs,
  });
}
