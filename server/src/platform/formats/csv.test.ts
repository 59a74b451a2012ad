import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type CsvError, csvLine, readCsv } from './csv.ts';

async function* chunksOf(text: string, length: number): AsyncGenerator<string> {
  for (let start = 0; start < text.length; start += length) yield text.slice(start, start + length);
}

async function fieldsOf(text: string, chunkLength = 3): Promise<string[][]> {
  const rows: string[][] = [];
  for await (const { fields } of readCsv(chunksOf(text, chunkLength))) rows.push(fields);
  return rows;
}

test('reads rows of any program: quotes, CRLF, byte order mark, no final line break', async () => {
  const cases: [string, string[][]][] = [
    ['', []],
    [
      'a,b\n1,2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      '\ufeffa,b\r\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['"a ""b""","c,d"\r\n', [['a "b"', 'c,d']]],
    ['"two\nlines",x\n', [['two\nlines', 'x']]],
    ['"kept\r\nas it is"\n', [['kept\r\nas it is']]],
    ['a,,\n,\n""\n\n\r\nb\n', [['a', '', ''], ['', ''], [''], ['b']]],
  ];
  for (const [text, expected] of cases) {
    for (const length of [1, 2, 1_000]) {
      assert.deepEqual(await fieldsOf(text, length), expected, JSON.stringify(text));
    }
  }
});

test('tells the line on which a row begins', async () => {
  const lines: number[] = [];
  const text = 'a\n"b\nb"\n\nc\n';
  for await (const { line } of readCsv(chunksOf(text, 4))) lines.push(line);
  assert.deepEqual(lines, [1, 2, 5]);
});

test('reports a misplaced quote with its line', async () => {
  for (const text of ['a\nb"c\n', 'a\n"b"c\n', 'a\n"b']) {
    const isOfLine2 = (error: CsvError) => error.line === 2;
    await assert.rejects(fieldsOf(text), isOfLine2, text);
  }
});

test('gives up an endless row before it fills the memory', async () => {
  for (const start of ['a,b\n"', 'a,b\n', 'a,b\n1,']) {
    let read = 0;
    async function* endless() {
      yield start;
      for (; read < 1_000; read++) yield 'x,'.repeat(50_000);
    }
    const isOfLine2 = (error: CsvError) => error.line === 2 && /longer than/.test(error.message);
    await assert.rejects(Array.fromAsync(readCsv(endless())), isOfLine2, start);
    assert.ok(read < 20, `${read} pieces of 100 kB were read`);
  }
});

test('reads with readCsv what csvLine writes', async () => {
  const fields = fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', '€') }), {
    minLength: 2,
  });
  await fc.assert(
    fc.asyncProperty(fc.array(fields), fc.integer({ min: 1, max: 9 }), async (rows, length) => {
      assert.deepEqual(await fieldsOf(rows.map(csvLine).join(''), length), rows);
    }),
  );
});
