import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DailySettlements } from '../../src/money/settlements/run-daily-settlements.ts';
import { issueLastFeeStatement } from '../../src/money/settlements/statement/issue-fee-statement.ts';
import { type CompanyValues, companyOf } from '../../src/platform/config/company.ts';
import { randomIds } from '../../src/platform/values/ids.ts';
import { silentLog } from '../support/database.ts';
import { eventually, reach, testGateway } from '../support/gateway.ts';
import { makeLive } from '../support/settled.ts';

test('the daily run issues the statement of last month, which keeps the name of that time', async (context) => {
  const gateway = await testGateway(context);
  const { zimbo, database } = gateway;
  const order = { amount: 150_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;
  const { id } = await zimbo.payments.create(order);
  await reach(zimbo.payments, id, 'DEBITED');
  await makeLive(gateway);
  await database.query({ text: `UPDATE merchants SET name = 'Loja Antiga'` });
  // By the calendar of Cape Verde, as the ledger counts.
  const now = new Date(Date.now() - 3_600_000);
  const clockAt = (day: number) => {
    const atMs = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, day, 12);
    return { nowMs: () => atMs };
  };
  const text = 'SELECT month, currency, content FROM fee_statements';
  const stored = () =>
    database.query<{ month: string; currency: string; content: string }>({ text });
  const runAt = async (day: number) => {
    const base = { database, clock: clockAt(day), ids: randomIds(), log: silentLog };
    let runs = 0;
    const daily = new DailySettlements({
      ...base,
      run: { hour: 6, timeZone: 'Atlantic/Cape_Verde' },
      processSettlement: async () => undefined,
      issueFeeStatement: async ({ tenantId, merchantId }) => {
        const company = companyOf({} as CompanyValues, []);
        await issueLastFeeStatement(
          { ...base, company, actor: 'gateway' },
          { tenantId, merchantId, currency: 'CVE' },
        );
        runs += 1;
      },
    });
    daily.start();
    await eventually('the run has looked', () => runs > 0);
    await daily.stop();
  };
  await runAt(9);
  assert.deepEqual(await stored(), []);
  await database.query({ text: 'UPDATE unsettled SET last_run_at = NULL' });
  await runAt(2);
  const [issued, ...others] = await stored();
  const month = now.toISOString().slice(0, 7);
  assert.deepEqual([issued?.month, issued?.currency, others], [month, 'CVE', []]);
  assert.equal(JSON.parse(issued!.content).merchant.name, 'Loja Antiga');
  await database.query({ text: `UPDATE merchants SET name = 'Loja Nova'` });
  await database.query({ text: 'UPDATE unsettled SET last_run_at = NULL' });
  await runAt(3);
  assert.deepEqual(await stored(), [issued]);
});
