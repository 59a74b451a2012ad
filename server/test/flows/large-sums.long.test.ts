import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { newEvent } from '../../src/integrations/events/event.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { insertPayments } from '../../src/money/payments/store.ts';
import { paymentJson } from '../../src/money/payments/view.ts';
import { failSettlement } from '../../src/money/settlements/finish.ts';
import { findSettlementById } from '../../src/money/settlements/store.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { noFourEyes } from '../../src/platform/values/four-eyes.ts';
import { formatId, parseId, randomIds } from '../../src/platform/values/ids.ts';
import { cleanUp } from '../support/cleanup.ts';
import { cellOfTests } from '../support/further-cells.ts';
import { eventually, reach, type TestGateway, testGateway } from '../support/gateway.ts';
import { examplePayment } from '../support/payment.ts';
import { runZimbo } from '../support/zimbo.ts';

const ids = randomIds();
/** Just below 2^63, the limit of bigint: two of them are beyond it. */
const amountMinor = 9_000_000_000_000_000_000n;
const feeMinor = 180_000_000_000_000_000n;
const netMinor = amountMinor - feeMinor;

/** Some hundreds of the largest checkout sessions, as one payment. */
async function debit({ database, zimbo }: TestGateway): Promise<string> {
  const nowMs = Date.now();
  const [tenant] = await database.query<{ id: string }>({
    text: `SELECT id FROM tenants WHERE id = (SELECT tenant_id FROM api_keys)`,
  });
  const payment = examplePayment({
    tenantId: tenant!.id,
    id: ids.next(nowMs),
    amountMinor,
    feeMinor,
    dueAtMs: nowMs,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    expiresAtMs: nowMs + 300_000,
  });
  const about = { tenantId: tenant!.id, type: 'payment.created', objectId: payment.id } as const;
  const event = newEvent(
    { ...about, id: ids.next(nowMs), sequence: 1, createdAtMs: nowMs },
    paymentJson(payment),
  );
  await insertPayments(database, [{ payment, event }], nowMs);
  const id = formatId('pi', payment.id);
  await reach(zimbo.payments, id, 'DEBITED');
  return id;
}

const balanceOf = async ({ zimbo }: TestGateway) => (await zimbo.balance.get()).data[0]!;

async function zimboCommand(context: TestContext, gateway: TestGateway, ...args: string[]) {
  const inCell = cellOfTests === undefined ? [] : ['--cell', cellOfTests];
  const { ended, output } = runZimbo(context, [...args, ...inCell], {
    DATABASE_URL: gateway.databaseUrl,
  });
  const code = await ended;
  return { code, ...output };
}

test('debits, refunds, settles, shows and exports sums beyond 2^63 exactly', async (context) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'zimbo-large-'));
  cleanUp(context, () => rmSync(dataDir, { recursive: true, force: true }));
  const gateway = await testGateway(context, { environment: { DATA_DIR: dataDir } });
  const { zimbo, database } = gateway;
  const payments: string[] = [];
  for (let count = 0; count < 5; count++) payments.push(await debit(gateway));
  assert.equal((await balanceOf(gateway)).available, String(5n * netMinor));

  for (const paymentIntentId of payments.slice(0, 2)) {
    const refund = await zimbo.refunds.create({ paymentIntentId });
    await reach(zimbo.refunds, refund.id, 'SUCCEEDED');
  }
  const leftMinor = 5n * netMinor - 2n * amountMinor;
  assert.ok(leftMinor > 2n ** 64n);
  assert.equal((await balanceOf(gateway)).available, String(leftMinor));

  const cut = (await zimbo.settlements.process())!;
  assert.equal(cut.amount, String(5n * amountMinor));
  assert.equal(cut.feeTotal, String(5n * feeMinor));
  assert.equal(cut.refundTotal, String(2n * amountMinor));
  assert.equal(cut.netAmount, String(leftMinor));
  const { payoutRef } = await reach(zimbo.settlements, cut.id, 'COMPLETED');
  const file = await readFile(join(dataDir, 'payouts', payoutRef!), 'utf8');
  assert.match(file, new RegExp(`,CVE,${leftMinor / 100n}\\.00,${amountMinor / 20n}\\.00,`));
  for (const id of payments.slice(2)) await reach(zimbo.payments, id, 'SETTLED');
  assert.deepEqual(await checkLedger(database), []);

  const exported = await zimboCommand(context, gateway, 'ledger', 'export', '-');
  const rows = exported.stdout
    .trim()
    .split('\n')
    .map((line) => line.split(','));
  const paidOut = rows.filter(([, , , kind]) => kind!.startsWith('payout_out'));
  assert.deepEqual(
    paidOut.map(([, , , kind, source]) => [kind, source]),
    ['payout_out', 'payout_out_2', 'payout_out_3'].map((kind) => [kind, cut.id]),
  );
  const sum = paidOut.reduce((total, row) => total + BigInt(row[7]!.replace('.', '')), 0n);
  assert.equal(sum, leftMinor);
  const shown = await zimboCommand(context, gateway, 'ledger', 'balances');
  assert.match(shown.stdout.replaceAll(/[, ]/g, ''), new RegExp(`bank${leftMinor / 100n}`));
});

test('makes a failed payout beyond 2^63 payable again, and reports a balanced ledger in the metrics', async (context) => {
  const gateway = await testGateway(context);
  const { zimbo, database } = gateway;
  await debit(gateway);
  await debit(gateway);
  await database.query({ text: `DELETE FROM tenants WHERE mode = 'live'` });
  await database.query({ text: `UPDATE tenants SET mode = 'live'` });
  const cut = (await zimbo.settlements.process())!;
  const seen = await eventually('the payout is handed over', async () => {
    const settlement = (await findSettlementById(database, parseId('se', cut.id)!))!;
    return settlement.dueAtMs === null && settlement;
  });
  assert.equal((await balanceOf(gateway)).pending, String(2n * netMinor));
  await database.transaction((transaction) =>
    failSettlement({ database: transaction, clock: systemClock, fourEyes: noFourEyes }, seen),
  );
  assert.equal((await balanceOf(gateway)).available, String(2n * netMinor));
  // The simulator's records are compared for test tenants only, and this one was made live.
  const problems = await checkLedger(database);
  assert.deepEqual(
    problems.filter(({ check }) => check !== 'operator'),
    [],
  );
  const metrics = await (await fetch(`${gateway.url}/metrics`)).text();
  assert.match(metrics, /zimbo_ledger_imbalance\{mode="live",currency="CVE"(,cell="\w+")?\} 0\n/);
});

test('reports suspense beyond 2^63 as a finding of the doctor', async (context) => {
  const gateway = await testGateway(context);
  const insert = `INSERT INTO balances SELECT id, 'suspense', 'CVE', 9000000000000000000 FROM tenants`;
  await gateway.database.query({ text: insert });
  const { stdout } = await zimboCommand(context, gateway, 'doctor');
  assert.match(stdout, /180,?000,?000,?000,?000,?000\.00 CVE of 2 tenants/);
});
