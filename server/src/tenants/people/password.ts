import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { invalid } from '../../platform/errors/errors.ts';
import { createSemaphore } from '../../platform/jobs/semaphore.ts';

const shortest = 12;
const longest = 200;

/** The beginnings of passwords that attackers try first, without digits and signs at either end. */
const common = new Set(
  (
    'password passw0rd palavrapasse palavra senha segredo mudar123 administrador administrator qwertyuiop qwerty ' +
    'azertyuiop asdfghjkl iloveyou letmein welcome bemvindo benvindo abcdefghijkl abcdefgh zimbo caboverde angola ' +
    'luanda praia mindelo benfica sporting fcporto changeme default'
  ).split(' '),
);

/**
 * A password that may be chosen: 12 to 200 characters, not the e-mail, and none that everybody tries.
 * @throws VALIDATION_ERROR
 */
export function checkPassword(password: string, email: string): void {
  const { length } = Array.from(password);
  if (length < shortest || length > longest) {
    throw invalid('password', `must have ${shortest} to ${longest} characters`);
  }
  const plain = password.toLowerCase();
  const letters = plain.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const repeated = new Set(plain).size < 5;
  const named = plain === email || plain === email.split('@', 1)[0];
  if (named || repeated || /^\d+$/.test(plain) || common.has(letters) || isSequence(plain)) {
    throw invalid(
      'password',
      'is too easy to guess: choose another, for example four random words',
    );
  }
}

const isSequence = (text: string) => '01234567890123456789'.includes(text);

/** How dear a hash is; tests take cheap ones. */
export interface HashCost {
  memoryKiB: number;
  passes: number;
}

export interface PasswordHasher {
  /** @throws PasswordsBusyError where too many wait */
  hash: (password: string) => Promise<string>;
  /**
   * Takes as long where there is no hash, and says no.
   * @param isKnown somebody whom we know waits, for whom places are kept free
   * @throws PasswordsBusyError where too many wait
   */
  verify: (password: string, hash: string | null, isKnown?: boolean) => Promise<boolean>;
  isBusy: (isKnown?: boolean) => boolean;
}

/** Too many passwords wait to be hashed: try again in a moment. */
export class PasswordsBusyError extends Error {}

/** As OWASP recommends it for Argon2id. */
export const defaultCost: HashCost = { memoryKiB: 19_456, passes: 2 };
const maxRunning = 2;
const maxWaiting = 20;
/** Beyond these, for whoever is on a device of theirs, or signed in. */
const maxKnownWaiting = 10;
const hashBytes = 32;
const saltBytes = 16;

interface Parsed extends HashCost {
  salt: Buffer;
  hash: Buffer;
}

const derive = promisify(argon2);

/** Hashes with Argon2id, two at a time: each takes 19 MiB, and the gateway has payments to process. */
export function createPasswordHasher(cost: HashCost = defaultCost): PasswordHasher {
  const inTurn = createSemaphore(maxRunning);
  let under = 0;
  const isBusy = (isKnown = false) =>
    under >= maxRunning + maxWaiting + (isKnown ? maxKnownWaiting : 0);
  const run = async (
    password: string,
    salt: Buffer,
    { memoryKiB, passes }: HashCost,
    isKnown = false,
  ) => {
    if (isBusy(isKnown)) throw new PasswordsBusyError();
    under += 1;
    // The same text, whichever keyboard composed it.
    const message = Buffer.from(password.normalize('NFKC'));
    const given = { message, nonce: salt, parallelism: 1, tagLength: hashBytes };
    try {
      return await inTurn(() => derive('argon2id', { ...given, memory: memoryKiB, passes }));
    } finally {
      under -= 1;
    }
  };
  const nobody: Parsed = { ...cost, salt: randomBytes(saltBytes), hash: randomBytes(hashBytes) };
  return {
    isBusy,
    async hash(password) {
      const salt = randomBytes(saltBytes);
      return format({ ...cost, salt, hash: await run(password, salt, cost) });
    },
    async verify(password, stored, isKnown) {
      const { salt, hash, ...of } = stored === null ? nobody : parse(stored);
      return timingSafeEqual(await run(password, salt, of, isKnown), hash) && stored !== null;
    },
  };
}

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');

/** A PHC string, so that what it costs can be raised later without touching what is stored. */
function format({ memoryKiB, passes, salt, hash }: Parsed): string {
  return `$argon2id$v=19$m=${memoryKiB},t=${passes},p=1$${base64(salt)}$${base64(hash)}`;
}

function parse(stored: string): Parsed {
  const found = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=1\$([^$]+)\$([^$]+)$/.exec(stored);
  if (!found) throw new Error('The stored hash of a password has an unknown format.');
  const [, memory, passes, salt, hash] = found;
  return {
    memoryKiB: Number(memory),
    passes: Number(passes),
    salt: Buffer.from(salt!, 'base64'),
    hash: Buffer.from(hash!, 'base64'),
  };
}
