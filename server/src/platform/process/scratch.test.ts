import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { removeForgottenScratch, scratchFolder } from './scratch.ts';

test('removes leftovers of a killed process after an hour, and keeps files in use', async (context) => {
  const [forgotten, inUse] = [await scratchFolder(), await scratchFolder()];
  context.after(() => rm(inUse, { recursive: true }));
  await writeFile(join(forgotten, 'upload'), 'x');
  const nowMs = Date.now();
  await utimes(forgotten, new Date(nowMs), new Date(nowMs - 3_601_000));
  await removeForgottenScratch(nowMs);
  assert.deepEqual([existsSync(forgotten), existsSync(inUse)], [false, true]);
});
