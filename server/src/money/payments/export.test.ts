import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { inflateRawSync } from 'node:zlib';
import { silentLog, testDatabase } from '../../../test/support/database.ts';
import { examplePayment } from '../../../test/support/payment.ts';
import { addTenants } from '../../../test/support/tenants.ts';
import { formatId, randomIds } from '../../platform/values/ids.ts';
import { always } from '../../tenants/merchants/time-zone.ts';
import { type ExportOrder, makeExportPayments } from './export.ts';
import { findExport } from './export-store.ts';

const { tenantId } = examplePayment();
const otherTenantId = '0190a000-0000-7000-8000-000000000002';
const order: ExportOrder = {
  tenantId,
  filter: {},
  format: 'CSV',
  language: 'pt',
  timeZones: always('Atlantic/Cape_Verde'),
  showPhones: true,
  screen: {
    statuses: { PARTIALLY_REFUNDED: 'Reembolsado em parte', FAILED: 'Falhou', DEBITED: 'Pago' },
    operators: { MOCK: 'Simulador' },
    failures: { PAYER_DECLINED: 'O cliente recusou o pagamento.' },
  },
  author: { actor: 'person:pe_1', origin: '192.0.2.7' },
};

const seed = `
INSERT INTO payments (tenant_id, id, version, status, amount_minor, fee_minor, currency, operator,
  operator_phone, operator_tx_id, external_id, description, ask_count, expires_at, created_at, updated_at)
SELECT $1::uuid, ('019aa5d4-e0fb-7000-8000-' || lpad(n::text, 12, '0'))::uuid, 3, 'DEBITED', 141000, 2820,
  'CVE', 'MOCK', '+2389912345', 'TX' || n, '=1+1', 'Café; "Sal" <&> _x0041_' || chr(7), 0, now(),
  '2026-11-22T00:30:15Z', now()
FROM generate_series(1, $2::integer) AS n`;

async function openExports(context: TestContext, payments: number) {
  const { database } = await testDatabase(context);
  await addTenants(database, tenantId, otherTenantId);
  await database.query({ text: seed }, [tenantId, payments]);
  const clock = { ms: Date.parse('2026-11-22T12:00:00Z'), nowMs: () => clock.ms };
  const base = { database, clock, ids: randomIds(), log: silentLog, pageRows: 3 };
  return { ...base, exportPayments: makeExportPayments(base) };
}

/** The files in a ZIP file, according to its index. */
function unzip(bytes: Buffer): Record<string, string> {
  const end = bytes.length - 22;
  assert.equal(bytes.readUInt32LE(end), 0x06054b50);
  const files: Record<string, string> = {};
  let at = bytes.readUInt32LE(end + 16);
  for (let left = bytes.readUInt16LE(end + 10); left > 0; left--) {
    assert.equal(bytes.readUInt32LE(at), 0x02014b50);
    const [packed, size] = [bytes.readUInt32LE(at + 20), bytes.readUInt32LE(at + 24)];
    const nameLength = bytes.readUInt16LE(at + 28);
    const offset = bytes.readUInt32LE(at + 42);
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength);
    assert.equal(bytes.readUInt32LE(offset), 0x04034b50);
    const start = offset + 30 + nameLength;
    const content = inflateRawSync(bytes.subarray(start, start + packed));
    assert.equal(content.length, size, name);
    files[name] = content.toString();
    at += 46 + nameLength;
  }
  assert.equal(at, end);
  return files;
}

test('writes every payment once, in order, as CSV for a Portuguese spreadsheet', async (context) => {
  const { exportPayments, database } = await openExports(context, 8);
  const begun = await exportPayments(order);
  assert.equal(begun.fileName, 'pagamentos-2026-11-22.csv');
  const file = new PassThrough();
  const read = buffer(file);
  assert.equal(await begun.writeTo(file), 'SUCCEEDED');
  const [head, ...lines] = (await read).toString().split('\r\n');
  assert.ok(head!.startsWith('\ufeffPagamento;Data e hora;Estado;Valor;'));
  assert.equal(lines.pop(), '');
  assert.deepEqual(
    lines.map((line) => /;(TX\d+);/.exec(line)![1]),
    Array.from({ length: 8 }, (_, index) => `TX${index + 1}`),
  );
  const [, date, status, amount, fee, net, currency, , phone, , external] = lines[0]!.split(';');
  assert.deepEqual(
    [date, status, amount, fee, net, currency, phone, external],
    ['2026-11-21 23:30:15', 'Pago', '1410,00', '28,20', '1381,80', 'CVE', "'+2389912345", "'=1+1"],
  );
  assert.match(lines[0]!, /"Café; ""Sal""/);
  const done = (await findExport(database, tenantId, begun.id))!;
  assert.deepEqual(
    [done.state, done.rowsWritten, done.rowsTotal, done.actor],
    ['SUCCEEDED', 8n, 8n, 'person:pe_1'],
  );
  const records = await database.query<{ action: string }>({
    text: 'SELECT action, actor, origin, detail::text FROM audit_records',
  });
  assert.deepEqual(records, [
    {
      action: 'payments.exported',
      actor: 'person:pe_1',
      origin: '192.0.2.7',
      detail: '{"format": "CSV", "phones": true, "filteredBy": []}',
    },
  ]);
});

test('says what each payment earned, what went back and which payout took it', async (context) => {
  const { exportPayments, database } = await openExports(context, 3);
  const id = (n: number) => `019aa5d4-e0fb-7000-8000-00000000000${n}`;
  const settlementId = '019aa5d4-e0fb-7000-8000-0000000000aa';
  await database.query({
    text: `
UPDATE payments SET status = 'PARTIALLY_REFUNDED' WHERE id = '${id(1)}';
UPDATE payments SET status = 'FAILED', failure_code = 'PAYER_DECLINED' WHERE id = '${id(3)}';
INSERT INTO refunds (tenant_id, id, version, payment_id, status, amount_minor, currency, operator, operator_tx_id,
  ask_count, created_at, updated_at)
SELECT '${tenantId}', gen_random_uuid(), 1, '${id(1)}', status, minor, 'CVE', 'MOCK', 'TX1', 0, now(), now()
FROM (VALUES ('SUCCEEDED', 5000), ('SUCCEEDED', 2500), ('FAILED', 1000), ('PENDING', 300)) AS r (status, minor);
INSERT INTO settlements (tenant_id, id, version, merchant_id, status, currency, gross_minor, fee_minor,
  refund_minor, net_minor, item_count, period_start, period_end, created_at, completed_at)
SELECT '${tenantId}', '${settlementId}', 1, merchant_id, 'COMPLETED', 'CVE', 141000, 2820, 0, 138180, 1,
  now(), now(), now(), '2026-12-01T00:30:00Z' FROM tenants WHERE id = '${tenantId}';
INSERT INTO settlement_periods VALUES ('${tenantId}', 'CVE', 1, '${settlementId}', now());
INSERT INTO postings (tenant_id, source_id, kind, from_account, to_account, currency, amount_minor, created_at, period)
VALUES ('${tenantId}', '${id(1)}', 'debit_net', 'operator:MOCK', 'payable', 'CVE', 138180, now(), 1)`,
  });
  const begun = await exportPayments(order);
  const file = new PassThrough();
  const read = buffer(file);
  assert.equal(await begun.writeTo(file), 'SUCCEEDED');
  const lines = (await read).toString().split('\r\n');
  // The description contains the separator.
  const rows = lines.map((line) => line.replace(/"[^"]*(""[^"]*)*"/, 'Café').split(';'));
  assert.deepEqual(rows[0]!.slice(14), [
    'Reembolsado',
    'Líquido após reembolsos',
    'Transferência',
    'Transferido em',
    'Fuso horário',
    'Estado no ecrã',
    'Nome do operador',
    'Motivo da falha',
  ]);
  const zone = 'Atlantic/Cape_Verde';
  const money = (n: number) => [rows[n]!.slice(4, 6), rows[n]!.slice(14)];
  const payout = formatId('se', settlementId);
  assert.deepEqual(money(1), [
    ['28,20', '1381,80'],
    ['78,00', '1303,80', payout, '2026-11-30', zone, 'Reembolsado em parte', 'Simulador', ''],
  ]);
  assert.deepEqual(money(2), [
    ['28,20', '1381,80'],
    ['0,00', '1381,80', '', '', zone, 'Pago', 'Simulador', ''],
  ]);
  assert.deepEqual(money(3), [
    ['', ''],
    ['', '', '', '', zone, 'Falhou', 'Simulador', 'O cliente recusou o pagamento.'],
  ]);
});

test('writes an Excel workbook with typed text, dates and numbers', async (context) => {
  const { exportPayments } = await openExports(context, 7);
  const english = { ...order, format: 'XLSX', language: 'en', showPhones: false } as const;
  const begun = await exportPayments(english);
  const file = new PassThrough();
  const read = buffer(file);
  assert.equal(await begun.writeTo(file), 'SUCCEEDED');
  const files = unzip(await read);
  assert.match(files['xl/workbook.xml']!, /<sheet name="Payments" sheetId="1" r:id="rId1"\/>/);
  for (const name of [
    '[Content_Types].xml',
    '_rels/.rels',
    'xl/_rels/workbook.xml.rels',
    'xl/styles.xml',
  ]) {
    assert.match(files[name]!, /^<\?xml/);
  }
  const sheet = files['xl/worksheets/sheet1.xml']!;
  assert.equal(sheet.match(/<row>/g)!.length, 8);
  for (const part of [
    // 2026-11-21 23:30:15 there.
    '<c s="1"><v>46347.979340',
    '<c s="2"><v>1410</v></c>',
    '>=1+1</t>',
    '>Café; "Sal" &lt;&amp;&gt; _x005F_x0041_</t>',
    '>+238•••••45</t>',
  ]) {
    assert.ok(sheet.includes(part), part);
  }
  assert.doesNotMatch(sheet, /2389912345|<f>/);
});

test('limits a tenant to two running exports, and frees the slot of a dead process', async (context) => {
  const { exportPayments, clock } = await openExports(context, 1);
  const [first] = await Promise.all([exportPayments(order), exportPayments(order)]);
  await assert.rejects(exportPayments(order), { code: 'LIMIT_REACHED' });
  const other = { ...order, tenantId: otherTenantId };
  assert.equal(
    await (await exportPayments(other)).writeTo(new PassThrough().resume()),
    'SUCCEEDED',
  );
  assert.equal(await first.writeTo(new PassThrough().resume()), 'SUCCEEDED');
  await exportPayments(order);
  await assert.rejects(exportPayments(order), { code: 'LIMIT_REACHED' });
  clock.ms += 121_000;
  await exportPayments(order);
});

test('stops reading when the reader disconnects', async (context) => {
  const { exportPayments, database } = await openExports(context, 2_000);
  const begun = await exportPayments(order);
  let received = 0;
  const reader = new Writable({
    write(chunk: Buffer, _encoding, done) {
      received += chunk.length;
      if (received > 2_000) this.destroy();
      done();
    },
  });
  assert.equal(await begun.writeTo(reader), 'CANCELLED');
  const ended = (await findExport(database, tenantId, begun.id))!;
  assert.equal(ended.state, 'CANCELLED');
  assert.ok(ended.rowsWritten < 1_900n, `${ended.rowsWritten} of 2000`);
});

test('cuts off a reader that stalls, and frees its slot', async (context) => {
  const { database, clock, ...rest } = await openExports(context, 12);
  for (const format of ['CSV', 'XLSX'] as const) {
    const exportPayments = makeExportPayments({ ...rest, database, clock, stallMs: 50 });
    const begun = await exportPayments({ ...order, format });
    // It never acknowledges what it was given.
    const reader = new Writable({ highWaterMark: 1, write: () => {} });
    // The test does not wait half an hour for the time-out: then the export is CANCELLED.
    const givesUp = setTimeout(() => reader.destroy(), 5_000);
    assert.equal(await begun.writeTo(reader), 'FAILED');
    clearTimeout(givesUp);
    assert.ok(reader.destroyed);
    assert.equal((await findExport(database, tenantId, begun.id))!.state, 'FAILED');
  }
});

test('shows progress from any process, and ends an export that lost its slot', async (context) => {
  const { exportPayments, database, clock } = await openExports(context, 30);
  const begun = await exportPayments(order);
  const seen: bigint[] = [];
  const look = async () => {
    const { rowsWritten, state } = (await findExport(database, tenantId, begun.id))!;
    if (state === 'RUNNING') seen.push(rowsWritten);
    if (rowsWritten >= 6n) await database.query({ text: "UPDATE exports SET state = 'FAILED'" });
  };
  const reader = new Writable({
    write(_chunk: Buffer, _encoding, done) {
      clock.ms += 2_000;
      look().then(() => done(), done);
    },
    highWaterMark: 1,
  });
  assert.equal(await begun.writeTo(reader), 'FAILED');
  assert.ok(new Set(seen).size > 1, seen.join());
});
