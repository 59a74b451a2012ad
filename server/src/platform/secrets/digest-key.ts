import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database, Queryable } from '../postgres/database.ts';
import type { SecretBox } from './secret-box.ts';

/**
 * The key for digests that must be recognised for years: of phones that were prompted, and of requests under their
 * idempotency keys. It is created once and stored encrypted, so that it survives a replacement of the secret key.
 */
export interface DigestKey {
  /** Undefined if neither secret key can decrypt it. */
  open(): Promise<Buffer | undefined>;
}

export interface DigestKeyDependencies {
  database: Database;
  /** For one of several cells, which share one key: its own copy may be lost. */
  home?: Database | undefined;
  secrets: SecretBox;
  log: Pick<Logger, 'error'>;
}

/** Named after its first use. */
const context = 'phone_digest_key';

export function createDigestKey(dependencies: DigestKeyDependencies): DigestKey {
  let key: Promise<Buffer | undefined> | undefined;
  return {
    open() {
      key ??= openKey(dependencies).catch((error: unknown) => {
        key = undefined;
        throw error;
      });
      return key;
    },
  };
}

async function openKey({
  database,
  home,
  secrets,
  log,
}: DigestKeyDependencies): Promise<Buffer | undefined> {
  const box = (await findDigestKeyBox(database)) ?? (await makeKey(database, secrets, home));
  try {
    return Buffer.from(secrets.decrypt(box, context), 'base64');
  } catch (error) {
    log.error(
      { err: error },
      'The digest key is encrypted with another ZIMBO_SECRET_KEY: phones are neither limited nor blocked, and requests under an earlier Idempotency-Key are answered with 409 (docs/keys.md#the-secret-key)',
    );
    return undefined;
  }
}

export async function findDigestKeyBox(database: Queryable): Promise<Buffer | undefined> {
  const text = 'SELECT box FROM phone_digest_key';
  return (await database.query<{ box: Buffer }>({ text }))[0]?.box;
}

/** One of several concurrent processes creates the key for all. */
async function makeKey(
  database: Queryable,
  secrets: SecretBox,
  home: Queryable | undefined,
): Promise<Buffer> {
  const box =
    (home && (await findDigestKeyBox(home))) ??
    secrets.encrypt(randomBytes(32).toString('base64'), context);
  const text = 'INSERT INTO phone_digest_key (box) VALUES ($1) ON CONFLICT DO NOTHING';
  await database.query({ text }, [box]);
  return (await findDigestKeyBox(database))!;
}

/**
 * Gives another database the same key, unless it has one already.
 * @returns whether both have the same key now
 */
export async function shareDigestKey(
  database: Queryable,
  key: Buffer,
  secrets: SecretBox,
): Promise<boolean> {
  const text = 'INSERT INTO phone_digest_key (box) VALUES ($1) ON CONFLICT DO NOTHING';
  await database.query({ text }, [secrets.encrypt(key.toString('base64'), context)]);
  return isDigestKey((await findDigestKeyBox(database))!, key, secrets);
}

/** Whether a box contains this key; false also if neither secret key can decrypt the box. */
export function isDigestKey(box: Buffer, key: Buffer, secrets: SecretBox): boolean {
  return opensDigestKey(box, secrets) && secrets.decrypt(box, context) === key.toString('base64');
}

/** Whether one of the secret keys can decrypt it. */
export function opensDigestKey(box: Buffer, secrets: SecretBox): boolean {
  try {
    secrets.decrypt(box, context);
    return true;
  } catch {
    return false;
  }
}

/** Encrypts the digest key with the current secret key. False if neither key can decrypt it. */
export async function reencryptDigestKey(
  database: Queryable,
  secrets: SecretBox,
): Promise<boolean> {
  const box = await findDigestKeyBox(database);
  if (!box) return true;
  if (!opensDigestKey(box, secrets)) return false;
  const text = 'UPDATE phone_digest_key SET box = $1';
  await database.query({ text }, [secrets.encrypt(secrets.decrypt(box, context), context)]);
  return true;
}
