/** Staff download orders for the bank: who may, in which format, and never for a withdrawn payout. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { formatId } from '../../src/platform/values/ids.ts';
import { staffCan, staffRoles } from '../../src/tenants/people/staff-permissions.ts';
import { adminApi } from '../support/admin.ts';
import { testFolder } from '../support/backup.ts';
import { testConsole } from '../support/console.ts';
import { painProblems } from '../support/pain-schema.ts';
import { processingSettlement } from '../support/settled.ts';

const own = 'CV64000500000020108215144';
const theirs = '000500000020108215144';

async function setUp(context: TestContext, given: Record<string, string> = {}) {
  const dataDir = join(await testFolder(context), 'data');
  const environment = {
    DATA_DIR: dataDir,
    PAYOUT_FORMAT: 'pain.001',
    PAYOUT_ACCOUNT_CVE: `${own};Zimbo Pagamentos;BCATCVCV`,
    ...given,
  };
  const site = await testConsole(context, { environment });
  const admin = await adminApi(site.gateway);
  const path = `/admin/v1/merchants/${formatId('me', site.merchantId)}/bank-accounts`;
  const account = { currency: 'CVE', accountNumber: theirs, holder: 'Panificação São João' };
  assert.equal((await admin('PUT', path, account)).status, 200);
  const id = await processingSettlement(site.gateway);
  return { site, admin, dataDir, id };
}

test('returns the order as in the folder, and the other format with the same references and accounts', async (context) => {
  const { site, admin, dataDir, id } = await setUp(context);
  const given = await admin('GET', `/admin/v1/settlements/${id}/order`);
  const file = readFileSync(join(dataDir, 'payouts', `${id}.xml`), 'utf8');
  assert.deepEqual(given.body, { fileName: `${id}.xml`, format: 'pain.001', content: file });
  assert.deepEqual(await painProblems(file), []);
  assert.match(file, /<Nm>Panificacao Sao Joao<\/Nm>/);
  const csv = (await admin('GET', `/admin/v1/settlements/${id}/order?format=csv`)).body;
  assert.equal(csv.fileName, `${id}.csv`);
  const [titles, row] = csv.content.trim().split('\n');
  const of = (name: string) => row.split(',')[titles.split(',').indexOf(name)];
  assert.deepEqual(['account', 'reference', 'debtor_account', 'debtor_bic'].map(of), [
    theirs,
    id.replace('_', '-'),
    own,
    'BCATCVCV',
  ]);
  assert.ok(file.includes(`<EndToEndId>${of('reference')}</EndToEndId>`));
  assert.ok(file.includes(`>${of('net_amount')}</InstdAmt>`));
  const text = `SELECT actor, subject, detail FROM audit_records WHERE action = 'settlement.order_downloaded' ORDER BY id`;
  const records = await site.gateway.database.query<{ subject: string; detail: object }>({ text });
  assert.deepEqual(
    records.map(({ subject, detail }) => [subject, detail]),
    [
      [id, { format: 'pain.001' }],
      [id, { format: 'csv' }],
    ],
  );
  assert.equal((await admin('GET', `/admin/v1/settlements/${id}/order?format=pdf`)).status, 400);
});

test('has no order for a payout that was taken back', async (context) => {
  const { site, admin, id } = await setUp(context);
  const finance = await site.signInStaff('FINANCE');
  assert.match((await finance.get(`settlements/${id}`)).text, /Bank order/);
  assert.equal((await admin('POST', `/admin/v1/settlements/${id}/fail`)).status, 200);
  const { status, body } = await admin('GET', `/admin/v1/settlements/${id}/order`);
  assert.deepEqual([status, body.error?.code], [409, 'INVALID_STATE']);
  const page = await finance.get(`settlements/${id}/order?format=csv`);
  assert.equal(page.status, 409);
  assert.doesNotMatch((await finance.get(`settlements/${id}`)).text, /Bank order/);
});

test('shows the whole number only to those who may download it, in the console and with a key', async (context) => {
  const { site, id } = await setUp(context);
  for (const role of staffRoles) {
    const member = await site.signInStaff(role);
    const { status, text } = await member.get(`settlements/${id}/order?format=pain.001`);
    const may = staffCan(role, 'settlements.download');
    assert.deepEqual([status, text.includes(theirs)], may ? [200, true] : [403, false], role);
    const { text: page } = await member.get(`settlements/${id}`);
    assert.equal(page.includes(`${id}/order`), may, role);
  }
  const reader = await adminApi(site.gateway, {
    permissions: ['settlements.read', 'settlements.decide', 'bank_accounts.read'],
  });
  assert.equal((await reader('GET', `/admin/v1/settlements/${id}/order`)).status, 403);
});

test('says what an order lacks in one format, and still offers the other', async (context) => {
  const { site, admin, id } = await setUp(context, { PAYOUT_FORMAT: '', PAYOUT_ACCOUNT_CVE: '' });
  const xml = await admin('GET', `/admin/v1/settlements/${id}/order?format=pain.001`);
  assert.equal(xml.status, 409);
  assert.match(xml.body.error.message, /PAYOUT_ACCOUNT_CVE is not set/);
  const finance = await site.signInStaff('FINANCE');
  const page = await finance.get(`settlements/${id}/order?format=pain.001`);
  assert.equal(page.status, 409);
  assert.match(
    page.text,
    /your own account \(PAYOUT_ACCOUNT_CVE or PAYOUT_ACCOUNT_AOA\) must be set/,
  );
  assert.equal((await admin('GET', `/admin/v1/settlements/${id}/order`)).body.format, 'csv');
});
