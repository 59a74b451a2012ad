import type { BackupRow } from '../operations/backup/store.ts';
import { inEachCell, resultsOf } from './cells/each.ts';
import { formatBytes, formatInstant, type Output, printJson, printTable } from './output.ts';

/** Of each cell. */
const mostListed = 50;

export async function listBackups({ json }: Output): Promise<void> {
  const store = await import('../operations/backup/store.ts');
  const outcomes = await inEachCell(({ database }) => store.listBackups(database, mostListed));
  const isOne = outcomes.length === 1;
  const cells = resultsOf(outcomes);
  const rows = cells.flatMap(({ cell, result }) => result.map((row) => ({ cell, row })));
  if (json) {
    return printJson(rows.map(({ cell, row }) => ({ ...(!isOne && { cell }), ...asJson(row) })));
  }
  if (rows.length > 0) {
    const headings = ['BEGAN (UTC)', 'SIZE', 'ENCRYPTED', 'VERIFIED', 'WHERE', 'STATE'];
    printTable(
      isOne ? headings : ['CELL', ...headings],
      rows.map(({ cell, row }) => (isOne ? lineOf(row) : [cell, ...lineOf(row)])),
    );
  }
  for (const { cell } of cells.filter(({ result }) => result.length === 0)) {
    const ofThis = isOne
      ? 'of this database yet. Make one: zimbo backup'
      : `of the cell ${cell} yet:  zimbo backup --cell ${cell}`;
    console.log(`No backup was made ${ofThis}`);
  }
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
