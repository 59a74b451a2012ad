/** A merchant that disburses: settlements leave money in its balance. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Settlement } from '../../../sdk/typescript/src/index.ts';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { formatId } from '../../src/platform/values/ids.ts';
import { adminApi } from '../support/admin.ts';
import { testConsole } from '../support/console.ts';
import { reach } from '../support/gateway.ts';

const timeZone = 'Atlantic/Cape_Verde';
const month = new Intl.DateTimeFormat('sv-SE', { timeZone }).format().slice(0, 7);

/** A merchant in test mode that disburses, and whose payouts are made on request. Payments cost 2 %. */
async function begin(context: TestContext) {
  const environment = { DISBURSEMENTS: 'on', DISBURSEMENT_FEE_MOCK: '0+10' };
  const site = await testConsole(context, { environment });
  const { gateway, merchantId } = site;
  const { database, zimbo } = gateway;
  await database.query({ text: `UPDATE merchants SET payout_schedule = 'MANUAL'` });
  const admin = await adminApi(gateway);
  const path = `/admin/v1/merchants/${formatId('me', merchantId)}/disbursements`;
  const phone = { operator: 'MOCK', operatorPhone: '+2389912345' } as const;
  return {
    site,
    database,
    zimbo,
    keep: (keepBalance: Record<string, string | null>) => admin('PATCH', path, { keepBalance }),
    terms: () => admin('GET', path),
    async pay(amount: number, currency: 'CVE' | 'AOA' = 'CVE') {
      const operatorPhone = currency === 'AOA' ? '+244923456789' : phone.operatorPhone;
      const { id } = await zimbo.payments.create({ ...phone, operatorPhone, amount, currency });
      await reach(zimbo.payments, id, 'DEBITED');
    },
    disburse: (amount: number, key: string) =>
      zimbo.disbursements.create({ ...phone, amount }, { idempotencyKey: key }),
    async settle(currency: 'CVE' | 'AOA' = 'CVE') {
      const made = await zimbo.settlements.process({ currency });
      return made && (await reach(zimbo.settlements, made.id, 'COMPLETED'));
    },
    async balance(currency = 'CVE') {
      const { data } = await zimbo.balance.get();
      return data.find((each) => each.currency === currency)!;
    },
  };
}

const figuresOf = ({ amount, feeTotal, refundTotal, disbursementTotal, netAmount }: Settlement) =>
  [amount, feeTotal, refundTotal, disbursementTotal, netAmount].map(Number);

test('disburses from what a settlement kept, and all figures add up to the cent', async (context) => {
  const world = await begin(context);
  const { zimbo, database, site } = world;
  await world.pay(5_000);
  assert.equal('keepBalance' in (await world.balance()), false);
  const set = await world.keep({ CVE: '1000' });
  assert.deepEqual(set.body.keepBalance, { CVE: '1000', AOA: null });
  assert.deepEqual((await world.terms()).body, set.body);
  const first = (await world.settle())!;
  assert.deepEqual(figuresOf(first), [5_000, 100, 0, 1_000, 3_900]);
  const { available, keepBalance } = await world.balance();
  assert.deepEqual([available, keepBalance], ['1000', '1000']);
  assert.equal(await world.settle(), undefined, 'what is kept is not paid out');

  const { id } = await world.disburse(600, 'salary');
  await reach(zimbo.disbursements, id, 'SUCCEEDED');
  assert.equal((await world.balance()).available, '390');
  await world.pay(2_000);
  const second = (await world.settle())!;
  // 1960 came in, 600 and 10 went out, and 1000 stay again.
  assert.deepEqual(figuresOf(second), [2_000, 50, 0, 600, 1_350]);
  const items = await Array.fromAsync(zimbo.settlements.items(second.id));
  assert.equal(items.length, second.itemCount);
  const sum = items.reduce((minor, { netAmount }) => minor + Number(netAmount), 0);
  assert.equal(sum, 1_350);

  const statement = await zimbo.settlements.statement({ month, currency: 'CVE' });
  const { amount, feeTotal, disbursementTotal, payoutTotal, closingBalance } = statement;
  assert.deepEqual(
    [amount, feeTotal, disbursementTotal, payoutTotal, closingBalance],
    ['7000', '150', '600', '5250', '1000'],
  );
  const csv = await zimbo.settlements.statementCsv({ month, currency: 'CVE' });
  assert.match(csv, /BALANCE_SO_FAR,,,,1000,CVE/);
  assert.doesNotMatch(csv, /KEPT/);
  assert.deepEqual(await checkLedger(database), []);

  const member = await site.signIn('FINANCE');
  const file = (await member.get(`settlements/${second.id}/items.csv?lang=en`)).text;
  assert.match(file, /Stays in the balance,,,10\.00,0\.00,-10\.00,CVE/);
  assert.match(file, /Stayed in the balance before,,,10\.00,0\.00,10\.00,CVE/);
  const fees = await member.get(`fee-statement?month=${month}&currency=CVE&lang=en`);
  assert.equal(fees.status, 200);
});

test('shows the merchant and staff what stays, and pays out no more than the rest', async (context) => {
  const world = await begin(context);
  const { site } = world;
  await world.keep({ CVE: '1000' });
  await world.pay(5_000);
  const owner = await site.signIn('OWNER');
  const money = (await owner.get('money?lang=en')).text;
  assert.match(money, /Stays in the balance<\/p><p class="figure">.*?10\.00 CVE/);
  const before = (await owner.get('settlements?lang=en')).text;
  assert.match(before, /39\.00 CVE<\/span><\/span>/);
  assert.match(before, /10\.00 CVE stay in the balance, as agreed/);
  const { id } = (await world.settle())!;
  const payout = (await owner.get(`settlements/${id}?lang=en`)).text;
  assert.match(
    payout.replace(/<[^>]*>/g, '|').replace(/\|+/g, '|'),
    /Stays in the balance\|10\.00/,
  );
  assert.doesNotMatch((await owner.get('settlements?lang=en')).text, /Pay out now/);
  const staff = await site.signInStaff('FINANCE');
  const found = await staff.get(`ledger?of=${id}&lang=en`);
  const postings = found.status === 303 ? await staff.get(found.headers.get('location')!) : found;
  assert.match(postings.text, /Stayed in the balance before/);
});

test('settles another currency whose balance is more than what is kept there', async (context) => {
  const world = await begin(context);
  await world.keep({ CVE: '100000', AOA: '500' });
  await world.pay(5_000);
  await world.pay(5_000, 'AOA');
  const made = (await world.zimbo.settlements.process())!;
  assert.deepEqual([made.currency, made.netAmount], ['AOA', '4400']);
  await reach(world.zimbo.settlements, made.id, 'COMPLETED');
  assert.equal(await world.zimbo.settlements.process(), undefined);
  const wrong = await world.keep({ CVE: '0' });
  assert.deepEqual([wrong.status, wrong.body.error.param], [400, 'keepBalance.CVE']);
  assert.equal((await world.keep({ CVE: null })).body.keepBalance.CVE, null);
  assert.equal((await world.settle())!.netAmount, '4900');
  assert.deepEqual(await checkLedger(world.database), []);
});

test('keeps the amount once, however many settlements and disbursements come together', async (context) => {
  const world = await begin(context);
  await world.keep({ CVE: '3000' });
  for (let round = 0; round < 3; round++) {
    await world.pay(10_000);
    const settlements = Array.from({ length: 4 }, () => world.settle());
    const disbursements = Array.from({ length: 4 }, (_, n) => world.disburse(500, `${round}-${n}`));
    const made = (await Promise.allSettled(settlements)).flatMap((each) =>
      each.status === 'fulfilled' && each.value ? [each.value] : [],
    );
    assert.ok(made.length >= 1);
    for (const { id } of await Promise.all(disbursements))
      await reach(world.zimbo.disbursements, id, 'SUCCEEDED');
    const { available } = await world.balance();
    // What went out before the cut came from the rest, and after it from what was kept.
    assert.ok(BigInt(available) <= 3_000n, available);
    assert.deepEqual(await checkLedger(world.database), []);
  }
  for await (const settlement of world.zimbo.settlements.list()) {
    const [amount, fees, refunds, disbursed, net] = figuresOf(settlement);
    assert.equal(net, amount! - fees! - refunds! - disbursed!);
  }
  await world.pay(10_000);
  await world.settle();
  assert.equal((await world.balance()).available, '3000');
});
