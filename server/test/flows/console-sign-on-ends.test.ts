/** A person removed at the provider loses access here, too. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { anotherGateway } from '../support/gateway.ts';
import { clientId, signOn } from '../support/sign-on.ts';
import { type SignOnWorld, signOnWorld } from '../support/sign-on-world.ts';
import { Stranger } from '../support/stranger.ts';

const undo: (() => unknown)[] = [];
const context = { after: (step: unknown) => void undo.unshift(step as () => unknown) };
let world: SignOnWorld;

before(async () => {
  world = await signOnWorld(context);
});
after(async () => {
  for (const step of undo) await step();
});
beforeEach(() => {
  const { tamper, settings, asked } = world.provider;
  tamper.before = undefined;
  tamper.idToken = undefined;
  settings.refreshes = true;
  asked.count = 0;
});

/** Moves the last check with the provider back in time. */
const later = (subject: string, seconds: number) =>
  world.later(subject, seconds, 'sso_asked_at', 'sso_reached_at');

test('signs out a removed person within a minute, and nobody else', async () => {
  const rosa = await world.member('rosa');
  const ines = await world.member('ines');
  world.provider.people.delete('rosa');
  for (const subject of ['rosa', 'ines']) await later(subject, 44);
  world.provider.asked.count = 0;
  assert.equal(await world.isIn(rosa), true);
  assert.equal(world.provider.asked.count, 0, 'asked at most every 45 seconds');
  for (const subject of ['rosa', 'ines']) await later(subject, 2);
  assert.equal(await world.isIn(rosa), false);
  for (let minutes = 0; minutes < 3; minutes += 1) {
    assert.equal(await world.isIn(ines), true);
    await later('ines', 46);
  }
  assert.equal((await signOn(rosa, '/console/sign-in', 'ines')).status, 303);
  const rows = await world.query<{ box: Buffer | null }>(
    `SELECT sso_box AS box FROM person_sessions WHERE sso_subject = 'rosa'`,
  );
  assert.deepEqual(rows, [{ box: null }], 'nothing to ask with is kept');
});

test('asks the provider for the user without a refresh token', async () => {
  world.provider.settings.refreshes = false;
  const nuno = await world.member('nuno');
  await later('nuno', 46);
  assert.equal(await world.isIn(nuno), true);
  world.provider.people.delete('nuno');
  await later('nuno', 46);
  assert.equal(await world.isIn(nuno), false);
});

test('queries the provider once for many requests in several processes', async () => {
  const olga = await world.member('olga');
  const { site, provider } = world;
  const environment = { ...provider.environment, CONSOLE_URL: site.origin };
  const { url } = await anotherGateway(context, site.gateway.databaseUrl, { environment });
  const elsewhere = new Stranger({ origin: url });
  for (const pair of olga.cookies) elsewhere.cookies.set(...pair);
  const all = () =>
    Promise.all(
      [olga, elsewhere, olga, elsewhere, olga, elsewhere].map((each) => world.isIn(each)),
    );
  await later('olga', 46);
  provider.asked.count = 0;
  assert.deepEqual(await all(), Array(6).fill(true));
  assert.equal(provider.asked.count, 1);
  provider.people.delete('olga');
  await later('olga', 46);
  assert.deepEqual(await all(), Array(6).fill(false));
  assert.equal(provider.asked.count, 2);
});

test('tolerates an unreachable provider for a quarter of an hour', async () => {
  const pedro = await world.member('pedro');
  const sara = await world.member('sara');
  await world.provider.stop();
  await later('pedro', 840);
  assert.equal(await world.isIn(pedro), true);
  await later('pedro', 70);
  assert.equal(await world.isIn(pedro), false);
  await world.provider.start();
  assert.equal(await world.isIn(pedro), false, 'they sign in again');
  await later('sara', 7_200);
  assert.equal(await world.isIn(sara), true, 'it is asked before anybody is sent away');
  world.provider.tamper.before = async (request) => {
    request.status = 401;
    request.body = { error: 'invalid_client' };
    return 'ANSWERED';
  };
  await later('sara', 46);
  assert.equal(await world.isIn(sara), true, 'a wrong secret of ours says nothing of her');
});

test("ends sessions at once by the provider's logout", async () => {
  const teresa = await world.member('teresa');
  const { sid } = await sidOf('teresa');
  const other = await world.member('ugo');
  await world.provider.logOut('teresa', sid);
  assert.equal(await world.isIn(teresa), false);
  assert.equal(await world.isIn(other), true);
});

test('accepts a logout only from the provider, and once', async () => {
  const vera = await world.member('vera');
  const { issuer } = world.provider;
  const seconds = Math.floor(Date.now() / 1_000);
  const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const right = { iss: issuer, aud: clientId, iat: seconds, jti: 'one', sub: 'vera', events };
  const send = async (token: string) =>
    (await new Stranger(world.site).post('/console/sso/logout', { logout_token: token }, {}))
      .status;
  for (const wrong of [
    { iss: 'https://evil.example' },
    { aud: 'another' },
    { iat: seconds - 3_600 },
    { events: {} },
    { nonce: 'of an ID token' },
    { sub: undefined },
    { jti: undefined },
  ]) {
    const token = await world.provider.sign({ ...right, ...wrong } as typeof right, 'logout+jwt');
    assert.equal(await send(token), 400, JSON.stringify(wrong));
  }
  const token = await world.provider.sign(right, 'logout+jwt');
  assert.equal(await send(`${token.slice(0, -8)}AAAAAAAA`), 400);
  const [head, body] = [{ alg: 'none' }, right].map((part) =>
    Buffer.from(JSON.stringify(part)).toString('base64url'),
  );
  assert.equal(await send(`${head}.${body}.`), 400);
  assert.equal(await send(''), 400);
  assert.equal(await world.isIn(vera), true);
  assert.equal(await send(token), 200);
  assert.equal(await world.isIn(vera), false);
  await signOn(vera, '/console/sign-in', 'vera');
  assert.equal(await send(token), 200);
  assert.equal(await world.isIn(vera), true);
});

test('ends the sessions of a disconnected identity, and keeps the only one', async () => {
  const xana = await world.member('xana');
  const fields = { action: 'unlink', issuer: world.provider.issuer, subject: 'xana' };
  assert.equal((await xana.send('/console/account', fields)).status, 400, 'the only way in');
  await world.query(
    `UPDATE people SET password_hash = 'x', totp_box = 'x' WHERE email = 'xana@loja.cv'`,
  );
  const zeca = await world.member('zeca');
  assert.equal((await zeca.send('/console/account', fields)).status, 400, 'not theirs');
  await xana.send('/console/account', fields);
  assert.equal(await world.isIn(xana), false);
  assert.equal((await signOn(xana, '/console/sign-in', 'xana')).status, 400);
});

async function sidOf(subject: string): Promise<{ sid: string }> {
  const text = 'SELECT sso_sid AS sid FROM person_sessions WHERE sso_subject = $1';
  return (await world.query<{ sid: string }>(text, [subject]))[0]!;
}
