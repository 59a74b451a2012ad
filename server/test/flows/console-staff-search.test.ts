/** The staff's search finds what people name on the telephone, of any merchant, and leads to its page. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../src/platform/process/clock.ts';
import {
  firstUuidAt,
  formatId,
  parseId,
  randomIds,
  shortReference,
} from '../../src/platform/values/ids.ts';
import { inviteByQr } from '../../src/tenants/people/invitations.ts';
import { openSession, pageOf, reachPayment } from '../support/checkout.ts';
import { type Member, testConsole } from '../support/console.ts';
import { reach, testMerchant } from '../support/gateway.ts';

const find = (staff: Member, typed: string) => staff.get(`payments?q=${encodeURIComponent(typed)}`);

/** A page of staff that a search leads to, by redirect or by a link. */
async function leadsTo(staff: Member, typed: string, page: string): Promise<void> {
  const { location, text, status } = await find(staff, typed);
  assert.ok([200, 303].includes(status), `${typed}: ${status}`);
  const isThere = location?.endsWith(`/${page}`) || new RegExp(`href="[^"]*/${page}"`).test(text);
  assert.ok(isThere, `${typed} leads to ${page}`);
}

async function setUp(context: TestContext) {
  const site = await testConsole(context);
  const { api, zimbo, database } = site.gateway;
  const order = { amount: 5_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
  const payment = await zimbo.payments.create({ ...order, externalId: 'Enc. 17/ç' });
  await reach(zimbo.payments, payment.id, 'DEBITED');
  const made = async (path: string, body: object) =>
    (await api('POST', path, body)).body.id as string;
  return {
    site,
    database,
    zimbo,
    made,
    payment,
    merchant: `merchants/${formatId('me', site.merchantId)}`,
    admin: await site.signInStaff('OPERATIONS'),
  };
}

test('leads from any id to the page of its object, or of its merchant', async (context) => {
  const { site, admin, zimbo, made, payment, merchant } = await setUp(context);
  const refund = await zimbo.refunds.create({ paymentIntentId: payment.id, amount: 100 });
  await reach(zimbo.refunds, refund.id, 'SUCCEEDED');
  await leadsTo(admin, refund.id, `payments/${payment.id}`);
  const transaction = (await zimbo.refunds.get(refund.id)).operatorRefundId!;
  await leadsTo(admin, transaction, `payments/${payment.id}`);
  const settlement = await made('/v1/settlements/process', {});
  await leadsTo(admin, settlement.toUpperCase(), `settlements/${settlement}`);
  await leadsTo(admin, settlement.replace('_', '-'), `settlements/${settlement}`);
  const ofMerchant = [
    (await openSession(site.gateway)).id,
    await made('/v1/payment-links', { description: 'Quota', amount: 500 }),
    await made('/v1/products', { name: 'Café', price: 100 }),
    await made('/v1/webhooks', { url: 'https://shop.cv/hook', events: ['payment.created'] }),
    (await site.gateway.api('GET', '/v1/events?limit=1')).body.data[0].id as string,
  ];
  for (const id of ofMerchant) {
    await leadsTo(admin, id, merchant);
    await leadsTo(admin, ` ${id.toUpperCase()} `, merchant);
    await leadsTo(admin, id.replace(/^\w+_/, ''), merchant);
  }
  const unknown = ofMerchant[1]!.replace(/.{4}$/, '0000');
  assert.match((await find(admin, unknown)).text, /Nothing has this/);
  const account = `https://pay.example.cv/console/me/live/links/${ofMerchant[0]}?x=1`;
  await leadsTo(admin, account, merchant);
});

test('finds payments by phone in any spelling, for staff who may see phones', async (context) => {
  const { site, admin, payment } = await setUp(context);
  const spellings = ['+238 991 23 45', '00238-991-23-45', '2389912345', '991 23 45', '(991) 2345'];
  for (const typed of spellings) await leadsTo(admin, typed, `payments/${payment.id}`);
  for (const role of ['FINANCE', 'AUDITOR'] as const) {
    const staff = await site.signInStaff(role);
    for (const typed of spellings) {
      const { text, status } = await find(staff, typed);
      assert.equal(status, 200);
      assert.ok(!text.includes(payment.id), `${role} ${typed}`);
      assert.match(text, /Your role does not see phone numbers/);
    }
  }
});

test('finds payments by order, and payouts by the bank’s reference', async (context) => {
  const { admin, payment, made, database } = await setUp(context);
  await leadsTo(admin, ' Enc. 17/ç ', `payments/${payment.id}`);
  const settlement = await made('/v1/settlements/process', {});
  const text = "UPDATE settlements SET bank_reference = 'BCA-77/Z' WHERE id = $1";
  await database.query({ text }, [parseId('se', settlement)!]);
  for (const typed of ['BCA-77/Z', 'bca-77/z'])
    await leadsTo(admin, typed, `settlements/${settlement}`);
});

test('finds a payment by the short reference on its receipt, as people type it', async (context) => {
  const { admin, payment, database } = await setUp(context);
  const id = parseId('pi', payment.id)!;
  const reference = shortReference(id);
  const typed = [reference, reference.toLowerCase().replace(' ', ''), reference.replace(' ', '-')];
  for (const each of typed) await leadsTo(admin, each, `payments/${payment.id}`);
  // As old as a payment can be that anyone still asks about.
  const older = id.replace(/^.{13}/, firstUuidAt(Date.now() - 3 * 31_536_000_000).slice(0, 13));
  await database.query({ text: 'UPDATE payments SET id = $2 WHERE id = $1' }, [id, older]);
  await leadsTo(admin, reference, `payments/${formatId('pi', older)}`);
  assert.match((await find(admin, 'ZZZZ ZZZZ')).text, /Nothing has this/);
});

test('leads from the number of a statement of fees to its merchant', async (context) => {
  const { site, admin, merchant, database } = await setUp(context);
  const code = formatId('me', site.merchantId).slice(-10).toUpperCase();
  const number = `TEST-FEES-2026-01-CVE-${code}`;
  const tenantText = "SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'test'";
  const [tenant] = await database.query<{ id: string }>({ text: tenantText }, [site.merchantId]);
  await database.query(
    {
      text: `
INSERT INTO fee_statements (tenant_id, month, currency, number, content, issued_at)
VALUES ($1, '2026-01', 'CVE', $2, '{}', now())`,
    },
    [tenant!.id, number],
  );
  await leadsTo(admin, number, merchant);
  await leadsTo(admin, ` ${number.toLowerCase()}`, merchant);
  for (const unknown of [number.replace('-01-', '-02-'), number.replace('TEST-', '')])
    assert.match((await find(admin, unknown)).text, /Nothing has this/);
});

test('leads from an order to the merchant of its link that nobody has paid', async (context) => {
  const { site, admin, merchant, payment } = await setUp(context);
  const session = await openSession(site.gateway, { externalId: 'Enc. 99' });
  await leadsTo(admin, ' Enc. 99 ', merchant);
  assert.ok((await find(admin, 'Enc. 99')).text.includes(session.id));
  assert.match((await find(admin, 'Enc. 9')).text, /Nothing has this/);
  const { id } = await openSession(site.gateway, { externalId: 'Enc. 17/ç' });
  const { text } = await find(admin, 'Enc. 17/ç');
  for (const each of [payment.id, id]) assert.ok(text.includes(each));
  const paid = await openSession(site.gateway, { externalId: 'Enc. 100' });
  await pageOf(site.gateway, paid).pay('+2389912345');
  await reachPayment(site.gateway, paid, 'DEBITED');
  assert.ok(!(await find(admin, 'Enc. 100')).text.includes(paid.id), 'its payment says it');
});

test('finds merchants by name, and by the e-mail of a member in any case', async (context) => {
  const { site, admin, merchant, database } = await setUp(context);
  const owner = await site.signIn('OWNER');
  const [person] = await database.query<{ email: string }>(
    { text: 'SELECT email FROM people WHERE id = $1' },
    [owner.personId],
  );
  const { merchantId } = await testMerchant(database);
  await leadsTo(admin, 'loja de', merchant);
  await leadsTo(admin, person!.email.toUpperCase(), merchant);
  await leadsTo(admin, formatId('pe', owner.personId), merchant);
  const { text } = await find(admin, person!.email);
  assert.ok(!text.includes(formatId('me', merchantId)), 'a merchant of others');
  assert.match((await find(admin, 'nobody@loja.cv')).text, /Nothing has this/);
  // An open invitation by QR code has no e-mail to find.
  const author = { clock: systemClock, ids: randomIds(), actor: 'cli:maria', origin: 'praia-1' };
  await inviteByQr({ database, ...author }, { merchantId: site.merchantId });
  assert.match((await find(admin, '@')).text, /Nothing has this/);
});

test('searches from every page of staff, and copes with any text', async (context) => {
  const { admin } = await setUp(context);
  for (const page of ['', 'merchants', 'settlements', 'payments'])
    assert.match(
      (await admin.get(page)).text,
      /<form class="search" role="search" aria-label="Search[^"]*" action="[^"]*\/staff\/payments"/,
    );
  for (const typed of ['\0', 'x'.repeat(400), '%', "'; --", 'me_', 'se_zzz', '•'])
    assert.equal((await find(admin, typed)).status, 200, typed);
});
