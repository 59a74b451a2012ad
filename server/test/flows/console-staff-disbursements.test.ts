/** A disbursement among the cases on the staff pages. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { formatId } from '../../src/platform/values/ids.ts';
import { readDisbursementTerms } from '../../src/tenants/merchants/disbursement-terms.ts';
import { nowOf, unclear } from '../operators/due-disbursement.ts';
import { reviewWorld } from '../operators/review-world.ts';
import { adminApi } from '../support/admin.ts';
import { bookDisbursement } from '../support/booked-disbursement.ts';
import { consoleOn, staffAt, testConsole } from '../support/console.ts';

test('shows an unclear disbursement in both languages, and records what the operator says', async (context) => {
  const world = await reviewWorld(context);
  const { harness } = world;
  const disbursement = await unclear(harness);
  const origin = await consoleOn(context, world.url, { ...world.environment, ZIMBO_ROLE: 'api' });
  const operations = await staffAt(origin, harness.database, 'OPERATIONS');
  const [{ id } = { id: '' }] = await world.list();
  for (const [language, noun, paid] of [
    ['pt', 'Envio', 'O envio foi pago'],
    ['en', 'Disbursement', 'The disbursement was paid'],
  ] as const) {
    const all = await operations.get(`reviews?lang=${language}`);
    assert.ok(all.text.includes(noun), all.text);
    const { text, status } = await operations.get(`reviews/${id}?lang=${language}`);
    assert.equal(status, 200);
    for (const word of [paid, disbursement.reference, formatId('di', disbursement.id)]) {
      assert.ok(text.includes(word), `${word} in ${text}`);
    }
  }
  const { text } = await operations.get(`reviews/${id}`);
  const key = /name="key" value="([^"]*)"/.exec(text)![1]!;
  const fields = { action: 'resolve', finding: 'PAID_OUT', transaction_PAID_OUT: 'OP-1' };
  const { status } = await operations.send(`reviews/${id}`, { key, ...fields });
  assert.equal(status, 303);
  const now = await nowOf(harness, disbursement);
  assert.deepEqual([now.status, now.operatorTxId, now.byHand], ['SUCCEEDED', 'OP-1', true]);
  assert.deepEqual(await world.list(), []);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('changes what a merchant may disburse, and names who did', async (context) => {
  const site = await testConsole(context, { environment: { DISBURSEMENTS: 'on' } });
  const { database } = site.gateway;
  const page = `merchants/${formatId('me', site.merchantId)}`;
  const staff = await site.signInStaff('OPERATIONS');
  const sent = {
    allowed: 'yes',
    maxDisbursement: '50,00',
    maxDisbursedPerDay: '',
    'keepBalance.CVE': '1.000,00',
  };
  const wrong = { ...sent, action: 'disbursements', maxDisbursement: 'muito' };
  assert.equal((await staff.send(page, wrong)).status, 400);
  const nothing = { ...sent, action: 'disbursements', 'keepBalance.CVE': '0' };
  const refused = await staff.send(`${page}?lang=en`, nothing);
  assert.equal(refused.status, 400);
  assert.match(refused.text, /An amount above zero/);
  const { status } = await staff.send(page, { ...sent, action: 'disbursements' });
  assert.equal(status, 303);
  assert.deepEqual(await readDisbursementTerms(database, site.merchantId), {
    isAllowed: true,
    maxMinor: 5_000n,
    maxPerDayMinor: null,
    maxPerWalletAndDayMinor: null,
    keepBalances: { CVE: 100_000n },
  });
  const text = `SELECT actor FROM audit_records WHERE action = 'merchant.disbursement_terms_changed'`;
  const [record] = await database.query<{ actor: string }>({ text });
  assert.equal(record!.actor, `person:${formatId('pe', staff.personId)}`);
});

test('says nothing of disbursements to staff while they are off', async (context) => {
  const site = await testConsole(context, { environment: { DISBURSEMENTS: 'off' } });
  const staff = await site.signInStaff('OPERATIONS');
  const { text } = await staff.get(`merchants/${formatId('me', site.merchantId)}?lang=en`);
  assert.doesNotMatch(text, /maxDisbursement|may disburse/);
});

test('lets staff cancel a disbursement that was never sent', async (context) => {
  const site = await testConsole(context);
  const { database } = site.gateway;
  const [tenant] = await database.query<{ id: string }>({
    text: `SELECT id FROM tenants WHERE mode = 'test' LIMIT 1`,
  });
  const later = { expiresAtMs: Date.now() + 86_400_000, dueAtMs: Date.now() + 86_400_000 };
  const { id } = await bookDisbursement(database, { tenantId: tenant!.id, ...later });
  const admin = await adminApi(site.gateway);
  const path = `/admin/v1/disbursements/${formatId('di', id)}`;
  assert.equal((await admin('GET', path)).body.status, 'CREATED');
  const { status, body } = await admin('POST', `${path}/cancel`);
  assert.deepEqual([status, body.status], [200, 'CANCELLED']);
  assert.equal((await admin('POST', `${path}/cancel`)).body.error.code, 'INVALID_STATE');
  const text = `SELECT actor FROM audit_records WHERE action = 'disbursement.cancelled'`;
  const [record] = await database.query<{ actor: string }>({ text });
  assert.match(record!.actor, /^admin_key:/);
});

test('cancels on the page of a disbursement, only while it is unsent and for staff who may', async (context) => {
  const site = await testConsole(context);
  const { database } = site.gateway;
  const [tenant] = await database.query<{ id: string }>(
    {
      text: `SELECT id FROM tenants WHERE mode = 'test' AND merchant_id = $1`,
    },
    [site.merchantId],
  );
  const later = { expiresAtMs: Date.now() + 86_400_000, dueAtMs: Date.now() + 86_400_000 };
  const given = { tenantId: tenant!.id, ...later, description: '<b>Nádia</b>' };
  const { id } = await bookDisbursement(database, given);
  const page = `disbursements/${formatId('di', id)}`;
  const operations = await site.signInStaff('OPERATIONS');
  const shown = (await operations.get(`${page}?lang=en`)).text;
  for (const part of [
    'Loja de teste',
    '&lt;b&gt;Nádia',
    '+238 991 23 45',
    'Cancel the disbursement',
  ])
    assert.ok(shown.includes(part), part);
  for (const role of ['FINANCE', 'AUDITOR'] as const) {
    const member = await site.signInStaff(role);
    const { text } = await member.get(`${page}?lang=en`);
    assert.doesNotMatch(text, /Cancel the disbursement|991 23 45/, role);
    assert.equal((await member.post(page, { action: 'cancel' })).status, 403, role);
  }
  const found = await operations.get(`payments?q=${formatId('di', id).toUpperCase()}`);
  assert.ok(found.location?.endsWith(`/${page}`));
  const { location } = await operations.send(page, { action: 'cancel' });
  assert.match(location!, /done=cancelled/);
  const after = (await operations.get(`${page}?done=cancelled&lang=en`)).text;
  assert.match(after, /The disbursement has been cancelled/);
  assert.doesNotMatch(after, /Cancel the disbursement/);
  const again = await operations.send(page, { action: 'cancel' });
  assert.equal(again.status, 400);
  assert.match(again.text, /It can no longer be cancelled/);
  const text = `SELECT actor FROM audit_records WHERE action = 'disbursement.cancelled'`;
  const by = { actor: `person:${formatId('pe', operations.personId)}` };
  assert.deepEqual(await database.query({ text }), [by]);
  assert.deepEqual(await checkLedger(database), []);
  const unknown = `disbursements/${formatId('di', randomUUID())}`;
  assert.equal((await operations.get(unknown)).status, 404);
});

test('finds a batch by its id, and cancels its rows that are not written yet', async (context) => {
  const site = await testConsole(context, {
    environment: { DISBURSEMENTS: 'on', ZIMBO_ROLE: 'api' },
  });
  const { api, database } = site.gateway;
  const items = [{ amount: 100, operator: 'MOCK', operatorPhone: '+2389912345' }];
  const body = { items, description: '<i>Salários' };
  const key = { 'idempotency-key': randomUUID() };
  const { id } = (await api('POST', '/v1/disbursement_batches', body, key)).body;
  const page = `disbursement-batches/${id}`;
  const operations = await site.signInStaff('OPERATIONS');
  const found = await operations.get(`payments?q=${id.toUpperCase()}`);
  assert.ok(found.location?.endsWith(`/${page}`));
  const { text } = await operations.get(`${page}?lang=en`);
  for (const part of ['&lt;i&gt;Salários', 'Being prepared', 'Cancel what is left', id])
    assert.ok(text.includes(part), part);
  for (const role of ['FINANCE', 'AUDITOR'] as const) {
    const member = await site.signInStaff(role);
    assert.doesNotMatch((await member.get(`${page}?lang=en`)).text, /Cancel what is left/, role);
    assert.equal((await member.post(page, { action: 'cancel' })).status, 403, role);
  }
  assert.match((await operations.send(page, { action: 'cancel' })).location!, /done=cancelled/);
  const after = await operations.get(`${page}?done=cancelled&lang=en`);
  assert.match(after.text, /What had not been sent yet is cancelled/);
  assert.doesNotMatch(after.text, /Cancel what is left/);
  const again = await operations.send(page, { action: 'cancel' });
  assert.equal(again.status, 400);
  assert.match(again.text, /Nothing is left to cancel/);
  const written = `SELECT actor FROM audit_records WHERE action = 'disbursement_batch.cancelled'`;
  const by = { actor: `person:${formatId('pe', operations.personId)}` };
  assert.deepEqual(await database.query({ text: written }), [by]);
  const unknown = `disbursement-batches/${formatId('dib', randomUUID())}`;
  assert.equal((await operations.get(unknown)).status, 404);
});

test('lets staff programs get a batch, and cancel what was not sent of it', async (context) => {
  const site = await testConsole(context, {
    environment: { DISBURSEMENTS: 'on', ZIMBO_ROLE: 'api' },
  });
  const items = [{ amount: 100, operator: 'MOCK', operatorPhone: '+2389912345' }];
  const key = { 'idempotency-key': randomUUID() };
  const { id } = (await site.gateway.api('POST', '/v1/disbursement_batches', { items }, key)).body;
  const admin = await adminApi(site.gateway);
  const path = `/admin/v1/disbursement-batches/${id}`;
  const found = (await admin('GET', path)).body;
  assert.deepEqual([found.status, found.counts.created], ['CREATED', 1]);
  assert.match(found.merchantId, /^me_/);
  const { status, body } = await admin('POST', `${path}/cancel`);
  assert.deepEqual([status, body.counts.cancelled], [200, 1]);
  assert.equal((await admin('POST', `${path}/cancel`)).body.error.code, 'INVALID_STATE');
});
