import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { testFolder } from '../../../test/support/backup.ts';
import { openSchema } from '../../../test/support/cell-installation.ts';
import { cleanUp } from '../../../test/support/cleanup.ts';
import { emptyDatabase } from '../../../test/support/database.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { runZimbo, startProcess, testDataDir } from '../../../test/support/process.ts';

interface Row {
  endedAt: string | null;
  verifiedAt: string | null;
  error: string | null;
}

test('a worker backs up the cells that it is given, each by itself, and tries of two do not meet', async (context) => {
  const dataDir = await testDataDir(context);
  const place = await testFolder(context);
  const first = await startProcess(dataDir, { LOG_LEVEL: 'error' });
  cleanUp(context, () => first.kill('SIGKILL'));
  const url = await emptyDatabase(context);
  const own = { DATA_DIR: dataDir };
  const made = await runZimbo(['cells', 'create', 'south', '--url', url], own);
  assert.deepEqual([made.code, made.stderr], [0, '']);
  await first.kill('SIGTERM');

  const settings = {
    LOG_LEVEL: 'error',
    BACKUP_TO: join(place, 'kept'),
    BACKUP_SCHEDULE: 'every 6 hours',
  };
  const backups = async (cell: string) => {
    const { stdout } = await runZimbo(['backup', 'list', '--json', '--cell', cell], own);
    return JSON.parse(stdout) as Row[];
  };
  const ended = (cell: string) =>
    eventually(
      `${cell} is backed up`,
      async () => {
        const rows = await backups(cell);
        return rows[0]?.endedAt ? rows : undefined;
      },
      60_000,
    );
  const whose = async () =>
    (await readdir(join(place, 'kept'))).map((name) => `${name.split('.')[1]}`).toSorted();
  const ofSouth = await startProcess(dataDir, { ...settings, ZIMBO_CELLS: 'south' });
  cleanUp(context, () => ofSouth.kill('SIGKILL'));
  await ended('south');
  assert.deepEqual([await whose(), await backups('home')], [['south'], []]);
  await ofSouth.kill('SIGTERM');

  const south = openSchema(context, url, 'south');
  await south.query({ text: 'DELETE FROM backups' });
  const ofAll = await startProcess(dataDir, settings);
  cleanUp(context, () => ofAll.kill('SIGKILL'));
  for (const cell of ['home', 'south']) {
    const rows = await ended(cell);
    const results = rows.map(({ error, verifiedAt }) => [error, verifiedAt !== null]);
    assert.deepEqual(results, [[null, true]], cell);
  }
  assert.deepEqual(await whose(), ['home', 'south', 'south']);
  const left = (await readdir(dataDir)).filter((name) => name.startsWith('verify'));
  assert.deepEqual(left, []);
  await ofAll.kill('SIGTERM');
});
