import { type Cells, leastOf } from './cells.ts';

/** A merchant that is large enough to make a difference. */
export interface Large {
  merchant: number;
  /** Payments a second in the busy hour. */
  size: number;
  /** The same on this day. */
  today: number;
}

/**
 * Merchants leave the cells that were too busy for a day: as few as will do, and of these the smallest. Each goes to
 * the least busy cell, if it does not make that one too busy: so what alone is more than a mean cell stays.
 */
export function mend(cells: Cells, large: readonly Large[], mendedAt: number): Large[] {
  const { movesAbove } = cells.policy;
  if (movesAbove === undefined) return [];
  const { seen } = cells;
  const mean = seen.reduce((sum, load) => sum + load, 0) / seen.length;
  const moves: Large[] = [];
  for (let cell = 0; cell < seen.length; cell++) {
    if (seen[cell]! <= movesAbove * mean) continue;
    const own = large.filter(({ merchant }) => cells.of[merchant] === cell);
    own.sort((one, other) => other.size - one.size || one.merchant - other.merchant);
    while (seen[cell]! > mendedAt * mean) {
      const to = leastOf(seen);
      const room = mendedAt * mean - seen[to]!;
      const next = pick(own, seen[cell]! - mendedAt * mean, room);
      if (next === undefined) break;
      cells.move(next.merchant, to, next.size);
      seen[cell]! -= next.size;
      seen[to]! += next.size;
      moves.push(next);
    }
  }
  return moves;
}

/** The smallest that mends it alone, otherwise the largest that fits; it is taken out of the list. */
function pick(sorted: Large[], excess: number, room: number): Large | undefined {
  const first = sorted.findIndex(({ size }) => size <= room);
  if (first < 0) return undefined;
  let at = first;
  while (at + 1 < sorted.length && sorted[at + 1]!.size >= excess) at++;
  return sorted.splice(at, 1)[0];
}
