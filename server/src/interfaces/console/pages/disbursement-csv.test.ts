import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standardTerms } from '../../../platform/values/merchant-terms.ts';
import type { MerchantContext } from '../request-context.ts';
import { words } from './disbursement-batches.words.ts';
import { checkTypedRows, readRowsOfFile, rowColumns } from './disbursement-csv.ts';

/** What the reader asks of a visit: an English person of a shop in Cape Verde, whose operators all pay. */
const visit = {
  language: 'en',
  mode: 'test',
  ownCurrency: 'CVE',
  terms: standardTerms,
  services: { checkOperator() {} },
} as unknown as MerchantContext;
const { wrong, columns } = words.en;

const head = 'operator;phone;amount;reference;description';
const line = 'MOCK;9912345;1500;sal-1;Ana';

/** The rows as they would be sent, each as one text; or what is wrong, each at its line and column. */
async function read(file: string | Uint8Array): Promise<string[] | string> {
  const rows = await readRowsOfFile(visit, Buffer.from(file as string));
  if (typeof rows === 'string') return rows;
  const checked = checkTypedRows(visit, rows);
  if ('problems' in checked)
    return checked.problems.map((each) => `${each.line} ${each.column}: ${each.text}`);
  return checked.rows.map(({ operator, operatorPhone, amountMinor, ...texts }) =>
    [operator, operatorPhone, amountMinor, texts.externalId, texts.description].join(' '),
  );
}

/** A file of one row with this value in one column. */
const withCell = (name: (typeof rowColumns)[number], value: string) => {
  const cells = line.split(';');
  cells[rowColumns.indexOf(name)] = `"${value.replaceAll('"', '""')}"`;
  return read(`${head}\n${cells.join(';')}\n`);
};

test('reads an amount as it is written, or refuses it at its row', async () => {
  const amounts: Record<string, bigint | string> = {
    '1.000,00': 100_000n,
    '1,000.00': 100_000n,
    '1 000,00': 100_000n,
    '1\u00a0000,00': 100_000n,
    '1\u202f000': 100_000n,
    "1'000.00": 100_000n,
    "'1000": 100_000n,
    '  1000  ': 100_000n,
    '\u00a01000\u00a0': 100_000n,
    '1000 CVE': 100_000n,
    '1000$00': 100_000n,
    '1000 Kz': wrong.otherCurrency('CVE'),
  };
  for (const refused of [
    '1e3',
    '1E+03',
    '٣',
    '１０００',
    '-1000',
    '−1000',
    '1000-',
    '(1000)',
    '+1000',
    '=1000',
    '=1+1',
    '1.000.00',
    '1,00,000',
    '1000%',
    '1000.001',
    '0x10',
    'NaN',
    'Infinity',
    '',
    ' ',
    '0',
    '0,00',
    '#######',
    '9'.repeat(400),
  ])
    amounts[refused] = wrong.amount;
  for (const [written, expected] of Object.entries(amounts)) {
    const paid =
      typeof expected === 'bigint'
        ? `MOCK +2389912345 ${expected} sal-1 Ana`
        : `2 amount: ${expected}`;
    assert.deepEqual(await withCell('amount', written), [paid], JSON.stringify(written));
  }
});

test('reads a phone as it is written, or refuses it at its row', async () => {
  for (const written of [
    '9912345',
    '991 23 45',
    '991\u00a023\u00a045',
    '+238 991 23 45',
    '2389912345',
    '002389912345',
    "'+2389912345",
    '٩٩١٢٣٤٥',
    '９９１２３４５',
    '\u202a+2389912345\u202c',
    '-9912345',
  ])
    assert.deepEqual(
      await withCell('phone', written),
      ['MOCK +2389912345 150000 sal-1 Ana'],
      JSON.stringify(written),
    );
  for (const written of [
    '2.38991E+09',
    '2,38991E+09',
    '2.38991234500000E+09',
    '9912345.0',
    // Without its point, it would be an Angolan number.
    '9912345.00',
    '9912345,00',
    '=9912345',
    '9912345 / 9912346',
    '991234',
    '',
    '12',
    'DROP TABLE payments',
  ])
    assert.deepEqual(
      await withCell('phone', written),
      [`2 phone: ${wrong.phone}`],
      JSON.stringify(written),
    );
});

test('takes texts as they are: formulas, markup, other scripts', async () => {
  for (const text of [
    '=HYPERLINK("http://evil.example","Click")',
    '@SUM(A1)',
    '+1',
    '-1',
    '<script>alert(1)</script>',
    'São Tomé; ação, "sim"',
    '工资',
    'a'.repeat(255),
  ])
    for (const name of ['reference', 'description'] as const) {
      const rest = name === 'reference' ? `${text} Ana` : `sal-1 ${text}`;
      assert.deepEqual(await withCell(name, text), [`MOCK +2389912345 150000 ${rest}`], text);
    }
  for (const text of ['a'.repeat(256), 'b'.repeat(100_000)])
    assert.deepEqual(await withCell('reference', text), [`2 reference: ${wrong.tooLong}`]);
});

test('takes no line into a value because a quote is missing', async () => {
  const swallowed = `${head}\nMOCK;9912345;1;"sal-1\nMOCK;9912346;2;sal-2";Ana\nMOCK;9912347;3`;
  assert.deepEqual(await read(swallowed), [`2 reference: ${wrong.lineBreak}`]);
  assert.equal(await read(`${head}\n${line}\nMOCK;"9912345;1\n${line}`), wrong.csv('3'));
  assert.equal(await read(`${head}\n${line}\nMOCK;99"12345;1`), wrong.csv('3'));
});

test('reads every encoding in which a spreadsheet writes text, and refuses the others', async () => {
  const text = `operador;telefone;valor;referência;descrição\nMOCK;9912345;1500;sal-1;João\n`;
  const right = ['MOCK +2389912345 150000 sal-1 João'];
  assert.deepEqual(await read(text), right);
  assert.deepEqual(await read(`\ufeff${text}`), right);
  assert.deepEqual(await read(Buffer.from(text, 'latin1')), right);
  const wide = Buffer.from(text, 'utf16le');
  for (const bytes of [
    Buffer.concat([Buffer.from([0xff, 0xfe]), wide]),
    wide,
    Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(wide).swap16()]),
    Buffer.from(wide).swap16(),
    Buffer.from(`${head}\nMOCK;99\u000012345;1`),
    Buffer.alloc(1_000_000),
  ])
    assert.equal(await read(bytes), wrong.encoding);
});

test('finds lines and columns as spreadsheets write them', async () => {
  const right = ['MOCK +2389912345 150000 sal-1 Ana'];
  for (const separator of [';', ',', '\t'])
    for (const end of ['\n', '\r\n', '\r']) {
      const file = [head, line, ''].join(end).replaceAll(';', separator);
      assert.deepEqual(await read(file), right, JSON.stringify(file));
    }
  const moved = 'n.º;description;amount;phone;operator;reference\n1;Ana;1500;9912345;MOCK;sal-1';
  assert.deepEqual(await read(moved), right);
  const padded = `\n;;;;;\n${head};;\n\n${line};;\n;;;;;;\n`;
  assert.deepEqual(await read(padded), right);
  assert.deepEqual(await read(`${head}\nMOCK;9912345;1500`), ['MOCK +2389912345 150000  ']);
});

test('refuses a file whose lines or columns are unclear, with the reason', async () => {
  const cases: [string, string][] = [
    ['', wrong.empty],
    ['\ufeff', wrong.empty],
    ['\r\n\r\n', wrong.empty],
    [head, wrong.empty],
    [`${head}\r`, wrong.empty],
    [line, wrong.column(columns.operator)],
    [`${line}\n${line}`, wrong.column(columns.operator)],
    ['operator;phone\nMOCK;9912345', wrong.column(columns.amount)],
    ['operator;phone;amount;amount\nMOCK;9912345;1;2', wrong.columnTwice(columns.amount)],
    ['operator;phone;mobile;amount\nMOCK;1;9912345;2', wrong.columnTwice(columns.phone)],
    ['operator,phone,amount\nMOCK,9912345,1,500.00', wrong.cells('2')],
    ['operator,phone,amount,,\nMOCK,9912345,1,500.00,', wrong.cells('2')],
    [`${head}\n${line}\n${line};more`, wrong.cells('3')],
    [`${head}\n${`${line}\n`.repeat(1_001)}`, wrong.tooMany],
    [`${head}\n${'MOCK;9912345;1\n'.repeat(100_000)}`, wrong.tooMany],
    [`${head}\n${';\n'.repeat(1_000_000)}`, wrong.tooMany],
    [`${head}\n${'x'.repeat(4_000_000)}`, wrong.csv('2')],
    [`${head}\n"${'x'.repeat(4_000_000)}`, wrong.csv('2')],
    ['x;'.repeat(2_000_000), wrong.csv('1')],
    ['"'.repeat(4_000_000), wrong.csv('1')],
  ];
  for (const [file, expected] of cases)
    assert.equal(await read(file), expected, JSON.stringify(file.slice(0, 80)));
  const short = await read(`${head}\nMOCK\nMOCK;9912345\n;9912345;1`);
  assert.deepEqual(short, [
    `2 phone: ${wrong.phone}`,
    `2 amount: ${wrong.amount}`,
    `3 amount: ${wrong.amount}`,
    `4 operator: ${wrong.operator}`,
  ]);
  const full = await read(`${head}\n${`${line}\n`.repeat(1_000)};;;;\n`);
  assert.equal(full.length, 1_000);
});
