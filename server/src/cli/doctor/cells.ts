import { failure, type Result, warning } from '../../operations/doctor/check.ts';
import { acrossChecks, withCellsForChecks } from '../../operations/doctor/check-cells.ts';
import {
  type CellToCheck,
  diagnoseDatabase,
  type ReportFinding,
  runAll,
} from '../../operations/doctor/diagnose.ts';
import type { Config } from '../../platform/config/config.ts';
import { addressOf } from '../../platform/postgres/address.ts';
import { findSecretKeys } from '../../platform/secrets/secret-keys.ts';
import { type Cell, homeName } from '../../tenants/cells/cell.ts';
import { verifyCell } from '../../tenants/cells/schema.ts';
import { cellsOf } from '../cells/find.ts';

const group = 'Cells';

/** All cells, the home first; undefined where the database does not say, which its own check tells. */
export async function findCells(url: string): Promise<Cell[] | undefined> {
  return withCellsForChecks([{ name: homeName, url }], async ([home]) =>
    cellsOf({ database: home!.database, url }).catch(() => undefined),
  );
}

/** The cell of --cell; undefined, with a message, if it cannot be found. */
export async function findChosen(
  tell: ReportFinding,
  homeUrl: string,
  chosen: string,
): Promise<Cell | undefined> {
  if (chosen === homeName) return { name: homeName, url: homeUrl };
  const cells = await findCells(homeUrl);
  const found = cells?.find(({ name }) => name === chosen);
  if (found) return found;
  const finding = cells
    ? failure(`there is no cell ${JSON.stringify(chosen)}`, '"zimbo cells list" shows them all.')
    : failure('does not say which cells there are', 'Run "zimbo doctor" without --cell first.');
  tell(group, 'Home', finding);
  return undefined;
}

/**
 * Looks at all other cells at once, and then at what they are together; nothing where there are none.
 * @param isOfUse whether the home is
 */
export async function checkFurtherCells(
  tell: ReportFinding,
  config: Config,
  { url, isOfUse }: { url: string; isOfUse: boolean },
): Promise<void> {
  if (!isOfUse) return tellOfUnseen(tell, url);
  const cells = await findCells(url);
  const [home, ...further] = cells ?? [];
  if (home === undefined || further.length === 0) return;
  const looked = await Promise.all(further.map((cell) => lookAt(cell, config)));
  for (const { results } of looked)
    for (const { group: of, name, ...finding } of results) tell(of, name, finding);
  const ofUse = [home, ...looked.flatMap((each) => (each.isOfUse ? each.cell : []))];
  const skipped = looked.filter((each) => !each.isOfUse).map(({ cell }) => cell.name);
  await withCellsForChecks(ofUse, (opened) =>
    runAll(tell, group, acrossChecks({ opened, skipped })),
  );
}

/** A message has reported what is wrong with the home; if the home does not answer, the other cells are unknown. */
async function tellOfUnseen(tell: ReportFinding, url: string): Promise<void> {
  const further = (await findCells(url))?.slice(1) ?? [];
  if (further.length === 0) return;
  const names = further.map(({ name }) => name).join(', ');
  tell(group, 'Home', warning(`not looked at: ${names}`, 'First see to the home.'));
}

export const cellToCheck = (cell: Cell): CellToCheck => ({
  name: cell.name,
  place: addressOf(cell.url),
  expect: (database) => verifyCell(cell, database),
});

async function lookAt(cell: Cell, config: Config) {
  const results: Result[] = [];
  const note: ReportFinding = (of, name, finding) => results.push({ group: of, name, ...finding });
  const { url } = cell;
  const isOfUse = await withCellsForChecks([cell], ([opened]) =>
    diagnoseDatabase(note, opened!.database, {
      config: { ...config, databaseUrl: url },
      url,
      findKeys: () => findSecretKeys(config),
      cell: cellToCheck(cell),
    }),
  );
  // Of one that does not answer, the first line says everything.
  const isSilent = !isOfUse && results[0]?.status !== 'ok';
  return { cell, isOfUse, results: isSilent ? results.slice(0, 1) : results };
}
