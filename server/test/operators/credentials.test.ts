import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { cleanUp } from '../support/cleanup.ts';
import { testDatabase } from '../support/database.ts';
import { debitRequest, gsmaOperator } from './adapter.ts';
import { startProvider } from './provider.ts';

const notFound = { kind: 'unknown', progress: 'NOT_FOUND' };

/** The adapter with these settings, and a query about an unknown debit. */
async function asking(
  context: TestContext,
  settingsOf: (url: string) => Record<string, string> | Promise<Record<string, string>>,
) {
  const provider = await startProvider(context);
  const { database } = await testDatabase(context);
  const change = { MODE: 'polling', ...(await settingsOf(provider.url)) };
  const operator = gsmaOperator(context, database, provider, change);
  const ask = () => operator.queryDebit(debitRequest());
  return { provider, ask };
}

/** A file with a secret, as written by an editor or a secret store. */
async function secretFile(context: TestContext, text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'zimbo-secret-'));
  cleanUp(context, () => rm(folder, { recursive: true, force: true }));
  await writeFile(join(folder, 'secret'), text, { mode: 0o600 });
  return join(folder, 'secret');
}

test('sends an API key as X-API-Key, and no other credentials', async (context) => {
  const { provider, ask } = await asking(context, () => ({ CLIENT_ID: 'zimbo' }));
  assert.deepEqual(await ask(), notFound);
  const { authorization, ...headers } = provider.exchanges[0]!.requestHeaders;
  assert.equal(headers['x-api-key'], 'secret');
  assert.equal(headers['x-client-id'], 'zimbo');
  assert.equal(authorization, undefined);
});

test('sends user and password in one exact header with every basic call', async (context) => {
  const { provider, ask } = await asking(context, () => ({
    AUTH: 'basic',
    CLIENT_ID: 'zimbo-cv',
    SECRET: 'pass:word+%/',
  }));
  const expected = 'Basic emltYm8tY3Y6cGFzczp3b3JkKyUv';
  provider.isAllowed = ({ authorization }) => authorization === expected;
  assert.deepEqual([await ask(), await ask()], [notFound, notFound]);
  assert.ok(provider.exchanges.length >= 2);
  for (const { requestHeaders } of provider.exchanges) {
    assert.equal(requestHeaders.authorization, expected);
    assert.equal(requestHeaders['x-client-id'], 'zimbo-cv');
    assert.equal(requestHeaders['x-api-key'], undefined);
  }
});

test('sends a secret from a file without the line break at its end', async (context) => {
  const { provider, ask } = await asking(context, async () => ({
    AUTH: 'basic',
    CLIENT_ID: 'zimbo-cv',
    SECRET: '',
    SECRET_FILE: await secretFile(context, 'pass:word+%/\r\n'),
  }));
  provider.isAllowed = ({ authorization }) =>
    authorization === 'Basic emltYm8tY3Y6cGFzczp3b3JkKyUv';
  assert.deepEqual(await ask(), notFound);
});

test('does not resend a refused password at once: there is no newer one', async (context) => {
  const { provider, ask } = await asking(context, () => ({ AUTH: 'basic', CLIENT_ID: 'zimbo-cv' }));
  provider.isAllowed = () => false;
  assert.deepEqual(await ask(), { kind: 'unknown', progress: 'UNREACHABLE' });
  assert.equal(provider.exchanges.length, 1);
});

test('uses one OAuth 2 token for many calls, and replaces it when it is refused', async (context) => {
  const { provider, ask } = await asking(context, (url) => ({
    AUTH: 'oauth2',
    CLIENT_ID: 'zimbo',
    TOKEN_URL: `${url}/oauth/token`,
  }));
  let refused = '';
  provider.isAllowed = ({ authorization = '', 'x-client-id': id }) =>
    /^Bearer token-\d+$/.test(authorization) && authorization !== refused && id === 'zimbo';
  assert.deepEqual(await Promise.all([ask(), ask(), ask()]), [notFound, notFound, notFound]);
  assert.equal(provider.tokensGiven, 1);
  refused = 'Bearer token-1';
  assert.deepEqual(await ask(), notFound);
  assert.equal(provider.tokensGiven, 2);
  const { authorization } = provider.calls(/oauth/)[0]!.requestHeaders;
  assert.equal(authorization, `Basic ${Buffer.from('zimbo:secret').toString('base64')}`);
});
