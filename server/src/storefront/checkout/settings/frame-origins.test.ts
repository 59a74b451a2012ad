import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkFrameOrigins } from './frame-origins.ts';

test('writes origins as browsers do, each once', () => {
  const given = [
    'https://Shop.CV/',
    'https://shop.cv:443',
    'https://shop.cv:8443',
    'https://café.cv',
    'https://shop.cv',
  ];
  const origins = ['https://shop.cv', 'https://shop.cv:8443', 'https://xn--caf-dma.cv'];
  assert.deepEqual(checkFrameOrigins(given, 'live'), origins);
  assert.deepEqual(checkFrameOrigins([], 'live'), []);
});

test('lets http on the own machine frame test pages only', () => {
  const local = ['http://localhost:8080', 'http://127.0.0.1:4500', 'http://shop.localhost'];
  assert.deepEqual(checkFrameOrigins(local, 'test'), local);
  for (const origin of local) assert.throws(() => checkFrameOrigins([origin], 'live'), /https/);
});

/** Each would allow more than one site, or be ignored by browsers, or change the header that it stands in. */
const refused = [
  '*',
  'https://*',
  'https://*.shop.cv',
  "'self'",
  "https://'self'",
  'https://shop.cv;script-src',
  'https://shop.cv,https://other.cv',
  'https://shop.cv https://other.cv',
  'https://shop.cv/cart',
  'https://shop.cv?',
  'https://shop.cv#',
  'https://maria@shop.cv',
  'https://shop.cv.',
  'https://',
  'https:',
  'shop.cv',
  '//shop.cv',
  'null',
  '',
  'http://shop.cv',
  'http://192.168.1.5:8080',
  'http://localhost.shop.cv',
  'http://[::1]:8080',
  'https://[::1]',
  'data:text/html,x',
  'javascript:alert(1)',
  'file:///srv/shop.html',
  'blob:https://shop.cv/1',
  `https://${'a.'.repeat(200)}cv`,
];

test('names the entry that is no origin of one site', () => {
  for (const mode of ['live', 'test'] as const) {
    for (const text of refused) {
      const refusal = { code: 'VALIDATION_ERROR', param: 'frameOrigins[1]' };
      assert.throws(() => checkFrameOrigins(['https://shop.cv', text], mode), refusal, text);
    }
  }
});

test('takes twenty sites', () => {
  const many = Array.from({ length: 21 }, (_, index) => `https://shop-${index}.cv`);
  assert.equal(checkFrameOrigins(many.slice(1), 'live').length, 20);
  assert.throws(() => checkFrameOrigins(many, 'live'), /frameOrigins must have at most 20 origins/);
});
