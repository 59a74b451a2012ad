import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import {
  canonicalName,
  canonicalNameIn,
  escaped,
  isName,
  isSameName,
  readableName,
  spellingsIn,
  spellingsOf,
} from './transaction-ids.ts';

test('accepts only visible characters in an id', () => {
  for (const name of [
    'TX-1',
    'a',
    '9F/33:7 #2',
    'Ação nº 5',
    '取引-7',
    'क्षि-1',
    'x'.repeat(256),
    '\u{1f600}'.repeat(256),
  ]) {
    assert.equal(isName(name), true, name);
  }
  for (const name of [
    '',
    ' ',
    ' TX-1',
    'TX-1 ',
    'TX\0-1',
    'TX\n1',
    'TX\t1',
    'TX\u007f1',
    'TX\u00851',
    'TX\u00a01',
    'TX\u00ad1',
    'TX\u200b1',
    'TX\u202e1',
    'TX\u20281',
    'TX\u2066\u20691',
    'TX\ufe0f1',
    'TX\u115f1',
    '\ufeffTX-1',
    'TX\ud8001',
    'TX\udc001',
    'TX\ue0001',
    'TX\uffff1',
    'TX\u{e0041}1',
    'Ac\u0327a\u0303o-1',
    'x'.repeat(257),
    '\u{1f600}'.repeat(257),
    7,
    null,
    undefined,
  ]) {
    assert.equal(isName(name), false, JSON.stringify(name));
  }
});

test('shows invisible characters by their code points', () => {
  assert.equal(escaped('TX\0-1\u202e\ud800 \u{1f600}'), 'TX\\u{0}-1\\u{202e}\\u{d800} \u{1f600}');
  assert.equal(escaped('Ação 7'), 'Ação 7');
  assert.equal(readableName('x'.repeat(256)), 'x'.repeat(256));
  assert.equal(readableName('x'.repeat(999_999)), `${'x'.repeat(256)}…`);
  assert.equal(readableName('\u{1f600}'.repeat(300)), `${'\u{1f600}'.repeat(256)}…`);
});

test('takes letters that look alike for the same, as a person who reads an id does', async (context) => {
  const { database } = await testDatabase(context);
  const names = [
    'UN-ТX-0006',
    'UΝ-TX-０００6',
    'UN-TX-0006',
    'Оплата 7',
    'TX-1',
    'É',
    'İ',
    'ТΧ\u{1f600}',
  ];
  for (const name of names) {
    const text = `SELECT ${canonicalNameIn('$1::text')} AS canonical, ${spellingsIn('$1::text')} AS spellings`;
    const [row] = await database.query<{ canonical: string; spellings: string[] }>({ text }, [
      name,
    ]);
    assert.equal(row!.canonical, canonicalName(name), 'a statement agrees');
    assert.deepEqual([...new Set(row!.spellings)], spellingsOf(name));
  }
  for (const name of names.slice(0, 2)) {
    assert.equal(canonicalName(name), 'UN-TX-0006');
    assert.ok(isSameName(name, 'UN-TX-0006') && spellingsOf(name).includes(name));
  }
});

test('gives a UUID one canonical spelling, and leaves any other id as it is', () => {
  const uuid = '6f0c2c1e-9a54-4c1f-8d43-0a1b2c3d4e5f';
  const capitals = uuid.toUpperCase();
  assert.equal(canonicalName(capitals), uuid);
  assert.deepEqual(spellingsOf(capitals), [uuid, capitals]);
  assert.ok(isSameName(uuid, capitals) && isSameName(capitals, uuid));
  for (const name of ['TX-1', `{${capitals}}`, capitals.replaceAll('-', ''), `${capitals}0`, 'É']) {
    assert.equal(canonicalName(name), name);
    assert.deepEqual(spellingsOf(name), [name]);
    assert.equal(isSameName(name, name.toLowerCase()), false);
  }
  assert.ok(isSameName(null, null) && !isSameName('TX-1', null) && !isSameName(undefined, 'TX-1'));
});
