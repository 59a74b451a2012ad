import { hash, randomInt } from 'node:crypto';
import { invalid } from '../../platform/errors/errors.ts';

export type Mode = 'live' | 'test';

const resources = [
  'payments',
  'refunds',
  'checkout',
  'products',
  'webhooks',
  'events',
  'settlements',
  'disbursements',
] as const;
export type Permission = `${(typeof resources)[number]}:${'read' | 'write'}` | 'phones:read';

/** The permissions of keys. */
export const allPermissions: readonly Permission[] = [
  ...resources.flatMap((resource) => [
    `${resource}:read` as const,
    // Events are read-only: a write permission would promise something that does not exist.
    ...(resource === 'events' ? [] : [`${resource}:write` as const]),
  ]),
  // Without it, phones are masked wherever the key can read them.
  'phones:read',
];

/** The permissions of a key created without a list: a live key pays out of the balance only if that is named. */
export const unlistedPermissions = (mode: Mode): readonly Permission[] =>
  mode === 'test'
    ? allPermissions
    : allPermissions.filter((permission) => !permission.startsWith('disbursements:'));

/** Grants nothing, but existing keys have it, and scripts that create keys still name it. */
const known: readonly Permission[] = [...allPermissions, 'events:write'];

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const secretLength = 32;

/** `sk_live_` or `sk_test_` and 190 random bits. The result is pure chance, so randomness is not passed in. */
export function newApiKey(mode: Mode): string {
  return `sk_${mode}_${newSecret()}`;
}

/** 32 letters and digits: 190 random bits. */
export function newSecret(): string {
  return Array.from({ length: secretLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** The stored hash of a key. With this much randomness, a slow hash is unnecessary: nobody can guess the key. */
export function hashApiKey(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

/**
 * Checks a list of permissions and drops repeats.
 * @throws VALIDATION_ERROR for an unknown permission or an empty list
 */
export function parsePermissions(names: readonly string[]): Permission[] {
  const unknown = names.find((name) => !known.some((permission) => permission === name));
  if (unknown !== undefined || names.length === 0) {
    const found = unknown === undefined ? '' : `; ${JSON.stringify(unknown)} is not a permission`;
    throw invalid('permissions', `must be some of ${allPermissions.join(', ')}${found}`);
  }
  return known.filter((permission) => names.includes(permission));
}
