import { createHash, hkdfSync } from 'node:crypto';
import { idempotencyKeyReused } from '../errors/errors.ts';
import { canonicalJson } from '../formats/canonical-json.ts';
import type { DigestKey } from '../secrets/digest-key.ts';
import { hmac } from '../secrets/hmac.ts';
import { secretKeyId } from '../secrets/secret-box.ts';
import type { SecretKeys } from '../secrets/secret-keys.ts';

/** A request with an idempotency key, in the form in which it is compared with the first request under that key. */
export interface IdempotentRequest {
  key: string;
  /** The meaning of the request as canonical JSON: equal for two requests that ask for the same. */
  meaning: string;
  /** The raw body: requests of the first version are compared by it. */
  asSent: unknown;
}

/**
 * @param meaning what the request asks for: with defaults filled in, and what can be written in several
 * ways written in one; null says the same as a field that is left out
 */
export function idempotentRequest(
  key: string | undefined,
  asSent: unknown,
  meaning: () => object,
): IdempotentRequest | null {
  if (key === undefined) return null;
  return { key, meaning: canonicalJson(withoutNulls(meaning())), asSent };
}

/** The fields with a value; a null within metadata belongs to the merchant and stays. */
export function withoutNulls(fields: object): object {
  const said: Record<string, unknown> = {};
  for (const field of Object.keys(fields)) {
    const value = fields[field as never];
    if (value != null) said[field] = value;
  }
  return said;
}

/** What a request created, with the hash of that request. */
interface Created {
  requestHash: Buffer | null;
}

/** The possible stored forms of a key: as sent, or sealed because the phone in it was erased. */
export const keysOf = (hashes: RequestHashes, { key }: IdempotentRequest): string[] => [
  key,
  ...hashes.sealedKeys(key),
];

/** @throws IDEMPOTENCY_KEY_REUSED something else was asked for under its key */
export function requireSame(
  hashes: RequestHashes,
  { requestHash }: Created,
  request: IdempotentRequest | null,
): void {
  if (!request || !hashes.isSame(requestHash, request)) throw idempotencyKeyReused();
}

/**
 * What the same request created when it came first; undefined if its key is new.
 * @throws IDEMPOTENCY_KEY_REUSED something else was asked for under its key
 */
export async function findOriginal<Row extends Created>(
  hashes: RequestHashes,
  request: IdempotentRequest | null,
  find: (request: IdempotentRequest) => Promise<Row | undefined>,
): Promise<Row | undefined> {
  const original = request ? await find(request) : undefined;
  if (original) requireSame(hashes, original, request);
  return original;
}

/**
 * The hash of a request tells whether an idempotency key comes back with the same request. It is keyed: else
 * whoever knows the rest of a request could try all phones until the hash agrees, also after its phone has
 * been erased.
 */
export interface RequestHashes {
  /** The hash to store with the created object. */
  of(request: IdempotentRequest): Buffer;
  /** The hashes under each digest key, for a look-up by hash. */
  allOf(request: IdempotentRequest): Buffer[];
  /** Whether a request is the one whose hash was stored, by the version of that hash. */
  isSame(stored: Buffer | null | undefined, request: IdempotentRequest): boolean;
  /** The stored form of an older hash after the phone has been erased; a keyed hash stays unchanged. */
  seal(hash: Buffer): Buffer;
  /** The stored form of an idempotency key that names a phone, after the phone has been erased. */
  sealKey(key: string): string;
  /** Whether a key can contain a phone, and so may be sealed later. */
  maySeal(key: string): boolean;
  /** How a key may stand that is not there as it was given; none where it can name no phone. */
  sealedKeys(key: string): string[];
}

/**
 * The version of a hash is its first byte. Version 3 and sealed hashes go on with 4 bytes that name their key,
 * and the HMAC-SHA-256; version 2 with the SHA-256 of the meaning. The first version has no such byte: it is
 * the 32 bytes of the SHA-256 of the body as it was sent.
 */
const keyedVersion = 3;
const sealedVersion = 255;
const unkeyedVersion = Buffer.of(2);
const keyedLength = 1 + 4 + 32;
const firstVersionLength = 32;

/** @param roots the first makes new hashes, and each recognises its own; at least one */
export function createRequestHashes(roots: readonly Buffer[]): RequestHashes {
  const keys = roots.map(keyOf);
  const [current] = keys;
  if (!current) throw new Error('request hashes need a key');
  return {
    of: ({ meaning }) => current.hash(meaning),
    allOf: ({ meaning }) => keys.map(({ hash }) => hash(meaning)),
    isSame: (stored, request) => isSame(keys, stored, request),
    seal: (hash) => (isKeyed(hash) ? hash : current.seal(hash)),
    sealKey: (key) => sealKey(current, key),
    maySeal: mayNamePhone,
    sealedKeys: (key) => (mayNamePhone(key) ? keys.map((each) => sealKey(each, key)) : []),
  };
}

interface RequestHashDependencies {
  digestKey: DigestKey;
  keys: SecretKeys;
}

/**
 * Under the key of digests, which a replacement of the secret key leaves as it is. Those under the secret keys
 * are known too: they made the seals of before, and take its place where nothing opens it.
 */
export async function openRequestHashes({ digestKey, keys }: RequestHashDependencies) {
  const { current, previous } = keys;
  const own = await digestKey.open();
  return createRequestHashes([own, current, previous].filter((key) => key !== undefined));
}

export interface StoredRequestHashes extends RequestHashes {
  /** To be awaited before the first request is taken. */
  load(): Promise<void>;
}

/** The same for parts that are made before the database can be asked. */
export function storedRequestHashes(dependencies: RequestHashDependencies): StoredRequestHashes {
  let loaded: RequestHashes | undefined;
  const hashes = () => {
    if (!loaded) throw new Error('the key of request hashes has not been loaded');
    return loaded;
  };
  return {
    async load() {
      loaded = await openRequestHashes(dependencies);
    },
    of: (request) => hashes().of(request),
    allOf: (request) => hashes().allOf(request),
    isSame: (stored, request) => hashes().isSame(stored, request),
    seal: (hash) => hashes().seal(hash),
    sealKey: (key) => hashes().sealKey(key),
    maySeal: (key) => hashes().maySeal(key),
    sealedKeys: (key) => hashes().sealedKeys(key),
  };
}

type HashKey = ReturnType<typeof keyOf>;

function keyOf(root: Buffer) {
  const id = secretKeyId(root);
  const maker = (version: number, label: string) => {
    const header = Buffer.concat([Buffer.of(version), id]);
    const key = Buffer.from(hkdfSync('sha256', root, '', label, 32));
    return (data: string | Buffer) =>
      Buffer.concat([header, Buffer.from(hmac(key, '', data, 'hex'), 'hex')]);
  };
  return {
    id,
    hash: maker(keyedVersion, 'zimbo keyed requests'),
    seal: maker(sealedVersion, 'zimbo request hashes'),
  };
}

function isSame(
  keys: readonly HashKey[],
  stored: Buffer | null | undefined,
  request: IdempotentRequest,
): boolean {
  if (!stored) return false;
  if (stored.length === firstVersionLength) return stored.equals(firstVersionOf(request.asSent));
  if (!isKeyed(stored)) return stored.equals(unkeyed(request));
  const key = keys.find(({ id }) => stored.subarray(1, 5).equals(id));
  // Under a lost key the comparison is impossible, so the request is refused and nothing is charged twice.
  if (!key) return false;
  if (stored[0] === keyedVersion) return stored.equals(key.hash(request.meaning));
  // Which version of the hash was sealed does not show.
  const hashes = [unkeyed(request), firstVersionOf(request.asSent)];
  return hashes.some((hash) => stored.equals(key.seal(hash)));
}

const isKeyed = (hash: Buffer) =>
  hash.length === keyedLength && (hash[0] === keyedVersion || hash[0] === sealedVersion);

/** As version 2 was. */
const unkeyed = ({ meaning }: IdempotentRequest) =>
  Buffer.concat([unkeyedVersion, createHash('sha256').update(meaning).digest()]);

/** As version 1 was. */
export const firstVersionOf = (body: unknown): Buffer =>
  createHash('sha256').update(canonicalJson(body)).digest();

/** At least as many digits as a phone; most keys are UUIDs, which contain no phone. */
const mayNamePhone = (key: string) =>
  /(\d[^A-Za-z0-9]{0,4}){8}/.test(key) && !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(key);

const sealKey = ({ seal }: HashKey, key: string) =>
  `sealed ${seal(Buffer.from(key)).toString('base64url')}`;

/**
 * A view without the fields that were added after the row was written, so that the answer to its
 * creation stays the same to the byte.
 * @param since the version of the rendering that first had a field; what is not listed was always there
 */
export function shownThen<View extends object>(
  view: View,
  since: Partial<Record<keyof View, number>>,
  rendering: number,
): Partial<View> {
  const shown = Object.entries(view).filter(
    ([field]) => (since[field as keyof View] ?? 1) <= rendering,
  );
  return Object.fromEntries(shown) as Partial<View>;
}
