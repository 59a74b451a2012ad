/** Staff actions on merchants, over HTTP. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { systemClock } from '../../src/platform/process/clock.ts';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import { standardTerms } from '../../src/platform/values/merchant-terms.ts';
import { findTerms } from '../../src/tenants/merchants/change-terms.ts';
import { createMerchant } from '../../src/tenants/merchants/create-merchant.ts';
import { issueKey } from '../../src/tenants/merchants/keys.ts';
import { type Member, testConsole } from '../support/console.ts';
import { apiOf, reach } from '../support/gateway.ts';
import { fetchOfCell } from '../support/staff-browser.ts';
import { hiddenValue } from '../support/stranger.ts';

async function setUp(context: TestContext) {
  const site = await testConsole(context);
  const admin = await site.signInStaff('OPERATIONS');
  const id = formatId('me', site.merchantId);
  const { database } = site.gateway;
  const author = { clock: systemClock, ids: randomIds(), actor: 'cli:maria', origin: 'praia-1' };
  return { ...site, site, admin, id, database, dependencies: { database, ...author } };
}

const lastRecord = async ({ database }: Awaited<ReturnType<typeof setUp>>, action: string) => {
  const text =
    'SELECT actor, subject FROM audit_records WHERE action = $1 ORDER BY id DESC LIMIT 1';
  return (await database.query<{ actor: string; subject: string }>({ text }, [action]))[0];
};

test('creates a merchant once, with a page', async (context) => {
  const world = await setUp(context);
  const { admin, database } = world;
  const key = hiddenValue((await admin.get('merchants')).text, 'key');
  const fields = { action: 'create', name: 'Loja <script>alert(1)</script>', key };
  const [one, other] = await Promise.all([
    admin.send('merchants', fields),
    admin.send('merchants', fields),
  ]);
  assert.equal(one.location, other.location);
  const text = "SELECT FROM merchants WHERE name LIKE 'Loja <%'";
  assert.equal((await database.query({ text })).length, 1);
  const page = await admin.get(one.location!);
  assert.match(page.text, /Loja &lt;script&gt;/);
  assert.doesNotMatch(page.text, /<script>alert/);
  const nameless = await admin.send('merchants', { ...fields, name: ' ' });
  assert.deepEqual([nameless.status, /1 to 255 characters/.test(nameless.text)], [400, true]);
  const record = await lastRecord(world, 'merchant.created');
  assert.equal(record!.actor, `person:${formatId('pe', admin.personId)}`);
});

test("shows figures, balance, keys and people on a merchant's page", async (context) => {
  const { admin, id, site, gateway } = await setUp(context);
  const owner = await site.signIn('OWNER');
  const wanted = { amount: 150_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
  const payment = await gateway.zimbo.payments.create(wanted);
  await reach(gateway.zimbo.payments, payment.id, 'DEBITED');
  const { text } = await admin.get(`merchants/${id}`);
  assert.match(text, /1,500\.00 CVE/);
  assert.match(text, new RegExp(`sk_test_…${gateway.key.slice(-4)}`));
  assert.doesNotMatch(text, new RegExp(gateway.key));
  assert.match(text, /owner\.[\w-]+@loja\.cv/);
  assert.ok(owner);
  assert.equal((await admin.get('merchants/me_7ywvpj2a5b8vkanqtsfxxwnkf0')).status, 404);
});

test("creates, shows once and revokes a key, but not another merchant's", async (context) => {
  const { admin, id, gateway, dependencies } = await setUp(context);
  const page = `merchants/${id}`;
  const once = hiddenValue((await admin.get(page)).text, 'once');
  const made = await admin.send(page, { action: 'key', mode: 'test', label: 'caixa 3', once });
  const [key] = /sk_test_\w{32}/.exec(made.text)!;
  assert.equal((await apiOf(gateway.url, key)('GET', '/v1/payments')).status, 200);
  const again = await admin.send(page, { action: 'key', mode: 'test', label: 'caixa 3', once });
  assert.equal(again.status, 400);
  assert.doesNotMatch(again.text, /sk_test_\w{32}/);
  const [keyId] = [...(await admin.get(page)).text.matchAll(/name="key" value="(ak_\w+)"/g)].map(
    ([, found]) => found!,
  );
  const revoked = await admin.send(page, { action: 'revoke-key', key: keyId! });
  assert.match(revoked.location!, /done=revoked/);
  const other = await createMerchant(dependencies, 'Outra');
  const theirs = await issueKey(dependencies, { merchantId: other.id, mode: 'test' });
  const foreign = await admin.send(page, { action: 'revoke-key', key: formatId('ak', theirs.id) });
  assert.equal(foreign.status, 404);
  assert.equal((await apiOf(gateway.url, theirs.key)('GET', '/v1/payments')).status, 200);
});

test('changes looks, fees and limits, and names mistakes', async (context) => {
  const { admin, id, database, merchantId, site } = await setUp(context);
  const page = `merchants/${id}`;
  const csrf = hiddenValue((await admin.get(page)).text, 'csrf');
  const logo =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M0 0h4v4z"/></svg>';
  const sendBrand = (colour: string, file: string) => {
    const body = new FormData();
    for (const [name, value] of Object.entries({ csrf, action: 'brand', name: 'Praia', colour })) {
      body.set(name, value);
    }
    body.set('logo', new Blob([file], { type: 'image/svg+xml' }), 'logo.svg');
    return upload(site.origin, admin, `/console/staff/${page}`, body);
  };
  assert.equal((await sendBrand('#c2410c', logo)).status, 303);
  assert.match((await admin.get(page)).text, /#c2410c/);
  const wrong = await sendBrand('red', logo);
  assert.deepEqual([wrong.status, /For example #0b5d44/.test(await wrong.text())], [400, true]);
  const hostile = await sendBrand('#c2410c', '<svg onload="alert(1)"/>');
  assert.equal(hostile.status, 400);
  const terms = { action: 'terms', share_ALL: '1,5', fixed_ALL: '', fixed_MOCK: '5.00' };
  const agreed = await admin.send(page, { ...terms, maxPayment: '50.000,00' });
  assert.match(agreed.location!, /done=agreed/);
  assert.deepEqual(await findTerms(database, merchantId), {
    suspendedAtMs: null,
    fees: {
      ALL: { basisPoints: 150, fixedMinor: 0n },
      MOCK: { basisPoints: 0, fixedMinor: 500n },
    },
    maxPaymentMinor: 5_000_000n,
    disbursements: standardTerms.disbursements,
  });
  const odd = await admin.send(page, { action: 'terms', share_ALL: '101' });
  assert.deepEqual([odd.status, /percentage from 0 to 100/.test(odd.text)], [400, true]);
  const zero = await admin.send(page, { action: 'terms', maxPayment: '0' });
  assert.match(zero.text, /An amount above zero/);
});

const upload = (origin: string, { cookie }: Member, path: string, body: FormData) =>
  fetchOfCell(`${origin}${path}`, {
    method: 'POST',
    body,
    redirect: 'manual',
    headers: { cookie, origin, 'accept-language': 'en' },
  });

test('suspends and resumes a merchant, and invites an owner', async (context) => {
  const world = await setUp(context);
  const { admin, id, database, merchantId } = world;
  const page = `merchants/${id}`;
  await admin.send(page, { action: 'suspend' });
  assert.notEqual((await findTerms(database, merchantId))!.suspendedAtMs, null);
  assert.match((await admin.get(page)).text, /Suspended: no new payments/);
  assert.equal((await lastRecord(world, 'merchant.suspended'))!.subject, id);
  await admin.send(page, { action: 'resume' });
  assert.equal((await findTerms(database, merchantId))!.suspendedAtMs, null);
  const invited = await admin.send(page, { action: 'invite', email: 'ana@loja.cv' });
  assert.match(invited.text, /\/console\/invitation\/[\w-]{43}/);
  const wrong = await admin.send(page, { action: 'invite', email: 'ana' });
  assert.match(wrong.text, /Enter an e-mail address/);
});

test('hides keys without the permission, and lists a thousand merchants on one page', async (context) => {
  const { id, site, database } = await setUp(context);
  const finance = await site.signInStaff('FINANCE');
  const { text } = await finance.get(`merchants/${id}`);
  assert.doesNotMatch(text, /sk_test_/);
  const buttons = [...text.matchAll(/name="action" value="([\w-]+)"/g)].map(([, action]) => action);
  assert.deepEqual(buttons, ['bank-account']);
  const many = `INSERT INTO merchants (id, name, created_at)
    SELECT gen_random_uuid(), 'Loja ' || n, now() FROM generate_series(1, 1000) AS n`;
  await database.query({ text: many });
  const list = await finance.get('merchants?q=loja%2099');
  assert.equal(list.text.match(/<code class="id">me_/g)?.length, 11);
});

test("shows a shop's settings read-only, and who changed them", async (context) => {
  const { admin, id, site, database } = await setUp(context);
  const owner = await site.signIn('OWNER');
  await owner.send('settings', {
    action: 'save',
    name: 'Padaria da Praia',
    contactPhone: '+238 991 23 45',
    contactEmail: 'padaria@example.cv',
    website: 'https://padaria.example.cv',
    taxNumber: '254 123 456',
    receiptText: 'Trocas em 8 dias <b>',
    pageLanguages: 'en,pt',
    defaultCurrency: 'AOA',
    timeZone: 'Africa/Luanda',
  });
  const page = `merchants/${id}`;
  for (const role of ['FINANCE', 'AUDITOR', 'OPERATIONS'] as const) {
    const { text } = await (await site.signInStaff(role)).get(page);
    const shown = text.replaceAll(/<(?!b>)[^>]+>/g, ' ');
    for (const value of [
      'Padaria da Praia',
      'padaria@example.cv',
      'https://padaria.example.cv',
      '254123456',
      'Trocas em 8 dias &lt;b&gt;',
      'English and Portuguese',
      'AOA',
      'Angola',
    ])
      assert.ok(shown.includes(value), `${role}: ${value}`);
  }
  const { text } = await admin.get(page);
  for (const name of ['taxNumber', 'receiptText', 'pageLanguages', 'timeZone'])
    assert.doesNotMatch(text, new RegExp(`name="${name}"`), name);
  const auditor = await site.signInStaff('AUDITOR');
  const [, address] = /<a href="([^"]*audit[^"]*)">Who changed these settings\?/.exec(
    (await auditor.get(page)).text,
  )!;
  const answer = await auditor.get(address!.replaceAll('&amp;', '&'));
  assert.match(answer.text, new RegExp(`${formatId('pe', owner.personId)}|Maria Lopes`));
  assert.match(answer.text, /254123456/);
  assert.ok(database);
});
