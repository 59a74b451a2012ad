import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CsvError } from './csv.ts';
import { readUtf8 } from './utf8.ts';

async function textOf(bytes: Buffer, length: number): Promise<string> {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
  }
  return (await Array.fromAsync(readUtf8(chunks()))).join('');
}

test('decodes text however it is split', async () => {
  const text = '\ufeffáé\n€ 😀\r\n,ç';
  for (const length of [1, 2, 3, 5, 1_000]) {
    assert.equal(await textOf(Buffer.from(text), length), text);
  }
});

test('reports invalid UTF-8 with its line', async () => {
  const wrong: [Buffer, number][] = [
    [Buffer.from('a,b\n1,São\n', 'latin1'), 2],
    [Buffer.from('\ufeffa,b\n', 'utf16le'), 1],
    [Buffer.concat([Buffer.from('á\nb\nc'), Buffer.from([0xff])]), 3],
    [Buffer.concat([Buffer.from('á\nb'), Buffer.from([0xe2, 0x82])]), 2],
  ];
  for (const [bytes, line] of wrong) {
    for (const length of [1, 2, 1_000]) {
      const isOfLine = (error: CsvError) => error.line === line && error.problem === 'ENCODING';
      await assert.rejects(textOf(bytes, length), isOfLine, `${line} ${length}`);
    }
  }
});
