import { addressOf } from '../../platform/postgres/address.ts';
import { systemClock } from '../../platform/process/clock.ts';
import type { Cell } from '../../tenants/cells/cell.ts';
import type { OpenedCell } from '../../tenants/cells/duplicates.ts';
import { type Check, type Finding, failure, ok, warning } from './check.ts';
import { findUnserved } from './check-cell-service.ts';
import { serverChecks } from './database-checks.ts';
import { openForChecks, type ReportFinding, runAll } from './diagnose.ts';

const closeLimitMs = 2_000;

/** Cells open for checks, the home first, and the names of those that could not be opened. */
export interface CheckedCells {
  opened: readonly OpenedCell[];
  skipped: readonly string[];
}

/** Opens cells while a function runs with them. */
export async function withCellsForChecks<T>(
  cells: readonly Pick<Cell, 'name' | 'url'>[],
  run: (opened: OpenedCell[]) => Promise<T>,
): Promise<T> {
  const opened = cells.map(({ name: cell, url }) => ({ cell, database: openForChecks(url) }));
  try {
    return await run(opened);
  } finally {
    // An abandoned query may still hold its connection.
    const closed = Promise.all(opened.map(({ database }) => database.close()));
    const limit = new Promise((resolve) => setTimeout(resolve, closeLimitMs).unref());
    await Promise.race([closed, limit]);
  }
}

/** In a running gateway: the findings of `zimbo doctor` about all cells together. */
export const checkAcrossCells = (tell: ReportFinding, cells: readonly Cell[]): Promise<void> =>
  withCellsForChecks(cells, async (opened) => {
    const isOfUse = await Promise.all(
      opened.map((cell, index) => isWell(cell, addressOf(cells[index]!.url))),
    );
    const skipped = opened.filter((_, index) => !isOfUse[index]).map(({ cell }) => cell);
    const rest = opened.filter((_, index) => isOfUse[index]);
    await runAll(tell, 'Cells', acrossChecks({ opened: rest, skipped }));
  });

/** Whether its migrations are this program's. */
export const isWell = ({ database }: OpenedCell, place: string): Promise<boolean> => {
  const config = { databaseUrl: undefined, databaseConnections: 0 };
  return runAll(() => {}, '', serverChecks({ database, config, wallClock: systemClock, place }));
};

/** The checks of all cells together. */
export function acrossChecks({ opened, skipped }: CheckedCells): Check[] {
  const run = async () => withSkippedCells(await servedFinding(opened), skipped);
  return [{ name: 'Gateways', run }];
}

/** An unchecked cell must not pass for a healthy one. */
function withSkippedCells(finding: Finding, skipped: readonly string[]): Finding {
  if (skipped.length === 0 || finding.status !== 'ok') return finding;
  const figure = `${finding.figure}\nnot looked at: ${skipped.join(', ')}`;
  return warning(figure, 'This covers only the other cells. Repair the unchecked ones first.');
}

/** Work of a cell that no gateway serves stays due forever. */
async function servedFinding([home, ...further]: readonly OpenedCell[]): Promise<Finding> {
  const found = await Promise.all(
    further.map(({ cell: name, database }) => findUnserved(home!.database, { name, database })),
  );
  const unserved = found.filter((each) => each !== undefined);
  if (unserved.length === 0) return ok('what runs serves all of them');
  return failure(unserved.map(({ problem }) => problem).join('\n'), unserved[0]!.advice);
}
