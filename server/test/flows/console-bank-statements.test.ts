import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeBankStatement } from '../../src/backoffice/bank-statements/upload.ts';
import { recordBankReference } from '../../src/money/settlements/bank-reference.ts';
import { findSettlementById } from '../../src/money/settlements/store.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { formatId, parseId, randomIds } from '../../src/platform/values/ids.ts';
import { adminApi } from '../support/admin.ts';
import { testConsole } from '../support/console.ts';
import { processingSettlement } from '../support/settled.ts';

/** A bank's statement with the payout of a shop. */
async function statementOf(context: Parameters<typeof testConsole>[0], fourEyes: string) {
  const environment = fourEyes === '' ? {} : { FOUR_EYES: fourEyes };
  const site = await testConsole(context, { environment });
  const { database } = site.gateway;
  // A live key of the merchant would keep the live tenant, which the payout needs to be its own.
  await database.query({
    text: 'DELETE FROM api_keys WHERE tenant_id NOT IN (SELECT tenant_id FROM api_keys ORDER BY id LIMIT 1)',
  });
  const payout = await processingSettlement(site.gateway);
  const text = 'SELECT id, net_minor AS net FROM settlements';
  const rows = await database.query<{ id: string; net: bigint }>({ text });
  const today = new Date().toISOString().slice(0, 10);
  const lines = rows.map(({ id, net }, index) => {
    const major = `-${net / 100n},${String(net % 100n).padStart(2, '0')}`;
    return `${today};${major};${formatId('se', id).replace('_', '-')};BCA-${index}`;
  });
  const bytes = Buffer.from(['data;valor;descricao;referencia', ...lines].join('\r\n'));
  const author = { actor: 'cli:maria', origin: 'praia-1', clock: systemClock, ids: randomIds() };
  const file = { name: 'extrato.csv', bytes, columns: {}, currency: 'CVE' };
  const { statement } = await takeBankStatement({ database, ...author }, file);
  const uploadAgain = async () => {
    const longer = { ...file, bytes: Buffer.concat([bytes, Buffer.from('\r\n')]) };
    const again = await takeBankStatement({ database, ...author }, longer);
    return `bank-statements/${formatId('bs', again.statement.id)}`;
  };
  const page = `bank-statements/${formatId('bs', statement.id)}`;
  return { site, page, payout, database, uploadAgain };
}

const confirmation = { action: 'all', complete: '1' };

test('asks a second person for the payout of a bank statement, and does not complete it', async (context) => {
  const { site, page, payout, database } = await statementOf(context, 'settlements');
  const admin = await site.signInStaff('ADMIN');
  const shown = await admin.get(page);
  const [, key] = /name="key" value="([^"]+)"/.exec(shown.text)!;
  const sent = await admin.send(page, { ...confirmation, key: key! });
  assert.deepEqual([sent.status, /done=(\w+)/.exec(sent.location ?? '')?.[1]], [303, 'asked']);
  const text = `SELECT subject_id AS id FROM approvals WHERE status = 'PENDING'`;
  const asked = await database.query<{ id: string }>({ text });
  assert.deepEqual(
    asked.map(({ id }) => formatId('se', id)),
    [payout],
  );
  const state = `SELECT DISTINCT status, bank_reference IS NOT NULL AS "isNamed" FROM settlements`;
  const expected = [{ status: 'PROCESSING', isNamed: true }];
  assert.deepEqual(await database.query({ text: state }), expected);
});

test('completes the payout of a bank statement where one person may', async (context) => {
  const { site, page, database } = await statementOf(context, '');
  const admin = await site.signInStaff('ADMIN');
  const sent = await admin.send(page, confirmation);
  assert.match(sent.location ?? '', /done=completed/);
  const text = 'SELECT DISTINCT status FROM settlements';
  assert.deepEqual(await database.query({ text }), [{ status: 'COMPLETED' }]);
});

test('proposes a payout no more once another statement has shown it', async (context) => {
  const { site, page, payout, uploadAgain } = await statementOf(context, '');
  const overlapping = await uploadAgain();
  const admin = await site.signInStaff('ADMIN');
  assert.ok((await admin.get(overlapping)).text.includes(payout));
  await admin.send(page, confirmation);
  assert.ok(!(await admin.get(overlapping)).text.includes(payout));
});

test('replaces no reference that somebody else has recorded meanwhile', async (context) => {
  const { payout, database } = await statementOf(context, '');
  const seen = (await findSettlementById(database, parseId('se', payout)!))!;
  const author = { actor: 'cli:maria', origin: 'praia-1', clock: systemClock, ids: randomIds() };
  const record = (reference: string) =>
    database.transaction((transaction) =>
      recordBankReference(transaction, author, { seen, reference }),
    );
  await record('BCA-1');
  await assert.rejects(record('BCA-2'), { code: 'INVALID_STATE' });
  const stored = await findSettlementById(database, seen.id);
  assert.equal(stored?.bankReference, 'BCA-1');
});

test("records the bank's reference in the act of completing a payout", async (context) => {
  const { site, payout, database } = await statementOf(context, '');
  const call = await adminApi(site.gateway);
  const path = `/admin/v1/settlements/${payout}/complete`;
  const wrong = await call('POST', path, { bankReference: 'two\nlines' });
  assert.deepEqual([wrong.status, wrong.body.error.param], [400, 'bankReference']);
  const done = await call('POST', path, { bankReference: ' BCA-9 ' });
  const { status, bankReference } = done.body.settlement;
  assert.deepEqual([done.status, status, bankReference], [200, 'COMPLETED', 'BCA-9']);
  const text = 'SELECT status, bank_reference AS "bankReference" FROM settlements';
  assert.deepEqual(await database.query({ text }), [{ status, bankReference }]);
  const audited = `SELECT action FROM audit_records WHERE subject = $1 ORDER BY id`;
  const records = await database.query<{ action: string }>({ text: audited }, [payout]);
  const actions = records.map(({ action }) => action);
  assert.deepEqual(actions, [
    'settlement.processed',
    'settlement.completed',
    'settlement.bank_reference_recorded',
  ]);
  assert.equal((await call('POST', path, { bankReference: 'BCA-10' })).status, 409);
});

test('removes no line by a number that no statement has', async (context) => {
  const { site, page } = await statementOf(context, '');
  const call = await adminApi(site.gateway);
  for (const act of ['dismiss', 'confirm']) {
    const sent = { lines: [7_577_153_688] };
    const { status, body } = await call('POST', `/admin/v1/${page}/${act}`, sent);
    assert.deepEqual([status, body.error.param], [400, 'lines[0]'], act);
  }
  const admin = await site.signInStaff('ADMIN');
  for (const line of ['7577153688', '99999999999999999999', '1.5', 'x']) {
    const answer = await admin.send(page, { action: 'dismiss', line });
    assert.ok(answer.status < 500, `${line}: ${answer.status}`);
  }
});

test('shows a statement of an earlier version whose days no database knows', async (context) => {
  const { site, page, database } = await statementOf(context, '');
  const admin = await site.signInStaff('ADMIN');
  const api = await adminApi(site.gateway);
  for (const days of [
    ['2026-11-01', '9999-12-31'],
    ['0000-01-01', '0000-01-02'],
    ['0000-01-01', '9999-12-31'],
  ]) {
    await database.query(
      { text: 'UPDATE bank_statements SET first_day = $1, last_day = $2' },
      days,
    );
    assert.equal((await admin.get(page)).status, 200, days.join());
    assert.equal((await admin.get('bank-statements')).status, 200, days.join());
    const { status } = await api('GET', `/admin/v1/${page}`);
    assert.equal(status, 200, days.join());
  }
});
