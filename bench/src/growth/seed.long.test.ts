import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../../server/test/support/database.ts';
import { makeTenants } from '../gateway/rows.ts';
import { settledPeriods } from './payments.ts';
import { seed } from './seed.ts';

const count = 15_000;

test('seeds a history with right ledgers, two settlements per currency, and unsettled payments', async (t) => {
  const { url: databaseUrl, database } = await testDatabase(t);
  await makeTenants(database, 1);
  const details: string[] = [];
  await seed({ database, databaseUrl }, count, (detail) => details.push(detail));
  assert.ok(details.some((detail) => detail.endsWith('100 %')));
  const countOf = async (from: string) =>
    (
      await database.query<{ n: number }>({ text: `SELECT count(*)::integer AS n FROM ${from}` })
    )[0]!.n;
  assert.equal(await countOf('payments'), count);
  // The last 30 of 180 days, as much as retention keeps.
  const told = await countOf("events WHERE type = 'payment.created'");
  assert.ok(Math.abs(told - count / 6) < 10, `${told} of ${count}`);
  assert.equal(await countOf('settlements'), 2 * settledPeriods({ tenantId: '', count, nowMs: 0 }));
  assert.equal(await countOf('unsettled WHERE item_count > 1000'), 2);
  assert.equal(await countOf("payments WHERE customer_id = 'customer-7'"), 20);
});
