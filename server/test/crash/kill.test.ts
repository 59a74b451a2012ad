import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openDatabase } from '../../src/platform/database.ts';
import { openEmbeddedDatabase } from '../../src/platform/postgres/embedded.ts';
import { cleanUp } from '../cleanup.ts';
import { silentLog } from '../database.ts';
import { eventually } from '../gateway.ts';
import { type GatewayProcess, runZimbo, startProcess, testDataDir } from '../process.ts';
import { testReceiver } from '../receiver.ts';

const rounds = 5;
const clients = 16;
const environment = {
  SIMULATOR_DELAY_MS: '60',
  PAYMENT_EXPIRY_SECONDS: '20',
  PAYMENT_EXPIRY_GRACE_SECONDS: '2',
  OPERATOR_TIMEOUT_SECONDS: '2',
  LOG_LEVEL: 'error',
};

/** Most are debited at once; the others fail, come without a callback, or are debited too late. */
const suffixes = ['345', '346', '149', '049', '129', '139'];

/** Creates payments until the gateway dies; what was answered goes into the outside record. */
async function load(gateway: GatewayProcess, acknowledged: Map<string, string>): Promise<void> {
  for (let index = 0; ; index++) {
    const suffix = suffixes[index % suffixes.length]!;
    const payment = {
      amount: 10_000 + index,
      operator: 'MOCK',
      operatorPhone: `+2389912${suffix}`,
    };
    try {
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const { status, body } = await gateway.api('POST', '/v1/payments', payment, headers);
      assert.equal(status, 200);
      acknowledged.set(body.id, body.amount);
      if (suffix === '139') await gateway.api('POST', `/v1/payments/${body.id}/cancel`);
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error;
      return;
    }
  }
}

async function openRecord(context: TestContext, dataDir: string) {
  const embedded = await openEmbeddedDatabase({ dataDir, role: 'command' });
  const database = openDatabase({ url: embedded.url, log: silentLog, maxConnections: 2 });
  cleanUp(context, async () => {
    await database.close();
    await embedded.close();
  });
  const rows = <Row>(text: string) => database.query<Row>({ text });
  return { rows };
}

test('kill -9 under load, five times: nothing answered is lost, nobody is debited twice', async (context) => {
  const dataDir = await testDataDir(context);
  const receiver = await testReceiver(context);
  const acknowledged = new Map<string, string>();
  let gateway = await startProcess(dataDir, environment);
  cleanUp(context, () => gateway.kill('SIGKILL'));
  const endpoint = { url: receiver.url, events: ['payment.debited'] };
  await gateway.api('POST', '/v1/webhooks', endpoint);
  for (let round = 0; round < rounds; round++) {
    const loads = Array.from({ length: clients }, () => load(gateway, acknowledged));
    const before = acknowledged.size;
    const more = 50 + Math.floor(Math.random() * 400);
    await eventually('the load runs', () => acknowledged.size > before + more);
    await gateway.kill('SIGKILL');
    await Promise.all(loads);
    gateway = await startProcess(dataDir, environment);
  }
  const { rows } = await openRecord(context, dataDir);
  await eventually(
    'every payment ends and every delivery succeeds',
    async () => {
      const due = await rows(`
        SELECT id FROM payments WHERE due_at IS NOT NULL
        UNION ALL SELECT event_id FROM deliveries WHERE status = 'PENDING'
        UNION ALL SELECT id FROM reversals WHERE status <> 'SUCCEEDED'`);
      return due.length === 0;
    },
    90_000,
  );

  const payments = await rows<{ id: string; status: string }>('SELECT id, status FROM payments');
  assert.ok(payments.length >= acknowledged.size);
  for (const [id, amount] of acknowledged) {
    const { status, body } = await gateway.api('GET', `/v1/payments/${id}`);
    assert.equal(status, 200, `${id} was answered and is lost`);
    assert.equal(body.amount, amount);
  }
  const debited = payments.filter(({ status }) => status === 'DEBITED').length;
  assert.ok(debited > 0);
  const twice = await rows(`
    SELECT reference FROM simulator_transactions WHERE kind = 'DEBIT' AND status = 'SUCCEEDED'
    GROUP BY tenant_id, reference HAVING count(*) > 1`);
  assert.deepEqual(twice, []);
  const events = new Set(receiver.received.map(({ event }) => event.data.id));
  assert.equal(events.size, debited, 'every debit was told of');
  const check = await runZimbo(['ledger', 'check'], { DATA_DIR: dataDir });
  assert.equal(check.code, 0, check.stdout + check.stderr);
});
