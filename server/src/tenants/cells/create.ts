import type { Logger } from 'pino';
import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { addressOf } from '../../platform/postgres/address.ts';
import { type Database, openDatabase, type Queryable } from '../../platform/postgres/database.ts';
import { migrate } from '../../platform/postgres/migrations.ts';
import { createDigestKey, isDigestKey, shareDigestKey } from '../../platform/secrets/digest-key.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { type Cell, homeName } from './cell.ts';
import { inspectSchema, makeSchema, type SchemaContent } from './schema.ts';
import { cellOf, insertCell, listStoredCells, type StoredCell } from './store.ts';
import { nameThisCell } from './this-cell.ts';

export type NewCell = Omit<StoredCell, 'createdAtMs'>;

export interface CreateCellDependencies extends Administration {
  /** The database of the home, up to date. */
  database: Database;
  homeUrl: string;
  secrets: SecretBox;
  log: Logger;
  /** Called with what a migration waits for, in words. */
  report?: (words: string) => void;
}

export interface CreatedCell {
  cell: Cell;
  /** False where it had been made before, the same. */
  isNew: boolean;
}

/**
 * Makes a cell: its schema, its tables, the key of digests that all cells share, and last its row in the home. If the
 * process dies, the next run goes on from there.
 * @throws StartError where the name or the place is taken, or the role may not; the place is as it was then
 */
export const makeCreateCell =
  (dependencies: CreateCellDependencies) =>
  async (asked: NewCell): Promise<CreatedCell> => {
    const { homeUrl, secrets, log, clock, report } = dependencies;
    if (asked.isOnCitus) await requireCitus(dependencies.database, homeUrl);
    const key = await prepareHome(dependencies);
    const before = await findSame(dependencies, asked);
    const cell = cellOf(asked, homeUrl);
    await makeSchema(dependencies.database, asked.schemaName);
    await opened(cell.url, log, async (database) => {
      refuseTaken(asked, await inspectSchema(database), (box) => isDigestKey(box, key, secrets));
      await migrate(cell.url, { now: new Date(clock.nowMs()), ...(report && { report }) });
      // Somebody else may have made a cell of it meanwhile.
      const name = await nameThisCell(database, asked.name);
      if (name !== asked.name) throw takenBy(asked, name);
      if (!(await shareDigestKey(database, key, secrets))) throw ofOthers(asked);
    });
    if (!before) await record(dependencies, asked);
    return { cell, isNew: !before };
  };

/** The first migration gives the schema to Citus (postgres/citus.ts). */
async function requireCitus(database: Queryable, homeUrl: string): Promise<void> {
  const text = `SELECT FROM pg_extension WHERE extname = 'citus'`;
  if ((await database.query({ text })).length > 0) return;
  throw new StartError(
    `The database ${addressOf(homeUrl)} has no Citus: only Citus keeps further cells.`,
    'Point DATABASE_URL to the coordinator, in a database where CREATE EXTENSION citus was run (docs/cells.md).',
  );
}

/** @returns the key of digests, which is made if there is none yet */
async function prepareHome({ database, secrets, log }: CreateCellDependencies): Promise<Buffer> {
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
    'Set ZIMBO_SECRET_KEY, or ZIMBO_SECRET_KEY_PREVIOUS, to the key it was encrypted with (docs/keys.md#the-secret-key).',
  );
}

/** @returns whether it had been made before */
async function findSame(
  { database, homeUrl }: CreateCellDependencies,
  asked: NewCell,
): Promise<boolean> {
  if (asked.name === homeName) throw taken(asked.name, 'the cell that every installation has');
  const stored = (await listStoredCells(database)).find(({ name }) => name === asked.name);
  if (!stored) return false;
  if (stored.schemaName === asked.schemaName) return true;
  throw taken(asked.name, placeOf(stored, homeUrl));
}

const taken = (name: string, what: string) =>
  new StartError(`There is a cell ${name} already: ${what}.`, 'Choose another name.');

/** `db.internal/zimbo, schema north` */
export const placeOf = ({ schemaName }: Pick<NewCell, 'schemaName'>, homeUrl: string) =>
  `${addressOf(homeUrl)}, schema ${schemaName}`;

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

const ofOthers = ({ schemaName }: NewCell) =>
  new StartError(
    `The schema ${schemaName} belongs to another installation: its key of digests is not that of the home.`,
    'Choose another one with --schema; it is made if it is not there.',
  );

async function record(dependencies: CreateCellDependencies, asked: NewCell): Promise<void> {
  const { database, clock, homeUrl } = dependencies;
  const { name } = asked;
  const isOurs = await database.transaction(async (transaction) => {
    const cell = { ...asked, createdAtMs: clock.nowMs() };
    if (!(await insertCell(transaction, cell))) return false;
    const detail = { place: placeOf(asked, homeUrl) };
    const written = { tenantId: null, action: 'cell.created', subject: name, detail } as const;
    await writeAuditRecord(transaction, dependencies, written);
    return true;
  });
  // Somebody else has made one of this name meanwhile: the same, or another.
  if (!isOurs) await findSame(dependencies, asked);
}

async function opened<T>(
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
