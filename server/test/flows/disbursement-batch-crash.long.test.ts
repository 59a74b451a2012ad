import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { rowsTo } from '../support/batches.ts';
import { fund } from '../support/disbursing.ts';
import { apiOf, eventually } from '../support/gateway.ts';
import { RestartedGateway } from '../support/restarts.ts';

/** A gateway in a process of its own, with a batch of 1,000 rows that it is about to write. */
async function startBatch(context: TestContext) {
  const gateway = await RestartedGateway.start(context, {
    DISBURSEMENTS: 'on',
  });
  const { database, url, key } = gateway;
  const text = `SELECT id FROM tenants WHERE mode = 'test'`;
  const [tenant] = await database.query<{ id: string }>({ text });
  await fund(database, tenant!.id, 1_000_000);
  const api = apiOf(url, key);
  const written = async () => {
    const count = 'SELECT count(*)::integer AS count FROM disbursements';
    return (await database.query<{ count: number }>({ text: count }))[0]!.count;
  };
  const create = () =>
    api(
      'POST',
      '/v1/disbursement_batches',
      { items: rowsTo(1_000) },
      { 'idempotency-key': 'november' },
    );
  return { gateway, api, written, create };
}

test('a process that is killed within a chunk loses no row and pays none twice', async (context) => {
  const { gateway, api, written, create } = await startBatch(context);
  const { database } = gateway;
  const { text, body } = await create();
  for (const rows of [100, 500, 850]) {
    await eventually(`${rows} rows are written`, async () => (await written()) >= rows, 60_000);
    // The next chunk has noted its rows, and waits for the balance when it is killed.
    await database.transaction(async (transaction) => {
      await transaction.query({ text: 'SELECT 1 FROM unsettled FOR UPDATE' });
      await eventually('a chunk waits', async () => {
        const waiting = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
          AND wait_event_type = 'Lock' AND query LIKE '%unsettled%'`;
        return (await database.query({ text: waiting })).length > 0;
      });
      await gateway.crash(async () => {});
    });
  }
  await eventually('all rows are written', async () => (await written()) === 1_000, 60_000);
  const rows = `SELECT count(DISTINCT batch_row)::integer AS rows, count(DISTINCT reference)::integer AS names,
      sum(amount_minor)::integer AS amount FROM disbursements`;
  assert.deepEqual(await database.query({ text: rows }), [
    { rows: 1_000, names: 1_000, amount: 1_000_000 },
  ]);
  const taken = `SELECT sum(amount_minor)::integer AS taken FROM postings WHERE kind = 'disbursement_out'`;
  assert.deepEqual(await database.query({ text: taken }), [{ taken: 1_000_000 }]);
  // Some of these phones make the simulated operator refuse.
  const uncovered = `SELECT 1 FROM disbursements WHERE failure_code = 'INSUFFICIENT_BALANCE'`;
  assert.deepEqual(await database.query({ text: uncovered }), []);
  const { counts } = (await api('GET', `/v1/disbursement_batches/${body.id}`)).body;
  assert.equal(counts.cancelled, 0);
  assert.deepEqual(await checkLedger(database), []);
  assert.equal((await create()).text, text);
});
