import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type CsvError, readCsv } from '../../platform/formats/csv.ts';
import { readStatement, readStatementBytes, type StatementRow } from './operator-statement.ts';

const heading = 'transaction_id,reference,type,amount,currency,status,completed_at';

async function read(text: string): Promise<StatementRow[]> {
  async function* chunks() {
    yield text;
  }
  return Array.fromAsync(readStatement(readCsv(chunks())));
}

async function readAny(text: string): Promise<StatementRow[]> {
  async function* chunks() {
    yield Buffer.from(text);
  }
  return Array.fromAsync(readStatementBytes(chunks()));
}

const readLine = async (line: string) => (await read(`${heading}\n${line}`))[0]!;

test('converts amounts in major units to exact minor units', async () => {
  const amounts: [string, bigint][] = [
    ['0', 0n],
    ['7', 700n],
    ['7.5', 750n],
    ['0.29', 29n],
    ['100.01', 10_001n],
    ['90071992547409.93', 9_007_199_254_740_993n],
    ['5.1000', 510n],
  ];
  for (const [text, minor] of amounts) {
    const row = await readLine(`T,R,DEBIT,${text},CVE,PENDING,`);
    assert.equal(row.amountMinor, minor, text);
  }
});

test('reads a file of Portuguese Excel: semicolons or tabs, decimal commas, byte order mark', async () => {
  const lines = [heading, 'T1,R,DEBIT,AMOUNT,CVE,COMPLETED,2026-11-20T09:30:00Z', ''];
  const amounts: [string, bigint][] = [
    ['1250,50', 125_050n],
    ['1250,5', 125_050n],
    ['1250', 125_000n],
    ['1250.50', 125_050n],
    ['1.250,50', 125_050n],
    ['1 250,50', 125_050n],
    ['1\u00a0234\u00a0567,89', 123_456_789n],
  ];
  for (const separator of [';', '\t']) {
    for (const [text, minor] of amounts) {
      const file = `\ufeff${lines.join('\r\n').replaceAll(',', separator).replace('AMOUNT', text)}`;
      for (const whole of [file, file.replace('\ufeff', `\ufeffsep=${separator}\r\n`)]) {
        const rows = await readAny(whole);
        assert.deepEqual(
          [rows.length, rows[0]!.amountMinor, rows[0]!.transactionId],
          [1, minor, 'T1'],
        );
      }
    }
  }
  assert.equal(
    (await readAny(`${heading}\nT,R,DEBIT,"1250,50",CVE,PENDING,`))[0]!.amountMinor,
    125_050n,
  );
});

test('rejects an amount that could be read as a thousand times another', async () => {
  const semicolons = heading.replaceAll(',', ';');
  for (const text of [
    '1.250',
    '1,250',
    '1.250.000',
    '12.50,5',
    '1,250.50',
    '1 250',
    '1250,',
    ',50',
  ]) {
    const file = `${semicolons}\nT;R;DEBIT;${text};CVE;PENDING;`;
    await assert.rejects(readAny(file), /amount is .* not a number like 1234.50 or 1234,50/, text);
  }
});

test('finds columns by their names, in any order and among others', async () => {
  const [row] = await read(
    'Status,fee, amount ,COMPLETED_AT,reference,type,currency,transaction_id\n' +
      'completed,9,10,2026-11-20 09:30:00+01:00,019AA5D4-E0FB-7000-8000-000000000009,debit,cve,T1\n',
  );
  const referenceId = '019aa5d4-e0fb-7000-8000-000000000009';
  assert.deepEqual(row, {
    line: 2,
    transactionId: 'T1',
    reference: referenceId.toUpperCase(),
    referenceId,
    type: 'DEBIT',
    amountMinor: 1_000n,
    currency: 'CVE',
    status: 'COMPLETED',
    completedAtMs: Date.parse('2026-11-20T08:30:00Z'),
  });
});

test('reads a time without a zone as that of the currency’s country', async () => {
  const at = async (currency: string, text: string) => {
    const row = await readLine(`T,R,DEBIT,1,${currency},COMPLETED,${text}`);
    return new Date(row.completedAtMs!).toISOString();
  };
  assert.equal(await at('CVE', '2026-11-26 10:00:00'), '2026-11-26T11:00:00.000Z');
  assert.equal(await at('AOA', '2026-11-26T10:00:00'), '2026-11-26T09:00:00.000Z');
  assert.equal(await at('AOA', '2026-11-26 10:00'), '2026-11-26T09:00:00.000Z');
  assert.equal(await at('CVE', '2026-11-26 10:00:00Z'), '2026-11-26T10:00:00.000Z');
});

test('reports an unreadable value with its line and the expected form', async () => {
  const wrong: [string, RegExp][] = [
    [
      'T,R,DEBIT,"1,234.50",CVE,PENDING,',
      /amount is "1,234.50", not a number like 1234.50 or 1234,50/,
    ],
    ['T,R,DEBIT,-1,CVE,PENDING,', /amount/],
    ['T,R,DEBIT,1e3,CVE,PENDING,', /amount/],
    ['T,R,DEBIT,1.005,CVE,PENDING,', /amount/],
    ['T,R,DEBIT,,CVE,PENDING,', /amount/],
    ['T,R,PAYOUT,1,CVE,PENDING,', /type is "PAYOUT", not DEBIT, REFUND, REVERSAL/],
    ['T,R,DEBIT,1,EUR,PENDING,', /currency/],
    ['T,R,DEBIT,1,CVE,DONE,', /status/],
    ['T,R,DEBIT,1,CVE,COMPLETED,', /completed_at/],
    ['T,R,DEBIT,1,CVE,COMPLETED,2026-11-20', /completed_at .* not an instant like/],
    ['T,R,DEBIT,1,CVE,COMPLETED,2026-11-20 24:30:00', /completed_at/],
    ['T,R,DEBIT,1,CVE,COMPLETED,2026-02-30T09:30:00Z', /completed_at/],
    ['T,R,DEBIT,1,CVE,PENDING,,8', /8 fields, and the first line names 7/],
    ['T,R', /status/],
    ['T\0,R,DEBIT,1,CVE,PENDING,', /NUL/],
    [`${'T'.repeat(257)},R,DEBIT,1,CVE,PENDING,`, /transaction_id has more than 256/],
  ];
  for (const [line, message] of wrong) {
    const isToldWithLine = (error: CsvError) => error.line === 2 && message.test(error.message);
    await assert.rejects(readLine(line), isToldWithLine, line);
  }
  await assert.rejects(read(''), /the file is empty/);
  await assert.rejects(read('transaction_id,type\n'), /there is no reference/);
  await assert.rejects(read(`${heading},amount\n`), /amount is named twice/);
  const comma = 'transaction_id,reference,type,currency,status,completed_at,amount\n';
  await assert.rejects(read(`${comma}T,R,DEBIT,CVE,PENDING,,1,250.50\n`), /8 fields/);
});

test('reads the sample of the documentation', async () => {
  const sample = join(
    import.meta.dirname,
    '..',
    '..',
    '..',
    '..',
    'docs',
    'examples',
    'statement.csv',
  );
  const rows = await read(readFileSync(sample, 'utf8'));
  assert.equal(rows.length, 5);
  assert.ok(rows.every(({ referenceId }) => referenceId !== null));
});
