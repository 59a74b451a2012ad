import type { Logger } from 'pino';
import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { addressOf } from '../../platform/postgres/address.ts';
import { type Database, openDatabase } from '../../platform/postgres/database.ts';
import { migrate } from '../../platform/postgres/migrations.ts';
import { createDigestKey, isDigestKey, shareDigestKey } from '../../platform/secrets/digest-key.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { type OpenedCell, sharedBy } from './across.ts';
import { type Cell, homeName } from './cell.ts';
import { inspectSchema, isOnCitus, makeSchema, type SchemaContent } from './schema.ts';
import { cellOf, insertCell, listStoredCells, type StoredCell, unreadable } from './store.ts';
import { nameThisCell } from './this-cell.ts';
import { oneCellPerMerchant } from './uniques.ts';

export type NewCell = Omit<StoredCell, 'createdAtMs' | 'isUnreadable'>;

export interface CreateCellDependencies extends Administration {
  /** The database of the home, up to date. */
  database: Database;
  homeUrl: string;
  secrets: SecretBox;
  log: Logger;
  /** Called with what a migration waits for, in words. */
  tell?: (words: string) => void;
}

export interface CreatedCell {
  cell: Cell;
  /** False where it had been made before, the same. */
  isNew: boolean;
  /** Merchants that are in it and in the home: the home was set back to before they moved. Their UUIDs. */
  twice: string[];
}

/**
 * Makes a cell: its schema, its tables, the key of digests that all cells share, and last its row in the home. Whatever
 * it dies at, the next run goes on from there. What the place turns out to be is asked of the place itself: two URLs may
 * lead to one schema.
 * @throws StartError where the name or the place is taken, or the role may not; the place is as it was then
 */
export const makeCreateCell =
  (dependencies: CreateCellDependencies) =>
  async (asked: NewCell): Promise<CreatedCell> => {
    const { homeUrl, secrets, log, clock, tell } = dependencies;
    if (asked.engine === 'CITUS') await requireCitus(asked.databaseUrl ?? homeUrl, log);
    const key = await prepareHome(dependencies);
    const before = await findSame(dependencies, asked);
    const cell = cellOf({ ...asked, createdAtMs: 0 }, homeUrl);
    await opened(asked.databaseUrl ?? homeUrl, log, async (database) => {
      await makeSchema(database, asked.schemaName);
      if (asked.engine !== 'CITUS' && (await isOnCitus(database, asked.schemaName)))
        throw withoutCitus(asked);
    });
    const twice = await opened(cell.url, log, async (database) => {
      refuseTaken(asked, await inspectSchema(database), (box) => isDigestKey(box, key, secrets));
      await migrate(cell.url, { now: new Date(clock.nowMs()), ...(tell && { tell }) });
      // Somebody else may have made a cell of it meanwhile.
      const name = await nameThisCell(database, asked.name);
      if (name !== asked.name) throw takenBy(asked, name);
      if (!(await shareDigestKey(database, key, secrets))) throw ofOthers(asked);
      return inBoth(dependencies.database, { cell: asked.name, database });
    });
    if (!before) await record(dependencies, asked);
    return { cell, isNew: !before, twice };
  };

/** A cell that the home knows again, after a restore, may have merchants that the home has from before they moved. */
async function inBoth(home: Database, cell: OpenedCell): Promise<string[]> {
  const shared = await sharedBy([{ cell: homeName, database: home }, cell], oneCellPerMerchant);
  return shared.map(({ key }) => key);
}

/** The first migration gives the schema to Citus (postgres/citus.ts). */
async function requireCitus(url: string, log: Logger): Promise<void> {
  const text = `SELECT FROM pg_extension WHERE extname = 'citus'`;
  const isThere = await opened(url, log, async (database) => {
    return (await database.query({ text })).length > 0;
  });
  if (isThere) return;
  throw new StartError(
    `The database ${addressOf(url)} has no Citus.`,
    'Name the database of the coordinator, in which CREATE EXTENSION citus was run; or leave --citus out.',
  );
}

/** @returns the key of digests, which is made if there is none yet */
export async function prepareHome({
  database,
  secrets,
  log,
}: CreateCellDependencies): Promise<Buffer> {
  const name = await nameThisCell(database, homeName);
  if (name !== homeName) {
    throw new StartError(
      `The database of DATABASE_URL is the cell ${name}; cells are made from the home.`,
      'Set DATABASE_URL to the database of the home.',
    );
  }
  const key = await createDigestKey({ database, secrets, log }).open();
  if (key) return key;
  throw new StartError(
    'The key of digests, which all cells share, is under another secret key.',
    'Set ZIMBO_SECRET_KEY, or ZIMBO_SECRET_KEY_PREVIOUS, to the key it was encrypted with (docs/secrets.md).',
  );
}

/** @returns whether it had been made before */
async function findSame(
  { database, secrets, homeUrl }: CreateCellDependencies,
  asked: NewCell,
): Promise<boolean> {
  if (asked.name === homeName) throw taken(asked.name, 'the cell that every installation has');
  const stored = (await listStoredCells(database, secrets)).find(({ name }) => name === asked.name);
  if (!stored) return false;
  if (stored.isUnreadable) throw unreadable(asked.name);
  const isSame =
    stored.schemaName === asked.schemaName &&
    stored.databaseUrl === asked.databaseUrl &&
    stored.engine === asked.engine;
  if (isSame) return true;
  const engine = stored.engine === 'CITUS' ? ', on Citus' : '';
  throw taken(asked.name, placeOf(stored, homeUrl) + engine);
}

const taken = (name: string, what: string) =>
  new StartError(`There is a cell ${name} already: ${what}.`, 'Choose another name.');

/** `db.internal/zimbo, schema north` */
export const placeOf = (
  { databaseUrl, schemaName }: Pick<NewCell, 'databaseUrl' | 'schemaName'>,
  homeUrl: string,
) => `${addressOf(databaseUrl ?? homeUrl)}, schema ${schemaName}`;

function refuseTaken(asked: NewCell, place: SchemaContent, isOurs: (box: Buffer) => boolean): void {
  const { cell, digestKeyBox, hasMerchants, isForeign } = place;
  const where = `the schema ${asked.schemaName}`;
  if (isForeign) {
    const advice = 'Choose another one with --schema; it is made if it is not there.';
    throw new StartError(`There are tables of something else in ${where}.`, advice);
  }
  if (cell !== undefined && cell !== asked.name) throw takenBy(asked, cell);
  if (digestKeyBox && !isOurs(digestKeyBox)) throw ofOthers(asked);
  // One of ours that the home does not know: the home was restored from a backup of before, and takes it back.
  if (hasMerchants && cell === undefined) {
    throw new StartError(
      `There are merchants in ${where}: it is the database of a gateway of its own.`,
      'A new cell begins empty. Choose another schema with --schema.',
    );
  }
}

const takenBy = ({ schemaName }: NewCell, cell: string) =>
  new StartError(
    `The schema ${schemaName} there is the cell ${cell} already${cell === homeName ? ', where DATABASE_URL leads' : ''}.`,
    'Choose another one with --schema; it is made if it is not there.',
  );

/** Its statements would be planned as on plain PostgreSQL, which Citus refuses. */
const withoutCitus = ({ schemaName }: NewCell) =>
  new StartError(`The schema ${schemaName} there is on Citus.`, 'Say so with --citus.');

export const ofOthers = ({ schemaName }: NewCell) =>
  new StartError(
    `The schema ${schemaName} belongs to another installation: its key of digests is not that of the home.`,
    'Choose another one with --schema; it is made if it is not there.',
  );

async function record(dependencies: CreateCellDependencies, asked: NewCell): Promise<void> {
  const { database, clock, secrets, homeUrl } = dependencies;
  const { name, engine } = asked;
  const isOurs = await database.transaction(async (transaction) => {
    const cell = { ...asked, createdAtMs: clock.nowMs() };
    if (!(await insertCell(transaction, cell, secrets))) return false;
    const detail = { place: placeOf(asked, homeUrl), engine };
    const written = { tenantId: null, action: 'cell.created', subject: name, detail } as const;
    await writeAuditRecord(transaction, dependencies, written);
    return true;
  });
  // Somebody else has made one of this name meanwhile: the same, or another.
  if (!isOurs) await findSame(dependencies, asked);
}

export async function opened<T>(
  url: string,
  log: Logger,
  run: (database: Database) => Promise<T>,
): Promise<T> {
  const database = openDatabase({ url, log, maxConnections: 1, connectTimeoutMs: 10_000 });
  try {
    return await run(database);
  } finally {
    await database.close();
  }
}
