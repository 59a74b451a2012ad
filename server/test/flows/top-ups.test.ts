/** Transfers that merchants made to our bank account, for their balance. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { formatId } from '../../src/platform/values/ids.ts';
import { adminApi } from '../support/admin.ts';
import { testConsole } from '../support/console.ts';
import { testGateway } from '../support/gateway.ts';
import { book } from '../support/history.ts';

test('books a transfer once, in the balance and in the audit log', async (context) => {
  const gateway = await testGateway(context);
  const { database } = gateway;
  const admin = await adminApi(gateway);
  const [merchant] = await database.query<{ id: string }>({ text: 'SELECT id FROM merchants' });
  const path = `/admin/v1/merchants/${formatId('me', merchant!.id)}/top-ups`;
  const body = { currency: 'CVE', amount: '50000', bankReference: 'BCA/77' };
  const made = await admin('POST', path, body);
  assert.equal(made.status, 200, JSON.stringify(made.body));
  assert.match(made.body.id, /^tu_/);
  const again = await admin('POST', path, body);
  assert.equal(again.body.error.code, 'INVALID_STATE');
  for (const bankReference of ['bca/77', ' BCA/77\u00a0', '\uff22CA/77', 'BC\u0410/77']) {
    const spelt = await admin('POST', path, { ...body, bankReference });
    assert.equal(spelt.body.error?.code, 'INVALID_STATE', bankReference);
  }
  for (const bankReference of ['BCA/77\u200b', 'BCA/\u202e77', 'BCA/77\u0007'])
    assert.equal((await admin('POST', path, { ...body, bankReference })).status, 400);
  assert.equal((await admin('POST', path, { ...body, amount: '0' })).status, 400);
  const other = { ...body, currency: 'AOA' };
  assert.equal((await admin('POST', path, other)).status, 200, 'unique in its currency');
  const balances = await database.query<{ account: string; minor: bigint }>({
    text: `SELECT account, balance_minor AS minor FROM balances WHERE currency = 'CVE' ORDER BY 1`,
  });
  assert.deepEqual(
    balances.map(({ account, minor }) => `${account} ${minor}`),
    ['bank -50000', 'payable 50000'],
  );
  const [record] = await database.query<{ actor: string; detail: { bankReference: string } }>({
    text: `SELECT actor, detail FROM audit_records WHERE action = 'balance.topped_up' ORDER BY at LIMIT 1`,
  });
  assert.match(record!.actor, /^admin_key:/);
  assert.equal(record!.detail.bankReference, 'BCA/77');
  assert.deepEqual(await checkLedger(database), []);
  await database.query({ text: `UPDATE top_ups SET amount_minor = 1 WHERE currency = 'CVE'` });
  const [problem] = await checkLedger(database);
  assert.match(problem!.message, /^top-up tu_\w+ has the posting top_up as bank → payable 50000/);
});

test('refuses a program where top-ups need two people', async (context) => {
  const gateway = await testGateway(context, { environment: { FOUR_EYES: 'top-ups' } });
  const admin = await adminApi(gateway);
  const [merchant] = await gateway.database.query<{ id: string }>({
    text: 'SELECT id FROM merchants',
  });
  const path = `/admin/v1/merchants/${formatId('me', merchant!.id)}/top-ups`;
  const body = { currency: 'CVE', amount: '50000', bankReference: 'BCA/77' };
  const { status, body: answer } = await admin('POST', path, body);
  assert.deepEqual([status, answer.error.code], [403, 'FORBIDDEN']);
});

test('shows a top-up in the statement, the settlement and the statement of fees', async (context) => {
  const site = await testConsole(context);
  const { database, base } = { database: site.gateway.database, base: site.gateway };
  const [tenant] = await database.query<{ id: string }>(
    {
      text: `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'live'`,
    },
    [site.merchantId],
  );
  const tenantId = tenant!.id;
  const admin = await adminApi(base);
  const path = `/admin/v1/merchants/${formatId('me', site.merchantId)}/top-ups`;
  const body = { currency: 'CVE', amount: '50000', bankReference: 'BCA/78' };
  const { id } = (await admin('POST', path, body)).body;
  await book({ database, tenantId }, 'debit', randomUUID(), 10_000n);
  const member = await site.signIn('FINANCE');
  const page = site.baseOf(site.merchantId, 'live').replace(site.origin, '');
  const { text, status } = await member.get(`${page}/statement?print=1&lang=en`);
  assert.equal(status, 200);
  assert.match(text, /Top-up of the balance/);
  const fees = await member.get(`${page}/fee-statement?lang=en`);
  assert.equal(fees.status, 200);
  const staff = await site.signInStaff('FINANCE');
  const found = await staff.get(`ledger?of=${id}&lang=en`);
  const postings = found.status === 303 ? await staff.get(found.headers.get('location')!) : found;
  assert.match(postings.text, /Top-up of the balance/);
});
