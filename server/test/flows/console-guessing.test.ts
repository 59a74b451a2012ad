/**
 * Guesses at sign-in, from one address or from many: 500 tries each, or GUESSES (10,000 take a
 * minute). Counts the password hashes and statements of this process.
 */
import assert from 'node:assert/strict';
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { after, mock, test } from 'node:test';
import pg from 'pg';

const hashes = mock.method(crypto, 'argon2');
// Before any module that hashes is loaded.
syncBuiltinESMExports();
const { testConsole } = await import('../support/console.ts');
const { furtherCells } = await import('../support/further-cells.ts');
const { goodPassword } = await import('../support/people.ts');
const { hiddenValue, invitationTo, joinedBy, Stranger } = await import('../support/stranger.ts');

const guesses = Number(process.env.GUESSES ?? 500);
const atOnce = 20;
/** More than the queue for hashing holds. */
const tooMany = 60;
const email = 'maria@loja.cv';
const signIn = '/console/sign-in';
const statements = mock.method(pg.Client.prototype, 'query');

const world = setUp();

async function setUp() {
  const context = { after: (work?: unknown) => after(work as () => void) };
  const environment = { TRUST_PROXY: '127.0.0.1,::1', ZIMBO_ROLE: 'api' };
  const site = await testConsole(context, { environment });
  const maria = new Stranger(site);
  const joined = await joinedBy(maria, await invitationTo(site, email));
  const { text } = await maria.get('/console/account');
  const csrf = hiddenValue(text, 'csrf');
  await maria.post('/console/sign-out', { csrf }, { origin: site.origin });
  return { site, maria, ...joined };
}

type Answers = { statuses: Map<number, number>; hashes: number; statements: number };

interface Guessing {
  tries?: number;
  workers?: number;
  onPause?: () => void;
}

/** Sends wrong tries, some at once, each from its own address and for its own account. */
async function guess(
  addressOf: (number: number) => string,
  accountOf: (number: number) => string,
  { tries = guesses, workers = atOnce, onPause = () => {} }: Guessing = {},
): Promise<Answers> {
  const { site } = await world;
  const before = [hashes.mock.callCount(), statements.mock.callCount()] as const;
  const statuses = new Map<number, number>();
  let number = 0;
  const one = async (): Promise<void> => {
    while (number < tries) {
      const mine = number++;
      const given = { action: 'password', email: accountOf(mine), password: 'x', code: '000000' };
      const headers = { origin: site.origin, 'x-forwarded-for': addressOf(mine) };
      const { status, text, headers: sent } = await new Stranger(site).post(signIn, given, headers);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
      if (status !== 429) continue;
      onPause();
      assert.match(sent.get('retry-after') ?? '', /^[1-9]\d{0,2}$/);
      assert.match(text, /Too many attempts\. Try again in \d+ (seconds|minutes)\./);
    }
  };
  await Promise.all(Array.from({ length: workers }, one));
  const made = {
    hashes: hashes.mock.callCount() - before[0],
    statements: statements.mock.callCount() - before[1],
  };
  if (guesses > 500) console.log(Object.fromEntries(statuses), made);
  return { statuses, ...made };
}

const audited = async () => {
  const { database } = (await world).site.gateway;
  const text = 'SELECT count(*)::integer AS count FROM audit_records';
  return (await database.query<{ count: number }>({ text }))[0]!.count;
};

/** Maria is not delayed on her device, wherever she is. */
async function mariaComesIn(recoveryCode: string, address: string) {
  const { maria, site } = await world;
  const given = { action: 'password', email, password: goodPassword, code: recoveryCode };
  const headers = { origin: site.origin, 'x-forwarded-for': address };
  const { status } = await maria.post(signIn, given, headers);
  maria.cookies.delete('zimbo');
  return status;
}

const manyAddresses = (number: number) =>
  `198.${18 + (number >> 16)}.${(number >> 8) & 255}.${number & 255}`;

test('checks few tries from one address, whose other people get in on known devices', async () => {
  const { recoveryCodes, site } = await world;
  const address = '192.0.2.7';
  const before = await audited();
  const startedMs = Date.now();
  const made = await guess(
    () => address,
    (number) => (number % 2 === 0 ? 'ana@loja.cv' : `nobody.${number}@loja.cv`),
  );
  const most = 30 + Math.ceil((Date.now() - startedMs) / 5_000) + 1;
  assert.ok(made.hashes <= most, `${made.hashes} hashes`);
  assert.ok(made.statements <= 5 * most + 10, `${made.statements} statements`);
  assert.ok((await audited()) - before <= 1);
  const { 429: held = 0, 400: wrong = 0, 500: failed = 0 } = Object.fromEntries(made.statuses);
  assert.equal(held + wrong + failed, guesses, 'nobody got in');
  // If the machine stalls for two seconds, a try gets no connection to the database.
  assert.ok(failed <= guesses / 100, `${failed} failed`);
  assert.ok(
    wrong <= most,
    `${wrong} of one address were looked at: 30, and one more every five seconds`,
  );
  assert.equal(await mariaComesIn(recoveryCodes[0]!, address), 303);
  const stranger = new Stranger(site);
  const headers = { origin: site.origin, 'x-forwarded-for': address };
  // Each try uses the tokens refilled meanwhile, so one of a few is rejected on any machine. Each
  // try has its own account, so the address is what is limited.
  const statuses: number[] = [];
  while (!statuses.includes(429) && statuses.length < 20) {
    const given = {
      action: 'password',
      email: `rui.${statuses.length}@loja.cv`,
      password: 'x',
      code: '1',
    };
    statuses.push((await stranger.post(signIn, given, headers)).status);
  }
  assert.equal(statuses.at(-1), 429);
  assert.equal((await stranger.get(signIn)).status, 200);
});

test('checks few tries on one account from many addresses', async () => {
  const { recoveryCodes } = await world;
  const before = await audited();
  const startedMs = Date.now();
  const made = await guess(manyAddresses, () => email);
  const most = 5 + Math.ceil((Date.now() - startedMs) / 30_000) + 1;
  assert.ok(made.hashes <= most, `${made.hashes} hashes`);
  // Concurrent tries each query the pause once. Queries by gateways of further cells count too.
  const few = (5 * most + 2 * atOnce) * (1 + furtherCells.length);
  assert.ok(made.statements <= few, `${made.statements} statements`);
  assert.ok((await audited()) - before <= 1);
  assert.equal(await mariaComesIn(recoveryCodes[1]!, '203.0.113.9'), 303);
});

test('lets people in on known devices while many addresses try as many accounts', async () => {
  const { recoveryCodes } = await world;
  const before = await audited();
  const isFull = Promise.withResolvers<void>();
  const guessing = guess(
    (number) => manyAddresses(number + 100_000),
    (number) => `somebody.${number}@loja.cv`,
    // Checked tries cost as much as usual.
    { tries: guesses / 4, workers: tooMany, onPause: isFull.resolve },
  );
  await isFull.promise;
  assert.equal(await mariaComesIn(recoveryCodes[2]!, '203.0.113.9'), 303);
  const made = await guessing;
  assert.ok(made.hashes <= made.statuses.get(400)! + 1, 'who is sent away costs no hash');
  assert.equal((await audited()) - before, 1, 'that she came in');
});
