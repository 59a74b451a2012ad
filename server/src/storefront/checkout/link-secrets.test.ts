import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLinkSecrets } from './link-secrets.ts';

const session = {
  tenantId: '019aa5d4-e0fb-7000-8000-000000000001',
  id: '019aa5d4-e0fb-7000-8000-000000000002',
};
const oldKey = Buffer.alloc(32, 1);
const newKey = Buffer.alloc(32, 2);

test('recognises a link under the key that made it, also while that key is being replaced', () => {
  const before = createLinkSecrets(oldKey);
  const linked = { ...session, linkSecret: before.make(session) };
  assert.equal(linked.linkSecret.length, 16);
  assert.equal(before.isOurs(linked), true);
  assert.equal(createLinkSecrets(newKey, oldKey).isOurs(linked), true);
  assert.equal(createLinkSecrets(newKey).isOurs(linked), false);
});

test('rejects a link of another session, tenant or secret', () => {
  const secrets = createLinkSecrets(oldKey);
  const linked = { ...session, linkSecret: secrets.make(session) };
  const forged = [
    { ...linked, id: session.tenantId },
    { ...linked, tenantId: session.id },
    { ...linked, tenantId: session.id, id: session.tenantId },
    { ...linked, linkSecret: Buffer.alloc(16) },
  ];
  for (const each of forged) assert.equal(secrets.isOurs(each), false);
});
