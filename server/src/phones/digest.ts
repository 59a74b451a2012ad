import { createHmac, randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { Database, Queryable } from '../platform/database.ts';
import type { SecretBox } from '../platform/secrets.ts';

/** Names a phone without telling it, always the same in one database. */
export interface PhoneDigests {
  /** Undefined where neither secret key opens the key of digests. */
  of(phone: string): Promise<Buffer | undefined>;
}

interface DigestParts {
  database: Database;
  secrets: SecretBox;
  log: Pick<Logger, 'error'>;
}

const context = 'phone_digest_key';

/**
 * Digests are keyed, or all phones of a country could be tried in a second. Their key is made when it is
 * first needed and kept encrypted, so that it outlives a replacement of the secret key.
 */
export function createPhoneDigests(parts: DigestParts): PhoneDigests {
  let key: Promise<Buffer | undefined> | undefined;
  const load = () => {
    key ??= openKey(parts).catch((error: unknown) => {
      key = undefined;
      throw error;
    });
    return key;
  };
  return {
    async of(phone) {
      const opened = await load();
      return opened && createHmac('sha256', opened).update(withoutTrunkZero(phone)).digest();
    },
  };
}

/**
 * +238 0 991 23 45 rings where +238 991 23 45 does. It is taken as it was given, since operators say what they
 * know, but it is no second phone. Other countries have numbers that begin with 0.
 */
const withoutTrunkZero = (phone: string): string => phone.replace(/^\+(238|244)0+/, '+$1');

async function openKey({ database, secrets, log }: DigestParts): Promise<Buffer | undefined> {
  const box = (await findBox(database)) ?? (await makeKey(database, secrets));
  try {
    return Buffer.from(secrets.decrypt(box, context), 'base64');
  } catch (error) {
    log.error(
      { err: error },
      'The key of phone digests is under another ZIMBO_SECRET_KEY: phones are neither limited nor blocked',
    );
    return undefined;
  }
}

async function findBox(database: Queryable): Promise<Buffer | undefined> {
  const text = 'SELECT box FROM phone_digest_key';
  return (await database.query<{ box: Buffer }>({ text }))[0]?.box;
}

/** Of several processes at once, one makes the key of all. */
async function makeKey(database: Queryable, secrets: SecretBox): Promise<Buffer> {
  const box = secrets.encrypt(randomBytes(32).toString('base64'), context);
  const text = 'INSERT INTO phone_digest_key (box) VALUES ($1) ON CONFLICT DO NOTHING';
  await database.query({ text }, [box]);
  return (await findBox(database))!;
}

/** Encrypts the key of digests with the current secret key. False where neither key opens it. */
export async function reencryptDigestKey(
  database: Queryable,
  secrets: SecretBox,
): Promise<boolean> {
  const box = await findBox(database);
  if (!box) return true;
  let key: string;
  try {
    key = secrets.decrypt(box, context);
  } catch {
    return false;
  }
  const text = 'UPDATE phone_digest_key SET box = $1';
  await database.query({ text }, [secrets.encrypt(key, context)]);
  return true;
}
