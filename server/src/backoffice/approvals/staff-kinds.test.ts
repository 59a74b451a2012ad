import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ApprovalWorld, approvalWorld } from '../../../test/support/approvals.ts';
import { noDispatcher } from '../../integrations/events/dispatch.ts';
import { completeSettlement, failSettlement } from '../../money/settlements/finish.ts';
import { findSettlementById } from '../../money/settlements/store.ts';
import { noFourEyes } from '../../platform/values/four-eyes.ts';
import { formatId } from '../../platform/values/ids.ts';
import { issueKey } from '../../tenants/merchants/keys.ts';
import type { Requester } from './approval.ts';
import { makeRequestApproval } from './request-approval.ts';

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

test('completes or fails a settlement only after two of the staff agree', async (context) => {
  const world = await approvalWorld(context);
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
    const approve = (by: Requester) => world.decide.approve({ tenantId, id: asked.id, by });
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

test('decides a review by the frozen finding, retried until done, but not for ever', async (context) => {
  const world = await approvalWorld(context);
  const { database, tenantId, clock } = world;
  const itemId = await openReview(world);
  const about = formatId('ri', itemId);
  const finding = { kind: 'DEBITED', operatorTxId: 'OP-7', amountMinor: '100000' };
  const note = 'They say so, call 9912345';
  const told: object[] = [];
  let isDown = true;
  const decideReview = async (_transaction: unknown, decision: object) => {
    if (isDown) throw new Error('the database is gone');
    told.push(decision);
  };
  const house = world.processOn(database, { decideReview });
  const operations = await world.staff('OPERATIONS');
  const wish = { subjectId: itemId, about, finding, note };
  const [asked, hopeless] = [
    await world.ask.review(asking(world, operations), wish),
    await world.ask.closing(asking(world, operations), { subjectId: itemId, about, reason: note }),
  ];
  const by = await world.staff('FINANCE');
  await house.decide.approve({ tenantId, id: asked.id, by });
  assert.equal(await world.statusOf(asked), 'APPROVED');
  for (const waitMs of [60_000, 120_000]) {
    world.later(waitMs - 1);
    await house.work();
    assert.deepEqual(await triesOf(world, asked), waitMs / 60_000, 'not before its time');
    world.later(1);
    await house.work();
  }
  assert.deepEqual(await triesOf(world, asked), 3);
  isDown = false;
  world.later(240_000);
  await Promise.all([house.work(), house.work()]);
  await house.work();
  assert.deepEqual(told, [{ about, currency: 'CVE', finding, note: 'They say so, call …45' }]);
  assert.equal(await world.statusOf(asked), 'DONE');

  isDown = true;
  const beganMs = clock.nowMs();
  await house.decide.approve({ tenantId, id: hopeless.id, by });
  let steps = 0;
  for (; (await world.statusOf(hopeless)) === 'APPROVED' && steps < 100; steps += 1) {
    world.later(3_600_000);
    await house.work();
  }
  assert.equal(await world.statusOf(hopeless), 'FAILED GAVE_UP');
  assert.equal(clock.nowMs() - beganMs, 24 * 3_600_000);
  const text = 'SELECT remark FROM approvals WHERE id = $1';
  assert.deepEqual(await database.query({ text }, [hopeless.id]), [
    { remark: 'the database is gone' },
  ]);
  const late = await world.ask.review(asking(world, operations), wish);
  await database.query({
    text: `UPDATE review_items SET closed_at = now(), closed_by = 'x', reason = 'x'`,
  });
  await assert.rejects(house.decide.approve({ tenantId, id: late.id, by }), /has changed since/);
  const closed = { subjectId: itemId, about, reason: 'again' };
  await assert.rejects(world.ask.closing(asking(world, operations), closed), {
    code: 'INVALID_STATE',
  });
});

test('refuses an outcome if more items are open about the subject than the requester saw', async (context) => {
  const world = await approvalWorld(context);
  const { database, tenantId } = world;
  const itemId = await openReview(world);
  const wish = {
    subjectId: itemId,
    about: formatId('ri', itemId),
    finding: { kind: 'DEBITED', operatorTxId: 'OP-7', amountMinor: '100000' },
    note: 'They say so',
  };
  const decideReview = () => Promise.resolve();
  const house = world.processOn(database, { decideReview });
  const [operations, by] = [await world.staff('OPERATIONS'), await world.staff('FINANCE')];
  const { about } = wish;
  const closing = { subjectId: itemId, about, reason: 'settled' };
  const [blind, alone] = [
    await world.ask.review(asking(world, operations), wish),
    await world.ask.closing(asking(world, operations), closing),
  ];
  await openReview(world);
  await assert.rejects(house.decide.approve({ tenantId, id: blind.id, by }), /has changed since/);
  await house.decide.approve({ tenantId, id: alone.id, by });
  const seeing = await world.ask.review(asking(world, operations), wish);
  await house.decide.approve({ tenantId, id: seeing.id, by });
  assert.equal(await world.statusOf(seeing), 'DONE');
});

async function triesOf({ database }: ApprovalWorld, { id }: { id: string }) {
  const text = 'SELECT try_count AS tries FROM approvals WHERE id = $1';
  return (await database.query<{ tries: number }>({ text }, [id]))[0]?.tries;
}

test('requires two people for a live key if configured, and never for a test key or without the setting', async (context) => {
  const world = await approvalWorld(context);
  const { dependencies, merchantId } = world;
  const guarded = { ...dependencies, fourEyes: new Set(['live-keys'] as const) };
  const needed = { name: 'ApprovalNeeded' };
  await assert.rejects(issueKey(guarded, { merchantId, mode: 'live' }), needed);
  await issueKey(guarded, { merchantId, mode: 'test' });
  const alone = makeRequestApproval({ ...dependencies, fourEyes: noFourEyes });
  const order = { settlementId: await processing(world), to: 'FAIL' } as const;
  const asked = alone.settlement(asking(world, await world.staff('ADMIN')), order);
  await assert.rejects(asked, { code: 'INVALID_STATE' });
});

test('requires all code that issues keys to mention four eyes', () => {
  const source = join(import.meta.dirname, '..', '..');
  const found = ['interfaces/console', 'interfaces/admin'].flatMap((folder) => {
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
