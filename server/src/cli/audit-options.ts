import { InvalidArgumentError } from 'commander';
import type { ListedRecord } from '../platform/audit/store.ts';
import { type Head, headText, parseHead } from '../platform/audit/verify.ts';
import { formatInstant } from './output.ts';

export function countOf(text: string): number {
  const count = Number(text);
  if (/^\d{1,4}$/.test(text) && count >= 1 && count <= 1_000) return count;
  throw new InvalidArgumentError('It must be a number from 1 to 1000.');
}

/** The format of `zimbo audit head` with several cells: with the name of the cell. */
export interface KeptHead extends Head {
  cell: string | undefined;
}

export function collectHeads(text: string, heads: KeptHead[]): KeptHead[] {
  const [, cell, rest = ''] = /^(?:([a-z][a-z0-9_]*):)?(.*)$/s.exec(text.trim()) ?? [];
  const head = parseHead(rest);
  if (head === undefined) {
    throw new InvalidArgumentError('It must be a head as "zimbo audit head" prints it.');
  }
  return [...heads, { ...head, cell }];
}

/** `12:9f86…`, or `north:12:9f86…` with a cell. */
export const keptHeadText = ({ cell, ...head }: KeptHead): string =>
  cell === undefined ? headText(head) : `${cell}:${headText(head)}`;

export { recordView } from '../platform/audit/record-view.ts';

export function recordLine(record: ListedRecord): string[] {
  const { atMs, actor, origin, action, subject } = record;
  return [formatInstant(atMs), actor, origin ?? '-', action, subject, changeOf(record)];
}

/** `status: OPEN → EXPIRED`, or else the known details. */
function changeOf({ before, after, detail }: ListedRecord): string {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changes = names
    .filter((name) => textOf(before?.[name]) !== textOf(after?.[name]))
    .map((name) => `${name}: ${textOf(before?.[name])} → ${textOf(after?.[name])}`);
  const more = Object.entries(detail).map(([name, value]) => `${name} ${textOf(value)}`);
  return [...changes, ...more].join(', ') || '-';
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '-';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
