import { failure, ok, type Result, runCheck, warning } from '../../operations/doctor/check.ts';
import { acrossChecks, withCellsForChecks } from '../../operations/doctor/check-cells.ts';
import {
  type CellToCheck,
  diagnoseDatabase,
  runAll,
  type Tell,
} from '../../operations/doctor/diagnose.ts';
import type { Config } from '../../platform/config/config.ts';
import { reasonOf } from '../../platform/errors/errors.ts';
import { addressOf } from '../../platform/postgres/address.ts';
import { findSecretKeys } from '../../platform/secrets/secret-keys.ts';
import type { OpenedCell } from '../../tenants/cells/across.ts';
import { type Cell, homeName } from '../../tenants/cells/cell.ts';
import { expectCell } from '../../tenants/cells/schema.ts';
import { cellsOf, reachingCell } from '../cells/find.ts';
import { isOfDatabase } from '../failure.ts';

const group = 'Cells';

/**
 * All cells, the home first. Where they cannot be found, that is one more error of the report.
 * @returns undefined if they cannot be found
 */
export async function findCells(
  tell: Tell,
  config: Config,
  url: string,
): Promise<Cell[] | undefined> {
  let cells: Cell[] | undefined;
  const find = async ([home]: readonly OpenedCell[]) => {
    try {
      cells = await cellsOf(config, { database: home!.database, url });
      return ok('found');
    } catch (error) {
      // What is wrong with the database has an advice of its own.
      if (isOfDatabase(error)) throw error;
      return failure(
        `the addresses of further cells cannot be read: ${reasonOf(error as Error)}`,
        'They are kept encrypted: set the ZIMBO_SECRET_KEY that the gateway runs with.',
      );
    }
  };
  const run = () => withCellsForChecks([{ name: homeName, url }], find);
  const finding = await runCheck({ name: 'Addresses', run });
  if (finding.status !== 'ok') tell(group, 'Addresses', finding);
  return cells;
}

/** The cell of --cell; undefined, and told, if it cannot be found. */
export async function findChosen(
  tell: Tell,
  config: Config,
  homeUrl: string,
  chosen: string,
): Promise<Cell | undefined> {
  if (chosen === homeName) return { name: homeName, engine: 'POSTGRESQL', url: homeUrl };
  const cells = await findCells(tell, config, homeUrl);
  const found = cells?.find(({ name }) => name === chosen);
  if (found || !cells) return found;
  const words = `there is no cell ${JSON.stringify(chosen)}`;
  tell(group, 'Addresses', failure(words, '"zimbo cells list" shows them all.'));
  return undefined;
}

/**
 * Looks at all other cells at once, and then at what they are together; nothing where there are none.
 * @param isOfUse whether the home is
 */
export async function checkFurtherCells(
  tell: Tell,
  config: Config,
  { url, isOfUse }: { url: string; isOfUse: boolean },
): Promise<void> {
  if (!isOfUse) return tellOfUnseen(tell, config, url);
  const cells = await findCells(tell, config, url);
  const [home, ...further] = cells ?? [];
  if (home === undefined || further.length === 0) return;
  const looked = await Promise.all(further.map((cell) => lookAt(cell, config)));
  for (const { results } of looked)
    for (const { group: of, name, ...finding } of results) tell(of, name, finding);
  const ofUse = [home, ...looked.flatMap((each) => (each.isOfUse ? each.cell : []))];
  const leftOut = looked.filter((each) => !each.isOfUse).map(({ cell }) => cell.name);
  await withCellsForChecks(ofUse, (opened) =>
    runAll(tell, group, acrossChecks({ opened, leftOut })),
  );
}

/** What is wrong with the home was told; where it does not answer, nobody knows of others. */
async function tellOfUnseen(tell: Tell, config: Config, url: string): Promise<void> {
  const further = (await findCells(() => {}, config, url))?.slice(1) ?? [];
  if (further.length === 0) return;
  const names = further.map(({ name }) => name).join(', ');
  tell(group, 'Addresses', warning(`not looked at: ${names}`, 'First see to the home.'));
}

export const cellToCheck = (cell: Cell): CellToCheck => ({
  name: cell.name,
  place: addressOf(cell.url),
  expect: (database) => reachingCell(cell, () => expectCell(cell, database)),
});

async function lookAt(cell: Cell, config: Config) {
  const results: Result[] = [];
  const note: Tell = (of, name, finding) => results.push({ group: of, name, ...finding });
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
