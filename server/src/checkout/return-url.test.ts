import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkReturnUrl, withSessionId } from './return-url.ts';

test('addresses of shops and apps are fine', () => {
  for (const url of ['http://a', 'https://shop.cv/a b', 'app:done', 'app://x/y', 'intent://x#y']) {
    assert.doesNotThrow(() => checkReturnUrl('returnUrl', url), url);
  }
});

test('what is relative, runs as code or holds a password is refused', () => {
  const bad = ['', '/a', 'shop.cv', 'http://', 'https://a@b', 'app://a:b@c']
    .concat(['javascript:x', '\tjavascript:x', 'java\nscript:x', 'DATA:x', 'vbscript:x'])
    .concat(['file:///x', 'blob:https://x']);
  for (const url of bad) {
    assert.throws(() => checkReturnUrl('returnUrl', url), /^DomainError: returnUrl /, url);
  }
});

test('the id of the session is appended to the query, which else stays as it is', () => {
  const appended = {
    'https://a': 'https://a/?session_id=cs_1',
    'https://a/?': 'https://a/?session_id=cs_1',
    'https://a/?b=%20c+d#e?f': 'https://a/?b=%20c+d&session_id=cs_1#e?f',
    'app:done': 'app:done?session_id=cs_1',
  };
  for (const [url, expected] of Object.entries(appended)) {
    assert.equal(withSessionId(url, 'cs_1'), expected);
  }
});
