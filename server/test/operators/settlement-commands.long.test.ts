import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { cleanUp } from '../support/cleanup.ts';
import { eventually } from '../support/gateway.ts';
import { runZimbo } from '../support/process.ts';
import { liveGateway } from './gateway.ts';

/** A live settlement of one debit, and the command line on the gateway's machine. */
async function settledGateway(context: TestContext) {
  const dataDir = mkdtempSync(join(tmpdir(), 'zimbo-payouts-'));
  cleanUp(context, () => rmSync(dataDir, { recursive: true, force: true }));
  const timing = { settlementLeaseMs: 1_000 };
  const options = { timing, environment: { DATA_DIR: dataDir } };
  const { live, database, databaseUrl } = await liveGateway(context, {}, options);
  const body = { amount: 1_520, operator: 'CVMOVEL', operatorPhone: '+2389910345' };
  const { body: payment } = await live('POST', '/v1/payments', body);
  await eventually('the debit', async () => {
    return (await live('GET', `/v1/payments/${payment.id}`)).body.status === 'DEBITED';
  });
  const settle = async (): Promise<string> =>
    (await live('POST', '/v1/settlements/process', { currency: 'CVE' })).body.id;
  const settlements = (...args: string[]) =>
    runZimbo(['settlements', ...args], { DATABASE_URL: databaseUrl, DATA_DIR: dataDir });
  const becomes = (condition: string) =>
    eventually(condition, async () => {
      const text = `SELECT id FROM settlements WHERE status = 'PROCESSING' AND ${condition}`;
      return (await database.query({ text })).length === 1;
    });
  return { database, settle, settlements, becomes, payment, folder: join(dataDir, 'payouts') };
}

test('lists a payout that cannot be written with the reason, and lets a person fail it', async (context) => {
  const { folder, settle, settlements, becomes, database } = await settledGateway(context);
  writeFileSync(folder, 'somebody has put a file where the folder belongs');
  const id = await settle();
  await becomes('payout_error IS NOT NULL');
  const [listed] = JSON.parse((await settlements('list', '--json')).stdout);
  assert.match(listed.payoutError, /EEXIST|ENOTDIR/);
  // While the next try is under way, its error is not set yet.
  await eventually('the table shows the reason', async () =>
    /LAST ERROR\n.*(EEXIST|ENOTDIR)/.test((await settlements('list')).stdout),
  );
  const failed = await eventually('no try is under way', async () => {
    const said = await settlements('fail', id);
    return said.code === 0 && said;
  });
  assert.match(failed.stdout, /is FAILED\. Make sure/);
  rmSync(folder);
  const second = await settle();
  await becomes('due_at IS NULL');
  assert.deepEqual(readdirSync(folder), [`${second}.csv`]);
  assert.deepEqual(await checkLedger(database), []);
});

test("takes the file back when a person fails a settlement on the gateway's machine", async (context) => {
  const { folder, settle, settlements, becomes } = await settledGateway(context);
  const id = await settle();
  await becomes('due_at IS NULL');
  const file = join(folder, `${id}.csv.failed`);
  const { stdout } = await settlements('fail', id);
  assert.equal(
    stdout.trim(),
    `${id} is FAILED. Its file is now ${file}; make sure that the bank had not taken it before.`,
  );
  const second = await settle();
  await becomes('due_at IS NULL');
  assert.deepEqual(readdirSync(folder).sort(), [`${id}.csv.failed`, `${second}.csv`].sort());
});

test("changes nothing after a person's mistake", async (context) => {
  const { folder, settle, settlements, becomes, payment, database } = await settledGateway(context);
  const refused = async (words: RegExp, ...args: string[]) => {
    const { code, stderr } = await settlements(...args);
    assert.equal(code, 1, args.join(' '));
    assert.match(stderr, words);
  };
  const first = await settle();
  await becomes('due_at IS NULL');
  for (const wrong of [payment.id, 'se_1', first.toUpperCase(), `${first.slice(0, -1)}`]) {
    await refused(/There is no settlement/, 'complete', wrong);
    await refused(/There is no settlement/, 'fail', wrong);
  }
  assert.deepEqual(readdirSync(folder), [`${first}.csv`]);

  assert.equal((await settlements('fail', first)).code, 0);
  await refused(/FAILED cannot be failed/, 'fail', first);
  await refused(/FAILED cannot be completed/, 'complete', first);
  const second = await settle();
  await becomes('due_at IS NULL');
  assert.equal((await settlements('complete', second)).code, 0);
  await refused(/COMPLETED cannot be completed/, 'complete', second);
  await refused(/COMPLETED cannot be failed/, 'fail', second);
  assert.deepEqual(readdirSync(folder).sort(), [`${first}.csv.failed`, `${second}.csv`].sort());
  assert.deepEqual(await checkLedger(database), []);
});

test("records the bank's outcome of a live settlement once, with an audit record", async (context) => {
  const { live, database, databaseUrl } = await liveGateway(context);
  const statusOf = async (path: string) => (await live('GET', path)).body.status;
  const body = { amount: 1_520, operator: 'CVMOVEL', operatorPhone: '+2389910345' };
  const { body: payment } = await live('POST', '/v1/payments', body);
  await eventually('the debit', async () => {
    return (await statusOf(`/v1/payments/${payment.id}`)) === 'DEBITED';
  });
  const settlements = (...args: string[]) =>
    runZimbo(['settlements', ...args], { DATABASE_URL: databaseUrl });
  const settle = async () => {
    const { id } = (await live('POST', '/v1/settlements/process', { currency: 'CVE' })).body;
    await eventually('the payout is handed over', async () => {
      const text = 'SELECT due_at FROM settlements WHERE due_at IS NULL AND status = $1';
      return (await database.query({ text }, ['PROCESSING'])).length === 1;
    });
    return id as string;
  };

  const first = await settle();
  const waiting = JSON.parse((await settlements('list', '--json')).stdout);
  assert.deepEqual(
    waiting.map((row: { id: string }) => row.id),
    [first],
  );
  const failed = await settlements('fail', first);
  assert.equal(failed.code, 0, failed.stderr);
  assert.match(
    failed.stdout,
    /FAILED\. Make sure that the bank does not pay se_\w+\.csv after all: it does not lie in \//,
  );
  assert.equal((await settlements('complete', first)).code, 1);

  const second = await settle();
  const completed = await settlements('complete', second, '--json');
  assert.equal(JSON.parse(completed.stdout).status, 'COMPLETED');
  await eventually('the payment is told', async () => {
    return (await statusOf(`/v1/payments/${payment.id}`)) === 'SETTLED';
  });
  const again = await settlements('complete', second);
  assert.equal(again.code, 1);
  assert.match(again.stderr, /COMPLETED cannot be completed/);

  const text = `SELECT action, subject FROM audit_records
    WHERE action LIKE 'settlement.%' AND actor LIKE 'cli:%' ORDER BY at`;
  assert.deepEqual(await database.query({ text }), [
    { action: 'settlement.failed', subject: first },
    { action: 'settlement.completed', subject: second },
  ]);
  assert.deepEqual(await checkLedger(database), []);
});
