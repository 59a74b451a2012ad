import assert from 'node:assert/strict';
import { test } from 'node:test';
import { confirmPhone, poorPhone } from '../support/checkout.ts';
import { testConsole } from '../support/console.ts';
import { reach } from '../support/gateway.ts';

const payment = { amount: 150_000, operator: 'MOCK' } as const;
const periods = [1, 7, 30, 90];

test('shows totals, failure reasons and lists on the home page', async (context) => {
  const site = await testConsole(context);
  const { zimbo, database } = site.gateway;
  const member = await site.signIn();
  const before = await member.get(site.base);
  assert.match(before.text, /No payments in this period/);
  for (const operatorPhone of ['+2389912345', '+2389912346', poorPhone]) {
    const { id } = await zimbo.payments.create({ ...payment, operatorPhone });
    await reach(zimbo.payments, id, operatorPhone === poorPhone ? 'FAILED' : 'DEBITED');
  }
  await zimbo.payments.create({ ...payment, operatorPhone: confirmPhone });
  // One payment was five days ago as well.
  await database.query({
    text: `INSERT INTO payment_total_deltas SELECT tenant_id, date_trunc('hour', clock_timestamp()) - INTERVAL '5 days',
      'MOCK', 'CVE', 'SUCCEEDED', '', 3, 1, 100000, 0 FROM payments LIMIT 1`,
  });
  for (const days of periods) {
    const { status, text } = await member.get(`${site.base}?days=${days}`);
    assert.equal(status, 200);
    assert.match(text, days === 1 ? /3,000\.00 CVE/ : /4,000\.00 CVE/, `${days} days`);
    assert.match(text, days === 1 ? /66\.7%/ : /75%/);
    assert.match(text, /did not have enough balance/);
    assert.match(text, /role="img" aria-label="Received per (day|hour), in CVE"/);
    assert.match(text, /Available balance.*Next payout/s);
  }
  const csv = await member.get(`${site.base}?days=7&csv=CVE`);
  assert.match(csv.headers.get('content-disposition')!, /zimbo-CVE-7\.csv/);
  assert.match(csv.text, /^from,currency,volume,.*,CVE,1000\.00,.*,CVE,3000\.00,/s);
  for (const odd of ['?days=8', '?csv=__proto__', '?days=90&csv=<script>'])
    assert.equal((await member.get(`${site.base}${odd}`)).status, 200);
  const support = await (await site.signIn('SUPPORT')).get(site.base);
  assert.ok(!support.text.includes('Available balance'), 'support sees no money');
});

test('shows open work on the home page to people who may see it', async (context) => {
  const site = await testConsole(context);
  const { zimbo, database } = site.gateway;
  const { id } = await zimbo.payments.create({ ...payment, operatorPhone: confirmPhone });
  const hook = { url: 'http://127.0.0.1:9/?x=<img>', events: ['payment.debited' as const] };
  await zimbo.webhooks.create(hook);
  await database.query({
    text: `INSERT INTO review_items (tenant_id, id, kind, subject_kind, subject_id, operator, detail, created_at)
      SELECT tenant_id, gen_random_uuid(), 'CONTRADICTION', 'PAYMENT', id, operator, '{}', now() FROM payments`,
  });
  await database.query({
    text: `UPDATE webhook_endpoints SET status = 'DISABLED', disabled_reason = 'GONE'`,
  });
  const owner = await (await site.signIn()).get(site.base);
  assert.match(owner.text, /Needs attention/);
  assert.ok(owner.text.includes(`payments/${id}"`));
  assert.match(
    owner.text,
    /A webhook endpoint was disabled:<\/a> <bdi>http:\/\/127\.0\.0\.1:9\/\?x=/,
  );
  assert.ok(!owner.text.includes('<img>'));
  const support = await (await site.signIn('SUPPORT')).get(site.base);
  assert.match(support.text, /contradicts our records/);
  assert.ok(!support.text.includes('webhook endpoint was disabled'));
});
