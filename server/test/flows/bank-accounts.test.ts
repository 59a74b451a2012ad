/** The merchants' bank accounts for payouts, over HTTP: who sees and changes them, and how two of the staff agree. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { erasePerson } from '../../src/operations/privacy/erasures.ts';
import { formatId } from '../../src/platform/values/ids.ts';
import { staffRoles } from '../../src/tenants/people/staff-permissions.ts';
import { adminApi, permissionsOf } from '../support/admin.ts';
import { testFolder } from '../support/backup.ts';
import { type Member, type TestConsole, testConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { reach } from '../support/gateway.ts';
import { privacyDependencies } from '../support/privacy.ts';
import { hiddenValue } from '../support/stranger.ts';

const cv = 'CV64000500000020108215144';
const spaced = 'CV64 0005 0000 0020 1082 1514 4';
const nib = '000300000000001234578';
const pt = 'PT50000201231234567890154';
const hostile = '<script>alert(1)</script>" ="x"';
const wanted = { currency: 'CVE', accountNumber: spaced, holder: 'Loja da Praia', bic: '' };

async function setUp(context: TestContext, given: Record<string, string> = {}) {
  const dataDir = join(await testFolder(context), 'data');
  const environment = { DATA_DIR: dataDir, ...given };
  const site = await testConsole(context, { environment });
  const id = formatId('me', site.merchantId);
  return {
    site,
    dataDir,
    page: `merchants/${id}`,
    path: `/admin/v1/merchants/${id}/bank-accounts`,
  };
}

async function submit(member: Member, page: string, change: object = {}) {
  const card = (await member.get(page)).text.split('name="accountNumber"')[0]!;
  const key = hiddenValue(card.slice(card.lastIndexOf('<form')), 'key');
  return member.send(page, { action: 'bank-account', key, ...wanted, ...change });
}

async function settle({ gateway, base }: TestConsole, owner: Member): Promise<string> {
  const order = { amount: 150_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
  const { id } = await gateway.zimbo.payments.create(order);
  await reach(gateway.zimbo.payments, id, 'DEBITED');
  const { text } = await owner.get(`${base}/settlements`);
  const key = hiddenValue(text, 'key');
  const { location } = await owner.send('settlements', { action: 'pay-out', key, currency: 'CVE' });
  return /se_\w+/.exec(location!)![0];
}

test('lets staff in finance change the account, and shows others of the staff and the merchant only its end', async (context) => {
  const { site, page } = await setUp(context);
  const finance = await site.signInStaff('FINANCE');
  assert.match((await finance.get(page)).text, /No account yet/);
  const saved = await submit(finance, page, { bic: 'bcat cvcv' });
  assert.match(saved.location!, /done=accountChanged/);
  for (const role of staffRoles) {
    const member = await site.signInStaff(role);
    const { text } = await member.get(page);
    const mayWrite = role === 'ADMIN' || role === 'FINANCE';
    assert.equal(text.includes(spaced), mayWrite, role);
    assert.equal(text.includes('value="bank-account"'), mayWrite, role);
    assert.equal(text.includes('…5144'), !mayWrite, role);
    assert.match(text, /Loja da Praia/);
    const nothing = { action: 'bank-account', ...wanted, accountNumber: '1' };
    const sent = await member.post(page, nothing);
    assert.equal(sent.status, mayWrite ? 400 : 403, role);
  }
  const owner = await site.signIn('OWNER');
  const money = (await owner.get('money')).text;
  assert.match(money, /…5144/);
  assert.doesNotMatch(money, /0005 0000|00050000|value="bank-account"/);
  const settlement = await settle(site, owner);
  await submit(finance, page, { accountNumber: pt });
  const shown = (await owner.get(`settlements/${settlement}`)).text;
  assert.deepEqual([shown.includes('…5144'), shown.includes('…0154')], [true, false]);
  const after = (await finance.get(page)).text;
  assert.match(after, /Earlier accounts/);
  assert.deepEqual([after.includes('…5144'), after.includes(spaced)], [true, false]);
});

test('names mistakes beside the input, shows hostile names as text, and asks for proof first', async (context) => {
  const { site, page } = await setUp(context);
  const admin = await site.signInStaff('ADMIN');
  const wrong = await submit(admin, page, { accountNumber: 'CV65 1', holder: hostile });
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /with correct check digits/);
  assert.match(wrong.text, /value="CV65 1"/);
  assert.match(wrong.text, /<details class="more" open>/);
  assert.doesNotMatch(wrong.text, /<script>alert/);
  const phone = await submit(admin, page, { holder: 'Maria 9912345' });
  assert.match(phone.text, /without phone numbers/);
  assert.match((await submit(admin, page, { bic: 'X' })).text, /8 or 11 letters/);
  assert.match((await submit(admin, page, { currency: 'EUR' })).text, /role="alert"/);
  await submit(admin, page, { holder: hostile });
  const { text } = await admin.get(page);
  assert.match(text, /&lt;script&gt;alert\(1\)/);
  assert.doesNotMatch(text, /<script>alert/);
  await site.gateway.database.query({
    text: `UPDATE person_sessions SET reauthenticated_at = now() - interval '10 minutes'`,
  });
  const stale = await submit(admin, page, { accountNumber: pt });
  assert.match(stale.location!, /^\/console\/prove/);
  assert.doesNotMatch((await admin.get(page)).text, /0002 0123|…0154/);
});

test('changes and lists the account over /admin/v1, with whole numbers only for keys that may change them', async (context) => {
  const { site, dataDir, path } = await setUp(context);
  const { gateway } = site;
  const finance = await adminApi(gateway, { permissions: permissionsOf('FINANCE') });
  const auditor = await adminApi(gateway, { permissions: permissionsOf('AUDITOR') });
  const body = { currency: 'CVE', accountNumber: spaced, holder: ' Loja ', bic: null };
  const put = (change: object) => finance('PUT', path, { ...body, ...change });
  const made = await put({});
  const { id, validFrom, ...rest } = made.body;
  assert.match(id, /^ba_/);
  assert.ok(Math.abs(Date.parse(validFrom) - Date.now()) < 60_000);
  const whole = { currency: 'CVE', holder: 'Loja', last4: '5144', accountNumber: cv, bic: null };
  assert.deepEqual(rest, { ...whole, validUntil: null });
  assert.deepEqual((await put({})).body, made.body, 'the same again changes nothing');
  const settlement = await settle(site, await site.signIn('OWNER'));
  const second = (await put({ accountNumber: nib.replace(/78$/, '99') })).body;
  assert.equal(second.error.code, 'VALIDATION_ERROR');
  assert.match(second.error.message, /^accountNumber must be an IBAN or a NIB/);
  assert.equal((await put({ holder: 'Other' })).status, 200);

  const list = (await auditor('GET', `${path}?limit=1`)).body;
  assert.deepEqual([list.data.length, list.hasMore], [1, true]);
  const next = (await auditor('GET', `${path}?limit=1&starting_after=${list.data[0].id}`)).body;
  assert.deepEqual([next.data[0].id, next.hasMore], [id, false]);
  const { accountNumber, last4, validUntil } = next.data[0];
  assert.deepEqual([accountNumber, last4], [null, '5144']);
  assert.equal(validUntil, list.data[0].validFrom);
  assert.equal((await finance('GET', path)).body.data[0].accountNumber, cv);
  assert.equal((await auditor('PUT', path, body)).status, 403);
  for (const method of ['GET', 'PUT'] as const) {
    const nobody = path.replace(/me_\w+/, 'me_7ywvpj2a5b8vkanqtsfxxwnkf0');
    const given = method === 'PUT' ? body : undefined;
    assert.equal((await finance(method, nobody, given)).status, 404, method);
  }

  const cut = (await finance('GET', `/admin/v1/settlements/${settlement}`)).body;
  assert.equal(cut.bankAccountId, id, 'that of the cut');
  const own = (await gateway.api('GET', `/v1/settlements/${settlement}`)).body;
  assert.equal('bankAccountId' in own, false, 'the contract is as it was');
  const file = join(dataDir, 'payouts', cut.payoutRef);
  // The record is written after the setting that says where it will be.
  await eventually('the file is there', () => existsSync(file));
  assert.match(readFileSync(file, 'utf8'), new RegExp(`,Loja,${cv},,test-se-`));
});

test('makes a request on the page with bank-accounts in FOUR_EYES, and tells a program where to make one', async (context) => {
  const { site, page, path } = await setUp(context, { FOUR_EYES: 'bank-accounts' });
  const admin = await adminApi(site.gateway);
  const refused = await admin('PUT', path, { ...wanted, bic: null });
  assert.equal(refused.status, 403);
  assert.match(
    refused.body.error.message,
    /Request it in the console, where another person approves it/,
  );
  const finance = await site.signInStaff('FINANCE');
  assert.match((await finance.get(page)).text, /Another member of staff must approve/);
  const asked = await submit(finance, page, { holder: hostile });
  assert.match(asked.location!, /done=accountAsked/);
  const { database } = site.gateway;
  const text = `SELECT kind, status, asked_by = $1 AS "isOwn" FROM approvals`;
  assert.deepEqual(await database.query({ text }, [finance.personId]), [
    { kind: 'BANK_ACCOUNT', status: 'PENDING', isOwn: true },
  ]);
  assert.deepEqual(await database.query({ text: 'SELECT FROM bank_accounts' }), []);
  const waiting = (await finance.get(page)).text;
  assert.match(waiting, /Waiting for another person’s approval/);
  assert.ok(waiting.includes(spaced) && !waiting.includes('<script>alert'));
  const auditor = (await (await site.signInStaff('AUDITOR')).get(page)).text;
  assert.ok(auditor.includes('…5144') && !auditor.includes(spaced));
  const wrong = await submit(finance, page, { accountNumber: '1' });
  assert.equal(wrong.status, 400);
  assert.deepEqual((await admin('GET', path)).body.data, []);
});

test("keeps accounts unchanged by a customer's erasure, even if they contain the digits of the phone", async (context) => {
  const { site, path } = await setUp(context);
  const { database } = site.gateway;
  const admin = await adminApi(site.gateway);
  const phone = '+2389911234';
  const own = `${phone.slice(1)}00000001`;
  const check = String(98n - ((BigInt(own) * 100n) % 97n)).padStart(2, '0');
  const accountNumber = `${own}${check}`.padStart(21, '0');
  const made = (await admin('PUT', path, { ...wanted, accountNumber, bic: null })).body;
  await erasePerson(privacyDependencies(context, database), phone);
  assert.deepEqual((await admin('GET', path)).body.data, [made]);
});
