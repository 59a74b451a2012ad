import { StartError } from '../../platform/errors/start-error.ts';

/** The first line of every age file. */
const magic = Buffer.from('age-encryption.org/');

/**
 * Encrypts bytes for these public keys: ChaCha20-Poly1305 in chunks of 64 KiB, each bound to its position and the end
 * (the age format, so age's own tools can read it).
 */
export async function* encrypt(
  contents: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
): AsyncGenerator<Uint8Array> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  yield* await encrypter.encrypt(ReadableStream.from(contents));
}

/** A temporary key pair, for a process that reads back what it has written. */
export async function oneTimeKey(): Promise<{ identity: string; recipient: string }> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption');
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/**
 * Decrypts bytes; unencrypted files come back unchanged.
 * @param name the file, for errors
 * @param identities private keys, one of which must fit
 */
export async function* decrypt(
  contents: AsyncIterable<Uint8Array>,
  { name, identities }: { name: string; identities: readonly string[] },
): AsyncGenerator<Uint8Array> {
  const chunks = contents[Symbol.asyncIterator]();
  try {
    let first = Buffer.alloc(0);
    while (first.length < magic.length) {
      const { done, value } = await chunks.next();
      if (done) break;
      first = Buffer.concat([first, value]);
    }
    const all = rejoined(first, chunks);
    if (!first.subarray(0, magic.length).equals(magic)) yield* all;
    else yield* decryptAge(all, { name, identities });
  } finally {
    await chunks.return?.();
  }
}

async function* rejoined(first: Uint8Array, rest: AsyncIterator<Uint8Array>) {
  if (first.length > 0) yield first;
  for (;;) {
    const { done, value } = await rest.next();
    if (done) return;
    yield value;
  }
}

async function* decryptAge(
  contents: AsyncGenerator<Uint8Array>,
  { name, identities }: { name: string; identities: readonly string[] },
): AsyncGenerator<Uint8Array> {
  if (identities.length === 0) throw encryptedFile(name);
  const { Decrypter } = await import('age-encryption');
  const decrypter = new Decrypter();
  for (const identity of identities) decrypter.addIdentity(identity);
  let source: unknown;
  const watched = async function* () {
    try {
      yield* contents;
    } catch (error) {
      source = error;
      throw error;
    }
  };
  try {
    yield* await decrypter.decrypt(ReadableStream.from(watched()));
  } catch (error) {
    if (source !== undefined) throw source;
    if (/no identity matched/.test((error as Error).message)) throw wrongKeyError(name);
    throw damagedFileError(name, error);
  }
}

/** Reads private keys from a file in the format of `zimbo backup key` and age-keygen. */
export function parseIdentities(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line.startsWith('AGE-SECRET-KEY-'));
}

const encryptedFile = (name: string) =>
  new StartError(
    `${JSON.stringify(name)} is encrypted.`,
    'Name the file with the private key:  --identity FILE',
  );

const wrongKeyError = (name: string) =>
  new StartError(
    `${JSON.stringify(name)} is encrypted for another key.`,
    'Name the file with the private key for one of the BACKUP_RECIPIENTS of that time:  --identity FILE',
  );

const damagedFileError = (name: string, cause: unknown) =>
  new StartError(
    `${JSON.stringify(name)} is damaged, or its end is missing.`,
    'Copy it again from its source, or use another backup.',
    { cause },
  );
