import { createReadStream, createWriteStream, type ReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { limitReached } from '../../../platform/errors/errors.ts';
import type { Database, Queryable } from '../../../platform/postgres/database.ts';
import { createTurns } from '../../../platform/process/keyed-queue.ts';
import { scratchFolder } from '../../../platform/process/scratch.ts';
import {
  type Movement,
  mostMovements,
  type Statement,
  type StatementQuestion,
  TooManyMovements,
  withMovements,
} from './read.ts';

/** One at a time of each tenant, so that none keeps the others waiting. */
const ofTenant = createTurns({ waiting: 4 });
/** Each holds a connection to the database while it is written. */
const ofAll = createTurns({ running: 4, waiting: 100 });

export interface SpooledStatement {
  bytes: number;
  /** Removes the file after it is read or abandoned. */
  stream: ReadStream;
}

/**
 * Writes a statement to a file of its own before any of it leaves: then we know that it adds up, and a slow reader
 * holds no connection.
 * @throws RATE_LIMITED others of the tenant, or too many of other tenants, took too long
 * @throws LIMIT_REACHED it has too many lines
 */
export const spoolStatement = (
  database: Database,
  question: StatementQuestion,
  textOf: (
    statement: Statement,
    movements: AsyncIterable<Movement[]>,
    snapshot: Queryable,
  ) => AsyncIterable<string | Buffer>,
): Promise<SpooledStatement> =>
  ofTenant(question.tenantId, () => ofAll('all', () => writeStatement(database, question, textOf)));

async function writeStatement(
  ...[database, question, textOf]: Parameters<typeof spoolStatement>
): Promise<SpooledStatement> {
  const folder = await scratchFolder();
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'statement.csv');
  try {
    await withMovements(database, question, (...read) =>
      pipeline(textOf(...read), createWriteStream(path, { mode: 0o600 })),
    );
    const stream = createReadStream(path);
    stream.once('close', () => void remove());
    return { bytes: (await stat(path)).size, stream };
  } catch (error) {
    await remove();
    if (!(error instanceof TooManyMovements)) throw error;
    throw tooLong();
  }
}

export const tooLong = () =>
  limitReached(
    `This statement has more than ${mostMovements} lines. Take the items of its settlements, or the payments, as files instead.`,
  );
