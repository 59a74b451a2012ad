import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { silentLog } from '../../../test/support/database.ts';
import { exampleDisbursement, insertDisbursements } from '../../../test/support/disbursement.ts';
import { minuteMs, type NoticeWorld, noticeWorld } from '../../../test/support/notices.ts';
import type { Balance } from '../../integrations/operators/adapter.ts';
import { detectLowFloats } from './detect-low-floats.ts';
import { noticeWords } from './notices.words.ts';

/** What the operators say, and a look at it. */
async function begin(context: TestContext, { isOn = true, floatAlerts = {} } = {}) {
  const world = await noticeWorld(context);
  const balances: Record<string, Balance | null> = { CVMOVEL: null };
  const asked: string[] = [];
  const alerts = { CVMOVEL: 0n, UNITEL_TMAIS: 0n, ...floatAlerts };
  const disbursements = { isOn, floatAlerts: alerts } as never;
  const look = () =>
    detectLowFloats({
      ...world,
      log: silentLog,
      config: { operators: { CVMOVEL: {} as never, UNITEL_TMAIS: {} as never }, disbursements },
      async askOperator(operator) {
        asked.push(operator);
        if (!(operator in balances)) throw new Error('no connection');
        const balance = balances[operator]!;
        return { operator: 'CVMOVEL', service: 'available', problem: null, latencyMs: 1, balance };
      },
    });
  return { ...world, balances, asked, look };
}

const openNotices = async ({ database }: NoticeWorld) =>
  database.query<{ subject: string; detail: Record<string, string> }>({
    text: `SELECT subject, detail FROM notices WHERE kind = 'FLOAT_LOW' AND ended_at IS NULL`,
  });

test('notifies staff while our account at an operator is below its threshold', async (context) => {
  const world = await begin(context, { floatAlerts: { CVMOVEL: 50_000n } });
  const { balances, look, clock, run } = world;
  balances.CVMOVEL = { amount: '500', currency: 'CVE' };
  await look();
  assert.deepEqual(await openNotices(world), [], 'it holds what it should');
  balances.CVMOVEL = { amount: '499.99', currency: 'CVE' };
  await look();
  await look();
  const [notice, ...others] = await openNotices(world);
  assert.deepEqual(others, []);
  assert.deepEqual(notice, {
    subject: 'CVMOVEL',
    detail: { currency: 'CVE', balance: '49999', threshold: '50000', reserved: '0' },
  });
  const text = noticeWords.en.text({ kind: 'FLOAT_LOW', ...notice! });
  assert.match(text, /we have 499\.99 CVE\. .* minimum is 500\.00 CVE/);
  balances.CVMOVEL = { amount: '600', currency: 'CVE' };
  clock.at += 6 * minuteMs;
  await look();
  await run.end();
  assert.deepEqual(await openNotices(world), [], 'it ends once the account is topped up');
});

test('notifies staff while disbursements under way need more than our account holds', async (context) => {
  const world = await begin(context);
  const { database, balances, look, tenantId } = world;
  balances.CVMOVEL = { amount: '100', currency: 'CVE' };
  const add = (change: Parameters<typeof exampleDisbursement>[0]) =>
    insertDisbursements(database, exampleDisbursement({ tenantId, ...change }));
  const named = (number: number) => ({
    id: `019aa5d4-e0fb-7000-8000-00000000001${number}`,
    reference: `019aa5d4-e0fb-5000-8000-00000000001${number}`,
  });
  await add({ ...named(1), amountMinor: 6_000n });
  await add({ ...named(2), amountMinor: 9_000n, operator: 'UNITEL_TMAIS' });
  await add({ ...named(3), amountMinor: 9_000n, status: 'SUCCEEDED', dueAtMs: null });
  await look();
  assert.deepEqual(await openNotices(world), []);
  await add({ ...named(4), amountMinor: 4_001n, status: 'PROCESSING' });
  await look();
  const [notice] = await openNotices(world);
  assert.deepEqual([notice?.subject, notice?.detail.reserved], ['CVMOVEL', '10001']);
  const text = noticeWords.en.text({ kind: 'FLOAT_LOW', ...notice! });
  assert.match(text, /have 100\.00 CVE\. Disbursements under way need 100\.01 CVE\. Top up/);
});

test('concludes nothing from an operator that does not tell, and asks none where disbursements are off', async (context) => {
  const world = await begin(context, { floatAlerts: { CVMOVEL: 50_000n, UNITEL_TMAIS: 1n } });
  for (const balance of [null, { amount: 'about 3', currency: 'CVE' }]) {
    world.balances.CVMOVEL = balance;
    await world.look();
  }
  assert.deepEqual(await openNotices(world), []);
  assert.deepEqual(world.asked.toSorted().slice(0, 3), ['CVMOVEL', 'CVMOVEL', 'UNITEL_TMAIS']);
  const off = await begin(context, { isOn: false });
  await off.look();
  assert.deepEqual(off.asked, []);
});
