import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DomainError } from '../errors.ts';
import { checkTargetUrl } from './target.ts';

const refusal = (url: string, mode: 'live' | 'test') => {
  try {
    checkTargetUrl(url, mode);
  } catch (error) {
    if (error instanceof DomainError && error.code === 'VALIDATION_ERROR') return error.message;
    throw error;
  }
  return undefined;
};

test('an acceptable url is returned to the letter', () => {
  const urls = [
    'http://localhost:3000/webhooks',
    'http://127.0.0.1/',
    'http://[::1]:8080/hook',
    'HTTPS://Shop.Example/Path?x=1&x=2#part',
    'https://shop.example',
    'https://loja.são-vicente.example/ganchos',
    `https://shop.example/${'a'.repeat(2048 - 'https://shop.example/'.length)}`,
  ];
  for (const url of urls) assert.equal(checkTargetUrl(url, 'test'), url);
});

test('a live endpoint must be https', () => {
  assert.equal(checkTargetUrl('https://shop.example/', 'live'), 'https://shop.example/');
  assert.match(refusal('http://shop.example/', 'live') ?? '', /^url must start with https:\/\//);
});

test('anything else is refused with words that name the field and the rule', () => {
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
