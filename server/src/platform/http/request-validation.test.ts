import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { assertError, json, startDemo } from '../../../test/support/demo-client.ts';

const order = (fields: object) => JSON.stringify({ amount: 1, ...fields });
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const keys = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, index]));

test('refuses bodies that break a rule, naming the field', async (t) => {
  const demo = await startDemo(t);
  const refused: [body: string | Buffer, message: RegExp][] = [
    ['', /JSON body is required/],
    ['null', /JSON body is required/],
    ['[]', /must be a JSON object/],
    ['"text"', /must be a JSON object/],
    ['{"amount":1', /not valid JSON/],
    ['{"phone": secret}', /^(?!.*secret).*not valid JSON/],
    ['{\n  "a": 1,}', /not valid JSON: look at line 2 column \d/],
    ['{"amount":01}', /not valid JSON/],
    ['{"amount":NaN}', /not valid JSON/],
    ["{'amount':1}", /not valid JSON/],
    ['{"amount":1}{"amount":1}', /not valid JSON/],
    ['{}', /^amount is required$/],
    ['{"amount":"100"}', /^amount must be an integer$/],
    ['{"amount":null}', /^amount must be an integer$/],
    ['{"amount":1.5}', /^amount must be an integer$/],
    ['{"amount":true}', /^amount must be an integer$/],
    ['{"amount":[1]}', /^amount must be an integer$/],
    ['{"amount":0}', /^amount must be between 1 and 100000000$/],
    ['{"amount":100000001}', /^amount must be between 1 and 100000000$/],
    ['{"amount":9007199254740993}', /^amount must be a number that a double holds exactly/],
    ['{"amount":1e400}', /^amount must be a number that a double holds exactly/],
    ['{"amount":1e20}', /^amount must be between 1 and 100000000$/],
    [order({ foo: 1 }), /^unknown field "foo"$/],
    [order({ constructor: 1 }), /^unknown field "constructor"$/],
    [order({ ['x'.repeat(9999)]: 1 }), /^unknown field "x{100}…"$/],
    [order({ currency: 'EUR' }), /^currency must be one of CVE, AOA$/],
    [order({ note: '' }), /^note must be 1 to 10 characters long$/],
    [order({ note: 'x'.repeat(11) }), /^note must be 1 to 10 characters long$/],
    [order({ note: 1 }), /^note must be a string$/],
    [order({ items: {} }), /^items must be an array$/],
    [order({ items: [] }), /^items must have at least 1 item$/],
    [order({ items: [{ name: 'a' }] }), /^items\[0\].quantity is required$/],
    [order({ items: [{ name: '', quantity: 1 }] }), /^items\[0\].name must not be empty$/],
    [order({ items: [{ name: 'a', quantity: 1, x: 1 }] }), /^unknown field "items\[0\].x"$/],
    [order({ note: 'a\0' }), /^note must not contain the NUL character$/],
    ['{"amount":1,"note":"\\ud800"}', /^note must not contain half of a surrogate pair$/],
    ['{"amount":1,"note":"\\udc00\\ud800"}', /^note must not contain half/],
    [Buffer.from('{"amount":1,"note":"\xff"}', 'latin1'), /UTF-8/],
    [Buffer.from([0x7b, 0x22, 0xed, 0xa0, 0x80, 0x22, 0x3a, 0x31, 0x7d]), /UTF-8/],
    [order({ metadata: [] }), /^metadata must be an object$/],
    [order({ metadata: 'x' }), /^metadata must be an object$/],
    [order({ metadata: keys(51) }), /^metadata must not have more than 50 keys$/],
    [order({ metadata: { a: { 'b\0': 1 } } }), /^metadata.a must not have a key with the NUL/],
    ['{"amount":1,"metadata":{"\\ud800":1}}', /^metadata must not have a key with half/],
    ['{"amount":1,"metadata":{"a":[{"b":1e400}]}}', /^metadata.a\[0\].b must be a number that/],
    ['{"amount":1,"metadata":{"a":-9007199254740993}}', /^metadata.a must be a number that/],
    ['{"amount":1,"metadata":{"__proto__":1}}', /^metadata must not have a key "__proto__"$/],
    ['{"amount":1,"metadata":{"a":{"__proto__":{}}}}', /^metadata.a must not have a key/],
    ['{"amount":1,"metadata":{"\\u005f_proto_\\u005f":1}}', /^metadata must not have a key "__p/],
    ['{"amount":1,"__proto__":{"a":1}}', /^The request body must not have a key "__proto__"$/],
    [`{"amount":1,"metadata":{"a":${deep(32)}}}`, /^metadata must not be nested deeper than 32/],
    [`{"amount":1,"metadata":{"a":${deep(63)}}}`, /nested deeper than 64/],
    [deep(500_000), /nested deeper than 64/],
    ['['.repeat(1024 * 1024), /nested deeper than 64/],
    ['{"a":'.repeat(200_000), /nested deeper than 64/],
    [order({ metadata: { a: 'x'.repeat(64 * 1024) } }), /^metadata must not be larger than 64 KiB/],
    [order({ metadata: { a: 'x'.repeat(1024 * 1024) } }), /must not be larger than 1 MiB/],
    ['x'.repeat(2 * 1024 * 1024), /must not be larger than 1 MiB/],
  ];
  for (const [body, message] of refused) {
    const answer = await demo.send('POST', '/v1/orders', { headers: json, body });
    assert.match(assertError(answer, 'VALIDATION_ERROR'), message, body.toString().slice(0, 60));
  }
});

test('returns valid bodies unchanged', async (t) => {
  const demo = await startDemo(t);
  const metadata: unknown[] = [
    {},
    keys(50),
    { emoji: '😀', text: 'é \\ud800 "__proto__" __', list: [1.5, -0.1, null, true, { a: [] }] },
    { most: Number.MAX_SAFE_INTEGER, least: Number.MIN_SAFE_INTEGER, tiny: 0.12345678901234568 },
    { toString: 'x', hasOwnProperty: 1, __proto: 1, constructor: { prototype: {} } },
    { a: JSON.parse(deep(31)) },
    { siblings: Array.from({ length: 200 }, () => ({ a: [] })) },
  ];
  for (const value of metadata) {
    const answer = await demo.send('POST', '/v1/orders', {
      headers: json,
      body: order({ metadata: value }),
    });
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(JSON.parse(answer.text).metadata, value);
  }
  const escaped =
    '{"amount":1e3,"note":"\\u00e9\\ud83d\\ude00","metadata":{"a":"\\u005f_proto__"}}';
  const answer = await demo.send('POST', '/v1/orders', { headers: json, body: escaped });
  assert.equal(
    answer.text,
    '{"id":"pi_1","amount":"1000","note":"é😀","metadata":{"a":"__proto__"}}',
  );
});

test('keeps response fields that the schema does not name', async (t) => {
  const demo = await startDemo(t);
  const answer = await demo.send('GET', '/v1/orders/pi_01h455vb4pex5vsknk084sn02q');
  assert.match(answer.text, /"metadata":\{"kept":\{"too":true\}\}/);
});

test('treats null for an optional field like a missing field', async (t) => {
  const demo = await startDemo(t);
  const body = order({ currency: null, note: null, items: null, metadata: null });
  const withNull = await demo.send('POST', '/v1/orders', { headers: json, body });
  const without = await demo.send('POST', '/v1/orders', { headers: json, body: order({}) });
  assert.equal(withNull.status, 200);
  assert.equal(withNull.text, without.text);
});

test('refuses an over-large body of unknown length with an answer', async (t) => {
  const demo = await startDemo(t);
  const chunk = new Uint8Array(64 * 1024).fill(0x20);
  let left = 32;
  const body = new ReadableStream({
    pull(controller) {
      if (left-- > 0) controller.enqueue(chunk);
      else controller.close();
    },
  });
  const answer = await demo.send('POST', '/v1/orders', { headers: json, body });
  assert.match(assertError(answer, 'VALIDATION_ERROR'), /1 MiB/);
});

test('requires the content type JSON, with any parameters', async (t) => {
  const demo = await startDemo(t);
  const body = order({});
  const accepted = [
    'application/json; charset=utf-8',
    'Application/JSON',
    'application/json;x="y"',
  ];
  for (const type of accepted) {
    const answer = await demo.send('POST', '/v1/orders', {
      headers: { 'content-type': type },
      body,
    });
    assert.equal(answer.status, 200, type);
  }
  const refused = [
    'text/plain',
    'application/x-www-form-urlencoded',
    'text/json',
    'json',
    '/',
    ',',
  ];
  for (const type of refused) {
    const answer = await demo.send('POST', '/v1/orders', {
      headers: { 'content-type': type },
      body,
    });
    assert.match(assertError(answer, 'VALIDATION_ERROR'), /application\/json/, type);
  }
  const untyped = await demo.send('POST', '/v1/orders', { body: Buffer.from(body) });
  assertError(untyped, 'VALIDATION_ERROR');
});

test('ignores an empty body of any content type on a route without a body', async (t) => {
  const demo = await startDemo(t);
  const types = [
    '',
    'application/json',
    'text/plain',
    'application/x-www-form-urlencoded',
    'nonsense',
  ];
  for (const type of types) {
    const headers = { 'content-type': type };
    assert.equal((await demo.send('POST', '/v1/orders/x/cancel', { headers })).status, 200, type);
  }
  const path = '/v1/orders/x/cancel';
  assert.equal((await demo.send('POST', path, { headers: json, body: '{}' })).status, 200);
  const answer = await demo.send('POST', path, { headers: json, body: '{"a":1}' });
  assert.match(assertError(answer, 'VALIDATION_ERROR'), /takes no body/);
});

test('parses query parameters strictly', async (t) => {
  const demo = await startDemo(t);
  const refused: [query: string, message: RegExp][] = [
    ['limit=0', /^limit must be between 1 and 100$/],
    ['limit=101', /^limit must be between 1 and 100$/],
    ['limit=-1', /^limit must be between/],
    ...['abc', '', '1.5', '1e1', '0x10', '%2010', '10%20', '+5', '9'.repeat(99), 'null'].map(
      (text): [string, RegExp] => [`limit=${text}`, /^limit must be an integer$/],
    ),
    ['limit', /^limit must be an integer$/],
    ['limit=1&limit=2', /^limit must be given only once$/],
    ['status=OPEN&status=OPEN', /^status must be given only once$/],
    ['status=LOST', /^status must be one of OPEN, DONE$/],
    ['foo=1', /^unknown query parameter "foo"$/],
    ['__proto__=1', /^unknown query parameter "__proto__"$/],
    ['starting_after=x', /^starting_after must be an id that begins with pi_$/],
    ['starting_after=', /^starting_after must be an id that begins with pi_$/],
    ['starting_after=a%00', /^starting_after must be percent-encoded UTF-8 without NUL$/],
    ['limit=5&starting_after=%zz', /^starting_after must be percent-encoded/],
    ['starting_after=%ED%A0%80', /^starting_after must be percent-encoded/],
    ['starting_after=%FF', /^starting_after must be percent-encoded/],
    ['%zz=1', /^The query string must be percent-encoded/],
  ];
  for (const [query, message] of refused) {
    const answer = await demo.send('GET', `/v1/orders?${query}`);
    assert.match(assertError(answer, 'VALIDATION_ERROR'), message, query);
  }
  assertError(await demo.send('GET', '/v1/broken?x=1'), 'VALIDATION_ERROR');
  const list = await demo.send('GET', '/v1/orders?limit=2&status=OPEN');
  assert.equal(list.text, '{"data":[{"id":"pi_0"},{"id":"pi_1"}],"hasMore":true}');
  assert.equal(JSON.parse((await demo.send('GET', '/v1/orders')).text).data.length, 20);
});

test('refuses a header by its usual name', async (t) => {
  const demo = await startDemo(t);
  for (const key of ['', 'x'.repeat(256), 'é']) {
    const headers = { ...json, 'Idempotency-Key': key === '' ? ' ' : key };
    const answer = await demo.send('POST', '/v1/orders', { headers, body: order({}) });
    const message = assertError(answer, 'VALIDATION_ERROR');
    assert.equal(message, 'Idempotency-Key must be 1 to 255 printable ASCII characters');
  }
  const headers = { ...json, 'Idempotency-Key': 'order 1' };
  assert.equal((await demo.send('POST', '/v1/orders', { headers, body: order({}) })).status, 200);
});

test('refuses a compressed body instead of reading it as plain', async (t) => {
  const demo = await startDemo(t);
  const plain = order({});
  const bodies: [string, string | Buffer][] = [
    ['gzip', gzipSync(plain)],
    ['gzip', plain],
    ['br, gzip', plain],
    ['nonsense', plain],
  ];
  for (const [encoding, body] of bodies) {
    const headers = { ...json, 'Content-Encoding': encoding };
    const answer = await demo.send('POST', '/v1/orders', { headers, body });
    const message = assertError(answer, 'VALIDATION_ERROR');
    assert.match(message, /^Content-Encoding must be left out: send the body as plain JSON/);
  }
  const headers = { ...json, 'Content-Encoding': 'Identity' };
  const answer = await demo.send('POST', '/v1/orders', { headers, body: plain });
  assert.equal(answer.status, 200, 'with the encoding identity');
  const cancelled = await demo.send('POST', '/v1/orders/x/cancel', {
    headers: { 'Content-Encoding': 'gzip' },
  });
  assert.equal(cancelled.status, 200, 'ignores the encoding without a body');
});

test('distinguishes an unknown route from an unknown id', async (t) => {
  const demo = await startDemo(t);
  const messageOf = async (method: string, path: string) =>
    JSON.parse((await demo.send(method, path)).text).error.message;
  const unknownId = await messageOf('GET', '/v1/orders/nope');
  assert.match(unknownId, /^No such order/);
  for (const path of ['/v1/nope', '/v1/v1/orders/nope', '/nope', `/v1/orders/${'x'.repeat(300)}`]) {
    assert.match(await messageOf('GET', path), /base URL right/, path);
  }
  assert.match(await messageOf('PUT', '/v1/orders'), /base URL right/);
});

test('answers an unknown route, method or id with 404', async (t) => {
  const demo = await startDemo(t);
  const ids = ['x', 'pi_x', '%00', '%zz', '%ED%A0%80', 'x'.repeat(300), '%2F', '..%2f', '😀'];
  for (const id of ids) assertError(await demo.send('GET', `/v1/orders/${id}`), 'NOT_FOUND');
  for (const path of ['/nope', '/v1', '/v1/', '/v1/nope', '/V1/orders', '/v1//orders', '//v1']) {
    assertError(await demo.send('GET', path), 'NOT_FOUND');
  }
  for (const method of ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND', 'QUERY', 'LOCK']) {
    assertError(await demo.send(method, '/v1/orders'), 'NOT_FOUND');
  }
  const bad = { headers: { 'content-type': 'text/plain' }, body: '{{{' };
  assertError(await demo.send('POST', '/v1/nope', bad), 'NOT_FOUND');
});

test('answers HEAD like GET without a body', async (t) => {
  const demo = await startDemo(t);
  const head = await demo.send('HEAD', '/v1/orders');
  const get = await demo.send('GET', '/v1/orders');
  assert.equal(head.status, 200);
  assert.equal(head.text, '');
  assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(get.text)));
});

test('sends no body with 204', async (t) => {
  const demo = await startDemo(t);
  const answer = await demo.send('DELETE', '/v1/orders/x');
  assert.equal(answer.status, 204);
  assert.equal(answer.text, '');
  assert.equal(answer.headers.get('content-type'), null);
});
