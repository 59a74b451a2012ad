import { StartError } from '../../platform/errors/start-error.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { nameOf, type RunningProcess, runningProcesses } from './process-registry.ts';

/** Why no merchant may come to a cell yet, and what to do. */
export interface Unserved {
  problem: string;
  advice: string;
}

/**
 * Looks whether every gateway that runs serves a cell, and one does its work: one that was started before the cell was
 * made takes keys of merchants there for unknown, and answers 401. Where nothing runs, the next start serves it.
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

function unserved(
  name: string,
  running: readonly RunningProcess[],
  there: readonly RunningProcess[],
): Unserved | undefined {
  // A process has one id in all cells.
  const serving = new Set(there.map(({ id }) => id));
  const lacking = running.filter(({ id }) => !serving.has(id));
  if (lacking.length > 0) {
    return {
      problem: `Not every gateway serves the cell ${name} yet: ${lacking.map(nameOf).join(', ')} would refuse the keys of merchants in it.`,
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

/** @throws StartError where {@link findUnserved} finds something */
export async function refuseUnserved(
  home: Queryable,
  cell: { name: string; database: Queryable },
): Promise<void> {
  const found = await findUnserved(home, cell);
  if (found) throw new StartError(found.problem, found.advice);
}
