import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkReturnUrl, longestUrl, shownUrl, withSessionId } from './return-url.ts';

test('accepts addresses of shops and apps', () => {
  for (const url of [
    'http://a',
    'https://shop.cv/a b',
    'app:done',
    'app://x/y',
    'cv.shop.app://x',
    'msauth://x',
    'tel:+2389912345',
    'shortcut-shop://x',
    'preferredshop://x',
  ]) {
    assert.doesNotThrow(() => checkReturnUrl('returnUrl', url), url);
  }
});

test('rejects addresses that are relative, run as code or hold a password', () => {
  const bad = ['', '/a', 'shop.cv', 'http://', 'https://a@b', 'app://a:b@c']
    .concat(['javascript:x', '\tjavascript:x', 'java\nscript:x', 'DATA:x', 'vbscript:x'])
    .concat(['file:///x', 'blob:https://x', 'filesystem:https://x/y', 'about:blank'])
    .concat(['ms-msdt:/id PCWDiagnostic', 'MS-Word:ofe|u|https://x', 'ms-settings:', ' \tms-cxh:x'])
    .concat(['search-ms:query=x', 'sea\nrch:x', 'chrome://settings', 'chrome-extension://x/y'])
    .concat(['moz-extension://x', 'safari-web-extension://x', 'resource://x', 'edge://x'])
    .concat(['jar:https://x!/y', 'feed:https://x', 'view-source:https://x', '\u0001view-source:x'])
    .concat(['applescript://x', 'shortcuts://x', 'itms-appss://x', 'itms-apps:x', 'itms:x'])
    .concat(['windowsdefender:', 'calculator:', 'bingmaps:?q=x', 'devtools://x', 'cmd:x'])
    .concat(['prefs:root=x', 'App-prefs:x', 'x-apple.systempreferences:x', 'x-apple-tv:x'])
    .concat(['powershell:x', 'cifs://x/y', 'rlogin://x', 'tn3270://x', 'ldapi:///x', 'ldaps://x'])
    .concat(['gopher://x', 'finger://x', 'feeds:x', 'microsoft-edge:x', 'svn+ssh://x', 'scp://x'])
    .concat(['intent://x#Intent;end', 'INTENT:x', 'android-app://x', 'smb://x/y', 'wss://x']);
  for (const url of bad) {
    assert.throws(() => checkReturnUrl('returnUrl', url), /^DomainError: returnUrl /, url);
  }
});

test('appends the id of the session to the query, which otherwise stays as it is', () => {
  const appended = {
    'https://a': 'https://a/?session_id=cs_1',
    'https://a/?': 'https://a/?session_id=cs_1',
    'https://a/?b=%20c+d#e?f': 'https://a/?b=%20c+d&session_id=cs_1#e?f',
    'app:done': 'app:done?session_id=cs_1',
    'https://a/?session_id=1': 'https://a/?session_id=cs_1',
    'https://a/?session_id=1&b=%20c+d&session_id=&&x#e': 'https://a/?b=%20c+d&&x&session_id=cs_1#e',
    'https://a/?a&session%5Fid=1': 'https://a/?a&session_id=cs_1',
    'https://a/?my_session_id=1': 'https://a/?my_session_id=1&session_id=cs_1',
  };
  for (const [url, expected] of Object.entries(appended)) {
    assert.equal(withSessionId(url, 'cs_1'), expected);
  }
});

test('allows at most 2,048 characters, and does not show an older, longer address', () => {
  const longest = `https://a/${'x'.repeat(longestUrl - 'https://a/'.length)}`;
  assert.equal(longest.length, 2_048);
  assert.doesNotThrow(() => checkReturnUrl('returnUrl', longest));
  assert.equal(shownUrl(longest), longest);
  for (const longer of [`${longest}x`, `https://a/?${'&'.repeat(1_000_000)}`, '🐚'.repeat(1_500)]) {
    assert.throws(
      () => checkReturnUrl('completionUrl', longer),
      /^DomainError: completionUrl must not be longer than 2048 characters/,
    );
    assert.equal(shownUrl(longer), null);
  }
  assert.equal(shownUrl(null), null);
});

test('decodes only parameters that may be the id of the session', (context) => {
  const decoded = context.mock.method(URLSearchParams.prototype, 'has');
  withSessionId(`https://a/?${'&a=session_id'.repeat(150)}`, 'cs_1');
  assert.equal(decoded.mock.callCount(), 0);
});
