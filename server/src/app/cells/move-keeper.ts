import type { Logger } from 'pino';
import { type OpenCell, openForMove } from '../../cells/move/cells.ts';
import { finishMoves } from '../../cells/move/index.ts';
import { listLeft } from '../../cells/move/left.ts';
import { usualTiming } from '../../cells/move/move.ts';
import type { Clock } from '../../clock.ts';
import { randomIds } from '../../ids.ts';
import { Poller } from '../../jobs/poller.ts';

const intervalMs = 10_000;

/**
 * Looks for merchants whose mover has died: past the point of no return their move is finished, before it they are
 * served where they were.
 */
export function moveKeeper(
  cells: readonly OpenCell[],
  { clock, log }: { clock: Clock; log: Logger },
): Poller {
  const [home] = cells;
  const options = { by: { clock, ids: randomIds() }, timing: usualTiming };
  const finish = async () => {
    const opened = cells.map((cell) => openForMove(cell, log));
    try {
      return await finishMoves({ home: opened[0]!, all: opened }, options, log);
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
