import assert from 'node:assert/strict';
import { test } from 'node:test';
import { internationalPhone } from './phone.ts';

test("adds the country code that the length or the customer's choice implies", () => {
  const cases: [string, string | null, string][] = [
    ['991 23 45', '238', '+2389912345'],
    ['991 23 45', null, '+2389912345'],
    ['923 456 789', '244', '+244923456789'],
    ['923 456 789', '238', '+244923456789'],
    ['991-23-45', '244', '+2389912345'],
    ['2389912345', '238', '+2389912345'],
    ['00238 9912345', '244', '+2389912345'],
    ['+351 912 345 678', '238', '+351912345678'],
    ['\u200e991–23–45', '238', '+2389912345'],
    ['９２３ ４５６ ７８９', '244', '+244923456789'],
    ['tel:00238 9912345', '244', '+2389912345'],
    ['12', '238', '12'],
    ['', null, ''],
    ['991234x', '238', '991234x'],
    ['991 23 45', '<script>', '+2389912345'],
  ];
  for (const [typed, country, expected] of cases) {
    assert.equal(internationalPhone(typed, country), expected, `${typed} in ${country}`);
  }
});
