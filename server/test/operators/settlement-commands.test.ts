import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkLedger } from '../../src/ledger/check.ts';
import { eventually } from '../gateway.ts';
import { runZimbo } from '../process.ts';
import { liveGateway } from './gateway.ts';

test('a person says what the bank did to a live settlement: once, and with a record of it', async (context) => {
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
    /FAILED\. Make sure that the bank does not pay se_\w+\.csv after all/,
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

  const text = `SELECT action, subject FROM audit_records WHERE action LIKE 'settlement.%' ORDER BY at`;
  assert.deepEqual(await database.query({ text }), [
    { action: 'settlement.failed', subject: first },
    { action: 'settlement.completed', subject: second },
  ]);
  assert.deepEqual(await checkLedger(database), []);
});
