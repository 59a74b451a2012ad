import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { csvOf, notFormula } from './spreadsheet.ts';

async function* pageOf(cells: readonly string[]) {
  yield [cells];
}

async function fileOf(separator: ',' | ';', cells: readonly string[]): Promise<string> {
  const dialect = { separator, decimal: '.' } as const;
  const columns = cells.map((_, index) => ({ title: `column ${index}` }));
  return Buffer.concat(await Array.fromAsync(csvOf(dialect, columns, pageOf(cells)))).toString();
}

/** The cells of a spreadsheet that splits at a separator, whether or not quotes protect it there. */
function cellsOf(file: string, separator: string): string[] {
  const lines = file.split(/[\n\v\f\r\x85\u2028\u2029]/u);
  return lines.flatMap((line) => line.split(separator));
}

const isFormula = (cell: string) =>
  /^[=+\-@]/.test(cell.normalize('NFKC').replace(/^[\s\p{C}"]+/u, ''));

const hostile = [
  '=cmd',
  'a;=cmd',
  'a,=cmd',
  'a\t=cmd',
  'a|=cmd',
  'a\n=cmd',
  'a\r=cmd',
  'a\u2028=cmd',
  ' =cmd',
  '\u00a0=cmd',
  '\u3000\u200b=cmd',
  '\u0000=cmd',
  '\ufeff@SUM(1)',
  '＝cmd',
  'a;\u200e＋1',
  '﹣1',
  '"=cmd"',
  'a;"=cmd"',
  'a; "" =cmd',
  ';;;=cmd',
  ';\n=cmd',
];

for (const text of hostile) {
  test(`keeps ${JSON.stringify(text)} from being a formula, whatever separates cells`, async () => {
    for (const separator of [',', ';'] as const) {
      const file = await fileOf(separator, ['pi_1', text, 'last']);
      for (const read of [',', ';', '\t', '|']) {
        assert.deepEqual(cellsOf(file, read).filter(isFormula), [], JSON.stringify([file, read]));
      }
    }
  });
}

test('keeps any text from being a formula', async () => {
  const unit = fc.constantFrom(
    '=',
    '-',
    '@',
    '＋',
    ' ',
    '\u200b',
    '"',
    ',',
    ';',
    '\t',
    '\n',
    '\r',
    'a',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.string({ unit }), { minLength: 1 }), async (cells) => {
      for (const separator of [',', ';'] as const) {
        const file = await fileOf(separator, ['pi_1', ...cells]);
        for (const read of [',', ';', '\t']) {
          assert.deepEqual(cellsOf(file, read).filter(isFormula), [], JSON.stringify([file, read]));
        }
      }
    }),
    { numRuns: 500 },
  );
});

test('reads a long run of any character that spreadsheets skip in one go', () => {
  const everyCharacter = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
  for (const skipped of everyCharacter.filter((each) => /[\s\p{Cf}\p{Cc}",;|]/u.test(each))) {
    const run = skipped.repeat(255);
    assert.equal(notFormula(`${run}x`), `${run}x`);
    assert.ok(notFormula(`${run}=x`).includes("'"));
  }
});

test('leaves ordinary text as it is', () => {
  for (const text of ['Loja Mar & Sol, Praia', 'a = b', '10-12', 'me@praia.cv', "'=kept", 'pi_1']) {
    assert.equal(notFormula(text), text);
  }
});
