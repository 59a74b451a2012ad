import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pages } from '../../src/interfaces/console/pages/index.ts';
import { can, roles } from '../../src/tenants/people/permissions.ts';
import { sharedConsole } from '../support/shared-gateway.ts';

test('shows each role exactly the pages of its permissions', async () => {
  const site = await sharedConsole();
  for (const role of roles) {
    const member = await site.signIn(role);
    for (const { path, permission } of pages) {
      const address = path.replace(':id', 'x');
      const { status } = await member.get(address);
      const isAllowed = can(role, permission);
      // Only people who might see the object learn that it does not exist.
      const leadsOn = path === '' && can(role, 'payments.charge');
      const expected = isAllowed ? [200, 303, 404] : [leadsOn ? 303 : 403];
      assert.ok(expected.includes(status), `${role} at ${address}: ${status}`);
    }
  }
});

test('shows pages only to members, and asks strangers to sign in', async () => {
  const site = await sharedConsole();
  const stranger = await fetch(`${site.origin}${site.base}/payments`, { redirect: 'manual' });
  assert.equal(stranger.status, 302);
  assert.match(stranger.headers.get('location')!, /^\/console\/sign-in\?next=%2Fconsole%2Fme_/);
  const member = await site.signIn();
  const other = site.base.replace(/(.)\/test$/, (_, last) => `${last === '0' ? '4' : '0'}/test`);
  assert.equal((await member.get(`${other}/payments`)).status, 404);
});

test('compresses a page unless another site requested it', async () => {
  const site = await sharedConsole();
  const { cookie } = await site.signIn();
  const ask = (siteOfAsker: string) => {
    const headers = { cookie, 'accept-encoding': 'gzip', 'sec-fetch-site': siteOfAsker };
    return fetch(`${site.origin}${site.base}/payments?q=guess`, { headers });
  };
  for (const [asker, packed] of [
    ['same-origin', 'gzip'],
    ['none', 'gzip'],
    ['cross-site', null],
    ['same-site', null],
  ] as const) {
    const answer = await ask(asker);
    assert.equal(answer.headers.get('content-encoding'), packed, asker);
    assert.match(await answer.text(), /<h1>Pagamentos|<h1>Payments/);
  }
});

test('shows a payment in the list, and on its own page', async () => {
  const site = await sharedConsole();
  const payment = await site.gateway.zimbo.payments.create({
    amount: 150_000,
    operator: 'MOCK',
    operatorPhone: '+2389912345',
    externalId: 'order-7<script>',
  });
  const member = await site.signIn('VIEWER');
  const list = await member.get('payments');
  assert.equal(list.status, 200);
  assert.match(list.text, /1,500\.00 CVE/);
  assert.match(list.text, /order-7&lt;script&gt;/);
  assert.ok(!list.text.includes('9912345'), 'a viewer sees no whole phone');
  const page = await member.get(`payments/${payment.id}`);
  assert.match(page.text, new RegExp(payment.id));
});
