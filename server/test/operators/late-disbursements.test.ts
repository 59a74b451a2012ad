/** Disbursements that succeeded after their money was back in the balance, and who bears them. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { suspense } from '../../src/money/ledger/suspense.ts';
import { formatId } from '../../src/platform/values/ids.ts';
import { consoleOn, staffAt } from '../support/console.ts';
import { add, nowOf } from './due-disbursement.ts';
import { reviewWorld } from './review-world.ts';
import { refused, success } from './scripted.ts';

/** A disbursement of 40 CVE that FAILED, and that the operator has paid all the same. */
async function lateWorld(context: TestContext) {
  const world = await reviewWorld(context);
  const { harness } = world;
  harness.operator.onDisburse = () => refused;
  const disbursement = await add(harness);
  await harness.work();
  assert.equal((await nowOf(harness, disbursement)).status, 'FAILED');
  const { tenantId, reference } = disbursement;
  const answer = success('OP-9', 4_000n);
  await harness.useCases.disbursementProcessor.notify({ tenantId, reference, answer });
  assert.equal((await nowOf(harness, disbursement)).operatorTxId, 'OP-9');
  return { ...world, disbursement, name: formatId('di', disbursement.id) };
}

test('lists a late success for a person, and charges it to the merchant with its fee', async (context) => {
  const { harness, zimbo, list, audit, disbursement, name } = await lateWorld(context);
  const [item] = await list();
  assert.deepEqual([item!.kind, item!.subject.id], ['CONTRADICTION', name]);
  // Closing the item does not hide that somebody must decide.
  await zimbo('review', 'close', item!.id, '--reason', 'seen');
  const [row] = await list();
  assert.deepEqual([row!.kind, row!.id], ['LATE', name]);
  assert.match(row!.ledger, /^FAILED; 40\.00 CVE missing in suspense$/);
  assert.match(row!.operatorSays, /OP-9/);
  const shown = await zimbo('review', 'show', name);
  assert.match(shown.stdout, /zimbo review resolve di_\S+ --charge\n.* --write-off/);
  const { all } = await zimbo('review', 'resolve', name, '--charge');
  assert.equal(all, `0 ${name} is charged to the merchant, with its fee.\n`);
  const { feeMinor } = disbursement;
  const { payable, suspense: left } = await harness.balances();
  assert.deepEqual([payable, left], [-4_000 - Number(feeMinor), undefined]);
  assert.equal((await nowOf(harness, disbursement)).status, 'FAILED');
  assert.deepEqual(await suspense(harness.database), []);
  assert.deepEqual(await list(), []);
  assert.deepEqual(await checkLedger(harness.database), []);
  const records = (await audit()).filter(({ action }) => action === 'disbursement.resolved');
  assert.deepEqual(records, [
    {
      action: 'disbursement.resolved',
      subject: name,
      detail: { finding: 'CHARGE', was: 'FAILED' },
    },
  ]);
  for (const option of ['--charge', '--write-off']) {
    const again = await zimbo('review', 'resolve', name, option);
    assert.match(again.all, /somebody has decided who bears it/, option);
  }
  assert.equal((await harness.balances()).payable, -4_000 - Number(feeMinor));
});

test('writes a late success off, and leaves the balance of the merchant alone', async (context) => {
  const { harness, zimbo, list, name } = await lateWorld(context);
  const { all } = await zimbo('review', 'resolve', name, '--write-off');
  assert.equal(
    all,
    `0 ${name} is written off: the company bears it.\nIts review item is closed.\n`,
  );
  const { payable, fees, suspense: left } = await harness.balances();
  assert.deepEqual([payable, fees, left], [undefined, -4_000, undefined]);
  assert.deepEqual(await list(), []);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('takes no other answer about a late success, and charges nothing that is not late', async (context) => {
  const { harness, zimbo, list, name } = await lateWorld(context);
  const known = await zimbo('review', 'resolve', name, '--not-paid-out');
  assert.match(known.all, /The outcome of di_\w+ is known: it is FAILED/);
  assert.equal((await list()).length, 1);
  harness.operator.onDisburse = () => success('OP-10', 4_000n);
  const paid = await add(harness);
  await harness.work();
  const before = await harness.balances();
  const refusal = await zimbo('review', 'resolve', formatId('di', paid.id), '--charge');
  assert.match(refusal.all, /did not succeed after it had ended/);
  assert.deepEqual(await harness.balances(), before);
});

test('decides a late success on the staff pages, by two people where reviews need two', async (context) => {
  const world = await lateWorld(context);
  const { harness, name } = world;
  const environment = { ...world.environment, ZIMBO_ROLE: 'api', FOUR_EYES: 'reviews' };
  const origin = await consoleOn(context, world.url, environment);
  const operations = await staffAt(origin, harness.database, 'OPERATIONS');
  assert.match((await operations.get(`reviews/${name}?lang=pt`)).text, /a empresa o suporta/);
  const { text } = await operations.get(`reviews/${name}?lang=en`);
  for (const word of ['Charge the merchant', 'The company bears', 'OP-9']) {
    assert.ok(text.includes(word), `${word} in ${text}`);
  }
  assert.ok(!text.includes('The disbursement was not paid'), text);
  const key = /name="key" value="([^"]*)"/.exec(text)![1]!;
  const sent = { key, action: 'resolve', finding: 'CHARGE' };
  assert.equal((await operations.send(`reviews/${name}`, sent)).status, 303);
  assert.equal((await harness.balances()).payable, undefined);
  const asked = (await operations.get('approvals?lang=en')).text;
  assert.match(asked, /Charge the merchant/);
});
