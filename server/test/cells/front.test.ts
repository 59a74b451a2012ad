import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { tokenOf } from '../../src/storefront/checkout/link.ts';
import { testCells } from '../support/cells.ts';
import { apiOf, reach } from '../support/gateway.ts';

const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;

test('routes each key to the cell of its merchant, and no other', async (context) => {
  const { zimbos, databases, url, keys } = await testCells(context, ['north', 'south']);
  for (const [cell, zimbo] of Object.entries(zimbos)) {
    const { id } = await zimbo.payments.create(payment);
    await reach(zimbo.payments, id, 'DEBITED');
    for (const [other, database] of Object.entries(databases)) {
      const [row] = await database.query<{ count: number }>({
        text: 'SELECT count(*)::integer AS count FROM payments',
      });
      const made = Object.keys(zimbos).indexOf(other) <= Object.keys(zimbos).indexOf(cell);
      assert.equal(row!.count, made ? 1 : 0, `${other} after ${cell}`);
      assert.deepEqual(await checkLedger(database), []);
    }
  }
  const unknown = await apiOf(url, `sk_test_${'a'.repeat(32)}`)('GET', '/v1/payments');
  assert.equal(unknown.status, 401);
  const wrong = await apiOf(url, `${keys.north}x`)('GET', '/v1/payments');
  assert.equal(wrong.status, 401);
});

test('routes links, receipts and console pages to the cell, too', async (context) => {
  const { zimbos, url } = await testCells(context, ['north']);
  const session = await zimbos.north!.checkout.sessions.create({ amount: 100_000 });
  const page = await fetch(`${url}${new URL(session.url).pathname}`);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /1\.000/);
  const link = await zimbos.north!.paymentLinks.create({ amount: 50_000, description: 'Quota' });
  for (const address of [link.url, link.shortUrl])
    assert.equal((await fetch(`${url}${new URL(address).pathname}`)).status, 200, address);
});

test('limits guesses of links across all cells together', async (context) => {
  const { url, databases } = await testCells(context, ['north'], {
    environment: { RATE_LIMIT_UNAUTHORIZED: '1/20' },
  });
  const links: string[] = [];
  for (const database of Object.values(databases)) {
    const [tenant] = await database.query<{ id: string }>({ text: 'SELECT id FROM tenants' });
    const guess = () =>
      tokenOf({ tenantId: tenant!.id, id: randomUUID(), linkSecret: randomBytes(16) });
    links.push(...Array.from({ length: 40 }, guess));
  }
  const answers = await Promise.all(links.map((link) => fetch(`${url}/pay/${link}`)));
  const looked = answers.filter(({ status }) => status === 404).length;
  // The bucket refills while a busy machine answers; two buckets would hold forty.
  assert.ok(looked >= 20 && looked < 40, `${looked} links were looked up`);
});
