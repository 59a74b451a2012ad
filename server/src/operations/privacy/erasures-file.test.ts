import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { mayMount, smallDisk } from '../../../test/support/small-disk.ts';
import { appendErasures, readErasures } from './erasures-file.ts';

const erasure = () => ({
  id: randomUUID(),
  requestedAtMs: 0,
  keyId: randomBytes(4),
  phoneDigest: randomBytes(32),
});

test('fails if the disk takes only a part of an erasure', {
  skip: mayMount() ? false : 'only root may mount a small disk',
}, async (context) => {
  const path = join(await smallDisk(context, '4k'), 'erasures.jsonl');
  const kept: ReturnType<typeof erasure>[] = [];
  await assert.rejects(
    async () => {
      for (let count = 0; count < 100; count += 1) {
        const next = erasure();
        await appendErasures(path, [next]);
        kept.push(next);
      }
    },
    { code: 'ENOSPC' },
  );
  const { erasures } = await readErasures(path);
  assert.deepEqual(
    erasures.map(({ id }) => id),
    kept.map(({ id }) => id),
  );
});
