import { writeAuditRecord } from '../audit/record.ts';
import { isDigestKey } from '../secrets/digest-key.ts';
import { StartError } from '../start-error.ts';
import { type CreateCellDependencies, ofOthers, opened, placeOf, prepareHome } from './create.ts';
import { inspectSchema } from './schema.ts';
import { cellOf, listStoredCells, setCellUrl } from './store.ts';

/**
 * Changes where a cell is reached: another host, another password. What lies there must be that cell, and of this
 * installation; whether it has all that the cell had, it cannot tell.
 * @returns where it is now, in words
 * @throws StartError where it is something else; nothing is changed then
 */
export const makeSetCellUrl =
  (dependencies: CreateCellDependencies) =>
  async (name: string, databaseUrl: string): Promise<string> => {
    const { database, homeUrl, secrets, log } = dependencies;
    const key = await prepareHome(dependencies);
    const stored = (await listStoredCells(database, secrets)).find((each) => each.name === name);
    if (!stored) {
      const advice = '"zimbo cells list" shows them all.';
      throw new StartError(`There is no further cell ${JSON.stringify(name)}.`, advice);
    }
    const changed = { ...stored, databaseUrl };
    await opened(cellOf(changed, homeUrl).url, log, async (there) => {
      const { cell, digestKeyBox } = await inspectSchema(there);
      if (cell !== name) throw notIt(name, placeOf(changed, homeUrl), cell);
      if (!digestKeyBox || !isDigestKey(digestKeyBox, key, secrets)) throw ofOthers(changed);
    });
    await database.transaction(async (transaction) => {
      await setCellUrl(transaction, { name, databaseUrl }, secrets);
      await writeAuditRecord(transaction, dependencies, {
        tenantId: null,
        action: 'cell.url_changed',
        subject: name,
        before: { place: placeOf(stored, homeUrl) },
        after: { place: placeOf(changed, homeUrl) },
      });
    });
    return placeOf(changed, homeUrl);
  };

const notIt = (name: string, place: string, there: string | undefined) =>
  new StartError(
    `${place} is ${there === undefined ? 'no cell' : `the cell ${there}`}: the cell ${name} is not there.`,
    'The schema stays as it was; give the database in which it is now.',
  );
