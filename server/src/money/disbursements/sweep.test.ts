import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { testDatabase } from '../../../test/support/database.ts';
import { removeOldDays } from './sweep.ts';

const nowMs = Date.parse('2026-11-29T09:30:00Z');

test('forgets what was disbursed more than a week ago, of all merchants, and keeps the days since', async (context) => {
  const { database } = await testDatabase(context);
  const days = ['2026-11-01', '2026-11-21', '2026-11-22', '2026-11-29'];
  const text = `
INSERT INTO disbursement_days (tenant_id, currency, day, scope, scope_key, amount_minor, item_count)
SELECT tenant_id, currency, day, 'MERCHANT', '', 100, 1
FROM unnest($1::uuid[]) AS tenant_id, unnest($2::text[]) AS currency, unnest($3::date[]) AS day`;
  await database.query({ text }, [[randomUUID(), randomUUID()], ['AOA', 'CVE'], days]);
  const rounds = [3, 3, 3].map((limit) => () => removeOldDays(database, nowMs, limit));
  const removed: number[] = [];
  for (const round of rounds) removed.push(await round());
  assert.deepEqual(removed, [3, 3, 2], 'at most as many at once as it may');
  const left =
    'SELECT DISTINCT day::text, count(*)::integer FROM disbursement_days GROUP BY day ORDER BY day';
  assert.deepEqual(await database.query({ text: left }), [
    { day: '2026-11-22', count: 4 },
    { day: '2026-11-29', count: 4 },
  ]);
});
