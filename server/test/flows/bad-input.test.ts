import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { test } from 'node:test';
import { type TestGateway, testGateway } from '../support/gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';

const good = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' };

interface Refusal {
  status: number;
  text: string;
}

/** Sends a body byte for byte. */
async function post(
  { url, key }: TestGateway,
  body: string | Buffer,
  contentType = 'application/json',
  path = '/v1/payments',
): Promise<Refusal> {
  const answer = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': contentType },
    body: body as never,
  });
  return { status: answer.status, text: await answer.text() };
}

/** A 400 in our own words and format, without internal details. */
function assertRefused({ status, text }: Refusal, what: string, names = ''): void {
  assert.equal(status, 400, `${what}: ${text}`);
  const body = JSON.parse(text);
  assert.deepEqual(Object.keys(body), ['error'], what);
  const { param: _, requestId: __, ...error } = body.error;
  assert.deepEqual(Object.keys(error).sort(), ['code', 'message'], what);
  assert.equal(body.error.code, 'VALIDATION_ERROR', what);
  assert.doesNotMatch(body.error.message, /node_modules|\bat \/|Error:|SELECT|undefined/, what);
  assert.ok(body.error.message.includes(names), `${what}: ${body.error.message}`);
}

const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const withMetadata = (json: string) => JSON.stringify(good).replace(/}$/, `,"metadata":${json}}`);
const withField = (field: string, json: string) => {
  const { [field as keyof typeof good]: _, ...rest } = good;
  return JSON.stringify(rest).replace(/}$/, `,"${field}":${json}}`);
};

const fields: [string, string, string][] = [
  ['amount', '"100"', 'a number as text'],
  ['amount', '0', 'zero'],
  ['amount', '-1', 'a negative amount'],
  ['amount', '1.5', 'a fraction'],
  ['amount', '100000001', 'too much'],
  ['amount', '9007199254740993', 'beyond 2^53'],
  ['amount', '1e400', 'not finite'],
  ['amount', 'null', 'null for a required field'],
  ['amount', 'true', 'a boolean'],
  ['amount', '[1]', 'an array'],
  ['operator', '"VODAFONE"', 'an unknown operator'],
  ['operator', '"mock"', 'an operator in lower case'],
  ['operator', 'null', 'null for the operator'],
  ['operatorPhone', '"991234567"', 'a phone without +'],
  ['operatorPhone', '"+00000000"', 'what stands for an erased phone'],
  ['operatorPhone', '"+1234567"', 'a phone that is too short'],
  ['operatorPhone', '"+1234567890123456"', 'a phone that is too long'],
  ['operatorPhone', '"+238991234a"', 'a phone with a letter'],
  ['operatorPhone', '2389912345', 'a phone as a number'],
  ['currency', '"EUR"', 'an unknown currency'],
  ['externalId', '""', 'an empty reference'],
  ['externalId', `"${'x'.repeat(256)}"`, 'a reference that is too long'],
  ['customerId', '7', 'a number as reference'],
  ['description', `"${'x'.repeat(256)}"`, 'a description that is too long'],
  ['description', '"a\\u0000b"', 'NUL'],
  ['description', '"a\\ud800b"', 'a lone surrogate'],
  ['statementDescriptor', '{}', 'an object as text'],
  ['metadata', '[]', 'an array as metadata'],
  ['metadata', '"x"', 'text as metadata'],
  ['nothing', '1', 'an unknown field'],
];

const metadatas: [string, string][] = [
  [JSON.stringify(Object.fromEntries(Array.from({ length: 51 }, (_, i) => [i, i]))), '51 keys'],
  [nested(33), '33 levels'],
  [`{"a":"${'x'.repeat(65_536)}"}`, 'more than 64 KiB'],
  ['{"__proto__":1}', '__proto__'],
  ['{"a":{"__proto__":{}}}', '__proto__ further down'],
  ['{"\\u005f_proto__":1}', '__proto__ in disguise'],
  ['{"a\\u0000":1}', 'NUL in a key'],
  ['{"a":"\\udc00"}', 'a lone surrogate'],
  ['{"a":9007199254740993}', 'a number beyond 2^53'],
  ['{"a":-9007199254740993}', 'a number beyond -2^53'],
  ['{"a":12345678901234567890}', 'more digits than a double holds'],
  ['{"a":0.1000000000000000055}', 'more digits after the point than a double holds'],
  ['{"a":1e-400}', 'a number that a double takes for zero'],
  ['{"a":[1e400]}', 'a number that is not finite'],
];

test('says for each field what is wrong with it', async () => {
  const gateway = await sharedGateway();
  for (const [field, json, what] of fields) {
    assertRefused(await post(gateway, withField(field, json)), `${field}: ${what}`, field);
  }
  for (const [json, what] of metadatas) {
    assertRefused(await post(gateway, withMetadata(json)), `metadata: ${what}`);
  }
  for (const field of ['amount', 'operator', 'operatorPhone']) {
    const { [field as keyof typeof good]: _, ...rest } = good;
    assertRefused(await post(gateway, JSON.stringify(rest)), `without ${field}`, field);
  }
});

test('accepts everything that the contract allows', async () => {
  const gateway = await sharedGateway();
  const allowed = [
    withField('operatorPhone', '"+244 (923) 456-789"'),
    withField('operatorPhone', '"+12345678"'),
    withField('operatorPhone', '"tel:\u202a00238–991–23–4５\u200b\u202c"'),
    withField('amount', '1'),
    withField('amount', '100000000'),
    withField('amount', '1e3'),
    withField('description', '""'),
    withField('description', 'null'),
    withField('externalId', 'null'),
    withMetadata('null'),
    withMetadata(nested(32)),
    withMetadata('{"constructor":{"prototype":1},"a":[0.1,-0,9007199254740991]}'),
    withMetadata('{"a":[1e20,1E+2,-1.50e-7,123456789012345680000,5e-324,1.7976931348623157e308]}'),
    withMetadata(JSON.stringify(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [i, i])))),
    ` \n${JSON.stringify(good)}\t`,
  ];
  for (const body of allowed) {
    const { status, text } = await post(gateway, body);
    assert.equal(status, 200, `${body.slice(0, 200)}: ${text}`);
  }
  assert.equal(
    (await post(gateway, JSON.stringify(good), 'application/json; charset=utf-8')).status,
    200,
  );
});

test('rejects bodies that are not JSON objects', async () => {
  const gateway = await sharedGateway();
  const json = JSON.stringify(good);
  const bodies: [string | Buffer, string, string?][] = [
    ['', 'an empty body'],
    ['{', 'half an object'],
    ['null', 'null'],
    ['[]', 'an array'],
    ['"x"', 'text'],
    ['{"amount":1,}', 'a trailing comma'],
    [Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'bytes that are not UTF-8'],
    ['['.repeat(1_000_000), 'a million brackets'],
    [nested(100_000), 'an object nested deeply'],
    [`{"x":"${'x'.repeat(2 * 1024 * 1024)}"}`, '2 MiB'],
    [json, 'plain text', 'text/plain'],
    [json, 'a form', 'application/x-www-form-urlencoded'],
    [json, 'XML', 'application/xml'],
    [json, 'a content type that is none', 'nonsense'],
  ];
  for (const [body, what, contentType] of bodies) {
    assertRefused(await post(gateway, body, contentType), what);
  }
});

test('says for each field of a webhook endpoint what is wrong with it', async () => {
  const gateway = await sharedGateway();
  const events = ['payment.debited'];
  const bad: [object, string][] = [
    [{ events }, 'url'],
    [{ url: 'https://example.com/' }, 'events'],
    [{ url: 'ftp://example.com/', events }, 'url'],
    [{ url: 'not a url', events }, 'url'],
    [{ url: 'https://user:secret@example.com/', events }, 'url'],
    [{ url: 'https://example.com/', events: [] }, 'events'],
    [{ url: 'https://example.com/', events: ['payment.paid'] }, 'events'],
    [{ url: 'https://example.com/', events: 'payment.debited' }, 'events'],
    [{ url: 'https://example.com/', events, secret: 'x' }, 'secret'],
    [{ url: 'https://example.com/', events, description: 7 }, 'description'],
  ];
  for (const [body, field] of bad) {
    const refusal = await post(gateway, JSON.stringify(body), undefined, '/v1/webhooks');
    assertRefused(refusal, JSON.stringify(body), field);
    assert.ok(!refusal.text.includes('user:secret'));
  }
});

test('accepts an empty body of any content type on routes without a body', async () => {
  const gateway = await sharedGateway();
  for (const contentType of ['application/json', 'application/x-www-form-urlencoded', 'nonsense']) {
    // Nobody confirms this payment, so it can be cancelled even on the slowest machine.
    const body = { ...good, operatorPhone: '+2389912109' };
    const { id } = (await gateway.api('POST', '/v1/payments', body)).body;
    const path = `/v1/payments/${id}/cancel`;
    const { status, text } = await post(gateway, '', contentType, path);
    assert.equal(status, 200, `${contentType}: ${text}`);
  }
});

/** Writes raw bytes and returns everything received until the connection closes. */
function rawAnswer({ url }: TestGateway, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(bytes));
    socket.setEncoding('latin1');
    socket.on('data', (chunk) => {
      received += chunk;
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}

test('answers 400 to nonsense on the socket too', async () => {
  const gateway = await sharedGateway();
  const nonsense = [
    'NONSENSE\r\n\r\n',
    'GET /v1/payments HTTP/9.9\r\n\r\n',
    `GET /v1/payments HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
    'POST /v1/payments HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
    'POST /v1/payments HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  ];
  for (const bytes of nonsense) {
    const answer = await rawAnswer(gateway, bytes);
    const [head, text] = answer.split('\r\n\r\n') as [string, string];
    assert.match(head, /^HTTP\/1\.1 400 /, bytes.slice(0, 60));
    assertRefused({ status: 400, text }, bytes.slice(0, 60));
  }
});

test('still works after all of that, without a single 500', async (context) => {
  const gateway = await testGateway(context);
  for (const [json] of metadatas) await post(gateway, withMetadata(json));
  assert.equal((await post(gateway, JSON.stringify(good))).status, 200);
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  assert.doesNotMatch(metrics, /zimbo_http_request_duration_seconds_count\{[^}]*status="5/);
});
