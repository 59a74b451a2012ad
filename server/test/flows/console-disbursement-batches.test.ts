/** Money sent to many people from a file: what is wrong is told at its row, and nothing is sent unseen or twice. */
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import { type Member, type TestConsole, testConsole } from '../support/console.ts';
import { fund } from '../support/disbursing.ts';
import { eventually } from '../support/gateway.ts';

const undo: (() => unknown)[] = [];
let site: TestConsole;
let sender: Member;

before(async () => {
  const context = { after: (step: () => unknown) => undo.unshift(step) };
  const environment = { DISBURSEMENT_FEE_MOCK: '100', DISBURSEMENT_APPROVAL_ABOVE: 'CVE=900000' };
  site = await testConsole(context as Parameters<typeof testConsole>[0], { environment });
  sender = await site.signIn('FINANCE');
  const text = `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'test'`;
  const [tenant] = await query<{ id: string }>(text, [site.merchantId]);
  await fund(site.gateway.database, tenant!.id, 1_000_000);
});
after(async () => {
  for (const step of undo) await step();
});

function query<Row>(text: string, values: unknown[] = []): Promise<Row[]> {
  return site.gateway.database.query<Row>({ text }, values);
}

const ids = randomIds();
/** That of a fresh form. */
const aKey = () => ids.next(Date.now());

/** Uploads bytes as a browser does. */
async function upload(bytes: Buffer | string): Promise<{ status: number; text: string }> {
  const { text } = await sender.get('disbursements/upload');
  const body = new FormData();
  body.set('csrf', /name="csrf" value="([^"]*)"/.exec(text)![1]!);
  body.set('key', aKey());
  body.set('name', 'Salários');
  body.set('file', new File([new Uint8Array(Buffer.from(bytes))], 'envios.csv'));
  body.set('action', 'check');
  const headers = { cookie: sender.cookie, origin: site.origin, 'accept-language': 'en' };
  const url = `${site.origin}${site.base}/disbursements/upload`;
  const answer = await fetch(url, { method: 'POST', body, headers });
  const shown = (await answer.text()).replaceAll('\u00a0', ' ').replaceAll(/<[^>]+>/g, '|');
  return { status: answer.status, text: shown };
}

const head = 'operador;telefone;valor;referência;descrição';
const carried = (rows: unknown[][]) =>
  JSON.stringify(rows.map((row, index) => [index + 2, ...row]));

/** Confirms rows, and returns the id of the batch. */
async function send(rows: unknown[][], fields: Record<string, string> = {}): Promise<string> {
  const form = { key: aKey(), name: 'Salários', rows: carried(rows), ...fields, action: 'send' };
  const { location, text } = await sender.send('disbursements/upload', form);
  const id = /dib_\w+/.exec(location ?? '')?.[0];
  assert.ok(id, text);
  return id;
}

const count = async (from: string) =>
  (await query<{ count: number }>(`SELECT count(*)::integer AS count FROM ${from}`))[0]!.count;

test('reads what spreadsheets write: separators, encodings, spellings', async () => {
  const files = [
    `${head}\r\nSimulador;991 23 45;1.500,00;sal-1;Salário\r\n`,
    `\ufeff${head}\nMOCK;+2389912345;1500;sal-1;Salário`,
    Buffer.from(`${head}\nMOCK;2389912345;1500,00;sal-1;Salário`, 'latin1'),
    'operator,phone,amount,reference,description\nSimulator,9912345,"1,500.00",sal-1,Salário',
    'phone\toperator\tamount\treference\tdescription\n9912345\tMOCK\t1500\tsal-1\tSalário',
    `sep=;\n${head}\n\nMOCK;'9912345;1 500;sal-1;Salário\n;;;;\n`,
  ];
  for (const file of files) {
    const { status, text } = await upload(file);
    assert.equal(status, 200, text);
    for (const said of ['+238 991 23 45', '1,500.00 CVE', '15.00 CVE', '1,515.00 CVE', 'Salário'])
      assert.ok(text.includes(said), `${said}: ${text}`);
  }
  assert.equal(await count('disbursement_batches'), 0, 'a look sends nothing');
});

test('tells everything that is wrong, each at its row, and sends nothing', async () => {
  const lines = [
    'MOCK;9912345;1',
    'NONE;9912345;1',
    'MOCK;12;x',
    `MOCK;9912345;1;${'r'.repeat(256)}`,
  ];
  const { status, text } = await upload(`${head}\n${lines.join('\n')}`);
  assert.equal(status, 400);
  assert.match(text, /There are 4 values to correct, and nothing was sent/);
  const cells = text.split(/\|+/).map((each) => each.trim());
  for (const [line, column, problem] of [
    ['3', 'Operator', 'Not an operator for this number.'],
    ['4', 'Phone', 'Not a phone number.'],
    ['4', 'Amount', 'Enter an amount, for example 1,500.00.'],
    ['5', 'Reference', 'At most 255 characters.'],
  ]) {
    const at = cells.findIndex((each, index) => each === line && cells[index + 1] === column);
    assert.ok(
      at !== -1 && cells.slice(at, at + 6).includes(problem!),
      `${line} ${column}: ${text}`,
    );
  }
  assert.doesNotMatch(text, /Send all now/);
});

test('refuses hostile files with a reason', async () => {
  const wrong: [Buffer | string, RegExp][] = [
    ['', /Choose a file/],
    [head, /has no disbursements/],
    ['a;b;c\n1;2;3', /The column “Operator” is missing/],
    [`${head}\nMOCK;"9912345;1`, /is not valid CSV/],
    [Buffer.from(head, 'utf16le'), /must be in UTF-8 or Windows-1252/],
    [Buffer.from([0xff, 0xfe, 0, 0]), /must be in UTF-8 or Windows-1252/],
    [`${head}\n${'MOCK;9912345;1\n'.repeat(1_001)}`, /more than 1,000 lines/],
    [`${head}\n${'x'.repeat(4_200_000)}`, /more than 4 MB/],
  ];
  for (const [file, said] of wrong) {
    const { status, text } = await upload(file);
    assert.equal(status, 400, text);
    assert.match(text, said);
  }
  const markup = await upload(`${head}\n<script>alert(1)</script>;9912345;1`);
  assert.doesNotMatch(markup.text, /alert\(1\)<\/script>/);
  for (const rows of ['', '[]', '{}', '[[1]', '[[2,"MOCK","9912345",1]]', '[null]']) {
    const form = { key: aKey(), rows, action: 'send' };
    assert.equal((await sender.send('disbursements/upload', form)).status, 400, rows);
  }
});

test('answers a file that is far too large with the reason', async () => {
  for (const megabytes of [10, 50]) {
    const { status, text } = await upload(Buffer.alloc(megabytes * 1_000_000, 'x'));
    assert.equal(status, 400);
    assert.match(text, /The file is too large for this page/);
  }
  assert.equal(await count('disbursement_batches'), 0);
});

test('sends a batch once, in the name of the person, and shows how it ends', async () => {
  const rows = [
    ['MOCK', '9912345', '10', '=1+1', 'Ana'],
    ['MOCK', '9912346', '20', 'sal-2', 'Rui'],
  ];
  const key = aKey();
  const id = await send(rows, { key });
  assert.equal(await send(rows, { key }), id, 'the same form sends nothing new');
  assert.equal(await count('disbursement_batches'), 1);
  await eventually('its rows are written', async () => (await count('disbursements')) === 2);
  const [batch] = await query<Record<string, unknown>>(
    'SELECT created_by_person AS person, item_count AS rows, description FROM disbursement_batches',
  );
  assert.deepEqual(batch, { person: sender.personId, rows: 2, description: 'Salários' });
  const records = await query<{ actor: string }>(
    `SELECT actor FROM audit_records WHERE action = 'disbursement_batch.created' AND subject = $1`,
    [id],
  );
  assert.deepEqual(records, [{ actor: `person:${formatId('pe', sender.personId)}` }]);
  const page = await sender.get(`disbursements/batches/${id}`);
  assert.match(page.text, /\+238 ••• •• 45/);
  const results = await sender.get(`disbursements/batches/${id}/results.csv`);
  assert.match(results.text, /,\+238•••••45,10.00,'=1\+1,Ana,|,'\+238•••••45,10.00,'=1\+1,Ana,/);
  assert.match((await sender.get('disbursements/batches')).text, new RegExp(id));
  assert.match((await sender.get(`payments?q=${id}`)).text, /Found:/);
});

test('tells that the same file was sent before', async () => {
  const file = `${head}\nMOCK;9912345;7;seven;`;
  assert.doesNotMatch((await upload(file)).text, /exactly the same batch/);
  const id = await send([['MOCK', '9912345', '7', 'seven', '']]);
  const { status, text } = await upload(file);
  assert.equal(status, 200);
  assert.match(text, /exactly the same batch before:/);
  assert.ok(text.includes(id));
});

test('says how much is missing, and what another person must approve', async () => {
  const short = await upload(`${head}\nMOCK;9912345;8999\nMOCK;9912346;1`);
  assert.match(short.text, /Send all now/);
  const { status, text } = await upload(`${head}\nMOCK;9912345;8999\nMOCK;9912346;2000`);
  assert.equal(status, 200);
  assert.match(text, /The balance does not cover all: [\d,.]+ CVE are missing/);
  assert.match(text, /Somebody else has to approve a batch above 9,000.00 CVE first/);
  assert.doesNotMatch(text, /Send all now/);
});

test('sends a large batch only after another person has approved exactly those rows', async () => {
  const rows = carried([
    ['MOCK', '9912029', '5000', 'big-1', 'Ana'],
    ['MOCK', '9912039', '4001', 'big-2', 'Rui'],
  ]);
  const form = { key: aKey(), name: 'Obras', rows, action: 'send' };
  for (let times = 0; times < 2; times += 1) {
    const { location } = await sender.send('disbursements/upload', form);
    assert.match(location!, /approvals\?done=asked/);
  }
  const before = await count('disbursement_batches');
  const [request] = await query<{ id: string }>('SELECT id FROM approvals');
  const sent = { request: formatId('ap', request!.id), action: 'approve-disbursement' };
  assert.equal((await sender.post('approvals', sent)).status, 403);
  assert.match((await (await site.signIn('VIEWER')).get('approvals')).text, /••• •• 29/);
  const approver = await site.signIn('FINANCE');
  const page = await approver.get('approvals');
  for (const said of ['+238 991 20 29', '+238 991 20 39', '9,001.00', '90.01', 'Obras'])
    assert.ok(page.text.replaceAll('\u00a0', ' ').includes(said), said);
  const lookUp = (row: number) => ({ request: sent.request, row: String(row), action: 'name' });
  assert.match((await approver.send('approvals', lookUp(0))).text, /does not know this number/);
  const looked = await approver.send('approvals', lookUp(1));
  assert.match(looked.text, /<details class="more" open>.*T••• d••• T•••.*<\/details>/s);
  assert.equal(looked.text.match(/name="row"/g)?.length, 1, 'the other can be looked up');
  assert.equal((await approver.send('approvals', lookUp(2))).status, 404);
  const asker = await sender.get('approvals');
  assert.doesNotMatch(asker.text, /name="row"/);
  assert.equal(
    (await sender.send('approvals', lookUp(1))).status,
    404,
    'it is not theirs to decide',
  );
  assert.equal((await (await site.signIn('VIEWER')).send('approvals', lookUp(1))).status, 403);
  assert.equal((await approver.post('approvals', sent)).status, 303);
  assert.equal(await count('disbursement_batches'), before + 1);
  const [ended] = await query<Record<string, string>>('SELECT status, request FROM approvals');
  assert.equal(ended!.status, 'DONE');
  assert.doesNotMatch(ended!.request!, /99120/, 'an erasure would not reach the phones there');
  const records = await query(`SELECT FROM audit_records WHERE detail::text ~ '99120'`);
  assert.equal(records.length, 0);
  const [id] = /dib_\w+/.exec((await approver.get('approvals')).text)!;
  const batch = `disbursements/batches/${id}`;
  const failed = "disbursements WHERE status = 'FAILED'";
  await eventually('both rows fail', async () => (await count(failed)) === 2);
  const retried = await sender.send(batch, { key: aKey(), action: 'retry' });
  assert.equal(retried.status, 400);
  assert.match(retried.text, /Somebody else has to approve so much/);
});
