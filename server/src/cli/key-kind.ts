import type { Command } from 'commander';
import { atGateway } from './admin/connection.ts';
import { withId } from './failure.ts';
import {
  type Column,
  formatInstant,
  keepNow,
  type Output,
  printJson,
  printOnce,
  printRows,
} from './output.ts';

/** A key of a merchant or of /admin/v1, as the API shows it. */
export interface ShownKey {
  id: string;
  label: string | null;
  permissions: readonly string[];
  allowedAddresses: readonly string[];
  createdAt: string;
  expiresAt: string | null;
  revokedAt: string | null;
  lastUsedAt: string | null;
}

export interface KeyKind<Key> {
  /** Its commands have the plural. */
  name: 'key' | 'admin-key';
  revoke: string;
  permissions: readonly string[];
  maskedKey: (key: Key) => string;
  /** Beside those of all keys: before the state, and before the dates. */
  columns: [Column<Key>[], Column<Key>[]];
  nothing: string;
}

export const keyId = ['<id>', 'the id of the key (ak_…), not the key itself'] as const;

export const addRevoke = <Key>(keys: Command, kind: KeyKind<Key>): Command =>
  keys
    .command('revoke')
    .description('disable a key; every process refuses it within 5 seconds')
    .argument(...keyId)
    .option('--json', 'print the revoked key')
    .action(async (id: string, { json }: Output) => {
      const key = await withId({ name: kind.name, prefix: 'ak' }, id, () =>
        atGateway<Key>(({ send }) => send(kind.revoke, { path: { id } })),
      );
      if (json) printJson(key);
      else
        console.log(
          `${kind.maskedKey(key)} is revoked. Every process refuses it within 5 seconds.`,
        );
    });

export interface Issued {
  id: string;
  key: string;
}

interface Terms {
  permissions: readonly string[];
  fields: Record<string, string>;
}

/** Shows a new key, which cannot be shown again. */
export const printIssued = <Key>(
  { name, permissions: all }: KeyKind<Key>,
  { id, key }: Issued,
  { permissions, fields, json }: Output & Terms,
): Promise<void> =>
  printOnce(
    { json },
    {
      object: { id, key },
      fields: { Key: key, Id: id, ...fields, May: mayDo(permissions, all) },
      words: keepNow,
      instead: `The new key could not be shown. Revoke it:  zimbo ${name}s revoke ${id}`,
    },
  );

export function printKeys<Key extends ShownKey>(
  { permissions: all, maskedKey, columns: [first, second], nothing }: KeyKind<Key>,
  keys: readonly Key[],
  { json }: Output,
): void {
  const columns: Column<Key>[] = [
    ['ID', ({ id }) => id],
    ['KEY', maskedKey],
    ['LABEL', ({ label }) => label ?? '-'],
    ...first,
    ['STATE', stateOf],
    ['MAY', ({ permissions }) => mayDo(permissions, all)],
    ['FROM', ({ allowedAddresses }) => allowedAddresses.join(', ') || 'everywhere'],
    ...second,
    ['CREATED (UTC)', ({ createdAt }) => instant(createdAt)],
    ['LAST USED (UTC)', ({ lastUsedAt }) => instant(lastUsedAt)],
  ];
  if (json) printJson(keys);
  else if (keys.length === 0) console.log(nothing);
  else printRows(columns, keys);
}

const mayDo = (permissions: readonly string[], all: readonly string[]) =>
  all.every((one) => permissions.includes(one)) ? 'everything' : permissions.join(', ');

export const instant = (text: string | null): string =>
  text === null ? '-' : formatInstant(Date.parse(text));

function stateOf({ revokedAt, expiresAt }: ShownKey): string {
  if (revokedAt !== null) return `revoked ${instant(revokedAt)}`;
  if (expiresAt === null) return 'valid';
  return `${Date.parse(expiresAt) <= Date.now() ? 'expired' : 'until'} ${instant(expiresAt)}`;
}
