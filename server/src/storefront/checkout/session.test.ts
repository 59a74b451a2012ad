import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CheckoutSession, firstItems, sessionJson, sessionView } from './session.ts';

const session: CheckoutSession = {
  tenantId: '0197b1e0-7c1a-7000-8000-000000000001',
  id: '0197b1e0-7c1a-7000-8000-000000000002',
  version: 1,
  status: 'OPEN',
  amountMinor: 5n,
  currency: 'CVE',
  items: '[{"name":"a \\"metadata\\":null"}]',
  externalId: '"metadata":null',
  customerId: '","items":[],"metadata":null,"',
  description: '"items":[]',
  returnUrl: null,
  completionUrl: null,
  metadata: '{"items":[],"metadata":null,"$&":"$1"}',
  linkSecret: Buffer.alloc(16),
  latestPaymentId: null,
  attemptInFlight: false,
  attemptCount: 0,
  requestHash: null,
  createdByKey: null,
  rendering: 3,
  expiresAtMs: 0,
  createdAtMs: 0,
  updatedAtMs: 0,
};

test('writes a session as JSON identical to its view, to the byte, for any content', () => {
  for (const given of [
    {},
    { metadata: null },
    { items: '[]' },
    { customerId: null },
    { externalId: null },
  ]) {
    const one = { ...session, ...given };
    const expected = JSON.stringify(sessionView(one, 'https://pay.example'));
    assert.equal(sessionJson(one, 'https://pay.example'), expected);
  }
});

test('reads only whole items of a truncated text', () => {
  const item = (id: string, name: string) => ({ id: `ci_${id}`, name });
  const items = [item('1', 'Café'), item('2', '},{"id":"ci_'), item('3', '"}]')];
  const text = JSON.stringify(items);
  assert.deepEqual(firstItems(text, false), items);
  const found = new Set<number>();
  for (let length = 0; length < text.length; length++) {
    const first = firstItems(text.slice(0, length), true);
    assert.deepEqual(first, items.slice(0, first.length));
    found.add(first.length);
  }
  assert.deepEqual([...found], [0, 1, 2]);
});
