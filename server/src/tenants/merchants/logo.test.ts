import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLogo } from './logo.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const svg = (content: string) =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">${content}</svg>`);

test('accepts drawings and pictures', () => {
  assert.equal(checkLogo(png).type, 'image/png');
  for (const content of [
    '<path d="M0 0h8v8z" fill="#0b5d44"/>',
    '<defs><linearGradient id="a"><stop offset="0" stop-color="red"/></linearGradient></defs><rect fill="url(#a)" width="8" height="8"/>',
    `<style>.a{fill:url('#a')}</style><g class='a'><use href="#b" xlink:href="#b"/></g>`,
    '<style>@media (prefers-color-scheme:dark){.a{fill:rgb(1,2,3)}}</style><g transform="translate(1 2) rotate(45)"/>',
    '<style type="text/css">.a:not(.b){fill:var(--c);opacity:calc(1/2)}</style>',
    '<title>Caf&#233; (Praia)</title><text font-family="Arial">Loja(Praia) src(a) 50 @ 1</text>',
    '<!-- made by hand --><title>Loja &amp; Filhos</title>',
  ]) {
    assert.equal(checkLogo(svg(content)).type, 'image/svg+xml', content);
  }
  const withProlog = `<?xml version="1.0" encoding="utf-8"?>\n<!-- x -->\n<svg></svg>`;
  assert.equal(checkLogo(Buffer.from(withProlog)).type, 'image/svg+xml');
});

test('refuses content that runs, loads or hides something', () => {
  for (const content of [
    '<script>alert(1)</script>',
    '<SCRIPT/>',
    '<svg:script/>',
    '<rect onload="alert(1)"/>',
    `<rect ONLOAD='x'/>`,
    '<rect\n\tonclick = "x"/>',
    '<foreignObject/>',
    '<iframe src="https://x"/>',
    '<image href="https://x/y.png"/>',
    '<use href="https://x/y.svg#a"/>',
    '<use xlink:href="data:image/svg+xml,x"/>',
    '<a href="javascript:alert(1)"/>',
    '<rect fill="url(https://x/#a)"/>',
    '<rect style="fill: URL( //x )"/>',
    '<rect fill="&#117;rl(https://x)"/>',
    '<rect fill="u\\72l(https://x)"/>',
    '<style>@import "https://x";</style>',
    '<style>a{background:image-set("https://x" 1x)}</style>',
    '<g xml:base="https://x"/>',
    '<style>a{fill:&#117;rl(https://x)}</style>',
    '<style>a{fill:&#x75;rl(https://x)}</style>',
    '<style>&#64;import "https://x";</style>',
    '<style type="text/css" >a{fill:u<g/>&#114;l(https://x)}</style>',
    '<style>a{fill:&unknown;}</style>',
    '<style>a{fill:src("https://x")}</style>',
    '<style>a{fill:SRC ("x");fill:SRC("https://x")}</style>',
    '<rect style="fill:src(&quot;https://x&quot;)"/>',
    '<style>a{background:image("https://x")}</style>',
    '<style>a{background:-webkit-cross-fade(url(#a),"https://x")}</style>',
    '<style>@font-face{font-family:a;src:local(x)}</style>',
    '<style>@namespace "https://x";</style>',
    '<style>a{fill:sr<g></g>c("https://x")}',
    '<style xmlns="http://www.w3.org/1999/xhtml">a{}</style>',
    '<set attributeName="href" to="https://x"/>',
    '<![CDATA[<script/>]]>',
    '<?xml-stylesheet href="https://x"?>',
    '<scr<!-- -->ipt/>',
    '<rect onload=alert(1) />',
    '<rect fill="a" onload="x"',
  ]) {
    assert.throws(() => checkLogo(svg(content)), { code: 'VALIDATION_ERROR' }, content);
  }
});

test('refuses a drawing that a browser would read in another encoding', () => {
  // In ISO-2022-JP the comment is two characters of Japanese, and the script is none of it.
  const hidden = '\x1b$B<!--\x1b(B<script>alert(1)</script>\x1b$B-->\x1b(B';
  for (const encoding of ['ISO-2022-JP', 'utf-7', 'GB18030']) {
    const prolog = Buffer.from(`<?xml version="1.0" encoding='${encoding}'?>`);
    assert.throws(
      () => checkLogo(Buffer.concat([prolog, svg(hidden)])),
      { code: 'VALIDATION_ERROR' },
      encoding,
    );
  }
  const old = Buffer.from('<?xml version="1.0" encoding="iso-8859-1"?>');
  assert.equal(checkLogo(Buffer.concat([old, svg('<g/>')])).type, 'image/svg+xml');
});

test('refuses other, large and damaged files', () => {
  const entity = '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg>&x;</svg>';
  const huge = Buffer.from(png);
  huge.writeUInt32BE(2_000, 16);
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.from('<html><svg/></html>'),
    Buffer.from('GIF89a'),
    Buffer.from(entity),
    Buffer.from([0x3c, 0x73, 0x76, 0x67, 0xff]),
    png.subarray(0, 40),
    png.subarray(0, -4),
    huge,
    svg('<path/>'.repeat(2_000)),
  ]) {
    assert.throws(() => checkLogo(bytes), { code: 'VALIDATION_ERROR' });
  }
});
