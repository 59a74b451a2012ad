/** `npm run examples`: records the examples of the API reference anew. */
import { writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { recordShop, shopExamples } from './shop.ts';
import { recordStaff, staffExamples } from './staff.ts';

test('records the story of a shop', async (context) => {
  writeFileSync(shopExamples, `${JSON.stringify(await recordShop(context), null, 1)}\n`);
});

test('records the story of the staff', async (context) => {
  writeFileSync(staffExamples, `${JSON.stringify(await recordStaff(context), null, 1)}\n`);
});
