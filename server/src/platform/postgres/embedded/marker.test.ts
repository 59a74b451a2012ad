import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { testFolder } from '../../../../test/support/backup.ts';
import { checkUnmarked } from './marker.ts';

test('begins in a folder with files for a restore, and on a new volume, but not among foreign files', async (context) => {
  const folder = await testFolder(context);
  for (const name of ['erasures.jsonl', 'secret.key']) await writeFile(join(folder, name), '');
  for (const name of ['verify', 'payouts', 'lost+found']) await mkdir(join(folder, name));
  await checkUnmarked(folder);
  await writeFile(join(folder, 'thesis.odt'), '');
  await assert.rejects(checkUnmarked(folder), { message: /not Zimbo's \(thesis\.odt\)/ });
});
