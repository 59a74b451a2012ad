/** The destination of a settlement: the bank account at its cut, in columns of the payout file. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  begin,
  claim,
  csv,
  cut,
  fail,
  now,
  partsOf,
  type World,
} from '../../../test/support/payouts.ts';
import { readCsv } from '../../platform/formats/csv.ts';
import { noFourEyes } from '../../platform/values/four-eyes.ts';
import { formatId, randomIds } from '../../platform/values/ids.ts';
import { changeBankAccount } from '../../tenants/merchants/change-bank-account.ts';
import { paySettlement } from './pay.ts';
import type { Settlement } from './settlement.ts';

const ids = randomIds();
const cv = 'CV64000500000020108215144';
const pt = 'PT50000201231234567890154';

const change = ({ database, clock, merchantId }: World, details: object) => {
  const account = { currency: 'CVE', accountNumber: cv, holder: 'Loja, Lda', bic: null };
  const dependencies = { database, clock, ids, fourEyes: noFourEyes };
  return changeBankAccount(dependencies, merchantId, { ...account, ...details });
};

async function rowsOf(world: World, settlement: Settlement): Promise<string[][]> {
  const text = readFileSync(join(world.folder, csv(settlement)), 'utf8');
  const rows: string[][] = [];
  for await (const { fields } of readCsv([text] as never)) rows.push(fields);
  return rows;
}

async function payAll(world: World): Promise<void> {
  await paySettlement(partsOf(world), await claim(world));
}

test('pays a settlement to the bank account at its cut, whatever holds when its file is written', async (context) => {
  const world = await begin(context);
  await change(world, { currency: 'AOA', holder: 'Of another currency' });
  const first = await change(world, { bic: 'BCATCVCV' });
  const settlement = await cut(world);
  assert.equal(settlement.bankAccountId, first.id);
  world.wait(1);
  await change(world, { accountNumber: pt, holder: 'Other' });
  await payAll(world);
  const [, row] = await rowsOf(world, settlement);
  assert.deepEqual(row!.slice(10, 13), ['Loja, Lda', cv, 'BCATCVCV']);
  assert.equal((await now(world, settlement)).bankAccountId, first.id, 'as the file was written');

  await fail(world, settlement);
  const next = await cut(world);
  await payAll(world);
  assert.deepEqual((await rowsOf(world, next))[1]!.slice(10, 13), ['Other', pt, '']);
});

test('leaves the columns empty without an account, and a later account changes nothing', async (context) => {
  const world = await begin(context);
  const settlement = await cut(world);
  assert.equal(settlement.bankAccountId, null);
  await change(world, {});
  await payAll(world);
  assert.equal(
    readFileSync(join(world.folder, csv(settlement)), 'utf8'),
    `settlement,merchant,currency,net_amount,gross_amount,fees,refunds,items,period_start,period_end,holder,account,bic,reference,date,debtor,debtor_account,debtor_bic
${formatId('se', settlement.id)},${formatId('me', world.merchantId)},CVE,98.00,100.00,2.00,0.00,1,${new Date(
      settlement.periodStartMs,
    ).toISOString()},${new Date(settlement.periodEndMs).toISOString()},,,,${formatId('se', settlement.id).replace('_', '-')},2026-11-21,,,\n`,
  );
});

test('reports and retries a bank account that the file cannot name, and writes no file without it', async (context) => {
  const world = await begin(context);
  await change(world, {});
  const settlement = await cut(world);
  await world.database.query({ text: 'DELETE FROM bank_accounts' });
  await payAll(world);
  const { status, payoutError } = await now(world, settlement);
  assert.deepEqual([status, /bank account .* not there/.test(payoutError!)], ['PROCESSING', true]);
});

const hostile = {
  '=HYPERLINK("http://x","pay"),1': `'=HYPERLINK("http://x","pay"),1`,
  '+1': `'+1`,
  '-1,"a"': `'-1,"a"`,
  '@SUM(A1)': `'@SUM(A1)`,
  '"': '"',
  'João "o Rei", Lda.': 'João "o Rei", Lda.',
};

for (const [holder, field] of Object.entries(hostile)) {
  test(`writes the holder ${holder} as one field, and not as a formula`, async (context) => {
    const world = await begin(context);
    await change(world, { holder });
    const settlement = await cut(world);
    await payAll(world);
    const rows = await rowsOf(world, settlement);
    assert.deepEqual([rows.length, rows[1]!.length], [2, rows[0]!.length]);
    assert.deepEqual(rows[1]!.slice(10, 13), [field, cv, '']);
  });
}
