import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseXml, XmlError, type XmlProblem } from './xml.ts';

const read = (text: string) => parseXml(Buffer.from(text));

test('reads elements, attributes, text and the five entities', () => {
  const found = read(
    '\ufeff<?xml version="1.0" encoding="utf-8"?>\n<!-- hello -->\n<a:D xmlns:a="urn:x"><Amt Ccy=\'CVE\'>1&#48;.<![CDATA[5<0]]></Amt><E/> &lt;&amp;&#x41;</a:D>\n',
  );
  assert.equal(found.name, 'D');
  assert.equal(found.text, ' <&A');
  assert.deepEqual(
    found.children.map(({ name, text }) => [name, text]),
    [
      ['Amt', '10.5<0'],
      ['E', ''],
    ],
  );
  assert.equal(found.children[0]!.attributes.Ccy, 'CVE');
});

const refused: [XmlProblem, string | Buffer][] = [
  ['DOCTYPE', '<!DOCTYPE D [<!ENTITY x "y">]><D>&x;</D>'],
  ['DOCTYPE', '<D><!ENTITY x SYSTEM "file:///etc/passwd"></D>'],
  ['DOCTYPE', '<!DOCTYPE D SYSTEM "http://169.254.169.254/x.dtd"><D/>'],
  ['ENTITY', '<D>&lol9;</D>'],
  ['ENTITY', '<D>a & b</D>'],
  ['ENTITY', '<D>&constructor;</D>'],
  ['ENTITY', '<D>&#0;</D>'],
  ['ENTITY', '<D>&#xD800;</D>'],
  ['ENTITY', '<D>&#9999999;</D>'],
  ['ENTITY', '<D a="&x;"/>'],
  ['ENCODING', Buffer.from('\ufeff<D/>', 'utf16le')],
  ['ENCODING', Buffer.from('<D>Jos\u00e9</D>', 'latin1')],
  ['ENCODING', '<?xml version="1.0" encoding="ISO-8859-1"?><D/>'],
  ['SIZE', `${'<a>'.repeat(100)}${'</a>'.repeat(100)}`],
  ['SIZE', `<D>${'<a/>'.repeat(200_001)}</D>`],
  ['SYNTAX', ''],
  ['SYNTAX', 'date;amount\n'],
  ['SYNTAX', '<D>'],
  ['SYNTAX', '<D></E>'],
  ['SYNTAX', '<D/><D/>'],
  ['SYNTAX', '<D/>text'],
  ['SYNTAX', '<D a="1" a="2"/>'],
  ['SYNTAX', '<D a=1/>'],
  ['SYNTAX', '<D><!-- </D>'],
  ['SYNTAX', '<D>\u0001</D>'],
];

test('refuses document types, entities, other encodings, and what is no XML', () => {
  for (const [problem, text] of refused) {
    const shown = String(text).slice(0, 60);
    assert.throws(
      () => parseXml(Buffer.from(text as string)),
      (error) => error instanceof XmlError && error.problem === problem,
      shown,
    );
  }
});

test('needs no more time for hostile files than for their size', { timeout: 20_000 }, () => {
  const many = 1_000_000;
  for (const text of [
    `<a${' '.repeat(many)}!`,
    `<D ${'a="1" '.repeat(many / 10)}`,
    `<D>${'&amp;'.repeat(many / 5)}`,
    `<D>${'<'.repeat(many)}`,
    `<${'a'.repeat(many)}>`,
  ]) {
    assert.throws(() => read(text), XmlError);
  }
});

test('gives no way to the prototypes of objects', () => {
  const { attributes } = read('<D __proto__="x" constructor="y"/>');
  assert.equal(Object.getPrototypeOf(attributes), null);
  assert.equal(attributes.constructor, 'y');
});
