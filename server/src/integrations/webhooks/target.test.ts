import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DomainError } from '../../platform/errors/errors.ts';
import { type AllowPrivate, checkTargetUrl } from './target.ts';

const everywhere: AllowPrivate = { live: true, test: true, isGiven: true };
const nowhere: AllowPrivate = { live: false, test: false, isGiven: false };
const thisMachine: AllowPrivate = { live: false, test: true, isGiven: false };

const refusal = (url: string, mode: 'live' | 'test', allowPrivate = everywhere) => {
  try {
    checkTargetUrl(url, mode, allowPrivate);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'VALIDATION_ERROR') return error.message;
    throw error;
  }
  return undefined;
};

test('returns an acceptable url unchanged', () => {
  const urls = [
    'http://localhost:3000/webhooks',
    'http://127.0.0.1/',
    'http://[::1]:8080/hook',
    'HTTPS://Shop.Example/Path?x=1&x=2#part',
    'https://shop.example',
    'https://loja.são-vicente.example/ganchos',
    `https://shop.example/${'a'.repeat(2048 - 'https://shop.example/'.length)}`,
  ];
  for (const url of urls) assert.equal(checkTargetUrl(url, 'test', everywhere), url);
});

test('requires https for a live endpoint', () => {
  assert.equal(refusal('https://shop.example/', 'live'), undefined);
  assert.match(refusal('http://shop.example/', 'live') ?? '', /^url must start with https:\/\//);
});

test('rejects anything else in words that name the field and the rule', () => {
  const refused: [url: string, message: RegExp][] = [
    ['', /^url must start with http/],
    ['/webhooks', /^url must start with http/],
    ['shop.example/webhooks', /^url must start with http/],
    ['//shop.example', /^url must start with http/],
    ['http:shop.example', /^url must start with http/],
    ['http:\\\\shop.example', /^url must start with http/],
    ['ftp://shop.example/', /^url must start with http/],
    ['file:///etc/passwd', /^url must start with http/],
    ['javascript:alert(1)', /^url must start with http/],
    ['http://', /^url must be a valid address/],
    ['http://shop.example:99999/', /^url must be a valid address/],
    ['http://256.256.256.256/', /^url must be a valid address/],
    ['http://[::1/', /^url must be a valid address/],
    ['http://ann@shop.example/', /^url must not contain a user name/],
    ['http://ann:secret@shop.example/', /^url must not contain a user name/],
    ['http://:secret@shop.example/', /^url must not contain a user name/],
    [' http://shop.example/', /^url must not contain spaces/],
    ['http://shop.example/\n', /^url must not contain spaces/],
    ['http://shop\t.example/', /^url must not contain spaces/],
    ['http://shop.example/a b', /^url must not contain spaces/],
    ['http://shop.example/\0', /^url must not contain spaces/],
    ['http://shop.example/\ud800', /^url must not contain spaces/],
    [`https://shop.example/${'a'.repeat(2028)}`, /^url must be at most 2048 characters/],
  ];
  for (const [url, message] of refused) assert.match(refusal(url, 'test') ?? 'accepted', message);
});

const loopback = [
  'http://localhost/',
  'http://LocalHost.:3000/',
  'http://shop.localhost/',
  'http://127.1.2.3/',
  'http://2130706433/',
  'http://0x7f.1/',
  'http://[::1]/',
];
const elsewhere = [
  'http://10.0.0.5/',
  'http://192.168.1.1:8080/hook',
  'http://169.254.169.254/latest/meta-data',
  'http://0.0.0.0/',
  'http://[fd00::1]/',
  'http://[::ffff:10.0.0.5]/',
  'http://[64:ff9b::a00:5]/',
];
const outside = ['https://shop.example/', 'https://8.8.8.8/', 'https://localhost.example/'];
const notPublic = /^url must lead to a public address: set WEBHOOK_ALLOW_PRIVATE=true/;

test('rejects a private address if deliveries to it are forbidden, and accepts any name', () => {
  for (const url of [...loopback, ...elsewhere]) {
    assert.match(refusal(url, 'test', nowhere) ?? url, notPublic);
    const live = url.replace('http:', 'https:');
    assert.match(refusal(live, 'live', thisMachine) ?? url, notPublic);
    assert.equal(refusal(url, 'test'), undefined, url);
  }
  for (const url of outside) assert.equal(refusal(url, 'live', nowhere), undefined, url);
});

test('allows test endpoints on this machine, and nowhere else in a private network, without the setting', () => {
  for (const url of loopback) assert.equal(refusal(url, 'test', thisMachine), undefined, url);
  for (const url of elsewhere) assert.match(refusal(url, 'test', thisMachine) ?? url, notPublic);
});
