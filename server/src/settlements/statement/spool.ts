import { createReadStream, createWriteStream, type ReadStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { DomainError } from '../../errors.ts';
import type { Database } from '../../postgres/database.ts';
import {
  type Movement,
  mostMovements,
  type Statement,
  type StatementQuestion,
  TooManyMovements,
  withMovements,
} from './read.ts';

/** Each holds a connection to the database while it is written. */
const mostAtOnce = 2;
let underWay = 0;

export interface SpooledStatement {
  bytes: number;
  /** Removes the file when it has been read, or given up. */
  stream: ReadStream;
}

/**
 * Writes a statement to a file of its own before any of it leaves: it is known to add up then, and a slow reader holds no
 * connection.
 * @throws RATE_LIMITED others are being written
 * @throws LIMIT_REACHED it has too many lines
 */
export async function spoolStatement(
  database: Database,
  question: StatementQuestion,
  textOf: (
    statement: Statement,
    movements: AsyncIterable<Movement[]>,
  ) => AsyncIterable<string | Buffer>,
): Promise<SpooledStatement> {
  if (underWay >= mostAtOnce) {
    throw new DomainError('RATE_LIMITED', 'Other statements are being written. Try again soon.');
  }
  underWay += 1;
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-statement-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  const path = join(folder, 'statement.csv');
  try {
    await withMovements(database, question, (statement, movements) =>
      pipeline(textOf(statement, movements), createWriteStream(path, { mode: 0o600 })),
    );
    const stream = createReadStream(path);
    stream.once('close', () => void remove());
    return { bytes: (await stat(path)).size, stream };
  } catch (error) {
    await remove();
    if (!(error instanceof TooManyMovements)) throw error;
    throw new DomainError(
      'LIMIT_REACHED',
      `This statement has more than ${mostMovements} lines. Take the items of its settlements, or the payments, as files instead.`,
    );
  } finally {
    underWay -= 1;
  }
}
