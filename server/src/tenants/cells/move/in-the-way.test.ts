import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { hourMs, type NoticeWorld, noticeWorld } from '../../../../test/support/notices.ts';
import { checkWrites, merchantWithEverything } from '../../../../test/support/two-cells.ts';
import { foldTotals } from '../../../money/totals/fold.ts';
import { remind } from '../../../operations/notifying/remind.ts';
import type { Owner } from './catalog.ts';

/** What is still to be done of a merchant, and comes before that of others. */
const openTexts = [
  `UPDATE approvals SET status = 'PENDING', ended_at = NULL, due_at = NULL, expires_at = '2026-01-01Z'`,
  `UPDATE notices SET kind = 'SETTLEMENT_FAILED', subject = gen_random_uuid(), last_at = '2026-01-01Z', post_due_at = '2026-01-01Z'`,
  `UPDATE notice_recipients SET mail_due_at = '2026-01-01Z'`,
];
/** Still so, and told long ago. */
const observedText = `
INSERT INTO notices (id, kind, tenant_id, subject, detail, at, last_at, told_at, staff_told_at)
VALUES (gen_random_uuid(), 'OPERATOR_DOWN', $1, '', '{}', '2026-01-01Z', '2100-01-01Z', '2026-01-01Z', '2026-01-01Z')`;

/** A merchant that has left, and whose rows are not yet removed: for hours, while its new cell is away. */
async function leaving({ database, url }: NoticeWorld): Promise<Owner> {
  const owner = await merchantWithEverything(database);
  for (const text of openTexts)
    await database.query({ text: `${text} WHERE tenant_id = $1` }, [owner.tenantIds[0]]);
  await database.query({ text: observedText }, [owner.tenantIds[0]]);
  const moveId = randomUUID();
  await checkWrites({ url, database }, owner, moveId);
  const text = `INSERT INTO moving_merchants (merchant_id, move_id, state) VALUES ($1, $2, 'GONE')`;
  await database.query({ text }, [owner.merchantId, moveId]);
  return owner;
}

test('what a merchant has left behind keeps nobody from what is told, decided and added up of others', async (context) => {
  const world = await noticeWorld(context);
  const gone = await leaving(world);
  await world.person('OWNER');
  await world.worker('FINANCE');
  const asker = await world.person('SUPPORT');
  const refund = { paymentId: world.paymentId, amountMinor: 20_000n, reason: 'Broken' };
  const asked = await world.ask.refund({ tenantId: world.tenantId, asker, key: 'form' }, refund);
  await world.cause.settlementFailed();
  await world.sql(
    `INSERT INTO payment_total_deltas VALUES ($1, now(), 'MOCK', 'CVE', 'SUCCEEDED', '', 2, 1, 100, 0)`,
    [world.tenantId],
  );

  assert.equal((await world.mailed()).length, 2);
  assert.equal(await world.run.gather(), 0);
  while ((await world.run.post()) > 0);
  assert.equal(world.posts.length, 1);
  world.later(100 * hourMs);
  await world.run.end();
  await remind(world.database, world.clock.at);
  await world.work();
  assert.equal(await world.statusOf(asked), 'EXPIRED');
  assert.equal(await foldTotals(world.database, 1), 1);

  const untouched = `
SELECT (SELECT count(*)::integer FROM approvals WHERE tenant_id = $1 AND status = 'PENDING') AS approvals,
  (SELECT count(*)::integer FROM notices WHERE tenant_id = $1 AND told_at IS NULL AND ended_at IS NULL) AS notices,
  (SELECT count(*)::integer FROM payment_total_deltas WHERE tenant_id = $1) AS deltas`;
  assert.deepEqual(await world.sql(untouched, [gone.tenantIds[0]]), [
    { approvals: 2, notices: 1, deltas: 1 },
  ]);
});
