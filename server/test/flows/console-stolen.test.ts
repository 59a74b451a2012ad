/** The limits of a stolen cookie, and the recovery of a lost account. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../src/platform/process/clock.ts';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import { disablePerson, removePerson } from '../../src/tenants/people/members.ts';
import { Authenticator } from '../support/authenticator.ts';
import { testConsole } from '../support/console.ts';
import { processCount } from '../support/gateway.ts';
import { goodPassword } from '../support/people.ts';
import { sharedConsole } from '../support/shared-gateway.ts';
import { hiddenValue, invitationTo, joinedBy, resetOf, Stranger } from '../support/stranger.ts';

const account = '/console/account';
const email = 'maria@loja.cv';

async function setUp(context: TestContext) {
  const site = await testConsole(context);
  const maria = new Stranger(site);
  const joined = await joinedBy(maria, await invitationTo(site, email));
  /** Another browser with a copy of this one's cookies. */
  const copyOf = ({ cookies }: Stranger) => {
    const thief = new Stranger(site);
    for (const [name, value] of cookies) thief.cookies.set(name, value);
    return thief;
  };
  const { database } = site.gateway;
  const author = { clock: systemClock, ids: randomIds(), actor: 'cli:ana', origin: 'praia-1' };
  const idOf = async (who: string) => {
    const text = 'SELECT id FROM people WHERE email = $1';
    return (await database.query<{ id: string }>({ text }, [who]))[0]!.id;
  };
  return { ...site, site, maria, copyOf, idOf, administration: { database, ...author }, ...joined };
}

/** Asks the holder of this cookie to sign in, on pages and on forms. */
async function isOut(thief: Stranger, base: string): Promise<void> {
  for (const path of [account, '/console', `${base}/payments`]) {
    assert.match((await thief.get(path)).location!, /\/console\/sign-in\?next=/, path);
  }
  const sent = await thief.post(`${base}/charge`, { action: 'charge', csrf: 'x' });
  assert.match(sent.location!, /\/console\/sign-in\?next=/);
}

test('invalidates a stolen cookie with its session', async (context) => {
  const { site, base, maria, copyOf, recoveryCodes } = await setUp(context);
  const elsewhere = async (code: string) => {
    const other = new Stranger(site);
    const given = { action: 'password', email, password: goodPassword, code };
    assert.equal((await other.send('/console/sign-in', given)).status, 303);
    return copyOf(other);
  };
  const ended = await elsewhere(recoveryCodes[0]!);
  const session = hiddenValue((await maria.get(account)).text, 'session');
  await maria.send(account, { action: 'end-session', session });
  await isOut(ended, base);
  const before = await elsewhere(recoveryCodes[1]!);
  await maria.send(account, { action: 'password', changed: 'uma outra palavra qualquer' });
  await isOut(before, base);
  assert.equal((await maria.get(account)).status, 200, 'who changed it stays');
});

test('invalidates a stolen cookie with a role, an account or a membership', async (context) => {
  const { site, base, maria, copyOf, idOf, administration, merchantId } = await setUp(context);
  const rui = new Stranger(site);
  const { recoveryCodes } = await joinedBy(rui, await invitationTo(site, 'rui@loja.cv', 'FINANCE'));
  const stolen = async (code: number) => {
    const given = { action: 'password', email: 'rui@loja.cv', password: goodPassword };
    await rui.send('/console/sign-in', { ...given, code: recoveryCodes[code]! });
    return copyOf(rui);
  };
  let thief = copyOf(rui);
  assert.equal((await thief.get(`${base}/payments`)).status, 200);
  const personId = await idOf('rui@loja.cv');
  const person = formatId('pe', personId);
  await maria.send(`${base}/team`, { action: 'role', person, role: 'VIEWER' });
  await isOut(thief, base);
  thief = await stolen(0);
  assert.equal((await thief.get(`${base}/audit`)).status, 403);
  await maria.send(`${base}/team`, { action: 'remove', person });
  await isOut(thief, base);
  thief = await stolen(1);
  assert.equal((await thief.get(`${base}/payments`)).status, 404);
  await disablePerson(administration, personId, true);
  await isOut(thief, base);
  await disablePerson(administration, personId, false);
  await isOut(thief, base);
  await removePerson(administration, personId);
  await isOut(thief, base);
  assert.equal(site.merchantId, merchantId);
});

test('recovers an account, and invalidates everything that it had', async (context) => {
  const { site, base, maria, copyOf, codeIn, recoveryCodes } = await setUp(context);
  const thief = copyOf(maria);
  const link = await resetOf(site, email);
  const stranger = new Stranger(site);
  assert.equal((await stranger.get(link)).status, 200);
  assert.equal((await thief.get(account)).status, 200, 'until the link is used');
  const password = 'uma palavra nova qualquer';
  const afresh = await joinedBy(stranger, link, password);
  assert.equal(afresh.recoveryCodes.length, 10);
  await isOut(thief, base);
  assert.equal((await new Stranger(site).get(link)).status, 404, 'it was used');
  const tries = [
    [goodPassword, codeIn(1)],
    [goodPassword, recoveryCodes[0]!],
    [password, recoveryCodes[0]!],
    [password, codeIn(1)],
  ] as const;
  const entered = async (given: string, code: string) => {
    const form = { action: 'password', email, password: given, code };
    return (await new Stranger(site).send('/console/sign-in', form)).status;
  };
  for (const [given, code] of tries) assert.equal(await entered(given, code), 400);
  assert.equal(await entered(password, afresh.recoveryCodes[0]!), 303);
});

test('slows down guesses within a session, and tells the pause', async (context) => {
  const { maria } = await setUp(context);
  const wrong = { action: 'password', password: 'wrong wrong wrong', code: '000000' };
  for (let tries = 0; tries < 5; tries++) {
    assert.equal((await maria.send('/console/prove', wrong)).status, 400);
  }
  const { status, headers, text } = await maria.send('/console/prove', wrong);
  assert.equal(status, 429);
  const seconds = Number(headers.get('retry-after'));
  assert.ok(seconds > 0 && seconds <= 30, String(seconds));
  assert.match(text, new RegExp(`Try again in ${seconds} seconds`));
});

test('asks to come back while too many passwords wait', async () => {
  const site = await sharedConsole();
  // Only a few requests of one session get this far at once.
  const people = await Promise.all(
    Array.from({ length: 10 * processCount }, async (_, index) => {
      const person = new Stranger(site);
      await joinedBy(person, await invitationTo(site, `maria${index}@loja.cv`));
      const csrf = hiddenValue((await person.get(account)).text, 'csrf');
      const form = { csrf, action: 'password', changed: 'uma outra palavra qualquer' };
      return { change: () => person.post(account, form) };
    }),
  );
  const answers = await Promise.all(
    people.flatMap(({ change }) => Array.from({ length: 4 }, change)),
  );
  const refused = answers.filter(({ status }) => status !== 303);
  assert.ok(refused.length > 0);
  for (const { status, headers, text } of refused) {
    assert.deepEqual([status, headers.get('retry-after')], [429, '2']);
    assert.match(text, /<h1>/);
  }
  assert.equal((await people[0]!.change()).status, 303, 'afterwards there is room');
});

test('renames a passkey', async (context) => {
  const { maria, origin } = await setUp(context);
  const { text } = await maria.get(account);
  const [, given] = /data-passkey="create" data-options="([^"]*)"/.exec(text)!;
  const response = new Authenticator(origin).create(JSON.parse(given!.replaceAll('&quot;', '"')));
  const made = { action: 'passkey', response: JSON.stringify(response), label: 'Phone' };
  assert.equal((await maria.send(account, made)).location, `${account}?done=passkey`);
  const passkey = hiddenValue((await maria.get(account)).text, 'passkey');
  const rename = { action: 'rename-passkey', passkey, name: 'Till <b>' };
  const { location } = await maria.send(account, rename);
  assert.equal(location, `${account}?done=passkey-renamed`);
  assert.match((await maria.get(location!)).text, /The passkey has a new name.*Till &lt;b&gt;/s);
  assert.equal((await maria.send(account, { ...rename, passkey: 'pk_x' })).status, 400);
});
