import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import {
  readStatementBytes,
  type StatementRow,
  statementColumns,
} from '../../money/ledger/operator-statement.ts';
import { csvLine } from '../../platform/formats/csv.ts';
import { formatMajor } from '../../platform/formats/display-format.ts';
import { type Queryable, timestamp } from '../../platform/postgres/database.ts';

/** A summary of a statement. */
export interface Content {
  digest: Buffer;
  bytes: bigint;
  lineCount: number;
  /** The instants of the first and the last completed line; null if there is none. */
  firstMs: number | null;
  lastMs: number | null;
}

/**
 * Reads a whole file, and writes its relevant part to another, compressed: the same lines with their seven columns
 * and nothing else.
 * @throws CsvError with the line and the problem
 */
export async function packLines(
  from: string,
  to: string,
  isCounted: (row: StatementRow) => boolean,
): Promise<Content> {
  const hash = createHash('sha256');
  let bytes = 0n;
  const content = { lineCount: 0, firstMs: null as number | null, lastMs: null as number | null };
  async function* read(): AsyncGenerator<Buffer> {
    for await (const chunk of createReadStream(from) as AsyncIterable<Buffer>) {
      hash.update(chunk);
      bytes += BigInt(chunk.length);
      yield chunk;
    }
  }
  async function* counted(): AsyncGenerator<StatementRow> {
    for await (const row of readStatementBytes(read())) {
      if (isCounted(row)) count(content, row);
      yield row;
    }
  }
  await pipeline(textOf(counted()), createGzip({ level: 1 }), createWriteStream(to));
  return { digest: hash.digest(), bytes, ...content };
}

function count(content: Omit<Content, 'digest' | 'bytes'>, row: StatementRow): void {
  content.lineCount += 1;
  const { completedAtMs: atMs } = row;
  if (row.status !== 'COMPLETED' || atMs === null) return;
  if (content.firstMs === null || atMs < content.firstMs) content.firstMs = atMs;
  if (content.lastMs === null || atMs > content.lastMs) content.lastMs = atMs;
}

const writtenAtOnce = 64 * 1024;

/** Rebuilds a statement in which each row begins on its original line. */
async function* textOf(rows: AsyncIterable<StatementRow>): AsyncGenerator<string> {
  let text = csvLine(statementColumns);
  let line = 2;
  for await (const row of rows) {
    // A heading of several lines, or rows of which nothing is kept; empty lines count, but are not rows.
    while (line < row.line) {
      text += '\n';
      line += 1;
    }
    const written = lineOf(row);
    text += written;
    line += written.split('\n').length - 1;
    if (text.length < writtenAtOnce) continue;
    yield text;
    text = '';
  }
  yield text;
}

const lineOf = (row: StatementRow) =>
  csvLine([
    row.transactionId,
    row.reference,
    row.type,
    formatMajor(row.amountMinor),
    row.currency,
    row.status,
    row.completedAtMs === null ? '' : new Date(row.completedAtMs).toISOString(),
  ]);

const partBytes = 1024 * 1024;
const insertPart = {
  name: 'reconciliation_lines.insert',
  text: 'INSERT INTO reconciliation_lines (reconciliation_id, part, bytes) VALUES ($1, $2, $3)',
};

/** Stores the output of {@link packLines}. */
export async function storeLines(transaction: Queryable, id: string, path: string): Promise<void> {
  let part = 0;
  const parts = createReadStream(path, { highWaterMark: partBytes }) as AsyncIterable<Buffer>;
  for await (const bytes of parts) {
    await transaction.query(insertPart, [id, part, bytes]);
    part += 1;
  }
}

const readPart = {
  name: 'reconciliation_lines.read',
  text: 'SELECT bytes FROM reconciliation_lines WHERE reconciliation_id = $1 AND part = $2',
};

async function* partsOf(database: Queryable, id: string): AsyncGenerator<Buffer> {
  for (let part = 0; ; part += 1) {
    const [row] = await database.query<{ bytes: Buffer }>(readPart, [id, part]);
    if (!row) return;
    yield row.bytes;
  }
}

/** The lines of a stored statement, one part in memory at a time. */
export function readLines(database: Queryable, id: string): AsyncGenerator<StatementRow> {
  const unpacked = createGunzip();
  // The reader gets the error.
  void pipeline(partsOf(database, id), unpacked).catch(() => {});
  return readStatementBytes(unpacked as AsyncIterable<Buffer>);
}

const removeStatement = {
  name: 'reconciliations.remove_lines',
  text: `
WITH old AS (
  UPDATE reconciliations SET has_lines = false
  WHERE id IN (
    SELECT id FROM reconciliations WHERE has_lines AND asked_at < $1 AND status <> 'COMPARING'
    ORDER BY asked_at LIMIT $2)
    AND has_lines AND asked_at < $1 AND status <> 'COMPARING'
  RETURNING id
), removed AS (
  DELETE FROM reconciliation_lines WHERE reconciliation_id IN (SELECT id FROM old)
)
SELECT id FROM old`,
};

/**
 * Removes the lines of statements last compared before an instant.
 * @returns of how many statements
 */
export async function removeLines(
  database: Queryable,
  beforeMs: number,
  limit: number,
): Promise<number> {
  const values = [timestamp(beforeMs), limit];
  return (await database.query(removeStatement, values)).length;
}
