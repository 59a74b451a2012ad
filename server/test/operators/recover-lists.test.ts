/** `zimbo operators recover`, and an operator whose list is truncated, or whose clock and notation differ from ours. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { debit, givenBack, recoverWorld } from './recover-world.ts';

const at = (ageMs: number) => new Date(Date.now() - ageMs).toISOString();
const hourMs = 3_600_000;

test('reports a truncated list, after it recovered the part it read', async (context) => {
  const { rows, habits, runAs, zimbo, harness } = await recoverWorld(context);
  for (let number = 1; number <= 143; number++) rows.push(debit(`TX-${number}`, randomUUID()));
  const error = { errorCategory: 'validation', errorCode: 'formatError' };
  habits.give = ({ rows: all, offset, limit }) => (offset === 0 ? all.slice(0, limit) : error);
  const cut = await runAs(1);
  assert.equal(cut.found.debitsHeld.count, 100);
  assert.equal(cut.complete, false);
  assert.match(cut.problem, /no list after 100 transactions: 400 validation/);
  habits.give = ({ rows: all, offset, limit }) => (offset === 0 ? all.slice(0, limit) : []);
  const emptied = await zimbo('operators', 'recover', '--since', '1d');
  assert.equal(emptied.code, 1);
  assert.match(
    emptied.stdout,
    /^The list is incomplete: .*143 are available, and gave 100: 43 missing\.$/m,
  );
  habits.give = ({ rows: all, offset, limit }) => all.slice(offset, offset + limit);
  const whole = await runAs(0);
  assert.deepEqual([whole.found.debitsKnown.count, whole.found.debitsHeld.count], [100, 43]);
  assert.equal((await harness.reversals()).length, 143);
});

test('recovers the part of the last page that was read before the list broke off', async (context) => {
  const { rows, habits, runAs } = await recoverWorld(context);
  rows.push(debit('TX-1', randomUUID()), debit('TX-2', randomUUID()));
  habits.give = ({ rows: all, offset }) => (offset === 0 ? all : {});
  const cut = await runAs(1);
  assert.deepEqual([cut.found.debitsHeld.count, cut.complete], [2, false]);
});

test("drops no transaction because of an operator's clock", async (context) => {
  const { rows, runAs, harness } = await recoverWorld(context);
  const payment = await harness.sent();
  rows.push(
    debit('TX-1', payment.id, { creationDate: at(26 * hourMs) }),
    debit('TX-2', randomUUID(), { creationDate: at(38 * hourMs).slice(0, -1) }),
    debit('TX-3', randomUUID(), { creationDate: at(-14 * hourMs) }),
    debit('TX-4', randomUUID(), { creationDate: 'yesterday' }),
  );
  const found = await runAs(0);
  assert.deepEqual([found.found.debitsBooked.count, found.found.debitsHeld.count], [1, 3]);
  assert.equal((await harness.payment(payment)).status, 'DEBITED');
});

test("requests from earlier if the operator's clock is behind and it filters by that clock", async (context) => {
  const { harness, habits, requests, run, zimbo } = await recoverWorld(context);
  const payment = await harness.sent();
  const creationDate = new Date(Date.now() - 2 * 3_600_000).toISOString();
  const all = [debit('TX-1', payment.id, { creationDate })];
  habits.give = ({ offset, limit }) => {
    const asked = new URL(requests.at(-1)!.split(' ')[1]!, 'http://localhost').searchParams;
    const since = Date.parse(asked.get('fromDateTime')!);
    const found = all.filter((row) => Date.parse(row.creationDate!) >= since);
    return found.slice(offset, offset + limit);
  };
  assert.equal((await zimbo('operators', 'recover', '--since', '90m')).code, 0);
  assert.equal((await harness.payment(payment)).status, 'DEBITED');
  assert.deepEqual(await run(), { debitsKnown: 1 });
});

test('leaves out rows that are days older than requested, and reports them', async (context) => {
  const { rows, runAs, zimbo, harness, list } = await recoverWorld(context);
  const known = await harness.debited('TX-1');
  rows.push(
    debit('TX-1', known.id, { creationDate: '2020-01-01T00:00:00Z' }),
    debit('TX-2', randomUUID(), { creationDate: '2020-01-02T00:00:00Z' }),
    givenBack('TX-3', randomUUID(), 'TX-0'),
  );
  Object.assign(rows[2] as object, { creationDate: '2020-01-03T00:00:00Z' });
  const found = await runAs(1);
  assert.equal(found.found.debitsKnown.count, 1);
  assert.deepEqual(
    found.leftOut.map(({ operatorTxId, type }: Record<string, string>) => [operatorTxId, type]),
    [
      ['TX-2', 'debit'],
      ['TX-3', 'return'],
    ],
  );
  const told = await zimbo('operators', 'recover', '--since', '1d');
  assert.equal(told.code, 1);
  assert.match(
    told.stdout,
    /^Left out, since .*:\n {2}TX-2, debit, 2020-01-02T00:00:00.000Z, 100.00, CVE$/m,
  );
  assert.doesNotMatch(told.stdout, /Nothing waits for a person/);
  assert.deepEqual([await harness.reversals(), await list()], [[], []]);
  rows.splice(1);
  assert.equal((await runAs(0)).complete, true, 'the ledger has it');
});

test('counts and names other kinds of rows, and shows those under a reference like ours to a person', async (context) => {
  const { rows, runAs, zimbo, harness, list } = await recoverWorld(context);
  const payment = await harness.sent();
  const other = (id: string, reference: string | null, type: string) => ({
    ...debit(id, reference),
    type,
  });
  rows.push(
    other('TX-1', null, 'withdrawal'),
    other('TX-2', 'order 7', 'cash\u202eback'),
    other('TX-3', payment.id, 'paybill'),
    {
      ...other('TX-4', randomUUID(), 'disbursement'),
      debitParty: [{ key: 'walletid', value: 'loja' }],
      creditParty: [{ key: 'msisdn', value: '+2389910345' }],
    },
  );
  const found = await runAs(0);
  assert.deepEqual([found.found.others.count, found.found.othersListed.count], [2, 2]);
  assert.deepEqual(
    found.others.map(({ type }: { type: string }) => type),
    ['withdrawal', 'cash\\u{202e}back'],
  );
  const told = await zimbo('operators', 'recover', '--since', '1d');
  assert.match(told.stdout, /^Of another kind:\n {2}TX-1, withdrawal, /m);
  assert.deepEqual(
    (await list()).map(({ kind, operatorSays }) => `${kind}: ${operatorSays}`).toSorted(),
    [
      'CONTRADICTION: succeeded, 100.00 CVE, TX-3',
      'UNKNOWN_REFERENCE: succeeded, 100.00 CVE, TX-4',
    ],
  );
  const again = await runAs(0);
  assert.deepEqual(again.found, found.found);
});

test('holds a debit that our records lack, whatever the operator calls it and however it spells our reference', async (context) => {
  const { harness, rows, run } = await recoverWorld(context);
  const open = await harness.sent();
  const [party, known] = [{ key: 'walletid', value: 'loja' }, await harness.debited('TX-9')];
  const listed = (id: string, change: object, reference: string = randomUUID()) => ({
    ...debit(id, reference),
    type: 'billpay',
    ...change,
  });
  rows.push(
    listed('TX-1', { creditParty: [party] }),
    listed('TX-2', { creditParty: party }),
    listed('TX-3', { creditParty: [{ ...party, value: ' LOJA' }] }),
    listed('TX-4', {}),
    listed('TX-5', { type: undefined }),
    listed('TX-6', { type: '' }),
    listed('TX-7', { type: '' }, open.id),
    listed('TX-9', { type: '' }, known.id),
  );
  assert.deepEqual(await run(), { debitsHeld: 6, debitsBooked: 1, debitsKnown: 1 });
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('shows a return without a type under a refund of ours to a person, and not as a debit', async (context) => {
  const { harness, rows, run, list } = await recoverWorld(context);
  const refund = await harness.refund(await harness.debited('TX-1'), 4_000n);
  rows.push({ ...debit('RV-1', refund.id, { amount: '40' }), type: undefined });
  assert.deepEqual(await run(), { debitsListed: 1 });
  assert.deepEqual(await harness.reversals(), []);
  assert.deepEqual(
    (await list()).map(({ kind, subject }) => `${kind} ${subject.kind}`),
    ['CONTRADICTION REFUND'],
  );
});

test('counts unreadable entries, and does not call the list complete', async (context) => {
  const { rows, runAs, zimbo, harness } = await recoverWorld(context);
  const [payment, other] = [await harness.sent(), await harness.sent()];
  const { transactionReference: _, ...unnamed } = debit('TX-1', other.id);
  rows.push(unnamed, null, 'TX-2', debit('TX-3', payment.id));
  const found = await runAs(1);
  assert.deepEqual([found.complete, found.unreadable], [false, 3]);
  assert.equal(found.found.debitsBooked.count, 1);
  assert.equal((await harness.payment(payment)).status, 'DEBITED');
  const told = await zimbo('operators', 'recover', '--since', '1d', '--dry-run');
  assert.equal(told.code, 1);
  assert.match(told.stdout, /^Unreadable +3 *$/m);
  assert.match(told.stdout, /do not follow the standard.*zimbo reconcile/);
  assert.doesNotMatch(told.stdout, /Nothing waits for a person/);
});

test('shows an id that cannot be booked to a person, and continues', async (context) => {
  const { rows, run, list, harness } = await recoverWorld(context);
  const [payment, other] = [await harness.sent(), await harness.sent()];
  rows.push(
    debit('TX\0-1', payment.id),
    debit('TX\u202e-2', randomUUID()),
    debit('TX\ud800', randomUUID()),
    debit('x'.repeat(257), randomUUID()),
    debit(' TX-1', randomUUID()),
    debit('TX-4', randomUUID(), { currency: 'C\0E' }),
    givenBack('TX\n5', randomUUID(), 'TX\0-1'),
    debit('TX-6', other.id),
  );
  const first = { debitsBooked: 1, debitsListed: 6, givenBackListed: 1 };
  assert.deepEqual(await run('--dry-run'), first);
  assert.deepEqual(await run(), first);
  assert.equal((await harness.payment(other)).status, 'DEBITED');
  assert.equal((await harness.payment(payment)).status, 'OPERATOR_PENDING');
  const says = (await list()).map(({ kind, operatorSays }) => `${kind}: ${operatorSays}`);
  assert.ok(says.includes('CONTRADICTION: succeeded, 100.00 CVE, TX\\u{0}-1'), says.join('\n'));
  assert.equal(says.length, 7);
  assert.deepEqual(await run(), { debitsKnown: 1, debitsListed: 6, givenBackListed: 1 });
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('books a transaction that is listed as pending and as completed', async (context) => {
  const { rows, run, harness } = await recoverWorld(context);
  const [one, other] = [await harness.sent(), await harness.sent()];
  const open = { transactionStatus: 'pending' };
  rows.push(debit('TX-1', one.id, open), debit('TX-1', one.id));
  rows.push(debit('TX-2', other.id), debit('TX-2', other.id, open));
  assert.deepEqual(await run(), { debitsBooked: 2, debitsOpen: 2 });
  assert.equal((await harness.payment(one)).status, 'DEBITED');
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('names unreadable rows, exits with 1, and shows those under our references to a person', async (context) => {
  const { rows, runAs, zimbo, harness, list } = await recoverWorld(context);
  const [open, known] = [await harness.sent(), await harness.debited('TX-1')];
  const [lost, strange] = [randomUUID(), { what: 'no transaction', phone: '+2389912345' }];
  const { transactionStatus: _, ...undecided } = debit('TX-3', open.id);
  const unnamed = (reference: string, change = {}) => ({
    ...debit('', reference, change),
    transactionReference: null,
  });
  const ofOther = { ...givenBack('', known.id, 'TX-1', '100'), transactionReference: null };
  rows.push(unnamed(open.id), undecided, unnamed(lost), unnamed(known.id), ofOther, strange);
  const found = await runAs(1);
  assert.deepEqual([found.complete, found.unreadable], [false, 6]);
  assert.equal(found.unreadableRows[5], 'row 6: no transaction');
  const items = (await list()).map(({ kind, operatorSays }) => `${kind}: ${operatorSays}`);
  assert.deepEqual(items.toSorted(), [
    'CONTRADICTION: in its list, cannot be read, 100.00 CVE',
    'CONTRADICTION: in its list, cannot be read, 100.00 CVE, TX-3',
    'CONTRADICTION: in its list, cannot be read, 100.00 CVE, gave back TX-1',
    'UNKNOWN_REFERENCE: in its list, cannot be read, 100.00 CVE',
  ]);
  assert.equal((await harness.payment(open)).status, 'OPERATOR_PENDING');
  await assert.rejects(harness.refund(known, 1n), /Nothing of this payment is left to refund/);
  const told = await zimbo('operators', 'recover', '--since', '1d');
  assert.equal(told.code, 1);
  assert.match(told.stdout, /^Unreadable, .*:\n {2}row 1: requesting\w+ [-\da-f]{36}, .*100/m);
  assert.match(told.stdout, /^They do not follow the standard\. Ask the operator what they are, /m);
  assert.doesNotMatch(told.stdout, /Nothing waits for a person|9912345/);
  assert.equal((await list()).length, 4);
  assert.deepEqual(await checkLedger(harness.database), []);
});

test('counts disbursements of ours, and no other payout, as disbursements', async (context) => {
  const { harness, rows, runAs } = await recoverWorld(context);
  const { tenantId } = await harness.sent();
  const references = [randomUUID(), randomUUID(), randomUUID()] as const;
  for (const reference of references) {
    await harness.database.query(
      {
        text: `INSERT INTO disbursements (tenant_id, id, reference, version, status, amount_minor, fee_minor, currency,
                 operator, expires_at, created_at, updated_at)
               VALUES ($1, gen_random_uuid(), $2, 1, 'PROCESSING', 10000, 0, 'CVE', 'CVMOVEL', now(), now(), now())`,
      },
      [tenantId, reference],
    );
  }
  const paidOut = (id: string, reference: string | null, transactionStatus = 'completed') => ({
    ...debit(id, reference, { transactionStatus }),
    type: 'disbursement',
    debitParty: [{ key: 'walletid', value: 'loja' }],
  });
  rows.push(
    paidOut('TX-1', references[0]),
    paidOut('TX-2', references[1], 'failed'),
    paidOut('TX-3', references[2], 'pending'),
    paidOut('TX-4', randomUUID()),
    paidOut('TX-5', null),
  );
  const { found } = await runAs(0);
  assert.deepEqual(
    [found.disbursementsBooked, found.disbursementsFailed, found.disbursementsOpen].map(
      (each) => each!.count,
    ),
    [1, 1, 1],
  );
  assert.deepEqual([found.othersListed!.count, found.others!.count], [1, 1]);
});
