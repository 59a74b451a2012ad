import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseJson } from './body.ts';
import { countMembers, lookThrough } from './scan-json.ts';

/** JSON from a foreign writer: any spelling of keys, spaces between them, and repeated keys. */
const space = fc.constantFrom('', ' ', '\n', '\t\r ');
const key = fc.constantFrom(
  'a',
  'b',
  '',
  '"',
  '\\',
  ':',
  '{',
  '}[',
  '1',
  '01',
  'é',
  '\ud83d\ude00',
  'toString',
  ',',
);
const spelt = key.chain((text) =>
  fc.constantFrom(
    JSON.stringify(text),
    `"${[...Array(text.length).keys()].map((at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`,
  ),
);
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom('null', 'true', '-0', '1.5', '"a:b"', '"\\":"', '"{"', '""'),
    fc
      .array(tie('json'), { maxLength: 3 })
      .chain((items) => space.map((gap) => `[${gap}${items.join(`${gap},`)}]`)),
    fc
      .array(fc.tuple(spelt, space, tie('json')), { maxLength: 4 })
      .map(
        (members) =>
          `{${members.map(([name, gap, value]) => `${name}${gap}:${gap}${value}`).join(',')}}`,
      ),
  ),
}));

/** A slow reference implementation: parses piece by piece, and keeps each pair of each object. */
function hasRepeated(text: string): boolean {
  let at = 0;
  let found = false;
  const skip = () => {
    while (' \n\t\r'.includes(text[at] ?? 'x')) at++;
  };
  const string = (): string => {
    const [whole = ''] = /^"(?:[^"\\]|\\.)*"/s.exec(text.slice(at)) ?? [];
    at += whole.length;
    return JSON.parse(whole);
  };
  const value = (): void => {
    skip();
    if (text[at] === '"') string();
    else if (text[at] === '{' || text[at] === '[') {
      const isObject = text[at++] === '{';
      const keys: string[] = [];
      skip();
      while (!'}]'.includes(text[at]!)) {
        if (isObject) {
          keys.push(string());
          skip();
          at++;
        }
        value();
        skip();
        if (text[at] === ',') at++;
        skip();
      }
      at++;
      found ||= new Set(keys).size < keys.length;
    } else at += /^[^,\]}\s]+/.exec(text.slice(at))![0].length;
  };
  value();
  return found;
}

test('finds repeated keys in any spelling, and nothing else', () => {
  fc.assert(
    fc.property(json, (text) => {
      const isRepeated = hasRepeated(text);
      assert.equal(lookThrough(text, { repeatedKey: true }) !== undefined, isRepeated, text);
      const parse = () => parseJson(Buffer.from(text), { refusesRepeatedKeys: true });
      if (isRepeated) assert.throws(parse, { code: 'VALIDATION_ERROR' }, text);
      else assert.doesNotThrow(parse, text);
    }),
    { numRuns: 3_000 },
  );
});

test('names the key with its path in the message', () => {
  const named = {
    '{"amount":1,"\\u0061mount":2}': 'amount',
    '{"metadata":{"a":1},"metadata":{}}': 'metadata',
    '{"items":[{"name":"a"},{"name":"b","x":{},"name":"c"}]}': 'items[1].name',
    '{"a":{"b":[[],[{"":1,"":2}]]}}': 'a.b[1][0].',
  };
  for (const [text, param] of Object.entries(named)) {
    assert.throws(() => parseJson(Buffer.from(text), { refusesRepeatedKeys: true }), {
      message: `${param} must be given only once`,
      param,
    });
  }
});

test('accepts a number that a double holds exactly, whatever else the object has', () => {
  const exact = fc.constantFrom('-0', '1.5', '0.1', '1e3', '-2.50', '9007199254740992');
  const written = fc.tuple(
    fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd')),
    fc.array(fc.oneof(exact, fc.constant('null'))),
  );
  fc.assert(
    fc.property(written, ([keys, values]) => {
      const members = keys.map((name, index) => `"${name}":${values[index] ?? 'null'}`);
      const text = `{"\\u0065":[{${members.join(',')}}]}`;
      assert.deepEqual(parseJson(Buffer.from(text)), JSON.parse(text));
    }),
  );
  for (const changed of ['9007199254740993', '1e400', '1e-400', '0.12345678901234567890']) {
    assert.throws(() => parseJson(Buffer.from(`{"a":[0,{"b":${changed}}]}`)), { param: 'a[1].b' });
  }
});

test('reads a number as long as a body in linear time', () => {
  const zeros = '0'.repeat(1_000_000);
  assert.throws(() => parseJson(Buffer.from(`{"a":1.${zeros}1}`)), { param: 'a' });
  assert.deepEqual(parseJson(Buffer.from(`{"a":1.5${zeros}}`)), { a: 1.5 });
});

test('reads a key as spelt, whatever other clients have sent before', () => {
  for (let round = 0; round < 50; round++) {
    assert.deepEqual(parseJson(Buffer.from('{"x":{"\\\\":1}}')), { x: { '\\': 1 } });
    assert.deepEqual(parseJson(Buffer.from('{"x":{"\\u0062":1}}')), { x: { b: 1 } });
  }
});

test('takes the last of repeated keys in lenient mode, since operators may send them', () => {
  assert.deepEqual(parseJson(Buffer.from('{"a":1,"a":2}')), { a: 2 });
  assert.equal(countMembers({ a: [{ b: 1 }, null, 'c'] }), 2);
});

test('ignores a byte order mark, and recognizes a form', () => {
  assert.deepEqual(parseJson(Buffer.from('\ufeff{"a":1}')), { a: 1 });
  const part = '\r\nContent-Disposition: form-data; name="amount"\r\n\r\n1000\r\n';
  // As browsers, and as the libraries of Python and Go write it.
  for (const form of ['amount=1000&operator=MOCK', `------x${part}`, `--9f86d081${part}`]) {
    assert.throws(() => parseJson(Buffer.from(form)), {
      message: /^The request body is not valid JSON.*\. It looks like a form: send a JSON object/,
    });
  }
  assert.throws(() => parseJson(Buffer.from('{"a":1}', 'utf16le')), {
    message: /must be encoded in UTF-8/,
  });
  assert.throws(() => parseJson(Buffer.from('{"a"=1}')), { message: /column \d+\.$|JSON\.$/ });
});
