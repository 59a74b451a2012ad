import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { begin, cut } from '../../../test/support/payouts.ts';
import { payoutPostings } from '../ledger/postings.ts';
import { findSettlement, insertSettlement } from './store.ts';

test('stores a settlement unchanged', async (context) => {
  const world = await begin(context);
  const { database } = world;
  const given = { id: randomUUID(), currency: 'AOA', idempotencyKey: 'k', rendering: 2 };
  const requestHash = Buffer.from([3, 0, 255]);
  const settlement = { ...(await cut(world)), ...given, requestHash };
  const postings = payoutPostings(settlement, 'payout_out', settlement.createdAtMs);
  assert.equal(await insertSettlement(database, settlement, postings), true);
  const stored = await findSettlement(database, settlement.tenantId, settlement.id);
  assert.deepEqual(stored, settlement);
});
