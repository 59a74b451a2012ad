import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../test/support/database.ts';
import { runZimbo } from '../../test/support/zimbo.ts';
import { readDatabaseMs } from '../platform/postgres/database-clock.ts';

/** Sets the clock of a process one hour ahead. */
const anHourLater = `--import=data:text/javascript,${encodeURIComponent(
  'const now = Date.now; Date.now = () => now() + 3_600_000;',
)}`;

test('writes the time of the database, regardless of this machine’s clock', async (context) => {
  const { url, database } = await testDatabase(context);
  const environment = { DATABASE_URL: url, NODE_OPTIONS: anHourLater };
  const { ended, output } = runZimbo(
    context,
    ['merchants', 'create', '--name', 'Loja'],
    environment,
  );
  assert.equal(await ended, 0, output.stderr);
  const text = 'SELECT created_at AS "createdAt" FROM merchants';
  const [merchant] = await database.query<{ createdAt: number }>({ text });
  const agoMs = (await readDatabaseMs(database)) - merchant!.createdAt;
  assert.ok(agoMs > -1_000 && agoMs < 60_000, `${agoMs} ms ago`);
});
