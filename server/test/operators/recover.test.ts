/** `zimbo operators recover`: finds transactions of an operator that our records lack. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { recountTotals } from '../../src/money/totals/check.ts';
import { formatId } from '../../src/platform/values/ids.ts';
import { unassigned } from '../../src/tenants/merchants/unassigned-merchant.ts';
import { cleanUp } from '../support/cleanup.ts';
import { debit, givenBack, recoverWorld } from './recover-world.ts';
import { pending, refused, success } from './scripted.ts';

test('recognises, books, returns, holds or lists each transaction of the list, and once', async (context) => {
  const { harness, rows, run, list, amounts, audit } = await recoverWorld(context);
  const known = await harness.debited('TX-1');
  const open = await harness.sent();
  harness.operator.onRequestDebit = () => refused;
  const failed = await harness.sent();
  harness.operator.onRequestDebit = () => pending;
  const otherAmount = await harness.sent();
  const byHand = await harness.sent();
  const inOtherCurrency = await harness.sent();
  await harness.database.query(
    { text: `UPDATE payments SET status = 'EXPIRED', due_at = NULL, by_hand = true WHERE id = $1` },
    [byHand.id],
  );
  await recountTotals(harness.database);
  const [lost, lostDebit] = [randomUUID(), randomUUID()];
  rows.push(
    debit('TX-1', known.id),
    debit('TX-2', open.id),
    debit('TX-3', failed.id),
    debit('TX-4', known.id),
    debit('TX-5', otherAmount.id, { amount: '10' }),
    debit('TX-6', byHand.id),
    debit('TX-1', open.id),
    debit('TX-12', inOtherCurrency.id, { currency: 'AOA' }),
    debit('TX-7', lostDebit, { amount: '77' }),
    debit('TX-8', null, { amount: '8' }),
    debit('TX-9', lost, { transactionStatus: 'failed' }),
    debit('TX-10', lost, { transactionStatus: 'pending' }),
    debit('TX-11', lost, { amount: 'ten' }),
  );
  const first = {
    debitsKnown: 1,
    debitsBooked: 1,
    debitsReversed: 3,
    debitsHeld: 2,
    debitsListed: 4,
    debitsOpen: 1,
    debitsFailed: 1,
  };
  assert.deepEqual(await run('--dry-run'), first, 'a dry run tells the same');
  assert.deepEqual([await list(), await audit()], [[], []], 'and changes nothing');
  assert.deepEqual(await run(), first);
  assert.equal((await harness.payment(open)).status, 'DEBITED');
  const reversals = (await harness.reversals()).map(({ operatorTxId, reason, status, tenantId }) =>
    [operatorTxId, reason, status, tenantId === unassigned.tenantId && unassigned.name].join(' '),
  );
  assert.deepEqual(reversals.toSorted(), [
    'TX-3 LATE_DEBIT PENDING false',
    'TX-4 SECOND_DEBIT PENDING false',
    'TX-5 WRONG_AMOUNT PENDING false',
    'TX-7 UNKNOWN_REFERENCE HELD Unassigned',
    'TX-8 UNKNOWN_REFERENCE HELD Unassigned',
  ]);
  // The ledger knows each readable debit, except for TX-6, TX-12 and the repeated TX-1, which are listed.
  assert.equal((await amounts())['operator:CVMOVEL'], -(10_000 * 4 + 1_000 + 7_700 + 800));
  const kinds = (await list()).map(({ kind }) => kind).toSorted();
  const [unknown, contradiction] = ['UNKNOWN_REFERENCE', 'CONTRADICTION'];
  assert.deepEqual(kinds, ['CLASH', contradiction, contradiction, unknown, unknown, unknown]);

  const before = await amounts();
  const lines = await list();
  const known7 = { debitsKnown: 7, debitsListed: 4, debitsOpen: 1, debitsFailed: 1 };
  assert.deepEqual(await run(), known7, 'done again, all of it is known');
  assert.deepEqual([await amounts(), await list()], [before, lines]);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('shows an amount that could be read as a thousand times another to a person', async (context) => {
  const { harness, rows, run, list } = await recoverWorld(context);
  const payment = await harness.sent({ amountMinor: 1_000_000n });
  rows.push(
    debit('TX-1', payment.id, { amount: '10.000' }),
    debit('TX-2', randomUUID(), { amount: '10.000' }),
  );
  assert.deepEqual(await run(), { debitsListed: 2 });
  assert.deepEqual(await harness.reversals(), []);
  assert.deepEqual((await list()).map(({ kind }) => kind).toSorted(), [
    'CONTRADICTION',
    'UNKNOWN_REFERENCE',
  ]);
});

test('recognises or books a return, or shows it to a person', async (context) => {
  const { harness, rows, run, list, zimbo } = await recoverWorld(context);
  const payment = await harness.debited('TX-1');
  const [known, processing] = [
    await harness.refund(payment, 1_000n),
    await harness.refund(payment, 4_000n),
  ];
  harness.operator.onReverse = () => success('TX-11', 1_000n);
  await harness.useCases.refundProcessor.process(known, 'MEMORY');
  harness.operator.onReverse = () => pending;
  await harness.useCases.refundProcessor.process(processing, 'MEMORY');
  const second = success('TX-2', 10_000n);
  await harness.useCases.processor.notify({
    tenantId: harness.tenantId,
    reference: payment.id,
    answer: second,
  });
  const [reversal] = await harness.reversals();
  const lost = randomUUID();
  rows.push(
    givenBack('TX-11', known.id, 'TX-1', '10'),
    givenBack('TX-12', processing.id, 'TX-1', '40'),
    givenBack('TX-13', reversal!.id, 'TX-2', '100'),
    givenBack('TX-14', lost, 'TX-1', '5'),
    givenBack('TX-15', payment.id, 'TX-1', '6'),
    givenBack('TX-16', known.id, 'TX-1', '10'),
    { ...givenBack('TX-17', lost, 'TX-1'), transactionStatus: 'failed' },
  );
  const first = { givenBackKnown: 1, givenBackBooked: 2, givenBackListed: 3, givenBackFailed: 1 };
  assert.deepEqual(await run('--dry-run'), first);
  assert.deepEqual(await run(), first);
  assert.deepEqual(await run(), { givenBackKnown: 3, givenBackListed: 3, givenBackFailed: 1 });
  assert.equal((await harness.refundNow(processing)).operatorRefundId, 'TX-12');
  assert.equal((await harness.reversals())[0]!.status, 'SUCCEEDED');
  const listed = (await list()).map(({ kind, operatorSays }) => `${kind}: ${operatorSays}`);
  assert.deepEqual(listed.toSorted(), [
    'CONTRADICTION: succeeded, 10.00 CVE, TX-16',
    'CONTRADICTION: succeeded, 6.00 CVE, TX-15, gave back TX-1',
    'UNKNOWN_REFERENCE: succeeded, 5.00 CVE, TX-14, gave back TX-1',
  ]);
  assert.deepEqual(listed.toSorted(), [
    'CONTRADICTION: succeeded, 10.00 CVE, TX-16',
    'CONTRADICTION: succeeded, 6.00 CVE, TX-15, gave back TX-1',
    'UNKNOWN_REFERENCE: succeeded, 5.00 CVE, TX-14, gave back TX-1',
  ]);
  for (const { id } of await list()) await zimbo('review', 'close', id, '--reason', 'settled');
  const closed = { givenBackKnown: 6, givenBackFailed: 1 };
  assert.deepEqual(await run(), closed, 'what a person has closed stays closed');
  assert.deepEqual(await list(), []);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('does not return a lost payment again that was refunded', async (context) => {
  const { harness, rows, run, list, zimbo, amounts } = await recoverWorld(context);
  const lost = randomUUID();
  rows.push(givenBack('TX-2', randomUUID(), 'TX-1', '100'), debit('TX-1', lost));
  assert.deepEqual(await run(), { debitsHeld: 1, givenBackListed: 1 });
  const [held] = await harness.reversals();
  const shown = await zimbo('review', 'show', formatId('pi', lost));
  assert.match(shown.all, new RegExp(`^Reversal +${held!.id}\\nReference +${lost}$`, 'm'));
  const reversed = await zimbo('review', 'resolve', held!.id, '--reverse');
  assert.match(
    reversed.all,
    /^1 CVMOVEL has given 100\.00 CVE of it back already, by TX-2 \(ri_\w+\)/,
  );
  const told = await zimbo('review', 'resolve', held!.id, '--given-back', 'TX-2');
  assert.match(told.all, /^0 Reversal \S+ is SUCCEEDED.*\nIts 2 review items are closed\.$/m);
  assert.deepEqual(await list(), []);
  assert.deepEqual(await amounts(), { 'operator:CVMOVEL': 0, suspense: 0 });
  assert.deepEqual(await run(), { debitsKnown: 1, givenBackKnown: 1 });
});

test('sees no clash in a callback that names the merchant of a held debit', async (context) => {
  const { harness, rows, run, list } = await recoverWorld(context);
  const reference = randomUUID();
  rows.push(debit('TX-1', reference));
  await run();
  harness.nowMs = Date.now();
  harness.operator.onQueryDebit = () => success('TX-1', 10_000n);
  await harness.callBack(
    'DEBIT',
    { tenantId: harness.tenantId, id: reference },
    debit('TX-1', reference),
  );
  await harness.handleCallbacksFor(60_000);
  assert.equal((await harness.reversals()).length, 1);
  const kinds = (await list()).map(({ kind }) => kind);
  assert.ok(!kinds.includes('CLASH'), kinds.join());
});

test('shows a person what was found, and audits who ran the command', async (context) => {
  const { rows, zimbo, audit, requests } = await recoverWorld(context);
  rows.push(debit('TX-1', randomUUID(), { amount: '1234.5' }), debit('TX-2', null), {});
  const { code, stdout } = await zimbo('operators', 'recover', '--since', '2026-01-01T00:00:00Z');
  assert.equal(code, 1);
  assert.equal(
    stdout,
    `CVMOVEL, walletid@loja, since 2026-01-01 00:00:00 UTC: 2 transactions

WHAT                                        COUNT           SUM
Debits not in the ledger: held, for review      2  1,334.50 CVE
Unreadable                                      1

Unreadable, counted from the newest:
  row 3: no transaction
They do not follow the standard. Ask the operator what they are, or get its statement and compare it with "zimbo reconcile".
For review: 2. To see them: zimbo review
`,
  );
  assert.match(
    requests[0]!,
    /^GET \/mm\/accounts\/walletid\/loja\/transactions\?limit=100&offset=0&fromDateTime=2025-12-31T00%3A00%3A00\.000Z$/,
  );
  const records = await audit();
  assert.deepEqual(
    records.map(({ action, subject }) => [action, subject]),
    [
      ['operators.recovered', 'CVMOVEL'],
      ['merchant.created', formatId('me', unassigned.merchantId)],
      ['operators.recovered', 'CVMOVEL'],
    ],
  );
  const { found, ...asked } = records.at(-1)!.detail as { found: Record<string, number> };
  assert.deepEqual(asked, { account: 'walletid@loja', since: '2026-01-01T00:00:00.000Z' });
  assert.equal(found.debitsHeld, 2);
});

test('reports an operator that has no such list, or is unreachable', async (context) => {
  const { zimbo, environment, harness } = await recoverWorld(context);
  const recover = (...args: string[]) => zimbo('operators', 'recover', '--since', '1d', ...args);
  assert.match(
    (await zimbo('operators', 'recover', '--since', '2999-01-01T00:00:00Z')).all,
    /^1 --since must not be in the future/,
  );
  assert.match(
    (await recover('--operator', 'UNITEL_TMAIS')).all,
    /^1 UNITEL_TMAIS is not configured here\./,
  );
  const server = createServer((_, response) => response.writeHead(404).end('{}'));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanUp(context, () => server.close());
  const { port } = server.address() as AddressInfo;
  Object.assign(environment, { OPERATOR_CVMOVEL_URL: `http://127.0.0.1:${port}` });
  const none = await recover();
  assert.match(
    none.all,
    /^1 CVMOVEL, .*: 0 transactions\n\nThe list is incomplete: the operator gives no list of transactions: 404\.\n$/,
  );
  Object.assign(environment, {
    OPERATOR_CVMOVEL_QUERY: 'none',
    OPERATOR_CVMOVEL_CALLBACK_SECRET: 'secret secret secret',
  });
  const silent = await recover();
  assert.match(
    silent.all,
    /^1 CVMOVEL.*\n\nThe list is incomplete: OPERATOR_CVMOVEL_QUERY is none, so it gives no list: compare its statement with "zimbo reconcile"\.\n$/,
  );
  assert.deepEqual(await harness.reversals(), []);
});
