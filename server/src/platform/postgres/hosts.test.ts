import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addressOf } from './address.ts';
import { isDatabaseUrl, urlsOf } from './hosts.ts';
import { plaintextHost } from './plaintext-host.ts';

test('keeps a URL with one host', () => {
  for (const url of [
    'postgres://zimbo:x@db/zimbo',
    'postgres:///zimbo?host=/run/postgresql&port=5433',
    'postgres://zimbo@[::1]:5433/zimbo?target_session_attrs=any',
    'postgresql://zimbo:a%2Cb@db/zimbo?options=-c%20search_path%3Da,b',
  ]) {
    assert.deepEqual(urlsOf(url), [url]);
    assert.ok(isDatabaseUrl(url), url);
  }
});

test('splits several hosts, each with its own port and the same user, database and parameters', () => {
  assert.deepEqual(urlsOf('postgres://zimbo:p%40w@a:5433,b.internal,[fd00::1]:5434/zimbo?x=1'), [
    'postgres://zimbo:p%40w@a:5433/zimbo?x=1',
    'postgres://zimbo:p%40w@b.internal:5432/zimbo?x=1',
    'postgres://zimbo:p%40w@[fd00::1]:5434/zimbo?x=1',
  ]);
  assert.deepEqual(urlsOf('postgresql://a,b/z'), [
    'postgresql://a:5432/z',
    'postgresql://b:5432/z',
  ]);
});

test('accepts several hosts only to find the one that takes writes', () => {
  const isTaken = (target: string) =>
    isDatabaseUrl(`postgres://z@a,b/zimbo?target_session_attrs=${target}`);
  for (const target of ['read-write', 'primary']) assert.ok(isTaken(target), target);
  for (const target of ['any', 'standby', 'read-only', 'prefer-standby', 'READ', ''])
    assert.ok(!isTaken(target), target);
});

test('refuses hosts that are malformed, too many, or named in two places', () => {
  const isTaken = (hosts: string, parameters = '') =>
    isDatabaseUrl(`postgres://zimbo:x@${hosts}/zimbo${parameters}`);
  for (const hosts of [
    'a,',
    ',a',
    'a,,b',
    'a:0,b',
    'a:65536,b',
    'a:x,b',
    'a b,c',
    'fd00::1,b',
    'a,[b',
  ])
    assert.ok(!isTaken(hosts), hosts);
  assert.ok(isTaken('a,b,c,d,e,f,g,h'));
  assert.ok(!isTaken('a,b,c,d,e,f,g,h,i'));
  for (const name of ['host=c', 'hostaddr=10.0.0.1', 'port=5433'])
    assert.ok(!isTaken('a,b', `?${name}`), name);
});

test('shows all hosts without user and password', () => {
  const url = 'postgres://zimbo:hunter2@a:5433,b/zimbo?sslmode=require';
  assert.equal(addressOf(url), 'a:5433,b:5432/zimbo');
  assert.equal(addressOf('postgres://zimbo:hunter2@db/zimbo'), 'db/zimbo');
});

test('reports a plaintext host among several', () => {
  assert.equal(plaintextHost('postgres://zimbo@localhost,db.internal/zimbo'), 'db.internal');
  assert.equal(plaintextHost('postgres://zimbo@a,b/zimbo?sslmode=verify-full'), undefined);
});
