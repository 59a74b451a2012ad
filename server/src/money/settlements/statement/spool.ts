import { createReadStream, createWriteStream, type ReadStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DomainError, limitReached } from '../../../platform/errors/errors.ts';
import type { Database, Queryable } from '../../../platform/postgres/database.ts';
import { scratchFolder } from '../../../platform/process/scratch.ts';
import {
  type Movement,
  mostMovements,
  type Statement,
  type StatementQuestion,
  TooManyMovements,
  withMovements,
} from './read.ts';

/** Each holds a connection to the database while it is written. */
const mostAtOnce = 4;
/** The tenants whose statements are being written: one each, so that none of them keeps the others waiting. */
const underWay = new Set<string>();

export interface SpooledStatement {
  bytes: number;
  /** Removes the file after it is read or abandoned. */
  stream: ReadStream;
}

/**
 * Writes a statement to a file of its own before any of it leaves: then we know that it adds up, and a slow reader
 * holds no connection.
 * @throws RATE_LIMITED another statement of the tenant is being written, or too many of others
 * @throws LIMIT_REACHED it has too many lines
 */
export async function spoolStatement(
  database: Database,
  question: StatementQuestion,
  textOf: (
    statement: Statement,
    movements: AsyncIterable<Movement[]>,
    snapshot: Queryable,
  ) => AsyncIterable<string | Buffer>,
): Promise<SpooledStatement> {
  const { tenantId } = question;
  if (underWay.has(tenantId) || underWay.size >= mostAtOnce) {
    throw new DomainError('RATE_LIMITED', 'Other statements are being written. Try again soon.');
  }
  underWay.add(tenantId);
  try {
    return await writeStatement(database, question, textOf);
  } finally {
    underWay.delete(tenantId);
  }
}

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
