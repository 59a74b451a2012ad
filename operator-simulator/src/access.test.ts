import assert from 'node:assert/strict';
import { test } from 'node:test';
import { clientOf, secret, testSimulator } from '../test/support.ts';
import { Access } from './access.ts';

const basic = (user: string, password: string) =>
  `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;

for (const [auth, good, bad] of [
  ['api-key', { 'x-api-key': secret }, { 'x-api-key': 'another' }],
  ['basic', { authorization: basic('zimbo', secret) }, { authorization: basic('zimbo', '') }],
] as const) {
  test(`${auth}: rejects a client without credentials`, async (context) => {
    const { url } = await testSimulator(context, ({ access }) => {
      access.auth = auth;
    });
    const statusOf = async (proof: Record<string, string>) =>
      (await clientOf(url, proof).send('GET', '/heartbeat')).status;
    assert.equal(await statusOf(good), 200);
    assert.equal(await statusOf(bad), 401);
    assert.equal(await statusOf({}), 401);
  });
}

test('oauth2: issues a working token for the secret', async (context) => {
  const { origin, url } = await testSimulator(context, ({ access }) => {
    access.auth = 'oauth2';
  });
  const grant = (headers: Record<string, string>, form: Record<string, string> = {}) =>
    fetch(`${origin}/oauth/token`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ grant_type: 'client_credentials', ...form }),
    });
  const inForm = { client_id: 'zimbo', client_secret: secret };
  for (const [headers, form] of [
    [{ authorization: basic('zimbo', secret) }, {}],
    [{ authorization: basic('zimbo', secret.replace(' ', '+')) }, {}],
    [{}, inForm],
  ] as const) {
    const given = await grant(headers, form);
    assert.equal(given.status, 200);
    const { access_token: token } = (await given.json()) as { access_token: string };
    const proof = { authorization: `Bearer ${token}` };
    assert.equal((await clientOf(url, proof).send('GET', '/heartbeat')).status, 200);
    const forged = { authorization: `Bearer 9${token}` };
    assert.equal((await clientOf(url, forged).send('GET', '/heartbeat')).status, 401);
  }
  assert.equal((await grant({ authorization: basic('zimbo', 'wrong') })).status, 401);
  assert.equal((await grant({}, { ...inForm, client_secret: 'wrong' })).status, 401);
});

test('oauth2: expires tokens', () => {
  const access = new Access({ auth: 'oauth2', clientId: 'zimbo', secret, tokenLifeSeconds: 60 });
  const form = new URLSearchParams({ grant_type: 'client_credentials' });
  const { access_token: token } = access.grant({ authorization: basic('zimbo', secret) }, form, 0)!;
  const headers = { authorization: `Bearer ${token}` };
  access.check(headers, 59_999);
  assert.throws(() => access.check(headers, 60_000), { code: 'clientAuthorisationError' });
});
