/** Reconciliations on the staff pages: uploading, comparing and processing statements with any content. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { test } from 'node:test';
import { testConsole } from '../support/console.ts';
import { changeTables } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { addressIn, compared, newPage, stepsOf, upload } from '../support/reconciliations.ts';
import { fetchOfCell } from '../support/staff-browser.ts';
import { heading, makeLedger, statementLines } from '../support/statement.ts';
import { hiddenValue } from '../support/stranger.ts';

const list = '/console/staff/reconciliations';
const now = '2026-11-20T09:30:02Z';
const strange = '019aa5d4-e0fb-7000-8000-00000000000a';
const csv = (...lines: string[]) => `${[heading, ...lines].join('\n')}\n`;
const differenceIds = (text: string) =>
  [...text.matchAll(/name="difference" value="(rd_\w+)"/g)].map(([, id]) => id!);

test("processes an uploaded statement until it matches, and names each step's author", async (context) => {
  const site = await testConsole(context);
  const { database } = site.gateway;
  await makeLedger(site.gateway);
  const finance = await site.signInStaff('FINANCE');
  assert.match((await finance.get(list)).text, /No reconciliations yet/);
  const lines = await statementLines(database);
  const refund = lines.find((line) => line.includes('REFUND'))!;
  const wrong = [...lines.slice(1), refund, `X1,${strange},DEBIT,7.00,CVE,COMPLETED,${now}`];
  const sent = await upload(site, finance, csv(...wrong));
  assert.equal(sent.status, 303, sent.text);
  const address = addressIn(sent);
  const [row] = await compared(database);
  assert.deepEqual([row!.status, row!.open, row!.all], ['OPEN', 3, 3]);
  const { text } = await finance.get(address);
  for (const kind of ['Missing from the statement', 'Listed twice', 'Missing from the ledger']) {
    assert.match(text, new RegExp(`<b>${kind}</b>`), kind);
  }
  assert.match(text, /0 of 3 dealt with/);
  const [one, ...others] = differenceIds(text);
  const nothing = await finance.send(address, { action: 'explain', reason: 'OTHER' });
  assert.equal(nothing.status, 400);
  const bare = await finance.send(address, {
    action: 'explain',
    reason: 'OTHER',
    difference: one!,
  });
  assert.match(bare.text, /Explain why, in up to 500 characters/);
  const given = { reason: 'OTHER', note: 'it is 9912345 <b>', operatorReference: 'OP-77' };
  await finance.send(address, { action: 'explain', difference: one!, ...given });
  const half = await finance.get(address);
  assert.match(half.text, /1 of 3 dealt with/);
  assert.match(half.text, /it is …45 &lt;b&gt;/, 'phones are cut, and HTML is text');
  const again = await finance.send(address, { action: 'explain', difference: one!, ...given });
  assert.match(again.text, /This has changed in the meantime/);
  const both = { action: 'explain', reason: 'NEXT_STATEMENT', difference: others };
  assert.equal((await finance.send(address, both)).status, 303);
  assert.equal((await compared(database))[0]!.status, 'MATCHED');
  assert.match((await finance.get(address)).text, /agree, or each difference has been explained/);
  const steps = await stepsOf(database);
  assert.deepEqual(
    steps.map(({ action }) => action.replace('reconciliation.', '')),
    ['uploaded', 'compared', 'explained', 'explained', 'matched'],
  );
  assert.equal(new Set(steps.map(({ actor }) => actor)).size, 1);
  assert.match(steps[0]!.actor, /^person:pe_/);
  assert.equal(steps[2]!.detail.note, 'it is …45 <b>');
});

test('resolves vanished differences, keeps explained ones and adds changed ones when compared again', async (context) => {
  const site = await testConsole(context);
  const { database } = site.gateway;
  const ids = await makeLedger(site.gateway);
  const finance = await site.signInStaff('FINANCE');
  const lines = await statementLines(database);
  // Our records lose a refund, which only the statement then has, and one line has another amount.
  const text = 'UPDATE refunds SET status = $1 WHERE status = $2';
  await changeTables(site.gateway.cellUrl, 'GRANT ALL ON postings TO CURRENT_USER');
  const keep = `SELECT json_agg(postings)::text AS rows FROM postings WHERE kind = 'refund_done'`;
  const [kept] = await database.query<{ rows: string }>({ text: keep });
  await database.query({ text: `DELETE FROM postings WHERE kind = 'refund_done'` });
  await database.query({ text }, ['PROCESSING', 'SUCCEEDED']);
  const file = csv(...lines.map((line) => line.replace(',100.01,', ',100.02,')));
  const address = addressIn(await upload(site, finance, file));
  await compared(database);
  const amount = await finance.get(`${address}?kind=DIFFERENT_AMOUNT`);
  const [explained] = differenceIds(amount.text);
  await finance.send(address, {
    action: 'explain',
    reason: 'OPERATOR_CORRECTED',
    difference: explained!,
  });
  const restore = 'INSERT INTO postings SELECT * FROM json_populate_recordset(NULL::postings, $1)';
  await database.query({ text: restore }, [kept!.rows]);
  await database.query({ text }, ['SUCCEEDED', 'PROCESSING']);
  assert.equal((await finance.send(address, { action: 'again' })).status, 303);
  const [row] = await compared(database);
  assert.deepEqual([row!.status, row!.open, row!.all], ['MATCHED', 0, 2]);
  const statuses = async () => {
    const rows = await database.query<{ told: string }>({
      text: `SELECT kind || ' ' || status AS told FROM reconciliation_differences ORDER BY 1`,
    });
    return rows.map(({ told }) => told);
  };
  assert.deepEqual(await statuses(), ['DIFFERENT_AMOUNT EXPLAINED', 'DIFFERENT_STATUS SOLVED']);
  await database.query({
    text: `UPDATE payments SET amount_minor = 10003 WHERE amount_minor = 10001`,
  });
  await database.query({
    text: `UPDATE postings SET amount_minor = amount_minor + 2 WHERE kind = 'debit_net' AND source_id = (
      SELECT id FROM payments WHERE amount_minor = 10003)`,
  });
  await finance.send(address, { action: 'again' });
  assert.deepEqual([(await compared(database))[0]!.status, ids.paid !== ''], ['OPEN', true]);
  assert.deepEqual(await statuses(), [
    'DIFFERENT_AMOUNT OPEN',
    'DIFFERENT_AMOUNT SOLVED',
    'DIFFERENT_STATUS SOLVED',
  ]);
  const actions = (await stepsOf(database)).map(({ action }) => action);
  assert.ok(actions.includes('reconciliation.reopened'), 'it was matched before');
  const { text: page } = await finance.get(`${address}?status=SOLVED`);
  const solved = /differences\/(rd_\w+)/.exec(page)![1]!;
  assert.doesNotMatch(
    (await finance.get(`${address}/differences/${solved}`)).text,
    /name="action"/,
  );
});

test('reports each problem of a file with its line, and stores nothing', async (context) => {
  const site = await testConsole(context);
  const { database } = site.gateway;
  const finance = await site.signInStaff('FINANCE');
  const good = `X1,${strange},DEBIT,7.00,CVE,COMPLETED,${now}`;
  const wrong: [string, string | Buffer, RegExp][] = [
    ['empty', '', /Choose a file|Line 1: the file is empty/],
    ['only line breaks', '\n\n\r\n', /Line 1: the file is empty/],
    ['no CSV', '%PDF-1.7\n%âãÏÓ\n', /Line 1: .*transaction_id is missing/],
    ['a page', '<!doctype html><script>alert(1)</script>', /Line 1: .*is missing/],
    [
      'UTF-16 with a mark',
      Buffer.from(`\ufeff${csv(good)}`, 'utf16le'),
      /Line 1: the file must be UTF-8/,
    ],
    ['UTF-16', Buffer.from(csv(good), 'utf16le'), /Line 1: there is a NUL/],
    [
      'Latin 1',
      Buffer.from(csv(good, good.replace('X1', 'São')), 'latin1'),
      /Line 3: the file must be UTF-8/,
    ],
    ['a NUL', csv(good.replace('X1', 'X\0')), /Line 2: there is a NUL/],
    [
      'a field of a megabyte',
      csv(good.replace('X1', 'x'.repeat(1_100_000))),
      /Line 2: the row is too long/,
    ],
    [
      'a long field',
      csv(good.replace('X1', 'x'.repeat(300))),
      /Line 2: transaction_id has more than 256/,
    ],
    [
      'HTML',
      csv(good.replace('DEBIT', '<img src=x onerror=alert(1)>')),
      /Line 2: type is &quot;&lt;img/,
    ],
    [
      'a direction',
      csv(good.replace('7.00', '\u202e7.00')),
      /Line 2: amount is &quot;\\u\{202e\}7\.00/,
    ],
    ['a thousand', csv(good.replace('7.00', '1,007.00')), /Line 2: there are 8 fields/],
    ['a quote', csv(`"${good}`), /Line 2: a closing quote is missing/],
    ['no time', csv(good.replace('Z', 'X')), /Line 2: completed_at is/],
  ];
  for (const [name, file, message] of wrong) {
    const { status, text } = await upload(site, finance, file);
    assert.equal(status, 400, name);
    assert.match(text, message, name);
    assert.doesNotMatch(text, /<img|<script>alert|\u202e/, name);
  }
  const portuguese = await fetchOfCell(`${site.origin}${newPage}`, {
    headers: { cookie: finance.cookie, 'accept-language': 'pt' },
  });
  assert.match(await portuguese.text(), /Carregar e comparar/);
  for (const table of ['reconciliations', 'reconciliation_lines']) {
    assert.deepEqual(await database.query({ text: `SELECT FROM ${table}` }), [], table);
  }
});

test('rejects a comparison with an unknown scope', async (context) => {
  const site = await testConsole(context);
  const finance = await site.signInStaff('FINANCE');
  const good = `X1,${strange},DEBIT,7.00,CVE,COMPLETED,${now}`;
  const fields: [Record<string, string>, RegExp][] = [
    [{ merchant: 'me_nobody' }, /No merchant has this id/],
    [{ merchant: 'me_01m7yhp3gge018xpacn8sjzp5w' }, /No merchant has this id/],
    [{ operator: 'NOBODY' }, /Choose the operator/],
    [{ from: '2026-02-30' }, /Enter the first and the last day/],
    [{ from: '' }, /Enter the first and the last day/],
    [{ to: '' }, /Enter the first and the last day/],
    [{ from: '2026-11-21', to: '2026-11-20' }, /ends before it begins/],
  ];
  for (const [change, message] of fields) {
    const { status, text } = await upload(site, finance, csv(good), change);
    assert.equal(status, 400, String(message));
    assert.match(text, message);
  }
});

test('rejects a too large file while it arrives, with an explanation', async (context) => {
  const site = await testConsole(context);
  const finance = await site.signInStaff('FINANCE');
  const { status, text } = await upload(site, finance, Buffer.alloc(129 * 1024 * 1024, 'x'));
  assert.equal(status, 400);
  assert.match(text, /The file is larger than 128 MiB/);
});

test('shows and downloads texts of a statement unchanged', async (context) => {
  const site = await testConsole(context);
  const finance = await site.signInStaff('FINANCE');
  const hostile = [
    `=HYPERLINK("http://x"),'`,
    '<script>alert(1)</script>',
    '\u202eevil',
    '@SUM(1)',
  ].map(
    (text, index) => `"${text.replaceAll('"', '""')}",ref${index},DEBIT,7.00,CVE,COMPLETED,${now}`,
  );
  const sent = await upload(site, finance, csv(...hostile), { name: '=cmd|<i>\u202e.csv' });
  const address = addressIn(sent);
  await compared(site.gateway.database);
  const { text } = await finance.get(address);
  assert.doesNotMatch(text, /<script>alert|<i>/);
  assert.match(text, /<bdi>\\u\{202e\}evil<\/bdi>/, 'it turns nothing around');
  const file = await finance.get(`${address}/csv`);
  assert.match(
    file.headers.get('content-disposition')!,
    /attachment; filename="differences-rc_\w+\.csv"/,
  );
  assert.match(file.text, /"'=HYPERLINK\(""http:\/\/x""\),'"/);
  assert.match(file.text, /'@SUM\(1\)/);
  assert.equal(file.text.trim().split('\r\n').length, 5);
});

test('makes one reconciliation of the same file and scope, even from two concurrent uploads', async (context) => {
  const site = await testConsole(context);
  const { database } = site.gateway;
  const [one, two] = [await site.signInStaff('FINANCE'), await site.signInStaff('ADMIN')];
  const file = csv(`X1,${strange},DEBIT,7.00,CVE,COMPLETED,${now}`);
  const sent = await Promise.all([upload(site, one, file), upload(site, two, file)]);
  assert.equal(addressIn(sent[0]!), addressIn(sent[1]!));
  const done = new Set(sent.map(({ location }) => location!.split('done=')[1]));
  assert.deepEqual(done, new Set(['known', 'uploaded']));
  assert.notEqual(
    addressIn(await upload(site, one, file, { currency: 'CVE' })),
    addressIn(sent[0]!),
  );
  const rows = await compared(database);
  assert.equal(rows.length, 2);
  // A new upload restores lines that were removed for their age.
  await database.query({ text: 'DELETE FROM reconciliation_lines' });
  await database.query({ text: 'UPDATE reconciliations SET has_lines = false' });
  const address = addressIn(sent[0]!);
  assert.match((await one.get(address)).text, /The lines are no longer stored/);
  assert.equal((await one.send(address, { action: 'again' })).status, 400);
  assert.equal(addressIn(await upload(site, one, file)), address);
  await compared(database);
  assert.match((await one.get(address)).text, /Compare again/);
});

test("rejects uploads without permission, from another site, or with another session's token", async (context) => {
  const site = await testConsole(context);
  const auditor = await site.signInStaff('AUDITOR');
  const finance = await site.signInStaff('FINANCE');
  assert.equal((await auditor.get(newPage)).status, 403);
  const form = (csrf: string) => {
    const body = new FormData();
    body.set('csrf', csrf);
    body.set('operator', 'MOCK');
    body.set('file', new File(['x'], 'x.csv'));
    body.set('action', 'upload');
    return body;
  };
  const post = async (cookie: string, origin: string, csrf: string) => {
    const init = { method: 'POST', body: form(csrf), headers: { cookie, origin } };
    return (await fetchOfCell(`${site.origin}${newPage}`, { ...init, redirect: 'manual' })).status;
  };
  assert.equal(await post(auditor.cookie, site.origin, 'x'), 403);
  assert.equal(await post(finance.cookie, 'https://elsewhere.example', 'x'), 403);
  assert.equal(await post(finance.cookie, site.origin, 'x'), 403);
  assert.equal(await post('', site.origin, 'x'), 302);
  const urlencoded = await finance.post(newPage, { action: 'upload', operator: 'MOCK' });
  assert.equal(urlencoded.status, 400, 'without a file it is no upload');
});

test('leaves nothing of a truncated upload, and accepts a complete one afterwards', async (context) => {
  const site = await testConsole(context);
  const finance = await site.signInStaff('FINANCE');
  const { text } = await finance.get(newPage);
  const csrf = hiddenValue(text, 'csrf');
  const uploads = () => readdirSync(tmpdir()).filter((name) => name.startsWith('zimbo-scratch-'));
  const others = new Set(uploads());
  const ours = () => uploads().filter((name) => !others.has(name));
  const begun = [1, 2, 3, 4].map(() => {
    const socket = connect(Number(new URL(site.origin).port), 'localhost');
    context.after(() => socket.destroy());
    const part = (name: string, more = '') =>
      `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`;
    socket.write(
      `POST ${newPage} HTTP/1.1\r\nHost: x\r\nOrigin: ${site.origin}\r\nCookie: ${finance.cookie}\r\n` +
        'Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000000\r\n\r\n' +
        `${part('csrf')}${csrf}\r\n${part('file', '; filename="a.csv"')}${heading}\n`,
    );
    return socket;
  });
  await eventually('they come in', () => ours().length >= 4);
  const file = csv(`X1,${strange},DEBIT,7.00,CVE,COMPLETED,${now}`);
  assert.equal((await upload(site, finance, file)).status, 429, 'four at once');
  for (const socket of begun) socket.destroy();
  await eventually('they are gone', () => ours().length === 0);
  assert.equal((await upload(site, finance, file)).status, 303);
  assert.equal((await compared(site.gateway.database)).length, 1);
});
