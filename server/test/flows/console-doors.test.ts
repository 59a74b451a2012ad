/** Sign-in to the console and sign-out, over HTTP. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../src/platform/process/clock.ts';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import { demoEmail, makeFirstLink } from '../../src/tenants/people/first-sign-in-link.ts';
import { testConsole } from '../support/console.ts';
import { goodPassword } from '../support/people.ts';
import { sharedConsole } from '../support/shared-gateway.ts';
import { invitationTo, joinedBy, resetOf, Stranger } from '../support/stranger.ts';

const email = 'maria@loja.cv';

async function setUp(context: TestContext) {
  const site = await testConsole(context);
  const maria = new Stranger(site);
  const joined = await joinedBy(maria, await invitationTo(site, email));
  return { ...site, site, maria, ...joined };
}

const signIn = (stranger: Stranger, given: Record<string, string>, query = '') =>
  stranger.send(`/console/sign-in${query}`, { action: 'password', email, ...given });

test('admits the invited person once, and shows recovery codes once', async (context) => {
  const { site, maria, answer, recoveryCodes, merchantId } = await setUp(context);
  assert.equal(answer.status, 200);
  assert.equal(recoveryCodes.length, 10);
  const cookies = answer.headers.getSetCookie();
  assert.ok(cookies.some((line) => /^zimbo=[\w-]{43};.*HttpOnly; SameSite=Lax/.test(line)));
  const home = await maria.get('/console');
  assert.equal(home.location, `/console/${formatId('me', merchantId)}/live`);
  const link = await invitationTo(site, 'rui@loja.cv');
  const rui = new Stranger(site);
  await joinedBy(rui, link);
  assert.equal((await new Stranger(site).get(link)).status, 404, 'it was used');
  assert.equal((await new Stranger(site).get('/console/invitation/x')).status, 404);
});

test('shows an invitation again after a mistake, with the input', async () => {
  const site = await sharedConsole();
  const link = await invitationTo(site, email);
  const stranger = new Stranger(site);
  const fields = { action: 'password', name: 'Maria', password: 'short', draft: '', code: '1' };
  const short = await stranger.send(link, fields);
  assert.equal(short.status, 400);
  assert.match(short.text, /must have 12 to 200 characters/);
  assert.match(short.text, /value="Maria"/);
  const nameless = await stranger.send(link, { ...fields, name: '' });
  assert.match(nameless.text, /Enter a name/);
  const passkey = await stranger.send(link, { action: 'passkey', name: 'Maria', response: '{}' });
  assert.match(passkey.text, /The passkey was not created as requested/);
  assert.equal((await joinedBy(stranger, link)).recoveryCodes.length, 10, 'the link still works');
});

test("lets only the account's owner join with an existing account", async (context) => {
  const { site, maria, merchantId, gateway } = await setUp(context);
  const rui = new Stranger(site);
  await joinedBy(rui, await invitationTo(site, 'rui@loja.cv', 'VIEWER'));
  await gateway.database.query({ text: "DELETE FROM memberships WHERE role = 'OWNER'" });
  const link = await invitationTo(site, email, 'FINANCE');
  const stranger = await new Stranger(site).get(link);
  assert.match(stranger.text, /\/console\/sign-in\?next=%2Fconsole%2Finvitation/);
  assert.match((await rui.get(link)).text, /for another e-mail/);
  assert.equal((await rui.send(link, { action: 'join' })).status, 403);
  const joined = await maria.send(link, { action: 'join' });
  assert.equal(joined.location, `/console/${formatId('me', merchantId)}/live`);
});

test('does not reveal on an invitation whether its e-mail has an account', async (context) => {
  const { site } = await setUp(context);
  await site.gateway.database.query({ text: 'DELETE FROM memberships' });
  const pageFor = async (to: string) => {
    const { text } = await new Stranger(site).get(await invitationTo(site, to, 'VIEWER'));
    const body = text.slice(text.indexOf('<main')).replaceAll(to, 'EMAIL');
    return body
      .replaceAll(/[\w-]{20,}/g, 'RANDOM')
      .replace(/<svg.*?<\/svg>/gs, '')
      .replace(/class="secret">[^<]+/, '');
  };
  assert.equal(await pageFor(email), await pageFor('new@loja.cv'));
});

test('tells somebody with an account to sign in when they try to make another', async (context) => {
  const { site, maria } = await setUp(context);
  await site.gateway.database.query({ text: 'DELETE FROM memberships' });
  const link = await invitationTo(site, email);
  const { answer } = await joinedBy(new Stranger(site), link);
  assert.deepEqual(
    [answer.status, /An account with this e-mail already exists/.test(answer.text)],
    [400, true],
  );
  assert.match((await maria.send(link, { action: 'join' })).location!, /^\/console\//);
});

test('signs in with password and code, and invalidates a stolen cookie on sign-out', async (context) => {
  const { site, maria, codeIn, recoveryCodes } = await setUp(context);
  const stolen = new Stranger(site);
  for (const [name, value] of maria.cookies) stolen.cookies.set(name, value);
  assert.equal((await stolen.get('/console/account')).status, 200);
  const out = await maria.send('/console/account', {
    action: 'profile',
    name: 'M',
    language: 'en',
  });
  assert.equal(out.status, 303);
  const left = await leave(maria);
  assert.equal(left.location, '/console/sign-in?done=signed-out');
  const turned = await stolen.get('/console/account');
  assert.equal(turned.location, '/console/sign-in?next=%2Fconsole%2Faccount');
  const [code, password] = [codeIn(1), goodPassword];
  const entered = await signIn(maria, { password, code }, '?next=/console/account');
  assert.equal(entered.location, '/console/account');
  assert.equal((await maria.get('/console/account')).status, 200);
  const again = await signIn(new Stranger(site), { password, code });
  assert.equal(again.status, 400, 'a code works once');
  const recovered = new Stranger(site);
  const recoveryCode = recoveryCodes[0]!;
  assert.equal((await signIn(recovered, { password, code: recoveryCode })).status, 303);
});

async function leave(stranger: Stranger) {
  const { text } = await stranger.get('/console/account');
  const csrf = /name="csrf" value="([^"]*)"/.exec(text)![1]!;
  return stranger.post('/console/sign-out', { csrf });
}

test('does not reveal accounts at sign-in, and slows down guesses', async (context) => {
  const { site } = await setUp(context);
  const answers = async (tried: string) => {
    const stranger = new Stranger(site);
    const seen: string[] = [];
    for (let number = 0; number < 7; number++) {
      const given = { email: tried, password: 'wrong wrong wrong', code: '000000' };
      const { status, text } = await signIn(stranger, given);
      // Each challenge is different.
      seen.push(`${status} ${text.replace(/data-options="[^"]*"/, '').replaceAll(tried, '')}`);
    }
    return seen;
  };
  const [known, unknown] = [await answers(email), await answers('nobody@loja.cv')];
  assert.deepEqual(statusesOf(known), ['400', '400', '400', '400', '400', '429', '429']);
  assert.deepEqual(statusesOf(unknown), statusesOf(known));
  assert.equal(unknown[0], known[0]);
});

const statusesOf = (answers: readonly string[]) => answers.map((answer) => answer.slice(0, 3));

test('lets a person in from a known device while strangers guess', async (context) => {
  const { site, maria, codeIn } = await setUp(context);
  await leave(maria);
  const stranger = new Stranger(site);
  for (let number = 0; number < 6; number++) {
    await signIn(stranger, { password: 'wrong wrong wrong', code: '000000' });
  }
  const given = { password: goodPassword, code: codeIn(1) };
  assert.equal((await signIn(stranger, given)).status, 429);
  assert.equal((await signIn(maria, given)).status, 303);
});

test('redirects after sign-in only to pages of the console', async (context) => {
  const { maria } = await setUp(context);
  const leadsTo = async (next: string) =>
    (await maria.get(`/console/sign-in?next=${encodeURIComponent(next)}`)).location;
  assert.equal(await leadsTo('/console/account?x=1'), '/console/account?x=1');
  for (const evil of ['https://evil.example/console', '//evil.example', '/\\evil.example', '/v1']) {
    assert.equal(await leadsTo(evil), '/console', evil);
  }
});

test('rejects forms of other sites or sessions', async (context) => {
  const { site, maria, origin } = await setUp(context);
  const rename = { action: 'profile', name: 'Changed', language: 'en' };
  const { text } = await maria.get('/console/account');
  const csrf = /name="csrf" value="([^"]*)"/.exec(text)![1]!;
  const post = (fields: Record<string, string>, headers?: Record<string, string>) =>
    maria.post('/console/account', fields, headers);
  const refused = [
    await post(rename),
    await post({ ...rename, csrf: csrf.replace(/^./, '!') }),
    await post({ ...rename, csrf }, { origin: 'https://evil.example' }),
    await post({ ...rename, csrf }, {}),
    await maria.post('/console/sign-out', {}),
    await new Stranger(site).post('/console/sign-in', { action: 'password' }, { origin: 'null' }),
  ];
  assert.deepEqual(
    refused.map(({ status }) => status),
    refused.map(() => 403),
  );
  assert.doesNotMatch((await maria.get('/console/account')).text, /Changed/);
  assert.equal((await post({ ...rename, csrf }, { origin })).status, 303);
});

test('accepts the first link once, from this machine, even after a prefetch', async (context) => {
  const { site, link } = await firstLink(context);
  const app = await site.gateway.gateway.console!.app();
  const elsewhere = await app.inject({
    method: 'POST',
    url: link,
    remoteAddress: '203.0.113.9',
    headers: { origin: site.origin, 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(elsewhere.statusCode, 404);
  const newcomer = new Stranger(site);
  for (let fetched = 0; fetched < 3; fetched++) {
    assert.equal((await newcomer.get(link)).status, 200);
    assert.equal(newcomer.cookies.size, 0);
  }
  const { status, location } = await newcomer.send(link, {});
  assert.deepEqual([status, location], [303, site.base]);
  assert.equal((await newcomer.get('/console')).location, site.base);
  assert.match((await newcomer.get('/console/account')).text, new RegExp(demoEmail));
  assert.equal((await new Stranger(site).send(link, {})).status, 404, 'it was used');
});

test('tells users of the first link how to keep access, or what to do if it is too late', async (context) => {
  const { site, link } = await firstLink(context);
  const newcomer = new Stranger(site);
  await newcomer.send(link, {});
  const early = await newcomer.get('/console/account');
  assert.match(early.text, /You have neither a passkey nor a password yet/);
  assert.match(early.text, /data-passkey="create"/);
  const text = `UPDATE person_sessions SET reauthenticated_at = now() - interval '10 minutes'`;
  await site.gateway.database.query({ text });
  const asked = await newcomer.send(`${site.base}/team`, { action: 'invite', email: 'x@y.cv' });
  for (const path of [asked.location!, '/console/account']) {
    const late = await newcomer.get(path);
    assert.match(late.text, /zimbo people reset demo@localhost/, path);
    assert.doesNotMatch(late.text, /data-passkey|name="draft"|type="password"/, path);
  }
  const refused = await newcomer.send('/console/account', { action: 'codes' });
  assert.match(refused.location!, /\/console\/prove/, 'a stolen cookie gains nothing that lasts');
  const fresh = await resetOf(site, demoEmail);
  const again = new Stranger(site);
  assert.equal((await joinedBy(again, fresh)).recoveryCodes.length, 10);
  assert.equal((await again.get('/console')).location, site.base);
});

test('rejects strangers with the first link behind a proxy on this machine', async (context) => {
  const { site, link } = await firstLink(context, { TRUST_PROXY: '127.0.0.1' });
  const from = (address: string) => ({ origin: site.origin, 'x-forwarded-for': address });
  const stranger = new Stranger(site);
  assert.equal((await stranger.post(link, {}, from('203.0.113.9'))).status, 404);
  assert.equal((await stranger.post(link, {}, from('127.0.0.1'))).status, 303);
});

async function firstLink(context: TestContext, environment: Record<string, string> = {}) {
  const site = await testConsole(context, { environment });
  const given = { database: site.gateway.database, clock: systemClock, ids: randomIds() };
  const { merchantId, origin: consoleUrl } = site;
  const url = (await makeFirstLink(given, { merchantId, consoleUrl }))!;
  return { site, link: new URL(url).pathname };
}
