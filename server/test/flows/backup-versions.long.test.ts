import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { openDatabase } from '../../src/platform/postgres/database.ts';
import { backupOf, contentsOf, restoreInto } from '../support/backup.ts';
import { skipOnCitus } from '../support/citus.ts';
import { cleanUp } from '../support/cleanup.ts';
import { emptyDatabase, silentLog } from '../support/database.ts';
import { skipWithCells } from '../support/further-cells.ts';
import { type Api, anotherGateway, apiOf, eventually, testGateway } from '../support/gateway.ts';
import { installedPostgres, startInstalledPostgres } from '../support/installed-postgres.ts';

const { major = '15' } = installedPostgres ?? {};
const skip = installedPostgres
  ? skipOnCitus('another program is its PostgreSQL') ||
    skipWithCells('each cell has a backup of its own')
  : 'only the PostgreSQL 18 that Zimbo brings is here';

async function debit(api: Api): Promise<void> {
  const { body } = await api('POST', '/v1/payments', {
    amount: 5_000,
    operator: 'MOCK',
    operatorPhone: '+2389912345',
    description: 'Praça \\. \t "são" 🐚',
    metadata: { order: '\\N' },
  });
  await eventually('it is debited', async () => {
    const { body: now } = await api('GET', `/v1/payments/${body.id}`);
    return now.status === 'DEBITED';
  });
}

test(`moves a whole database from PostgreSQL 18 to ${major} and back unchanged`, {
  skip,
}, async (context) => {
  const gateway = await testGateway(context);
  for (let count = 0; count < 3; count++) await debit(gateway.api);
  const { file } = await backupOf(context, gateway.databaseUrl);
  const same = await emptyDatabase(context);
  await restoreInto(same, file);
  const original = await contentsOf(same);

  const other = await startInstalledPostgres(context, installedPostgres!);
  await restoreInto(other, file);
  assert.deepEqual(await contentsOf(other), original);

  const { file: fileOfOther } = await backupOf(context, other);
  const back = await emptyDatabase(context);
  await restoreInto(back, fileOfOther);
  assert.deepEqual(await contentsOf(back), original);

  for (const url of [other, back]) {
    const database = openDatabase({ url, log: silentLog, maxConnections: 2 });
    cleanUp(context, () => database.close());
    const restored = await anotherGateway(context, url);
    await debit(apiOf(restored.url, gateway.key));
    assert.deepEqual(await checkLedger(database), []);
  }
});
