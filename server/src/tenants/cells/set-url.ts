import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import type { Database, Queryable } from '../../platform/postgres/database.ts';
import { isDigestKey, shareDigestKey } from '../../platform/secrets/digest-key.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { type CreateCellDependencies, ofOthers, opened, placeOf, prepareHome } from './create.ts';
import { expectCell } from './schema.ts';
import { cellOf, listStoredCells, type StoredCell, setCellUrl } from './store.ts';

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
    const change = await changeOf(database, { name, databaseUrl, secrets });
    const cell = cellOf(change.after, homeUrl);
    await opened(cell.url, log, async (there) => {
      const advice = 'It stays as it was; give the database in which the cell is now.';
      const { digestKeyBox } = await expectCell(cell, there, advice);
      await expectOurs({ database: there, box: digestKeyBox }, change, key, secrets);
    });
    await database.transaction((transaction) => changeCellUrl(transaction, dependencies, change));
    return placeOf(change.after, homeUrl);
  };

/** A cell as it is stored, and as it will be. */
export interface UrlChange {
  before: StoredCell;
  after: StoredCell & { databaseUrl: string };
}

/** @throws StartError where there is no further cell of this name */
export async function changeOf(
  home: Queryable,
  { name, databaseUrl, secrets }: { name: string; databaseUrl: string; secrets: SecretBox },
): Promise<UrlChange> {
  const before = (await listStoredCells(home, secrets)).find((each) => each.name === name);
  if (!before) {
    const advice = '"zimbo cells list" shows them all.';
    throw new StartError(`There is no further cell ${JSON.stringify(name)}.`, advice);
  }
  const { isUnreadable: _, ...readable } = before;
  return { before, after: { ...readable, databaseUrl } };
}

/** Has a cell be where it is now, and records it. */
export async function changeCellUrl(
  transaction: Queryable,
  { homeUrl, secrets, ...by }: Pick<CreateCellDependencies, 'homeUrl' | 'secrets'> & Administration,
  { before, after }: UrlChange,
): Promise<void> {
  await setCellUrl(transaction, after, secrets);
  await writeAuditRecord(transaction, by, {
    tenantId: null,
    action: 'cell.url_changed',
    subject: after.name,
    before: { place: before.isUnreadable ? null : placeOf(before, homeUrl) },
    after: { place: placeOf(after, homeUrl) },
  });
}

/**
 * Where the secret key was lost, the keys of digests were removed in all cells (docs/secrets.md): such a cell gets the
 * new one of the home.
 */
async function expectOurs(
  { database, box }: { database: Database; box: Buffer | undefined },
  { before, after }: UrlChange,
  key: Buffer,
  secrets: SecretBox,
): Promise<void> {
  if (box && isDigestKey(box, key, secrets)) return;
  if (!before.isUnreadable) throw ofOthers(after);
  if (!box && (await shareDigestKey(database, key, secrets))) return;
  throw new StartError(
    `The key of digests in ${after.name} is not that of the home.`,
    'If the secret key was lost, remove it there as well (docs/secrets.md). If not, this is a cell of another installation.',
  );
}
