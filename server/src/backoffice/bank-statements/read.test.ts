import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CsvError } from '../../platform/formats/csv.ts';
import { XmlError } from '../../platform/formats/xml.ts';
import { readBankCsv } from './bank-csv.ts';
import { BankStatementError } from './bank-line.ts';
import { readCamt053 } from './camt053.ts';
import { settlementIdIn } from './match-lines.ts';

const document = (entries: string) =>
  Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><Stmt>${entries}</Stmt></BkToCstmrStmt></Document>`);
const entry = (amount: string, more: string, status = '<Sts><Cd>BOOK</Cd></Sts>') =>
  `<Ntry><NtryRef>N1</NtryRef><Amt Ccy="CVE">${amount}</Amt><CdtDbtInd>DBIT</CdtDbtInd>${status}<BookgDt><Dt>2026-11-27</Dt></BookgDt>${more}</Ntry>`;
const reference = 'se-01m7yhp3gge018xpak30bbsq3s';
const part = (amount: string, id: string) =>
  `<TxDtls><Refs><AcctSvcrRef>B-${id}</AcctSvcrRef><EndToEndId>${id}</EndToEndId></Refs><Amt Ccy="CVE">${amount}</Amt></TxDtls>`;

test('reads the booked transfers of a camt.053 statement', () => {
  const lines = readCamt053(
    document(
      entry(
        '1470.5',
        `<AcctSvcrRef>BANK-1</AcctSvcrRef><NtryDtls>${part('1470.50', reference)}</NtryDtls>`,
      ) +
        entry('10.00', '', '<Sts>PDNG</Sts>') +
        entry('7.00', '<AcctSvcrRef>BANK-3</AcctSvcrRef>', '<Sts>BOOK</Sts>').replace(
          'DBIT',
          'CRDT',
        ),
    ),
  );
  assert.deepEqual(
    lines.map(({ line, day, amountMinor, currency, isDebit, bankReference }) => [
      line,
      day,
      amountMinor,
      currency,
      isDebit,
      bankReference,
    ]),
    [
      [1, '2026-11-27', 147_050n, 'CVE', true, `B-${reference}`],
      [2, '2026-11-27', 700n, 'CVE', false, 'BANK-3'],
    ],
  );
  assert.ok(settlementIdIn(lines[0]!));
  assert.equal(settlementIdIn(lines[1]!), undefined);
});

test('takes the transfers of an entry apart, each with its own amount', () => {
  const details = `<NtryDtls>${part('1.00', 'a')}${part('2.00', 'b')}</NtryDtls>`;
  const lines = readCamt053(document(entry('3.00', details)));
  assert.deepEqual(
    lines.map(({ amountMinor, bankReference }) => [amountMinor, bankReference]),
    [
      [100n, 'B-a'],
      [200n, 'B-b'],
    ],
  );
});

test('finds our reference however the bank writes it, and nothing in texts of others', () => {
  const code = reference.slice(3);
  for (const text of [
    reference,
    `se_${code}`,
    `SE${code.toUpperCase()}`,
    `PAGAMENTO SE ${code.toUpperCase()} LOJA`,
    `test-${reference}`,
  ]) {
    assert.equal(
      settlementIdIn({ texts: ['x', text] }),
      settlementIdIn({ texts: [reference] }),
      text,
    );
  }
  for (const text of [code, `desde${code}`, `${reference}9`, 'se-1', 'salário de novembro']) {
    assert.equal(settlementIdIn({ texts: [text] }), undefined, text);
  }
});

test('refuses hostile files, and those that are no camt.053', () => {
  const hostile = document(entry('1.00', '')).toString();
  const withType = hostile.replace('<Document', '<!DOCTYPE Document><Document');
  assert.throws(() => readCamt053(Buffer.from(withType)), XmlError);
  assert.throws(() => readCamt053(Buffer.from('\ufeff<D/>', 'utf16le')), XmlError);
  for (const text of ['<Document/>', '<Document><BkToCstmrAcctRpt/></Document>', '<svg/>']) {
    assert.throws(() => readCamt053(Buffer.from(text)), { problem: 'NOT_CAMT' });
  }
  assert.throws(() => readCamt053(document(entry('1e9', ''))), { problem: 'AMOUNT' });
  assert.throws(() => readCamt053(document(entry('1.005', ''))), { problem: 'AMOUNT' });
  assert.throws(() => readCamt053(document(entry('99999999999999999.00', ''))), {
    problem: 'AMOUNT',
  });
  for (const day of ['2026-02-30', '9999-12-31', '0000-01-01']) {
    const noDay = entry('1.00', '').replace('2026-11-27', day);
    assert.throws(() => readCamt053(document(noDay)), { problem: 'DAY' }, day);
  }
});

const csv = (text: string | Buffer, columns = {}) =>
  readBankCsv(Buffer.from(text as string), columns, 'CVE');

test('reads exports of banks with their usual columns, signs and notations', async () => {
  const lines = await csv(
    'Data Mov.;Descrição;Valor;Saldo;Referência\r\n27-11-2026;TRF se-01m7yhp3gge018xpak30bbsq3s;-1.470,50;9.000,00;B1\r\n28/11/2026;Depósito;2 000,00;1,00;B2\r\n;Total;;;\r\n',
  );
  assert.deepEqual(
    lines.map(({ day, amountMinor, isDebit, bankReference }) => [
      day,
      amountMinor,
      isDebit,
      bankReference,
    ]),
    [
      ['2026-11-27', 147_050n, true, 'B1'],
      ['2026-11-28', 200_000n, false, 'B2'],
    ],
  );
  const debits = await csv(
    'Date,Debit,Credit,Details\n2026-11-27,"1,470.50",,A\n2026-11-27,,5,B\n',
  );
  assert.deepEqual(
    debits.map(({ amountMinor, isDebit }) => [amountMinor, isDebit]),
    [[147_050n, true]],
  );
});

test('reads a column of debits in either sign, and a debit taken back in it', async () => {
  for (const [amounts, directions] of [
    [
      ['1,00', '-2,00', '3,00'],
      [true, false, true],
    ],
    [
      ['-1,00', '0,00', '-3,00'],
      [true, false, true],
    ],
    [
      ['1,00', '2,00', ''],
      [true, true],
    ],
  ] as const) {
    const rows = amounts.map((amount) => `2026-11-27;${amount};x`);
    const lines = await csv(['data;Débito;ref', ...rows].join('\n'));
    assert.deepEqual(
      lines.map(({ isDebit }) => isDebit),
      directions,
    );
  }
});

test('reads the columns that a person names, and old encodings', async () => {
  const bytes = Buffer.from('Dia;Quanto;Menção\n2026-11-27;1.234;x\n', 'latin1');
  const [line] = await csv(bytes, { date: 'dia', amount: 'Quanto', reference: 'Menção' });
  assert.deepEqual([line!.amountMinor, line!.bankReference], [123_400n, 'x']);
});

test('reads amounts of programs, and thousands only where they are grouped', async () => {
  for (const [text, minor] of [
    ['-1470.500', 147_050n],
    ['-1470,5000', 147_050n],
    ['-0.500', 50n],
    ['-1.470', 147_000n],
    ['-1,470,500', 147_050_000n],
    ['-1.470.500,5', 147_050_050n],
    ['-1 470.50', 147_050n],
  ] as const) {
    const [line] = await csv(`data;valor;ref\n2026-11-27;${text};x\n`);
    assert.deepEqual([line!.amountMinor, line!.isDebit], [minor, true], text);
  }
  for (const text of ['1.47.500', '1470.505', '1,2,3', '1.4705', '1e3']) {
    await assert.rejects(
      csv(`data;valor;ref\n2026-11-27;${text};x\n`),
      { problem: 'AMOUNT' },
      text,
    );
  }
});

test('says what is wrong with a CSV file', async () => {
  const refusals: [string | Buffer, string][] = [
    ['', 'EMPTY'],
    ['a;b\n1;2\n', 'NO_COLUMN'],
    ['data;valor\n2026-11-27;1\n', 'NO_COLUMN'],
    ['data;valor;descrição\n2026-13-27;1;x\n', 'DAY'],
    ['data;valor;descrição\n2026-11-27;muito;x\n', 'AMOUNT'],
    [Buffer.from('\ufeffdata;valor', 'utf16le'), 'ENCODING'],
    [`data;valor;ref\n${'2026-11-27;1;x\n'.repeat(50_001)}`, 'TOO_MANY_LINES'],
  ];
  for (const [text, problem] of refusals) {
    await assert.rejects(
      csv(text),
      (error) => error instanceof BankStatementError && error.problem === problem,
      problem,
    );
  }
  await assert.rejects(csv('data;valor;ref\n"2026'), CsvError);
});
