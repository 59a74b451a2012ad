import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { test } from 'node:test';
import { reviewItemOf } from '../../src/money/review/review-item.ts';
import { insertReviewItem } from '../../src/money/review/store.ts';
import { withUpload } from '../../src/platform/http/upload.ts';
import { parseId } from '../../src/platform/values/ids.ts';
import { adminApi, adminKey } from '../support/admin.ts';
import { type Api, apiOf, inCellOfTests, reach, testGateway } from '../support/gateway.ts';
import { sharedGateway } from '../support/shared-gateway.ts';
import { heading, makeLedger, statementLines } from '../support/statement.ts';

const root = '/admin/v1';
const okPhone = '+2389912345';

test('creates a merchant once under its key, brands it, and lists it on a page', async (context) => {
  const gateway = await testGateway(context);
  const admin = await adminApi(gateway);
  const create = (name: string, key: string) =>
    admin('POST', `${root}/merchants`, { name }, { 'idempotency-key': key });
  const [made, again] = await Promise.all([create('Praia', 'a'), create('Praia', 'a')]);
  assert.equal(made.status, 200);
  assert.equal(again.text, made.text);
  assert.equal([made, again].filter(({ headers }) => headers.get('idempotent-replayed')).length, 1);
  const reused = await create('Mindelo', 'a');
  assert.equal(reused.status, 409);
  assert.equal(reused.body.error.code, 'IDEMPOTENCY_KEY_REUSED');
  const other = await adminApi(gateway);
  const own = await other('POST', `${root}/merchants`, { name: 'Sal' }, { 'idempotency-key': 'a' });
  assert.equal(own.status, 200, 'the key of another');
  assert.notEqual(own.body.id, made.body.id);
  const svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0"/></svg>';
  const logo = Buffer.from(svg).toString('base64');
  const brand = `${root}/merchants/${made.body.id}/brand`;
  const branded = await admin('PATCH', brand, { name: 'Loja', colour: '#0B5D44', logo });
  const unreached = { contactPhone: null, contactEmail: null, website: null };
  const looks = { name: 'Loja', colour: '#0b5d44', logoBytes: svg.length };
  const unset = { taxNumber: null, receiptText: null, pageLanguages: null, defaultCurrency: null };
  const settings = { ...unset, timeZone: null, timeZoneHistory: [] };
  assert.deepEqual(branded.body, { ...looks, ...unreached, ...settings });
  const contact = { contactPhone: '+238 991-23-45', contactEmail: 'loja@praia.cv' };
  const reached = await admin('PATCH', brand, { ...contact, website: 'https://praia.cv' });
  const kept = { ...contact, contactPhone: '+2389912345', website: 'https://praia.cv/' };
  assert.deepEqual(reached.body, { ...looks, ...kept, ...settings });
  const shop = { taxNumber: '254123456', receiptText: 'Obrigado!', pageLanguages: ['en'] };
  const zone = { defaultCurrency: 'AOA', timeZone: null };
  const timeZoneHistory = [{ from: null, timeZone: 'Africa/Luanda' }];
  const set = await admin('PATCH', brand, { ...shop, ...zone });
  assert.deepEqual(set.body, { ...looks, ...kept, ...shop, ...zone, timeZoneHistory });
  assert.equal((await admin('PATCH', brand, { timeZone: 'Europe/Lisbon' })).status, 400);
  assert.equal((await admin('PATCH', brand, { pageLanguages: ['pt', 'pt'] })).status, 400);
  assert.equal((await admin('PATCH', brand, { taxNumber: '12' })).status, 400);
  const script = Buffer.from('<svg onload="x()"></svg>').toString('base64');
  assert.equal((await admin('PATCH', brand, { logo: script })).status, 400);
  assert.equal((await admin('PATCH', brand, { colour: null })).body.colour, null);
  assert.equal((await admin('GET', brand)).body.name, 'Loja');
  const names: string[] = [];
  for (let after = ''; ; ) {
    const page = (await admin('GET', `${root}/merchants?limit=1${after}`)).body;
    names.push(page.data[0].name);
    if (!page.hasMore) break;
    after = `&starting_after=${page.data[0].id}`;
  }
  assert.deepEqual(names, ['Sal', 'Praia', 'Loja de teste']);
});

test('rolls a key once under an idempotency key, and shows it again until it is replaced', async (context) => {
  const gateway = await testGateway(context);
  const admin = await adminApi(gateway);
  const { id: merchantId } = (await admin('GET', `${root}/merchants`)).body.data[0];
  const { id } = (await admin('POST', `${root}/keys`, { merchantId, mode: 'test' })).body;
  const roll = (of: string, key: string, body: object = { overlapHours: 0 }) =>
    admin('POST', `${root}/keys/${of}/roll`, body, { 'idempotency-key': key });
  const [first, second] = await Promise.all([roll(id, 'a'), roll(id, 'a')]);
  assert.deepEqual([first.status, second.text], [200, first.text]);
  const third = await roll(id, 'a');
  assert.equal(third.text, first.text);
  assert.equal(third.headers.get('idempotent-replayed'), 'true');
  assert.equal((await apiOf(gateway.url, third.body.key)('GET', '/v1/payments')).status, 200);
  const reused = await roll(id, 'a', { overlapHours: 1 });
  assert.deepEqual([reused.status, reused.body.error.code], [409, 'IDEMPOTENCY_KEY_REUSED']);
  const other = await roll(id, 'b');
  assert.deepEqual([other.status, other.body.error.code], [409, 'INVALID_STATE']);
  const answers = () =>
    gateway.database.query<{ text: string }>({ text: 'SELECT answer::text AS text FROM act_keys' });
  const sealed = (text: string) => text.includes('keyBox');
  assert.ok(!JSON.stringify(await answers()).includes(first.body.key), 'it is sealed');
  const next = await roll(first.body.id, 'c');
  assert.equal(next.status, 200, next.text);
  assert.equal((await answers()).filter(({ text }) => sealed(text)).length, 1, 'one is forgotten');
  assert.equal((await roll(id, 'a')).body.error.code, 'INVALID_STATE');
  await admin('POST', `${root}/keys/${next.body.id}/revoke`);
  assert.equal((await roll(first.body.id, 'c')).body.error.code, 'INVALID_STATE');
});

test("creates, lists, rolls and revokes a merchant's keys", async () => {
  const gateway = await sharedGateway();
  const admin = await adminApi(gateway);
  const { id: merchantId } = (await admin('GET', `${root}/merchants`)).body.data[0];
  const order = { merchantId, mode: 'test', label: 'till', permissions: ['payments:read'] };
  const create = () => admin('POST', `${root}/keys`, order, { 'idempotency-key': 'till' });
  const { id, key } = (await create()).body;
  const repeated = await create();
  assert.equal(repeated.status, 409, 'it makes no second key');
  assert.equal((await apiOf(gateway.url, key)('GET', '/v1/payments')).status, 200);
  assert.equal((await apiOf(gateway.url, key)('GET', '/v1/balance')).status, 403);
  const rolled = (await admin('POST', `${root}/keys/${id}/roll`, { overlapHours: 0 })).body;
  assert.equal(rolled.old.rolledTo, rolled.id);
  const revoked = (await admin('POST', `${root}/keys/${rolled.id}/revoke`)).body;
  assert.ok(revoked.revokedAt);
  const { data } = (await admin('GET', `${root}/keys?merchant_id=${merchantId}`)).body;
  const ids = new Set(data.slice(0, 2).map((each: { id: string }) => each.id));
  assert.deepEqual(ids, new Set([id, rolled.id]));
  assert.ok(!JSON.stringify(data).includes(rolled.key));
  const nobody = { ...order, merchantId: `me_${id.slice(3)}` };
  assert.equal((await admin('POST', `${root}/keys`, nobody)).status, 404);
});

test("finds payments by id and by the operator's transaction, with phones for some keys only", async () => {
  const gateway = await sharedGateway();
  const { zimbo } = gateway;
  const body = { amount: 10_000, operator: 'MOCK', operatorPhone: okPhone } as const;
  const { id } = await zimbo.payments.create(body);
  const { operatorTxId } = await reach(zimbo.payments, id, 'DEBITED');
  const admin = await adminApi(gateway);
  const found = (await admin('GET', `${root}/payments?operator_transaction=${operatorTxId}`)).body;
  assert.deepEqual(
    found.data.map((each: { id: string }) => each.id),
    [id],
  );
  assert.equal(found.data[0].operatorPhone, okPhone);
  const masked = await adminApi(gateway, { permissions: ['payments.read'] });
  assert.doesNotMatch(
    (await masked('GET', `${root}/payments/${id}`)).text,
    new RegExp(okPhone.slice(4, 9)),
  );
  const { merchantId } = found.data[0];
  const listed = (await admin('GET', `${root}/payments?merchant_id=${merchantId}&mode=test`)).body;
  assert.deepEqual(listed.data, found.data);
  const live = await admin('GET', `${root}/payments?merchant_id=${merchantId}&mode=live`);
  assert.deepEqual(live.body.data, []);
  assert.equal((await admin('GET', `${root}/payments`)).status, 400);
  const postings = `${root}/ledger/postings?merchant_id=${merchantId}&mode=test`;
  const first = (await admin('GET', `${postings}&limit=1`)).body;
  const rest = (await admin('GET', `${postings}&starting_after=${first.data[0].id}`)).body;
  const kinds = [...first.data, ...rest.data].map(({ kind }: { kind: string }) => kind);
  assert.deepEqual(kinds, ['debit_net', 'debit_fee']);
});

test('compares a statement as it arrives, and returns differences with both sides', async (context) => {
  const gateway = await testGateway(context);
  await makeLedger(gateway);
  const lines = await statementLines(gateway.database);
  const { key } = await adminKey(gateway, { permissions: ['reconciliations.write'] });
  const compare = async (text: string, type = 'text/csv') => {
    const answer = await fetch(
      `${gateway.url}${root}/reconciliations/compare?operator=MOCK&mode=test`,
      {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': type, ...inCellOfTests(root) },
        body: text,
      },
    );
    return { status: answer.status, body: JSON.parse(await answer.text()) };
  };
  const clean = await compare([heading, ...lines].join('\n'));
  assert.deepEqual([clean.status, clean.body.clean, clean.body.differences], [200, true, []]);
  const lacking = await compare(
    [heading, ...lines.filter((_line, index) => index !== 1)].join('\n'),
  );
  assert.equal(lacking.body.clean, false);
  const [difference] = lacking.body.differences;
  assert.deepEqual([difference.kind, difference.statement], ['MISSING_IN_STATEMENT', null]);
  const wrong = await compare(`${heading}\nx`);
  assert.equal(wrong.status, 400);
  assert.match(JSON.stringify(wrong.body), /line 2: /);
  const json = await compare('{}', 'application/json');
  assert.equal(json.status, 400);
  assert.match(JSON.stringify(json.body), /text\/csv/);
});

test('limits an upload in bytes and time, and leaves nothing behind', async (context) => {
  let place = '';
  const small = Readable.from([Buffer.from('12345')]);
  await withUpload(small, 5, async (path) => {
    place = path;
    assert.ok(existsSync(path));
  });
  assert.ok(!existsSync(place));
  const large = Readable.from([Buffer.from('12345'), Buffer.from('6')]);
  await assert.rejects(
    withUpload(large, 5, async () => assert.fail('it was read')),
    { code: 'VALIDATION_ERROR' },
  );
  const gateway = await testGateway(context);
  const { key } = await adminKey(gateway);
  gateway.gateway.http.server.requestTimeout = 500;
  const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1');
  context.after(() => socket.destroy());
  const ended = Promise.withResolvers<void>();
  socket.once('data', () => ended.resolve()).once('close', () => ended.resolve());
  socket.write(
    `POST ${root}/reconciliations/compare?operator=MOCK&mode=test HTTP/1.1\r\nHost: x\r\n` +
      `Authorization: Bearer ${key}\r\nContent-Type: text/csv\r\nContent-Length: 100000\r\n\r\n${heading}\n`,
  );
  await ended.promise;
  const admin = apiOf(gateway.url, key);
  assert.equal((await admin('GET', `${root}/merchants`)).status, 200);
});

test('limits the number of uploads on the disk', async () => {
  const first = Array.from({ length: 4 }, () => new PassThrough());
  const kept = first.map((body) => withUpload(body, 5, async () => 'read'));
  const more = withUpload(Readable.from([Buffer.from('1')]), 5, async () => 'read');
  await assert.rejects(more, { code: 'RATE_LIMITED' });
  first[0]!.end('123456');
  await assert.rejects(kept[0]!, { code: 'VALIDATION_ERROR' });
  assert.equal(await withUpload(Readable.from([Buffer.from('1')]), 5, async () => 'read'), 'read');
  for (const body of first.slice(1)) body.end('1');
  assert.deepEqual(await Promise.all(kept.slice(1)), ['read', 'read', 'read']);
});

test('rejects a time whose zone moves it out of four-digit years', async () => {
  const gateway = await sharedGateway();
  const admin = await adminApi(gateway);
  const [merchant] = (await admin('GET', `${root}/merchants`)).body.data;
  const order = { merchantId: merchant.id, mode: 'test' };
  for (const expiresAt of ['9999-12-31T23:59:59-23:59', '0001-01-01T00:00:00+23:59']) {
    const { status, body } = await admin('POST', `${root}/keys`, { ...order, expiresAt });
    assert.deepEqual([status, body.error.code], [400, 'VALIDATION_ERROR']);
    assert.match(body.error.message, /expiresAt/);
  }
  const expiresAt = '9999-12-31T23:59:59Z';
  assert.equal((await admin('POST', `${root}/keys`, { ...order, expiresAt })).status, 200);
});

/** A review item about a payment that the operator contradicts. */
async function contradicted({ zimbo, database }: Awaited<ReturnType<typeof testGateway>>) {
  const body = { amount: 10_000, operator: 'MOCK', operatorPhone: okPhone } as const;
  const { id } = await zimbo.payments.create(body);
  await reach(zimbo.payments, id, 'DEBITED');
  const [tenant] = await database.query<{ id: string }>({
    text: `SELECT id FROM tenants WHERE mode = 'test'`,
  });
  const subject = { tenantId: tenant!.id, id: parseId('pi', id)!, operator: 'MOCK' } as const;
  const detail = {
    booked: { status: 'DEBITED' },
    told: { failureCode: 'INSUFFICIENT_FUNDS', payer: okPhone },
  };
  const finding = { kind: 'CONTRADICTION', about: 'failed', detail } as const;
  await insertReviewItem(database, reviewItemOf('PAYMENT', subject, finding, Date.now()));
  return id;
}

test('shows open cases with both sides, and records each decision with its note in the audit log', async (context) => {
  const gateway = await testGateway(context);
  const id = await contradicted(gateway);
  const { id: keyId, key } = await adminKey(gateway);
  const admin: Api = apiOf(gateway.url, key);
  const [item] = (await admin('GET', `${root}/reviews?mode=test`)).body.data;
  assert.deepEqual(
    [item.kind, item.subject.id, item.subject.operatorPhone],
    ['CONTRADICTION', id, okPhone],
  );
  assert.match(item.ledger, /DEBITED/);
  assert.match(item.operatorSays, /INSUFFICIENT_FUNDS/);
  assert.deepEqual((await admin('GET', `${root}/reviews/${id}`)).body.data[0].id, item.id);
  const reader = await adminApi(gateway, { permissions: ['reviews.read'] });
  assert.ok(!(await reader('GET', `${root}/reviews?mode=test`)).text.includes(okPhone.slice(4)));
  const known = await admin('POST', `${root}/reviews/${id}/resolve`, { finding: 'NOT_DEBITED' });
  assert.equal(known.status, 409);
  assert.match(known.body.error.message, /is known: it is DEBITED/);
  const other = await admin('POST', `${root}/reviews/${id}/resolve`, { finding: 'NOT_REFUNDED' });
  assert.equal(other.status, 400);
  assert.match(other.body.error.message, /DEBITED, NOT_DEBITED for a payment/);
  const closing = { reason: 'asked: their mistake' };
  assert.equal((await admin('POST', `${root}/reviews/${item.id}/close`, closing)).body.id, item.id);
  assert.equal((await admin('POST', `${root}/reviews/${item.id}/close`, closing)).status, 409);
  const { data } = (await admin('GET', `${root}/audit-records?action=review.*`)).body;
  const { actor, origin, subject, detail } = data[0];
  assert.equal(parseId('ak', actor.replace('admin_key:', '')), keyId);
  assert.deepEqual([origin, subject, detail.reason], ['127.0.0.1', item.id, closing.reason]);
  assert.equal((await admin('GET', `${root}/audit-verification`)).body.clean, true);
  assert.equal((await admin('GET', `${root}/reviews/pi_nothing`)).status, 404);
});

test("resolves an unknown payment by the operator's answer to a person", async (context) => {
  // No other process works on it.
  const gateway = await testGateway(context, { environment: { ZIMBO_ROLE: 'api' } });
  const { zimbo, database } = gateway;
  const admin = await adminApi(gateway);
  const { id } = await zimbo.payments.create({
    amount: 900,
    operator: 'MOCK',
    operatorPhone: '+2389912449',
  });
  const sent = `UPDATE payments SET status = 'OPERATOR_PENDING', sent_at = now(), due_at = now()`;
  await database.query({ text: sent });
  const body = { finding: 'DEBITED', operatorTransaction: 'TX-1', amount: '900', note: 'by mail' };
  const short = await admin('POST', `${root}/reviews/${id}/resolve`, { ...body, amount: '901' });
  assert.equal(short.status, 409);
  const said = await admin('POST', `${root}/reviews/${id}/resolve`, body);
  assert.equal(said.status, 200, said.text);
  assert.match(said.body.result, /is DEBITED/);
  assert.equal((await zimbo.payments.get(id)).operatorTxId, 'TX-1');
  const { data } = (await admin('GET', `${root}/audit-records?subject=${id}`)).body;
  assert.equal(data[0].detail.note, 'by mail');
});

test('rejects hostile values with an explanation, without an effect', async (context) => {
  const gateway = await testGateway(context);
  const admin = await adminApi(gateway);
  const { id } = (await admin('GET', `${root}/merchants`)).body.data[0];
  const refused: [string, string, unknown?][] = [
    ['POST', '/merchants', { name: 'a', owner: 'b' }],
    ['POST', '/merchants', { name: 'a\0b' }],
    ['POST', '/merchants', { name: 'a'.repeat(256) }],
    ['POST', '/merchants', { name: 1e300 }],
    ['POST', '/merchants', ['a']],
    ['POST', '/keys', { merchantId: id, mode: 'test', maxPayment: '9'.repeat(30) }],
    ['POST', '/keys', { merchantId: id, mode: 'test', permissions: ['admin_keys.write'] }],
    ['POST', '/keys', { merchantId: id, mode: 'test', allowedAddresses: ['0.0.0.0/0'] }],
    ['PATCH', `/merchants/${id}/brand`, { logo: 'A'.repeat(40_000) }],
    ['PATCH', `/merchants/${id}/brand`, { colour: 'red' }],
    ['PATCH', `/merchants/${id}/brand`, { contactPhone: '991 23 45' }],
    ['PATCH', `/merchants/${id}/brand`, { contactEmail: 'loja@praia' }],
    ['PATCH', `/merchants/${id}/brand`, { website: 'javascript:alert(1)//praia.cv' }],
    ['GET', '/merchants?limit=101'],
    ['GET', '/merchants?limit=1e1'],
    ['GET', '/merchants?starting_after=me_x'],
    ['GET', '/merchants?order=asc'],
    ['GET', '/payments?operator_transaction=a%00b'],
    ['GET', `/payments?merchant_id=${id}`],
    ['GET', '/audit-records?actor='],
    ['GET', `/ledger/postings?merchant_id=${id}&mode=test&starting_after=x'--`],
    ['GET', '/reviews?starting_after=nothing'],
    ['POST', '/reviews/x/resolve', { finding: 'DEBITED', amount: '0' }],
  ];
  for (const [method, path, body] of refused) {
    const answer = await admin(method, root + path, body);
    assert.equal(answer.status, 400, `${method} ${path} ${answer.text}`);
    assert.equal(answer.body.error.code, 'VALIDATION_ERROR', path);
    assert.doesNotMatch(answer.text, /SELECT|node_modules|undefined/);
  }
  const uuid = id.slice(3);
  const missing = [
    'merchants/pi_',
    'payments/pi_',
    'settlements/se_',
    'payments/me_',
    'reviews/ri_',
  ];
  for (const path of missing) {
    const answer = await admin('GET', `${root}/${path}${uuid}`);
    assert.equal(answer.status, 404, path);
  }
  const large = await admin('POST', `${root}/merchants`, { name: 'a'.repeat(2_000_000) });
  assert.equal(large.status, 400);
  assert.match(large.body.error.message, /larger than 1 MiB/);
  assert.equal((await admin('GET', `${root}/merchants`)).body.data.length, 1);
});

test('changes what a merchant may disburse, and only that which is sent', async (context) => {
  const gateway = await testGateway(context);
  const admin = await adminApi(gateway);
  const { body: merchant } = await admin('POST', `${root}/merchants`, { name: 'Praia' });
  const path = `${root}/merchants/${merchant.id}/disbursements`;
  const unlimited = { maxDisbursedPerDay: null, maxDisbursedPerWalletAndDay: null };
  const keepBalance = { CVE: null, AOA: null };
  const first = { allowed: false, maxDisbursement: null, ...unlimited, keepBalance };
  assert.deepEqual((await admin('GET', path)).body, first);
  const change = { allowed: true, maxDisbursement: '5000' };
  assert.deepEqual((await admin('PATCH', path, change)).body, { ...first, ...change });
  const less = (await admin('PATCH', path, { maxDisbursement: null })).body;
  assert.deepEqual(less, { ...first, allowed: true });
  assert.equal((await admin('PATCH', path, { maxDisbursement: '0' })).status, 400);
  assert.deepEqual((await admin('GET', path)).body, less);
  const reader = await adminApi(gateway, { permissions: ['merchants.read'] });
  assert.equal((await reader('GET', path)).status, 200);
  assert.equal((await reader('PATCH', path, change)).status, 403);
  const nobody = path.replace(merchant.id, 'me_01m7yhp3gfe04vkhm96w446fdc');
  assert.equal((await admin('PATCH', nobody, change)).status, 404);
  const text = `SELECT FROM audit_records WHERE action = 'merchant.disbursement_terms_changed'`;
  assert.equal((await gateway.database.query({ text })).length, 2);
});
