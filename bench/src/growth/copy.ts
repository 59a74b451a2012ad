import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { from } from 'pg-copy-streams';

export type Value = string | number | bigint | Buffer | null;

/** Rows for one table, in the text format of COPY. */
export class CopyTable {
  #statement: string;
  #lines: string[] = [];

  constructor(table: string, columns: string) {
    this.#statement = `COPY ${table} (${columns}) FROM STDIN`;
  }

  add(...values: Value[]): void {
    this.#lines.push(values.map(copied).join('\t'));
  }

  /** Writes the added rows, and clears them. */
  async flush(client: pg.Client): Promise<void> {
    if (this.#lines.length === 0) return;
    const stream = client.query(from(this.#statement));
    stream.end(`${this.#lines.join('\n')}\n`);
    this.#lines = [];
    await finished(stream);
  }
}

function copied(value: Value): string {
  if (value === null) return '\\N';
  if (Buffer.isBuffer(value)) return `\\\\x${value.toString('hex')}`;
  return String(value).replace(/[\\\t\n\r]/g, (character) => escapes[character]!);
}

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

export const instant = (ms: number) => new Date(ms).toISOString();
