import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type ApprovalWorld, approvalWorld } from '../../test/support/approvals.ts';
import { noDispatcher } from '../events/dispatch.ts';
import { noFourEyes } from '../four-eyes.ts';
import { issueKey } from '../merchants/keys.ts';
import { completeSettlement, failSettlement } from '../settlements/finish.ts';
import { findSettlementById } from '../settlements/store.ts';
import type { Asker } from './approval.ts';
import { makeAsk } from './ask.ts';

const worlds = { after: (work: () => unknown) => after(work as () => void) };

async function processing({ database, tenantId, merchantId }: ApprovalWorld): Promise<string> {
  const id = randomUUID();
  const text = `
INSERT INTO settlements (tenant_id, id, merchant_id, status, version, currency, gross_minor, fee_minor, refund_minor,
  net_minor, item_count, payout_ref, period_start, period_end, created_at)
VALUES ($1, $2, $3, 'PROCESSING', 2, 'CVE', 2, 1, 0, 1, 1, 'payout.csv', now(), now(), now())`;
  await database.query({ text }, [tenantId, id, merchantId]);
  return id;
}

async function openReview({ database, tenantId, paymentId }: ApprovalWorld): Promise<string> {
  const id = randomUUID();
  const text = `
INSERT INTO review_items (tenant_id, id, kind, subject_kind, subject_id, operator, detail, created_at)
VALUES ($1, $2, 'UNCLEAR', 'PAYMENT', $3, 'MOCK', '{}', now())`;
  await database.query({ text }, [tenantId, id, paymentId]);
  return id;
}

const asking = (
  { tenantId }: ApprovalWorld,
  asker: Parameters<ApprovalWorld['decide']['approve']>[0]['by'],
) => ({
  tenantId,
  asker,
  key: randomUUID(),
});

test('a settlement is completed, or failed, after two of the staff have agreed, and by nobody else', async () => {
  const world = await approvalWorld(worlds);
  const { database, dependencies, tenantId } = world;
  const [finance, admin] = [await world.staff('FINANCE'), await world.staff('ADMIN')];
  const parts = { ...dependencies, dispatcher: noDispatcher, fourEyes: new Set(['settlements']) };
  const guarded = parts as Parameters<typeof completeSettlement>[0];
  for (const to of ['COMPLETE', 'FAIL'] as const) {
    const settlementId = await processing(world);
    const seen = (await findSettlementById(database, settlementId))!;
    const needed = { name: 'ApprovalNeeded', code: 'FORBIDDEN' };
    await assert.rejects(completeSettlement(guarded, seen), needed);
    await assert.rejects(failSettlement(guarded, seen), needed);
    const asked = await world.ask.settlement(asking(world, finance), { settlementId, to });
    const approve = (by: Asker) => world.decide.approve({ tenantId, id: asked.id, by });
    await assert.rejects(approve(finance), { code: 'FORBIDDEN' });
    await assert.rejects(approve(await world.staff('OPERATIONS')), { code: 'FORBIDDEN' });
    await assert.rejects(approve(await world.member('OWNER')), { code: 'FORBIDDEN' });
    await approve(admin);
    const status = to === 'COMPLETE' ? 'COMPLETED' : 'FAILED';
    assert.equal((await findSettlementById(database, settlementId))!.status, status);
    assert.equal(await world.statusOf(asked), 'DONE');
  }
  const settlementId = await processing(world);
  const order = { settlementId, to: 'COMPLETE' } as const;
  await assert.rejects(world.ask.settlement(asking(world, await world.member('OWNER')), order), {
    code: 'FORBIDDEN',
  });
  const stale = await world.ask.settlement(asking(world, finance), order);
  await database.query({ text: 'UPDATE settlements SET version = version + 1 WHERE id = $1' }, [
    settlementId,
  ]);
  const late = world.decide.approve({ tenantId, id: stale.id, by: admin });
  await assert.rejects(late, /has changed since/);
  assert.equal((await findSettlementById(database, settlementId))!.status, 'PROCESSING');
});

test('a review is resolved with what was frozen, again until it is done', async () => {
  const world = await approvalWorld(worlds);
  const { database, tenantId } = world;
  const itemId = await openReview(world);
  const finding = { kind: 'DEBITED', operatorTxId: 'OP-7', amountMinor: '100000' };
  const told: object[] = [];
  let isDown = true;
  const resolveReview = async (review: object) => {
    if (isDown) throw new Error('the database is gone');
    told.push(review);
  };
  const house = world.processOn(database, { resolveReview });
  const operations = await world.staff('OPERATIONS');
  const asked = await world.ask.review(asking(world, operations), { itemId, finding });
  await house.decide.approve({ tenantId, id: asked.id, by: await world.staff('FINANCE') });
  assert.equal(await world.statusOf(asked), 'APPROVED');
  isDown = false;
  world.later(60_000);
  await house.work();
  await house.work();
  assert.deepEqual(told, [{ tenantId, itemId, finding }]);
  assert.equal(await world.statusOf(asked), 'DONE');
  const late = await world.ask.review(asking(world, operations), { itemId, finding });
  await database.query({
    text: `UPDATE review_items SET closed_at = now(), closed_by = 'x', reason = 'x'`,
  });
  const by = await world.staff('ADMIN');
  await assert.rejects(house.decide.approve({ tenantId, id: late.id, by }), /has changed since/);
});

test('a live key needs two where that is configured, a test key never; without the setting nothing is asked for', async () => {
  const world = await approvalWorld(worlds);
  const { dependencies, merchantId } = world;
  const guarded = { ...dependencies, fourEyes: new Set(['live-keys'] as const) };
  const needed = { name: 'ApprovalNeeded' };
  await assert.rejects(issueKey(guarded, { merchantId, mode: 'live' }), needed);
  await issueKey(guarded, { merchantId, mode: 'test' });
  const alone = makeAsk({ ...dependencies, fourEyes: noFourEyes });
  const order = { settlementId: await processing(world), to: 'FAIL' } as const;
  const asked = alone.settlement(asking(world, await world.staff('ADMIN')), order);
  await assert.rejects(asked, { code: 'INVALID_STATE' });
});

test('whatever makes a key for people or programs says whether it needs two', () => {
  const source = join(import.meta.dirname, '..');
  const found = ['console', 'admin'].flatMap((folder) => {
    try {
      return readdirSync(join(source, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
        join(source, folder, file),
      );
    } catch {
      return [];
    }
  });
  const makers = found
    .filter((file) => file.endsWith('.ts'))
    .filter((file) => /\b(issueKey|rollKey)\(/.test(readFileSync(file, 'utf8')));
  assert.ok(makers.length >= 3);
  const silent = makers.filter((file) => !/\bfourEyes\b/.test(readFileSync(file, 'utf8')));
  assert.deepEqual(
    silent.filter((file) => !file.endsWith('new-key.ts')),
    [],
  );
});
