import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { freshDatabase } from '../../../../test/support/database.ts';
import type { Queryable } from '../../../platform/postgres/database.ts';
import { itemRangeOf, listItems } from './list.ts';

const tenantId = randomUUID();
const settlement = randomUUID();

/** Ten periods of five thousand debits, one after the other; the settlement took the first two. */
const seed = `
INSERT INTO postings (tenant_id, source_id, kind, from_account, to_account, currency, amount_minor, created_at, period)
SELECT '${tenantId}', (lpad(to_hex(n), 12, '0') || '70008000000000000000')::uuid, 'debit_net', 'operator:MOCK',
  'payable', 'CVE', 5000, now(), 1 + n / 5000
FROM generate_series(0, 49999) AS n`;

/** A refund that failed has two items, with the same id but for its beginning. */
const refund = `
INSERT INTO postings (tenant_id, source_id, kind, from_account, to_account, currency, amount_minor, created_at, period)
SELECT '${tenantId}', (lpad(to_hex(1500), 12, '0') || '70009000000000000000')::uuid, kind, from_account, to_account,
  'CVE', 100, now(), 1
FROM (VALUES ('refund_out', 'payable', 'refunds'), ('refund_back', 'refunds', 'payable')) AS side (kind, from_account, to_account)`;

const periods = `
INSERT INTO settlement_periods (tenant_id, currency, period, settlement_id, started_at)
SELECT '${tenantId}', 'CVE', n, '${settlement}', now() FROM generate_series(1, 2) AS n`;

test('reads the items along their periods, whatever is newer', async (context) => {
  const { database } = await freshDatabase(context);
  for (const text of [seed, periods, 'ANALYZE postings, settlement_periods'])
    await database.query({ text });
  for (const page of [{ limit: 20 }, { limit: 20, endingBefore: `pi_${'0'.repeat(26)}` }]) {
    let plan: string[] = [];
    const explaining: Queryable = {
      async query({ text }) {
        const explain = { text: `EXPLAIN (GENERIC_PLAN, COSTS OFF) ${text}` };
        const rows = await database.query<Record<string, string>>(explain);
        plan = rows.map((row) => row['QUERY PLAN']!);
        return [];
      },
    };
    const of = { tenantId, id: settlement };
    await listItems(explaining, of, itemRangeOf(page), page.limit);
    const ofItems = plan.find((line) => line.includes('on postings') && !line.includes('fee'));
    assert.match(ofItems ?? '', /using postings_period /, plan.join('\n'));
  }
});

test('shows both items of a refund, wherever a page ends', async (context) => {
  const { database } = await freshDatabase(context);
  for (const text of [seed, refund, periods]) await database.query({ text });
  const of = { tenantId, id: settlement };
  const nearby = { createdFromMs: 1_499, createdUntilMs: 1_502 };
  const all = await listItems(database, of, itemRangeOf({ limit: 10, ...nearby }), 10);
  const kinds = ['debit_net', 'debit_net', 'refund_out', 'refund_back', 'debit_net', 'debit_net'];
  assert.deepEqual(all.map(({ kind }) => kind).toSorted(), kinds.toSorted());
  for (let limit = 1; limit < all.length; limit += 1) {
    const page = await listItems(database, of, itemRangeOf({ limit, ...nearby }), limit);
    assert.deepEqual(page, all.slice(0, limit + 1), `${limit}`);
  }
});
