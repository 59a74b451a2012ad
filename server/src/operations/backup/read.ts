import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import { createGunzip, type Gunzip } from 'node:zlib';
import { StartError } from '../../platform/errors/start-error.ts';
import { decrypt } from './encryption.ts';
import {
  type BackupEnd,
  type BackupHeader,
  countRows,
  endOfRows,
  formatName,
  formatVersion,
  type OnProgress,
  type TableEnd,
  type TableHeader,
  type TableSummary,
} from './format.ts';
import type { Source } from './storage-location.ts';

const endBytes = Buffer.from(endOfRows);
const endAfterRow = Buffer.from(`\n${endOfRows}`);
const longestLine = 1_048_576;
const chunkSize = 262_144;

export type TakeHeader = (header: BackupHeader) => void;

/** Processes the rows of a table, and returns how many there were. */
export type TakeRows = (table: TableHeader, rows: AsyncIterable<Buffer>) => Promise<number>;

/**
 * Reads a backup completely, with one chunk in memory at a time.
 * @param takeRows must read all rows that it receives.
 * @throws StartError if the file is no backup, has a newer format, or is damaged; earlier rows may then be wrong.
 */
export async function readBackup(
  source: Source,
  { takeHeader, takeRows }: { takeHeader?: TakeHeader; takeRows: TakeRows },
): Promise<void> {
  const file = source.name;
  const input = await Input.open(source);
  let rows = 0;
  let tables = 0;
  try {
    const header = headerOf(file, await input.line());
    takeHeader?.(header);
    for (;;) {
      const sha256 = input.sha256();
      const next = parse<TableHeader | BackupEnd>(file, await input.line());
      if (!('table' in next)) {
        expectEqual<BackupEnd>(file, next, { tables, rows, sha256 });
        return await input.end();
      }
      const count = await takeRows(next, input.rows());
      const end = { rows: count, sha256: input.sha256() };
      expectEqual<TableEnd>(file, parse(file, await input.line()), end);
      rows += count;
      tables++;
    }
  } catch (error) {
    throw explainReadError(file, error);
  } finally {
    input.close();
  }
}

/** Reads the whole file, so that a damaged file is refused before it has any effect. */
export async function checkBackup(
  source: Source,
  { takeHeader, onProgress }: { takeHeader?: TakeHeader; onProgress?: OnProgress | undefined } = {},
): Promise<{ header: BackupHeader; tables: TableSummary[] }> {
  let header: BackupHeader | undefined;
  const tables: TableSummary[] = [];
  await readBackup(source, {
    takeHeader: (found) => {
      takeHeader?.(found);
      header = found;
    },
    async takeRows({ table }, rows) {
      const summary = { table, rows: 0, bytes: 0 };
      tables.push(summary);
      for await (const chunk of rows) {
        summary.rows += countRows(chunk);
        summary.bytes += chunk.length;
        onProgress?.(summary);
      }
      return summary.rows;
    },
  });
  return { header: header!, tables };
}

function headerOf(file: string, line: string): BackupHeader {
  if (!line.startsWith(`{"format":"${formatName}",`)) throw notBackupError(file);
  const header = parse<BackupHeader>(file, line);
  if (header.formatVersion > formatVersion) {
    throw new StartError(
      `${JSON.stringify(file)} was made by Zimbo ${header.programVersion}, in a newer format than this program reads.`,
      `Restore it with Zimbo ${header.programVersion} or later.`,
    );
  }
  return header;
}

function parse<T>(file: string, line: string): T {
  try {
    return JSON.parse(line) as T;
  } catch {
    throw damagedError(file);
  }
}

function expectEqual<T extends object>(file: string, found: T, expected: T): void {
  if (!isDeepStrictEqual(found, expected)) throw damagedError(file);
}

/** The file as text, and the progress in it. */
class Input {
  readonly #file: string;
  readonly #text: Gunzip;
  readonly #chunks: AsyncIterator<Buffer>;
  readonly #hash = createHash('sha256');
  #unread: Buffer = Buffer.alloc(0);

  static async open(source: Source): Promise<Input> {
    return new Input(source, await source.open());
  }

  private constructor(source: Source, contents: Readable) {
    this.#file = source.name;
    // The reader of the text receives the errors.
    const plain = Readable.from(decrypt(contents, source), { objectMode: false });
    this.#text = pipeline(plain, createGunzip({ chunkSize }), () => contents.destroy());
    this.#chunks = this.#text[Symbol.asyncIterator]();
  }

  close(): void {
    this.#text.destroy();
  }

  /** The totals read so far. */
  sha256(): string {
    return this.#hash.copy().digest('hex');
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.#unread.indexOf(10);
      if (end !== -1) return this.#take(end + 1).toString('utf8', 0, end);
      if (this.#unread.length > longestLine) throw notBackupError(this.#file);
      await this.#more();
    }
  }

  /** Complete rows, up to the line that ends them. */
  async *rows(): AsyncGenerator<Buffer> {
    for (;;) {
      const atEnd = this.#unread.subarray(0, endBytes.length).equals(endBytes);
      const end = atEnd ? 0 : this.#unread.indexOf(endAfterRow) + 1;
      const whole = end > 0 || atEnd ? end : this.#unread.lastIndexOf(10) + 1;
      if (whole > 0) yield this.#take(whole);
      if (atEnd || end > 0) {
        this.#take(endBytes.length);
        return;
      }
      await this.#more();
    }
  }

  async end(): Promise<void> {
    if (this.#unread.length > 0 || !(await this.#chunks.next()).done)
      throw damagedError(this.#file);
  }

  #take(length: number): Buffer {
    const taken = this.#unread.subarray(0, length);
    this.#unread = this.#unread.subarray(length);
    this.#hash.update(taken);
    return taken;
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#chunks.next();
    if (done) throw truncatedError(this.#file);
    this.#unread = this.#unread.length === 0 ? value : Buffer.concat([this.#unread, value]);
  }
}

function explainReadError(file: string, error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'Z_BUF_ERROR') return truncatedError(file);
  if (code !== 'Z_DATA_ERROR') return error;
  return message === 'incorrect header check' ? notBackupError(file) : damagedError(file);
}

const another = 'Copy it again from its source, or use another backup.';

const notBackupError = (file: string) =>
  new StartError(`${JSON.stringify(file)} is not a Zimbo backup, or its first line is damaged.`);

const truncatedError = (file: string) =>
  new StartError(`${JSON.stringify(file)} is incomplete: its end is missing.`, another);

const damagedError = (file: string) =>
  new StartError(`${JSON.stringify(file)} is damaged.`, another);
