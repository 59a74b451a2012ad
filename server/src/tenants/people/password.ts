import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';
import { invalid } from '../../platform/errors/errors.ts';
import { createSemaphore } from '../../platform/jobs/semaphore.ts';

const shortest = 12;
const longest = 200;

/** The most common passwords, without digits and punctuation at the ends. */
const common = new Set(
  (
    'password passw0rd palavrapasse palavra senha segredo mudar123 administrador administrator qwertyuiop qwerty ' +
    'azertyuiop asdfghjkl iloveyou letmein welcome bemvindo benvindo abcdefghijkl abcdefgh zimbo caboverde angola ' +
    'luanda praia mindelo benfica sporting fcporto changeme default'
  ).split(' '),
);

/**
 * Checks a new password: 12 to 200 characters, not the e-mail, and not a common one.
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

/** The cost of a hash; tests use a low one. */
export interface HashCost {
  memoryKiB: number;
  passes: number;
}

export interface PasswordHasher {
  /** @throws PasswordsBusyError if too many wait */
  hash: (password: string) => Promise<string>;
  /**
   * Without a hash, takes as long and returns false.
   * @param isKnown a known person is waiting, for whom places are reserved
   * @throws PasswordsBusyError if too many wait
   */
  verify: (password: string, hash: string | null, isKnown?: boolean) => Promise<boolean>;
  isBusy: (isKnown?: boolean) => boolean;
}

/** Too many passwords wait to be hashed: try again in a moment. */
export class PasswordsBusyError extends Error {}

/** The recommendation of OWASP for Argon2id. */
export const defaultCost: HashCost = { memoryKiB: 19_456, passes: 2 };
const maxRunning = 2;
const maxWaiting = 20;
/** Additional places for people on their own device, or signed in. */
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
    // The same text, however the keyboard composed it.
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

/** A PHC string, which contains its cost, so that the cost can be raised without touching stored hashes. */
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
