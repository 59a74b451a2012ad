import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { testFolder } from '../../../test/support/backup.ts';
import { withStandardInput } from './standard-streams.ts';

test('keeps standard input for two reads without a file that a killed restore would leave', async (context) => {
  const folder = await testFolder(context);
  const sent = 'a backup with phones\n'.repeat(100_000);
  context.mock.getter(process, 'stdin', () => Readable.from([sent]));
  await withStandardInput({ folder, identities: [] }, async (source) => {
    assert.deepEqual(await readdir(folder), []);
    const first = await source.open();
    assert.equal(await text(first), sent);
    first.destroy();
    assert.equal(await text(await source.open()), sent);
  });
});
