/** Single sign-on against a real provider of OpenID Connect, over HTTP. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import type { TestConsole } from '../support/console.ts';
import { ledTo, signOn, type TestProvider, throughProvider } from '../support/sign-on.ts';
import { type SignOnWorld, signOnWorld } from '../support/sign-on-world.ts';
import { invitationTo, joinedBy, resetOf, Stranger } from '../support/stranger.ts';

const undo: (() => unknown)[] = [];
let world: SignOnWorld;
let site: TestConsole;
let provider: TestProvider;

before(async () => {
  world = await signOnWorld({ after: (step: unknown) => void undo.unshift(step as () => unknown) });
  ({ site, provider } = world);
});
after(async () => {
  for (const step of undo) await step();
});
beforeEach(() => {
  provider.tamper.before = undefined;
  provider.tamper.idToken = undefined;
  provider.tamper.signature = undefined;
});

const query: SignOnWorld['query'] = (text, values) => world.query(text, values);
const known: SignOnWorld['known'] = (subject, more) => world.known(subject, more);
const member: SignOnWorld['member'] = (subject) => world.member(subject);
const isIn: SignOnWorld['isIn'] = (stranger) => world.isIn(stranger);
const later: SignOnWorld['later'] = (...given) => world.later(...given);

const identities = async (subject: string) =>
  (await query('SELECT * FROM identities WHERE subject = $1', [subject])).length;

test('accepts an invitation with an identity, which then signs in', async () => {
  const rosa = await member('rosa');
  assert.match((await rosa.get('/console/account')).text, /company account/);
  const [row] = await query<{ with: string; text: string }>(
    `SELECT signed_in_with AS with, s::text AS text FROM person_sessions s WHERE sso_subject = 'rosa'`,
  );
  assert.equal(row!.with, 'SSO');
  assert.equal((await rosa.send('/console/account', { action: 'end-others' })).status, 303);
  await rosa.post('/console/sign-out', {
    csrf: /name="csrf" value="([^"]*)"/.exec((await rosa.get('/console/account')).text)![1]!,
  });
  assert.equal(await isIn(rosa), false);
  const again = await signOn(rosa, '/console/sign-in?next=/console/account', 'rosa');
  assert.equal(again.location, '/console/account');
  assert.equal(await isIn(rosa), true);
  const kept = again.headers.getSetCookie().find((line) => line.startsWith('zimbo_sso='));
  assert.match(kept!, /^zimbo_sso=;/);
});

test('accepts no invitation with an unverified or different e-mail', async () => {
  known('eva', { email_verified: false });
  const link = await invitationTo(site, 'eva@loja.cv');
  const unverified = await signOn(new Stranger(site), link, 'eva');
  assert.equal(unverified.status, 400);
  assert.match(unverified.text, /for another e-mail/);
  known('eve');
  assert.equal((await signOn(new Stranger(site), link, 'eve')).status, 400);
  assert.deepEqual([await identities('eva'), await identities('eve')], [0, 0]);
  known('eva');
  assert.equal((await signOn(new Stranger(site), link, 'eva')).location, '/console');
});

test('lets nobody take over an account by its e-mail', async () => {
  await joinedBy(new Stranger(site), await invitationTo(site, 'ana@loja.cv'));
  known('ana');
  const thief = new Stranger(site);
  const answer = await signOn(thief, '/console/sign-in', 'ana');
  assert.equal(answer.status, 400);
  assert.match(answer.text, /not connected to any account/);
  const link = await invitationTo(site, 'rui@loja.cv');
  await query(`UPDATE invitations SET email = 'ana@loja.cv' WHERE email = 'rui@loja.cv'`);
  const url = await ledTo(thief, '/console/sign-in');
  assert.equal((await thief.get(await throughProvider(url, 'ana'))).status, 400);
  assert.equal((await thief.post(link, { action: 'sso' })).status, 200);
  assert.equal((await signOn(thief, link, 'ana')).status, 400, 'an invitation of theirs, too');
  const reset = await resetOf(site, 'ana@loja.cv');
  assert.equal((await signOn(thief, reset, 'ana')).status, 400, 'a link to start afresh, too');
  assert.equal(await isIn(thief), false);
  assert.equal(await identities('ana'), 0);
});

test('connects an account after reauthentication', async () => {
  const maria = new Stranger(site);
  await joinedBy(maria, await invitationTo(site, 'maria@loja.cv'));
  known('maria.lopes', { email: 'elsewhere@banco.cv' });
  const url = await ledTo(maria, '/console/account', 'link');
  const callback = await throughProvider(url, 'maria.lopes');
  const other = new Stranger(site);
  other.cookies.set('zimbo_sso', maria.cookies.get('zimbo_sso')!);
  assert.equal((await other.get(callback)).status, 400, 'a browser that is not signed in');
  const linked = await signOn(maria, '/console/account', 'maria.lopes', { action: 'link' });
  assert.equal(linked.location, '/console/account?done=linked');
  const again = new Stranger(site);
  assert.equal((await signOn(again, '/console/sign-in', 'maria.lopes')).location, '/console');
  const joana = new Stranger(site);
  await joinedBy(joana, await invitationTo(site, 'joana@loja.cv'));
  const taken = await signOn(joana, '/console/account', 'maria.lopes', { action: 'link' });
  assert.match(taken.text, /already connected to an account/);
  const stale = await ledTo(joana, '/console/account', 'link');
  await query(`UPDATE person_sessions SET reauthenticated_at = now() - interval '1 hour'
      WHERE sso_issuer IS NULL`);
  known('joana');
  assert.equal((await joana.get(await throughProvider(stale, 'joana'))).status, 400);
  const sent = await joana.send('/console/account', { action: 'link' });
  assert.equal(sent.location, '/console/prove?next=/console/account');
  assert.equal(await identities('joana'), 0);
});

test('removes identities on account recovery, too', async () => {
  const lia = await member('lia');
  await joinedBy(new Stranger(site), await resetOf(site, 'lia@loja.cv'));
  assert.equal(await isIn(lia), false);
  assert.equal((await signOn(lia, '/console/sign-in', 'lia')).status, 400);
});

test('redirects to no other site', async () => {
  await member('nuno');
  for (const next of ['https://evil.example/', '//evil.example', '/\\evil.example', '/v1']) {
    const page = `/console/sign-in?next=${encodeURIComponent(next)}`;
    const answer = await signOn(new Stranger(site), page, 'nuno');
    assert.equal(answer.location, '/console', next);
  }
});
test('accepts a callback once, in the browser that started it', async () => {
  await member('olga');
  const victim = new Stranger(site);
  const callback = await throughProvider(await ledTo(victim, '/console/sign-in'), 'olga');
  assert.equal((await new Stranger(site).get(callback)).status, 400, 'another browser');
  const wrong = new URL(callback, site.origin);
  wrong.searchParams.set('state', 'of-somebody-else');
  const copy = victim.cookies.get('zimbo_sso')!;
  assert.equal((await victim.get(`${wrong.pathname}${wrong.search}`)).status, 400);
  assert.equal(victim.cookies.has('zimbo_sso'), false);
  victim.cookies.set('zimbo_sso', copy);
  assert.equal((await victim.get(callback)).status, 303);
  const replayed = new Stranger(site);
  replayed.cookies.set('zimbo_sso', copy);
  assert.equal((await replayed.get(callback)).status, 400, 'a copy of the cookie');
  assert.equal(await isIn(replayed), false);
});

test('rejects an ID token of another nonce, issuer, client or day', async () => {
  await member('pedro');
  const seconds = Math.floor(Date.now() / 1_000);
  for (const change of [
    { nonce: 'another' },
    { iss: 'https://evil.example' },
    { aud: 'another' },
    { exp: seconds - 60, iat: seconds - 3_600 },
  ]) {
    provider.tamper.idToken = (claims) => ({ ...claims, ...change });
    const stranger = new Stranger(site);
    const answer = await signOn(stranger, '/console/sign-in', 'pedro');
    assert.equal(answer.status, 400, JSON.stringify(change));
    assert.equal(await isIn(stranger), false);
  }
  const callback = await throughProvider(
    await ledTo(new Stranger(site), '/console/sign-in'),
    'pedro',
  );
  assert.match(callback, /iss=/);
  const stranger = new Stranger(site);
  provider.tamper.idToken = undefined;
  const own = new URL(
    await throughProvider(await ledTo(stranger, '/console/sign-in'), 'pedro'),
    site.origin,
  );
  own.searchParams.set('iss', 'https://evil.example');
  assert.equal((await stranger.get(`${own.pathname}${own.search}`)).status, 400);
});

test('refuses an ID token that the provider did not sign', async () => {
  await member('hugo');
  provider.tamper.signature = 'FORGED';
  const stranger = new Stranger(site);
  assert.equal((await signOn(stranger, '/console/sign-in', 'hugo')).status, 400);
  assert.equal(await isIn(stranger), false);
});

test('shows a plain page if the provider is down, slow or endless', async () => {
  await member('quim');
  const started = await Promise.all(
    [1, 2, 3].map(async () => {
      const stranger = new Stranger(site);
      const url = await ledTo(stranger, '/console/sign-in');
      return { stranger, callback: await throughProvider(url, 'quim') };
    }),
  );
  const answers = async (index: number) => {
    const { stranger, callback } = started[index]!;
    const answer = await stranger.get(callback);
    assert.equal(answer.status, 503, answer.text);
    assert.match(answer.text, /does not answer right now/);
    assert.ok(answer.headers.has('retry-after'));
  };
  provider.tamper.before = async (context) => {
    context.type = 'json';
    context.body = 'x'.repeat(300_000);
    return 'ANSWERED';
  };
  await answers(0);
  provider.tamper.before = () => new Promise(() => {});
  await answers(1);
  await provider.stop();
  await answers(2);
  await provider.start();
});
const prove = (stranger: Stranger, subject: string) =>
  signOn(stranger, '/console/prove?next=/console', subject);

test('reauthenticates by a new login of the same person', async () => {
  const sara = await member('sara');
  await later('sara', 3_600, 'reauthenticated_at');
  const url = new URL(await ledTo(sara, '/console/prove'));
  assert.equal(url.searchParams.get('max_age'), '0');
  const seconds = () => Math.floor(Date.now() / 1_000);
  for (const change of [() => seconds() - 70, () => seconds() + 60, () => undefined]) {
    provider.tamper.idToken = (claims) => ({ ...claims, auth_time: change() });
    assert.match((await prove(sara, 'sara')).text, /identity could not be confirmed/);
  }
  provider.tamper.idToken = undefined;
  await member('teresa');
  assert.equal((await prove(sara, 'teresa')).status, 400, 'somebody else');
  const isFresh = async () => (await sara.get('/console/account')).text.includes('value="link"');
  assert.equal(await isFresh(), false);
  assert.equal((await prove(sara, 'sara')).location, '/console');
  assert.equal(await isFresh(), true);
});

test('rejects reauthentication without a new login', async () => {
  const sara = await member('silvia');
  const isFresh = async () => (await sara.get('/console/account')).text.includes('value="link"');
  const url = new URL(await ledTo(new Stranger(site), '/console/sign-in'));
  assert.ok(Number(url.searchParams.get('max_age')) > 0, 'then the provider says since when');
  const signedInAt = (minutesAgo: number) => {
    const time = Math.floor(Date.now() / 1_000) - 60 * minutesAgo;
    provider.tamper.idToken = (claims) => ({ ...claims, auth_time: time });
    sara.cookies.clear();
    return signOn(sara, '/console/sign-in', 'silvia');
  };
  await signedInAt(60);
  assert.equal(await isFresh(), false);
  const sent = await sara.send('/console/account', { action: 'link' });
  assert.equal(sent.location, '/console/prove?next=/console/account');
  await signedInAt(9);
  assert.equal(await isFresh(), true);
  await signedInAt(-60);
  const left = `SELECT reauthenticated_at <= now() AS is FROM person_sessions WHERE sso_subject = 'silvia' ORDER BY created_at DESC LIMIT 1`;
  assert.deepEqual(await query(left), [{ is: true }], 'a time to come is none');
});

test('does not reauthenticate a session by a foreign identity', async () => {
  const ugo = new Stranger(site);
  await joinedBy(ugo, await invitationTo(site, 'ugo@loja.cv'));
  known('ugo');
  await query(`UPDATE person_sessions SET reauthenticated_at = now() - interval '1 hour'`);
  assert.equal((await prove(ugo, 'ugo')).status, 400);
});
