/** Staff see what merchants take in, and who changed a bank account. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatId } from '../../src/platform/values/ids.ts';
import { testConsole } from '../support/console.ts';
import { reach } from '../support/gateway.ts';

const plain = (text: string) => text.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

test('sums the volume of today, 7 and 30 days by currency, and lists the largest merchants', async (context) => {
  const site = await testConsole(context);
  const { zimbo } = site.gateway;
  for (const amount of [150_000, 50_000]) {
    const order = { amount, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
    const { id } = await zimbo.payments.create(order);
    await reach(zimbo.payments, id, 'DEBITED');
  }
  const admin = await site.signInStaff();
  const { text } = await admin.get('?mode=test');
  const all = '2,000\\.00 CVE';
  assert.match(plain(text), new RegExp(`CVE ${all} ${all} ${all}`));
  assert.match(plain(text), new RegExp(`Loja de teste ${all} ${all} ${all}`));
  assert.match(plain((await admin.get('')).text), /No payments in the last thirty days/);
});

test('answers who changed a bank account in three clicks', async (context) => {
  const site = await testConsole(context);
  const admin = await site.signInStaff();
  const page = `merchants/${formatId('me', site.merchantId)}`;
  const account = { currency: 'CVE', accountNumber: 'CV64000500000020108215144', holder: 'Loja' };
  const { location } = await admin.send(page, { action: 'bank-account', ...account });
  assert.match(location!, /done=accountChanged/);
  const list = (await admin.get('merchants')).text;
  assert.ok(list.includes(page), 'the first click');
  const [, address] = /<a href="([^"]*audit[^"]*)">Who changed this account\?/.exec(
    (await admin.get(page)).text,
  )!;
  const { text } = await admin.get(address!.replaceAll('&amp;', '&'));
  assert.match(plain(text), /Maria Lopes .*Bank account changed/);
  assert.match(text, /list="action-choices"/);
  const typed = await admin.get('audit?action=bank%20account%20CHANGED');
  assert.match(plain(typed.text), /Maria Lopes .*Bank account changed/);
  assert.match(typed.text, /value="bank account CHANGED"|value="Bank account changed"/);
});
