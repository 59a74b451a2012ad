import type { Logger } from 'pino';
import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { addressOf } from '../../platform/postgres/address.ts';
import { type Database, openDatabase, type Queryable } from '../../platform/postgres/database.ts';
import { migrate } from '../../platform/postgres/migrations.ts';
import { createDigestKey, isDigestKey, shareDigestKey } from '../../platform/secrets/digest-key.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { type Cell, homeName } from './cell.ts';
import { ensureSchema, inspectSchema, type SchemaContent } from './schema.ts';
import { cellOf, insertCell, listStoredCells, type StoredCell } from './store.ts';
import { nameThisCell } from './this-cell.ts';

export type NewCell = Omit<StoredCell, 'createdAtMs'>;

export interface CreateCellDependencies extends Administration {
  /** The home's database, up to date. */
  database: Database;
  homeUrl: string;
  secrets: SecretBox;
  log: Logger;
  /** Receives what a migration waits for, as text. */
  report?: (words: string) => void;
}

export interface CreatedCell {
  cell: Cell;
  /** False if the same cell existed already. */
  isNew: boolean;
}

/**
 * Creates a cell: its schema, its tables, the digest key that all cells share, and last its row in the home. If the
 * process dies, the next run continues.
 * @throws StartError if the name or the schema is taken, or the role lacks privileges; the schema stays as it was
 */
export const makeCreateCell =
  (dependencies: CreateCellDependencies) =>
  async (asked: NewCell): Promise<CreatedCell> => {
    const { homeUrl, secrets, log, clock, report } = dependencies;
    if (asked.isOnCitus) await requireCitus(dependencies.database, homeUrl);
    const key = await prepareHome(dependencies);
    const before = await existsAlready(dependencies, asked);
    const cell = cellOf(asked, homeUrl);
    await ensureSchema(dependencies.database, asked.schemaName);
    await withDatabase(cell.url, log, async (database) => {
      refuseTakenSchema(asked, await inspectSchema(database), (box) =>
        isDigestKey(box, key, secrets),
      );
      await migrate(cell.url, { now: new Date(clock.nowMs()), ...(report && { report }) });
      // Another process may have named the cell meanwhile.
      const name = await nameThisCell(database, asked.name);
      if (name !== asked.name) throw schemaTakenError(asked, name);
      if (!(await shareDigestKey(database, key, secrets))) throw foreignSchemaError(asked);
    });
    if (!before) await recordCreation(dependencies, asked);
    return { cell, isNew: !before };
  };

/** The first migration distributes the schema (postgres/citus.ts). */
async function requireCitus(database: Queryable, homeUrl: string): Promise<void> {
  const text = `SELECT FROM pg_extension WHERE extname = 'citus'`;
  if ((await database.query({ text })).length > 0) return;
  throw new StartError(
    `The database ${addressOf(homeUrl)} has no Citus, which further cells require.`,
    'Point DATABASE_URL to the coordinator, in a database where CREATE EXTENSION citus was run (docs/cells.md).',
  );
}

/** @returns the digest key, created if there was none */
async function prepareHome({ database, secrets, log }: CreateCellDependencies): Promise<Buffer> {
  const name = await nameThisCell(database, homeName);
  if (name !== homeName) {
    throw new StartError(
      `The database of DATABASE_URL is the cell ${name}; cells are created from the home.`,
      'Set DATABASE_URL to the database of the home.',
    );
  }
  const key = await createDigestKey({ database, secrets, log }).open();
  if (key) return key;
  throw new StartError(
    'The digest key, which all cells share, is encrypted with another secret key.',
    'Set ZIMBO_SECRET_KEY, or ZIMBO_SECRET_KEY_PREVIOUS, to the key it was encrypted with (docs/keys.md#the-secret-key).',
  );
}

/** @returns whether the same cell exists already */
async function existsAlready(
  { database, homeUrl }: CreateCellDependencies,
  asked: NewCell,
): Promise<boolean> {
  if (asked.name === homeName) throw nameTakenError(asked.name, 'every installation has this cell');
  const stored = (await listStoredCells(database)).find(({ name }) => name === asked.name);
  if (!stored) return false;
  if (stored.schemaName === asked.schemaName) return true;
  throw nameTakenError(asked.name, describeLocation(stored, homeUrl));
}

const nameTakenError = (name: string, what: string) =>
  new StartError(`There is a cell ${name} already: ${what}.`, 'Choose another name.');

/** `db.internal/zimbo, schema north` */
export const describeLocation = ({ schemaName }: Pick<NewCell, 'schemaName'>, homeUrl: string) =>
  `${addressOf(homeUrl)}, schema ${schemaName}`;

function refuseTakenSchema(
  asked: NewCell,
  place: SchemaContent,
  isOurs: (box: Buffer) => boolean,
): void {
  const { cell, digestKeyBox, hasMerchants, isForeign } = place;
  const where = `The schema ${asked.schemaName}`;
  if (isForeign) {
    const advice = 'Choose another one with --schema; Zimbo creates it if it does not exist.';
    throw new StartError(`${where} contains tables of another program.`, advice);
  }
  if (cell !== undefined && cell !== asked.name) throw schemaTakenError(asked, cell);
  if (digestKeyBox && !isOurs(digestKeyBox)) throw foreignSchemaError(asked);
  // Our own cell, unknown to the home because the home was restored from an earlier backup, is readopted.
  if (hasMerchants && cell === undefined) {
    throw new StartError(
      `${where} contains merchants: it belongs to another gateway.`,
      'A new cell must be empty. Choose another schema with --schema.',
    );
  }
}

const schemaTakenError = ({ schemaName }: NewCell, cell: string) =>
  new StartError(
    `The schema ${schemaName} is already the cell ${cell}${cell === homeName ? ', to which DATABASE_URL points' : ''}.`,
    'Choose another one with --schema; Zimbo creates it if it does not exist.',
  );

const foreignSchemaError = ({ schemaName }: NewCell) =>
  new StartError(
    `The schema ${schemaName} belongs to another installation: its digest key differs from the home's.`,
    'Choose another one with --schema; Zimbo creates it if it does not exist.',
  );

async function recordCreation(dependencies: CreateCellDependencies, asked: NewCell): Promise<void> {
  const { database, clock, homeUrl } = dependencies;
  const { name } = asked;
  const isOurs = await database.transaction(async (transaction) => {
    const cell = { ...asked, createdAtMs: clock.nowMs() };
    if (!(await insertCell(transaction, cell))) return false;
    const detail = { place: describeLocation(asked, homeUrl) };
    const written = { tenantId: null, action: 'cell.created', subject: name, detail } as const;
    await writeAuditRecord(transaction, dependencies, written);
    return true;
  });
  // Another process has created a cell of this name meanwhile: the same, or a different one.
  if (!isOurs) await existsAlready(dependencies, asked);
}

async function withDatabase<T>(
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
