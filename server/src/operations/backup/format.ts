/** The format of backups; docs/backup.md describes it. */
export const formatName = 'zimbo-backup';
export const formatVersion = 1;

/** COPY writes no row that looks like this. */
export const endOfRows = '\\.\n';

/** The first line. */
export interface BackupHeader {
  format: typeof formatName;
  formatVersion: number;
  programVersion: string;
  postgresVersion: string;
  /** The instant of the snapshot, in ISO 8601. */
  snapshotAt: string;
  /** The applied migrations, in order. */
  migrations: { number: number; name: string; checksum: string; programVersion: string }[];
  /** Names of the encryption keys of the stored secrets (secrets.ts), in hex. */
  secretKeyIds: string[];
}

/** The line before the rows of a table. */
export interface TableHeader {
  table: string;
  columns: string[];
}

/** The line after the rows of a table. */
export interface TableEnd {
  rows: number;
  /** The hash of all bytes before this line. */
  sha256: string;
}

/** The last line. */
export interface BackupEnd extends TableEnd {
  tables: number;
}

export interface TableSummary {
  table: string;
  rows: number;
  /** As text, before compression. */
  bytes: number;
}

/** Receives progress; `rows` and `bytes` are the table's so far. */
export type OnProgress = (progress: TableSummary) => void;

/** COPY writes each row as one line. */
export function countRows(chunk: Buffer): number {
  let count = 0;
  for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, at + 1)) count++;
  return count;
}
