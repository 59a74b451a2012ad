import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { pino } from 'pino';
import { createCallbackTokens } from '../../src/integrations/operators/callback-token.ts';
import { signatureOf } from '../../src/integrations/operators/signature.ts';
import type { Database } from '../../src/platform/postgres/database.ts';
import type { TestGatewayOptions } from '../support/gateway.ts';
import { addTenants } from '../support/tenants.ts';
import { liveGateway } from './gateway.ts';

const secret = 'a secret of the operator';
const fingerprint = 'ab'.repeat(32);
// JSON in an operator's formatting, which differs from ours: the signature covers these bytes.
const text = '{ "transactionReference": "TX-1",  "transactionStatus":"completed" }\n';

type Headers = Record<string, string>;

/** A gateway that stores callbacks and leaves their handling to others. */
async function inboxOf(
  context: TestContext,
  settings: Record<string, string> = {},
  environment: Record<string, string> = {},
  log?: TestGatewayOptions['log'],
) {
  const options = { environment: { ZIMBO_ROLE: 'api', ...environment }, ...(log && { log }) };
  const { url, database } = await liveGateway(context, settings, options);
  const tokens = createCallbackTokens(Buffer.alloc(32, 7));
  const tenantId = randomUUID();
  await addTenants(database, tenantId);
  const address = (reference: string = randomUUID()) => {
    const named = {
      operator: 'CVMOVEL',
      kind: 'DEBIT',
      tenantId,
      reference,
    } as const;
    return `${url}/operators/CVMOVEL/callbacks/${tokens.make(named)}`;
  };
  return { url, database, address, metric: (pattern: string) => metricOf(url, pattern) };
}

async function put(url: string, headers: Headers = {}, body: string = text) {
  const type = { 'content-type': 'application/json' };
  const answer = await fetch(url, { method: 'PUT', headers: { ...type, ...headers }, body });
  return { status: answer.status, text: await answer.text(), headers: answer.headers };
}

const statusOf = async (...sent: Parameters<typeof put>) => (await put(...sent)).status;

async function metricOf(url: string, pattern: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return Number(new RegExp(`^zimbo_operator_callbacks_${pattern} (\\d+)$`, 'm').exec(metrics)?.[1]);
}

const kept = (database: Database) =>
  database.query<{ authenticated: boolean; body: string }>({
    text: 'SELECT authenticated, body FROM operator_callbacks ORDER BY received_at',
  });

const signed = (body: string = text): Headers => ({
  'x-callback-signature': signatureOf(secret, Buffer.from(body)),
});
const certified = { 'x-client-certificate-sha256': fingerprint };
const from = (address: string): Headers => ({ 'x-forwarded-for': address });

test('stores a callback as unauthenticated if the settings require no proof', async (context) => {
  const { database, address } = await inboxOf(context);
  assert.equal(await statusOf(address(), signed()), 204);
  assert.deepEqual(await kept(database), [
    { authenticated: false, body: JSON.stringify(JSON.parse(text)) },
  ]);
});

test('accepts a signed callback byte for byte, and rejects others, whatever they say', async (context) => {
  const { database, address, metric } = await inboxOf(context, { CALLBACK_SECRET: secret });
  const url = address();
  assert.equal(await metric('refused_total\\{operator="CVMOVEL",proof="SIGNATURE"\\}'), 0);
  const refused = await put(url);
  assert.equal(refused.status, 401);
  const { error } = JSON.parse(refused.text);
  assert.deepEqual(
    [error.code, error.message],
    ['UNAUTHORIZED', 'This callback is not proven to come from the operator.'],
  );
  assert.equal(await statusOf(url, signed(`${text} `)), 401);
  assert.equal(await statusOf(url, {}, 'no JSON'), 401, 'nothing is read of it');
  assert.deepEqual(await kept(database), []);
  assert.equal(await statusOf(url, signed('no JSON'), 'no JSON'), 400);
  assert.equal(await statusOf(url, signed('{}'), '{}'), 400);
  assert.equal(await statusOf(url, signed(''), ''), 400);
  assert.equal(await statusOf(url, signed()), 204);
  assert.deepEqual(
    (await kept(database)).map(({ authenticated }) => authenticated),
    [true],
  );
  assert.equal(await metric('refused_total\\{operator="CVMOVEL",proof="SIGNATURE"\\}'), 3);
});

test("checks the client's address behind trusted proxies", async (context) => {
  const settings = { CALLBACK_ADDRESSES: '203.0.113.0/24' };
  const trusting = await inboxOf(context, settings, { TRUST_PROXY: '127.0.0.1' });
  const url = trusting.address();
  assert.equal(await statusOf(url), 401);
  assert.equal(await statusOf(url, from('198.51.100.1')), 401);
  assert.equal(await statusOf(url, from('203.0.113.7, 198.51.100.1')), 401, 'a client that claims');
  assert.equal(await statusOf(url, from('198.51.100.1, 203.0.113.7')), 204);
  const alone = await inboxOf(context, settings);
  assert.equal(await statusOf(alone.address(), from('203.0.113.7')), 401);
});

test('accepts a certificate from a trusted proxy, and from nobody else', async (context) => {
  const settings = { CALLBACK_CERTIFICATE: fingerprint };
  const trusting = await inboxOf(context, settings, { TRUST_PROXY: '127.0.0.1' });
  assert.equal(await statusOf(trusting.address()), 401);
  assert.equal(
    await statusOf(trusting.address(), { 'x-client-certificate-sha256': 'cd'.repeat(32) }),
    401,
  );
  assert.equal(await statusOf(trusting.address(), certified), 204);
  const other = await inboxOf(context, settings, { TRUST_PROXY: '10.0.0.7' });
  assert.equal(await statusOf(other.address(), certified), 401);
  assert.equal(await statusOf(other.address(), { ...certified, ...from('10.0.0.7') }), 401);
});

test('logs the first refusals with the missing proof, and counts all of them', async (context) => {
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const settings = { CALLBACK_SECRET: secret, CALLBACK_ADDRESSES: '203.0.113.7' };
  const { address, metric } = await inboxOf(context, settings, {}, log);
  const reference = randomUUID();
  for (let sent = 0; sent < 9; sent++) {
    assert.equal(await statusOf(address(reference), signed()), 401);
  }
  assert.equal(lines.length, 5);
  const { operator, lacking, reference: said, ip } = JSON.parse(lines[0]!);
  assert.deepEqual(
    { operator, lacking, said, ip },
    { operator: 'CVMOVEL', lacking: ['ADDRESS'], said: reference, ip: '127.0.0.1' },
  );
  assert.equal(await metric('refused_total\\{operator="CVMOVEL",proof="ADDRESS"\\}'), 9);
  assert.equal(await metric('refused_total\\{operator="CVMOVEL",proof="SIGNATURE"\\}'), 0);
});

test('authenticates a stored callback when it is repeated with proof', async (context) => {
  const { database, address } = await inboxOf(context, { CALLBACK_SECRET: secret });
  const url = address();
  assert.equal(await statusOf(url, signed()), 204);
  // As left by an older process, or by one without the setting.
  await database.query({
    text: `UPDATE operator_callbacks SET authenticated = false, due_at = NULL, body = 'forged'`,
  });
  assert.equal(await statusOf(url, signed()), 204);
  const rows = await database.query({
    text: 'SELECT authenticated, body, due_at IS NOT NULL AS due FROM operator_callbacks',
  });
  const body = JSON.stringify(JSON.parse(text));
  assert.deepEqual(rows, [{ authenticated: true, body, due: true }]);
});

test('stores eight callbacks of a reference; refuses more, and remembers them as one query', async (context) => {
  const { database, address, metric } = await inboxOf(context);
  const told = (number: number) =>
    JSON.stringify({ transactionReference: `TX-${number}`, transactionStatus: 'completed' });
  const url = address();
  for (let number = 1; number <= 10; number++) {
    assert.equal(await statusOf(url, {}, told(number)), number <= 8 ? 204 : 429);
  }
  assert.equal(await statusOf(url, {}, told(1)), 204, 'told again');
  const text = `SELECT body, due_at IS NOT NULL AS due FROM operator_callbacks WHERE outcome = 'excess'`;
  assert.deepEqual(await database.query({ text }), [{ body: '{}', due: true }]);
  assert.equal((await kept(database)).length, 9);
  assert.equal(await metric('excess_total\\{operator="CVMOVEL"\\}'), 2);
  assert.equal(await statusOf(address(), {}, told(11)), 204);
  assert.equal((await kept(database)).length, 10, 'another reference has room');
});

test('lets unauthenticated callbacks take no place from authenticated ones', async (context) => {
  const { database, address } = await inboxOf(context, { CALLBACK_SECRET: secret });
  const url = address();
  const tell = async (number: number, status = 204) => {
    const body = JSON.stringify({ transactionReference: `TX-${number}`, transactionStatus: 'x' });
    assert.equal(await statusOf(url, signed(body), body), status);
  };
  for (let number = 1; number <= 8; number++) await tell(number);
  await tell(9, 429);
  assert.equal((await kept(database)).length, 9, 'the eight, and that there were more');
  await database.query({ text: 'UPDATE operator_callbacks SET authenticated = false' });
  await tell(10);
  assert.equal((await kept(database)).length, 10);
});

test('slows down clients that guess addresses, without delaying our own callbacks', async (context) => {
  const { url, address, metric } = await inboxOf(context, {}, { RATE_LIMIT_UNAUTHORIZED: '1/3' });
  const guess = () => put(`${url}/operators/CVMOVEL/callbacks/${'A'.repeat(66)}`, {}, 'no JSON');
  const answers = await Promise.all(Array.from({ length: 20 }, guess));
  const statuses = answers.map(({ status }) => status);
  assert.deepEqual(new Set(statuses), new Set([401, 429]));
  const limited = answers.find(({ status }) => status === 429)!;
  assert.match(limited.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  assert.equal(JSON.parse(limited.text).error.code, 'RATE_LIMITED');
  assert.equal(await statusOf(address()), 204);
  assert.equal(await metric('unknown_total'), 20);
});

test('accepts some callbacks at once at a leaked address, and strangers use up none of them', async (context) => {
  const { address } = await inboxOf(context, { CALLBACK_SECRET: secret });
  const url = address();
  const many = async (count: number, headers: Headers) =>
    Promise.all(Array.from({ length: count }, () => statusOf(url, headers)));
  assert.deepEqual(new Set(await many(70, {})), new Set([401]));
  const statuses = await many(90, signed());
  assert.ok(statuses.includes(429), 'there is a limit');
  const taken = statuses.filter((status) => status === 204).length;
  assert.ok(taken >= 60, `${taken} were taken`);
  assert.equal(await statusOf(address(), signed()), 204, 'another reference has room');
});

test('limits the body, and requires the content type of JSON', async (context) => {
  const { address } = await inboxOf(context);
  const limit = 64 * 1024;
  assert.equal(await statusOf(address(), {}, text.padEnd(limit)), 204);
  assert.equal(await statusOf(address(), {}, text.padEnd(limit + 1)), 400);
  assert.equal(await statusOf(address(), { 'content-type': 'text/plain' }), 400);
  assert.equal(await statusOf(address(), { 'content-encoding': 'gzip' }), 400);
});

test('accepts callbacks at an address from an older version', async (context) => {
  const { url, database } = await inboxOf(context);
  await addTenants(database, '019a1b2c-3d4e-7f50-8a6b-7c8d9e0f1a2b');
  const token = 'AQGaGyw9Tn9Qimt8jZ4PGisBmyw9Tl9wYZt8jZ4PGis8T0Rgkrtj_Z28KYB_rSHfSQ';
  assert.equal(await statusOf(`${url}/operators/CVMOVEL/callbacks/${token}`), 204);
  assert.deepEqual(
    await database.query({ text: 'SELECT kind, tenant_id, reference FROM operator_callbacks' }),
    [
      {
        kind: 'REFUND',
        tenant_id: '019a1b2c-3d4e-7f50-8a6b-7c8d9e0f1a2b',
        reference: '019b2c3d-4e5f-7061-9b7c-8d9e0f1a2b3c',
      },
    ],
  );
});
