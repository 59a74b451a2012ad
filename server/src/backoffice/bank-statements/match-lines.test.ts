import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseId } from '../../platform/values/ids.ts';
import type { BankLine } from './bank-line.ts';
import { type Candidate, matchLines } from './match-lines.ts';

const codes = [
  '01m7yhp3gge018xpak30bbsq3s',
  '01m7yhp3gge018xpak30bbsq3t',
  '01m7yhp3gge018xpak30bbsq3v',
];
const candidate = (index: number, change: Partial<Candidate> = {}): Candidate => ({
  tenantId: 't',
  id: parseId('se', `se_${codes[index]}`)!,
  currency: 'CVE',
  netMinor: 1_000n,
  status: 'PROCESSING',
  bankReference: null,
  processedAtMs: Date.parse('2026-11-26T10:00:00Z'),
  ...change,
});
const line = (number: number, texts: string[], change: Partial<BankLine> = {}): BankLine => ({
  line: number,
  day: '2026-11-27',
  amountMinor: 1_000n,
  currency: 'CVE',
  isDebit: true,
  bankReference: `B${number}`,
  texts,
  ...change,
});
const ours = (index: number) => [`se-${codes[index]}`];
const kinds = (lines: BankLine[], candidates: Candidate[]) =>
  matchLines(lines, candidates).map(({ line, kind }) => [line, kind]);

test('matches by reference and amount', () => {
  assert.deepEqual(kinds([line(1, ours(0))], [candidate(0)]), [[1, 'EXACT']]);
  const other = { amountMinor: 999n };
  assert.deepEqual(kinds([line(1, ours(0), other)], [candidate(0)]), [[1, 'AMOUNT_DIFFERS']]);
  const foreign = { currency: 'AOA' };
  assert.deepEqual(kinds([line(1, ours(0), foreign)], [candidate(0)]), [[1, 'AMOUNT_DIFFERS']]);
});

test('lists a second payment, money that came back, and orders that nobody gave', () => {
  const twice = [line(1, ours(0)), line(2, ours(0))];
  assert.deepEqual(kinds(twice, [candidate(0)]), [
    [1, 'EXACT'],
    [2, 'TWICE'],
  ]);
  const known = candidate(0, { status: 'COMPLETED', bankReference: 'B1' });
  assert.deepEqual(kinds(twice, [known]), [[2, 'TWICE']], 'the first is recorded already');
  const back = [line(1, ours(0), { isDebit: false })];
  assert.deepEqual(kinds(back, [candidate(0)]), [[1, 'RETURNED']]);
  const outAndBack = [line(1, ours(0)), line(2, ours(0), { isDebit: false })];
  const both = [
    [1, 'RETURNED'],
    [2, 'RETURNED'],
  ];
  assert.deepEqual(kinds(outAndBack, [candidate(0)]), both, 'nothing to confirm');
  assert.deepEqual(kinds(outAndBack, [known]), [[2, 'RETURNED']]);
  assert.deepEqual(kinds([line(1, ours(0))], []), [[1, 'NO_PAYOUT']]);
  const failed = candidate(0, { status: 'FAILED' });
  assert.deepEqual(kinds([line(1, ours(0))], [failed]), [[1, 'NO_PAYOUT']]);
});

test('proposes by amount only what is one to one, and in time', () => {
  const plain = [line(1, ['renda'])];
  assert.deepEqual(kinds(plain, [candidate(0)]), [[1, 'BY_AMOUNT']]);
  assert.deepEqual(kinds(plain, [candidate(0), candidate(1)]), []);
  assert.deepEqual(kinds([...plain, line(2, ['luz'])], [candidate(0)]), []);
  assert.deepEqual(kinds([line(1, ['renda'], { day: '2026-11-20' })], [candidate(0)]), []);
  assert.deepEqual(kinds([line(1, ['renda'], { day: '2026-12-20' })], [candidate(0)]), []);
  assert.deepEqual(kinds([line(1, ['renda'], { isDebit: false })], [candidate(0)]), []);
  const exact = [line(1, ours(0)), line(2, ['renda'])];
  assert.deepEqual(kinds(exact, [candidate(0)]), [[1, 'EXACT']], 'the payout is taken');
});

test('proposes no transfer a second time that is recorded for a payout of the same amount', () => {
  const paid = candidate(0, { status: 'COMPLETED', bankReference: 'B1' });
  const again = line(1, ['renda'], { bankReference: ' B1 ' });
  assert.deepEqual(kinds([again], [paid, candidate(1)]), []);
  assert.deepEqual(kinds([line(2, ['renda'])], [paid, candidate(1)]), [[2, 'BY_AMOUNT']]);
  const both = [again, line(2, ['renda'])];
  assert.deepEqual(kinds(both, [paid, candidate(1)]), [[2, 'BY_AMOUNT']]);
  const numbered = candidate(0, { status: 'COMPLETED', bankReference: '2026-11-27/3' });
  const unnamed = [line(3, ['renda'], { bankReference: null })];
  assert.deepEqual(kinds(unnamed, [numbered, candidate(1)]), [[3, 'BY_AMOUNT']]);
});

test('keeps no text of a line', () => {
  const [found] = matchLines([line(1, [...ours(0), 'Maria Lopes'])], [candidate(0)]);
  assert.doesNotMatch(JSON.stringify({ ...found, amountMinor: 0, settlement: null }), /Maria/);
});
