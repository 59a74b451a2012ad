import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hourMs, noticeWorld } from '../../../test/support/notices.ts';
import { alertRules } from '../../platform/notices/alert-rules.ts';
import { firing, readFigures } from './alert-metrics.ts';

const good = { ended: 'now()', error: 'NULL' };
const failed = { ended: 'now()', error: `'the disk is full'` };
const underWay = { ended: 'NULL', error: 'NULL' };

test('a backup is old 26 hours after the last good one began, even if later ones failed', async (context) => {
  const world = await noticeWorld(context);
  const { database, clock } = world;
  const config = { paymentReviewAfterMs: hourMs };
  const old = async () => {
    const figures = await readFigures({ database, config }, clock.at);
    const { value } = figures.find(({ rule }) => rule === 'BackupOld') ?? {};
    const isFiring = firing(figures).some(({ rule }) => rule === 'BackupOld');
    return [value, isFiring] as const;
  };
  const backup = (minutesAgo: number, { ended, error }: typeof good) =>
    world.sql(
      `INSERT INTO backups (id, began_at, ended_at, name, is_encrypted, error)
       VALUES (gen_random_uuid(), $1, ${ended}, 'a.gz', false, ${error})`,
      [new Date(clock.at - minutesAgo * 60_000).toISOString()],
    );
  assert.deepEqual(await old(), [undefined, false], 'a laptop that makes none is not told of any');
  await backup(26 * 60, failed);
  await backup(10, failed);
  assert.deepEqual(await old(), [93_600, false]);
  await backup(26 * 60 + 1, underWay);
  assert.deepEqual(await old(), [93_660, true], 'none was ever good: since the first was tried');
  await backup(26 * 60 + 2, good);
  assert.deepEqual(await old(), [93_720, true], 'what failed since then does not count');
  await backup(26 * 60, good);
  assert.deepEqual(await old(), [alertRules.BackupOld.above, false], 'the last good one does');
  await backup(-48 * 60, good);
  assert.deepEqual(await old(), [93_600, false], 'one of a clock that jumped ahead does not');
});
