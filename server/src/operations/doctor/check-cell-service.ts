import { StartError } from '../../platform/errors/start-error.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { nameOf, type RunningProcess, runningProcesses } from './process-registry.ts';

/** Why a cell cannot receive merchants yet, and the remedy. */
export interface Unserved {
  problem: string;
  advice: string;
}

/**
 * Checks that every running gateway serves a cell, and that one does its work: a gateway started before the cell was
 * created does not know its merchants' keys, and answers 401. If no gateway runs, the next start serves the cell.
 */
export async function findUnserved(
  home: Queryable,
  { name, database }: { name: string; database: Queryable },
): Promise<Unserved | undefined> {
  const running = await runningProcesses(home);
  if (running.length === 0) return undefined;
  const there = await runningProcesses(database);
  return unserved(name, running, there);
}

export const notServedByAll = (cell: string, processes: readonly string[]) =>
  `Not every gateway serves the cell ${cell} yet: ${processes.join(', ')} would refuse the keys of merchants in it.`;

function unserved(
  name: string,
  running: readonly RunningProcess[],
  there: readonly RunningProcess[],
): Unserved | undefined {
  // A process has the same id in all cells.
  const serving = new Set(there.map(({ id }) => id));
  const lacking = running.filter(({ id }) => !serving.has(id));
  if (lacking.length > 0) {
    return {
      problem: notServedByAll(name, lacking.map(nameOf)),
      advice:
        'Start all gateways again, and wait until they are ready. A killed process still counts for three minutes.',
    };
  }
  if (there.some(({ role }) => role !== 'api')) return undefined;
  return {
    problem: `No gateway does the work of the cell ${name}: payments in it would never be sent.`,
    advice: `Start one with ZIMBO_ROLE worker or all, and with ${name} in ZIMBO_CELLS, or without ZIMBO_CELLS.`,
  };
}

/** @throws StartError if {@link findUnserved} finds a problem */
export async function refuseUnserved(
  home: Queryable,
  cell: { name: string; database: Queryable },
): Promise<void> {
  const found = await findUnserved(home, cell);
  if (found) throw new StartError(found.problem, found.advice);
}
