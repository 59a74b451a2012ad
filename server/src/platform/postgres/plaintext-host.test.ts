import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plaintextHost } from './plaintext-host.ts';

test('reports a database on another machine without TLS', () => {
  assert.equal(plaintextHost('postgres://zimbo:x@db.internal/zimbo'), 'db.internal');
  assert.equal(plaintextHost('postgres://zimbo@10.0.0.5:5433/zimbo'), '10.0.0.5');
  assert.equal(plaintextHost('postgres://zimbo@localhost/zimbo?host=db.internal'), 'db.internal');
  assert.equal(plaintextHost('postgres://zimbo@db.internal/zimbo?sslmode='), 'db.internal');
});

test('accepts a local database, TLS, or TLS that is disabled explicitly', () => {
  for (const url of [
    'postgres://zimbo@localhost/zimbo',
    'postgres://zimbo@127.0.0.1:5432/zimbo',
    'postgres://zimbo@[::1]/zimbo',
    'postgres://zimbo@localhost/zimbo?host=/run/postgresql',
    'postgres://zimbo@db.internal/zimbo?sslmode=verify-full',
    'postgres://zimbo@db.internal/zimbo?sslmode=disable',
  ]) {
    assert.equal(plaintextHost(url), undefined, url);
  }
});
