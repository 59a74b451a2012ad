import type { BackupRow } from '../operations/backup/store.ts';
import { formatBytes, formatInstant, type Output, printJson, printTable } from './output.ts';
import { withWorkspace } from './workspace.ts';

const mostListed = 50;

export async function listBackups({ json }: Output): Promise<void> {
  const store = await import('../operations/backup/store.ts');
  const rows = await withWorkspace(({ database }) => store.listBackups(database, mostListed));
  if (json) printJson(rows.map(asJson));
  else if (rows.length === 0) console.log('No backup was made of this database yet:  zimbo backup');
  else
    printTable(
      ['BEGAN (UTC)', 'SIZE', 'ENCRYPTED', 'VERIFIED', 'WHERE', 'STATE'],
      rows.map(lineOf),
    );
}

const lineOf = (row: BackupRow): string[] => [
  formatInstant(row.beganAtMs),
  row.bytes === null ? '' : formatBytes(Number(row.bytes)),
  row.isEncrypted ? 'yes' : 'no',
  row.verifiedAtMs === null ? 'no' : 'yes',
  row.place === null ? row.name : `${row.place}/${row.name}`,
  stateOf(row),
];

function stateOf({ endedAtMs, error, removedAtMs }: BackupRow): string {
  if (endedAtMs === null) return 'in progress, or interrupted';
  if (error !== null) return `failed: ${error}`;
  return removedAtMs === null ? 'good' : 'removed';
}

function asJson(row: BackupRow) {
  const instant = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
  return {
    beganAt: instant(row.beganAtMs),
    endedAt: instant(row.endedAtMs),
    place: row.place,
    name: row.name,
    bytes: row.bytes === null ? null : Number(row.bytes),
    isEncrypted: row.isEncrypted,
    verifiedAt: instant(row.verifiedAtMs),
    error: row.error,
    removedAt: instant(row.removedAtMs),
  };
}
