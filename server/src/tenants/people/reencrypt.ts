import type { Queryable } from '../../platform/postgres/database.ts';
import { isUnder, type SecretBox } from '../../platform/secrets/secret-box.ts';
import { codesContext } from './account-store.ts';

/** How the secrets of one-time codes are encrypted. */
export interface CodesByKey {
  current: number;
  previous: number;
  /** People whose codes neither key can decrypt. */
  unreadable: string[];
}

interface Row {
  id: string;
  box: Buffer;
}

const boxesOf = (database: Queryable) =>
  database.query<Row>({
    text: 'SELECT id, totp_box AS box FROM people WHERE totp_box IS NOT NULL ORDER BY id',
  });

/** Counts the secrets of one-time codes by their encryption key. */
export async function countCodesByKey(
  database: Queryable,
  secrets: SecretBox,
): Promise<CodesByKey> {
  const count: CodesByKey = { current: 0, previous: 0, unreadable: [] };
  for (const { id, box } of await boxesOf(database)) {
    if (opened(secrets, id, box) === undefined) count.unreadable.push(id);
    else count[isUnder(box, secrets) ? 'current' : 'previous'] += 1;
  }
  return count;
}

/**
 * Encrypts all of them with the current key. New codes set up meanwhile already use it.
 * @returns people whose codes neither key can decrypt
 */
export async function reencryptCodes(database: Queryable, secrets: SecretBox): Promise<string[]> {
  const unreadable: string[] = [];
  const text = 'UPDATE people SET totp_box = $3 WHERE id = $1 AND totp_box = $2';
  for (const { id, box } of await boxesOf(database)) {
    const secret = opened(secrets, id, box);
    if (secret === undefined) unreadable.push(id);
    else if (!isUnder(box, secrets)) {
      await database.query({ text }, [id, box, secrets.encrypt(secret, codesContext(id))]);
    }
  }
  return unreadable;
}

function opened(secrets: SecretBox, personId: string, box: Buffer): string | undefined {
  try {
    return secrets.decrypt(box, codesContext(personId));
  } catch {
    return undefined;
  }
}
