import type { Queryable } from '../../../platform/postgres/database.ts';
import { findMove, listUnfinished, noteMarkedRun, type StoredMove } from './home.ts';
import { listMarks, type MarkedRun } from './marks.ts';

interface Databases {
  home: { database: Queryable };
  all: readonly { database: Queryable }[];
}

/** Of the cells that answer. */
async function marksIn({ all }: Databases, merchantId?: string): Promise<MarkedRun[]> {
  const asked = all.map(({ database }) => listMarks(database, merchantId));
  const answers = await Promise.allSettled(asked);
  return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
}

/** Merchants whose move is under way, or was left: as the home has it, or the marks of cells, if the home was restored. */
export async function listLeft(cells: Databases): Promise<string[]> {
  // A run is noted in the home before it marks anything, and longer.
  const marked = await marksIn(cells);
  const told = await listUnfinished(cells.home.database);
  return [...new Set([...told, ...marked.map(({ merchantId }) => merchantId)])];
}

/**
 * The run that has a merchant, or has left it. One that the home has lost is noted there again, so that no other begins.
 * A mark of a run before the last one is left alone: what it says is no longer so. Ids of runs grow.
 */
export async function findLeft(
  cells: Databases,
  merchantId: string,
): Promise<StoredMove | undefined> {
  const home = cells.home.database;
  const told = await findMove(home, merchantId);
  if (told && told.state !== 'DONE') return told;
  const marks = await marksIn(cells, merchantId);
  const [mark] = marks
    .filter(({ moveId }) => !told || told.moveId <= moveId)
    .sort((one, other) => (one.moveId < other.moveId ? 1 : -1));
  if (!mark) return undefined;
  await noteMarkedRun(home, mark, mark);
  return findMove(home, merchantId);
}
