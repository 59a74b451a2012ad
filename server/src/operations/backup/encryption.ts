import { StartError } from '../../platform/errors/start-error.ts';

/** The first line of every file of age. */
const magic = Buffer.from('age-encryption.org/');

/**
 * The bytes encrypted for these public keys: ChaCha20-Poly1305 in chunks of 64 KiB, of which each knows its place and
 * the last one that it is the last (the format of age, so its own tools read it too).
 */
export async function* encrypted(
  contents: AsyncIterable<Uint8Array>,
  recipients: readonly string[],
): AsyncGenerator<Uint8Array> {
  const { Encrypter } = await import('age-encryption');
  const encrypter = new Encrypter();
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  yield* await encrypter.encrypt(ReadableStream.from(contents));
}

/** A key pair that nobody keeps: for what is read back by whoever has written it. */
export async function oneTimeKey(): Promise<{ identity: string; recipient: string }> {
  const { generateX25519Identity, identityToRecipient } = await import('age-encryption');
  const identity = await generateX25519Identity();
  return { identity, recipient: await identityToRecipient(identity) };
}

/**
 * The bytes as they were before encryption; those of a file that is not encrypted come as they are.
 * @param name what is read, for errors
 * @param identities private keys, of which one has to fit
 */
export async function* decrypted(
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
    else yield* decryptedAge(all, { name, identities });
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

async function* decryptedAge(
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
    if (/no identity matched/.test((error as Error).message)) throw wrongKey(name);
    throw damagedFile(name, error);
  }
}

/** The private keys of a file as `zimbo backup key` and age-keygen write it. */
export function identitiesIn(text: string): string[] {
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

const wrongKey = (name: string) =>
  new StartError(
    `${JSON.stringify(name)} is encrypted for another key.`,
    'Name the file with the private key of one of the BACKUP_RECIPIENTS that it was made with:  --identity FILE',
  );

const damagedFile = (name: string, cause: unknown) =>
  new StartError(
    `${JSON.stringify(name)} is damaged, or its end is missing: it is not as it was written.`,
    'Copy it again from where it was kept, or take another backup.',
    { cause },
  );
