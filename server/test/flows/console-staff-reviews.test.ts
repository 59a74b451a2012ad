/** The review queue on the staff pages: both sides of each case, and recording the operator's answer. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { suspense } from '../../src/money/ledger/suspense.ts';
import { listOpenCases, rowIdOf } from '../../src/money/review/open-cases.ts';
import { waitingKinds, waitingPage } from '../../src/money/review/queue.ts';
import { formatId, formatId as id } from '../../src/platform/values/ids.ts';
import { heldDebit, oneOfEach, reviewWorld } from '../operators/review-world.ts';
import { bookDisbursement } from '../support/booked-disbursement.ts';
import { consoleOn, type Member, staffAt } from '../support/console.ts';

/** One case of each kind, and a gateway on which only staff act. */
async function waitingWorld(context: TestContext, more: Record<string, string> = {}) {
  const world = await reviewWorld(context);
  const made = await oneOfEach(world);
  const environment = { ...world.environment, ZIMBO_ROLE: 'api', ...more };
  const origin = await consoleOn(context, world.url, environment);
  const { database } = world.harness;
  const signIn = (role: 'OPERATIONS' | 'FINANCE' | 'ADMIN' | 'AUDITOR') =>
    staffAt(origin, database, role);
  return { ...world, made, database, origin, signIn };
}

const words = (html: string) => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
const rowsOf = (html: string) => [...html.matchAll(/href="\/console\/staff\/reviews\/([^"]+)"/g)];

/** Opens the page and submits one of its forms. */
async function decide(member: Member, about: string, fields: Record<string, string>) {
  const page = `reviews/${about}`;
  const { text, status } = await member.get(page);
  assert.equal(status, 200, text);
  const key = /name="key" value="([^"]*)"/.exec(text)![1]!;
  return member.send(page, { key, ...fields });
}

const resolving = (finding: string, fields: Record<string, string> = {}) => ({
  action: 'resolve',
  finding,
  ...Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [`${name}_${finding}`, value]),
  ),
});
const closing = (item: string, reason: string) => ({
  action: 'close',
  item,
  [`reason_${item}`]: reason,
});

test('shows each kind of case with both sides in both languages, and filters by kind, operator and mode', async (context) => {
  const { signIn, list, made } = await waitingWorld(context);
  const operations = await signIn('OPERATIONS');
  const { text } = await operations.get('reviews');
  const rows = await list();
  const shown = rowsOf(text).map(([, each]) => each!);
  assert.deepEqual(
    shown.toSorted(),
    rows.map((row) => row.id).toSorted(),
    'as on the command line',
  );
  const ages = shown.map((each) => rows.find((row) => row.id === each)!.since);
  assert.deepEqual(ages, ages.toSorted(), 'the oldest first');
  const said = words(text);
  for (const side of [
    'Cancelled, 2,500.00 CVE, sent 5 d ago, queried 40 times',
    'no usable answer',
    `booked as the debit of payment ${id('pi', made.debited.id)}`,
    'succeeded, 20.00 CVE, TX-1001',
    'Failed; 100.00 CVE in suspense',
    'refused to return it (OPERATOR_REJECTED)',
    'nothing under this reference; 77.00 CVE in suspense',
    'TX-77\\u{1b}[2J',
  ]) {
    assert.ok(said.includes(side), `${side} in ${said}`);
  }
  const portuguese = words((await operations.get('reviews?lang=pt')).text);
  assert.match(portuguese, /Cancelado, 2\.500,00 CVE, enviado há 5 d, consultado 40 vezes/);
  assert.match(portuguese, /nada com esta referência; 77,00 CVE na conta transitória/);
  const narrowed = async (query: string) => rowsOf((await operations.get(`reviews?${query}`)).text);
  assert.equal((await narrowed('kind=CONTRADICTION')).length, 2);
  assert.equal((await narrowed('kind=REFUSED')).length, 1);
  assert.equal((await narrowed('operator=CVMOVEL')).length, rows.length);
  assert.equal((await narrowed('operator=UNITEL_TMAIS')).length, 0);
  assert.equal((await narrowed('mode=test')).length, 0);
});

test('lists all open cases over pages, and by kind', async (context) => {
  const { harness, database } = await waitingWorld(context);
  const reported = {
    operatorTxId: 'TX-7001',
    amount: '1,00',
    currency: null,
    type: null,
    reference: null,
  };
  harness.operator.onRequestDebit = () => ({ kind: 'unknown', progress: 'MISMATCH', reported });
  await harness.sent();
  const referenced = randomUUID();
  await heldDebit(harness, referenced, 'TX-6001');
  // Held, and listed only because of its own row.
  await heldDebit(harness, randomUUID(), 'TX-6002');
  await database.query({
    text: `UPDATE review_items SET closed_at = now(), closed_by = 'x' WHERE detail -> 'told' ->> 'operatorTxId' = 'TX-6002'`,
  });
  const { tenantId } = harness;
  await bookDisbursement(database, { tenantId, status: 'CANCELLED', operatorTxId: 'OP-1' });
  const sentBeforeMs = Date.now();
  const all = await listOpenCases(database, sentBeforeMs);
  assert.deepEqual([...new Set(all.map(({ kind }) => kind))].sort(), [...waitingKinds].sort());
  for (const kind of [undefined, ...waitingKinds]) {
    const expected = all.filter((each) => kind === undefined || each.kind === kind);
    const found: string[] = [];
    for (let after: { sinceMs: number; id: string } | undefined; ; ) {
      const queue = { mode: 'live', kind, sentBeforeMs } as const;
      const rows = await waitingPage(database, queue, { limit: 2, after });
      const page = rows.slice(0, 2);
      found.push(...page.map(rowIdOf));
      if (rows.length <= 2) break;
      after = { sinceMs: page.at(-1)!.sinceMs, id: rowIdOf(page.at(-1)!) };
    }
    assert.deepEqual(found.toSorted(), expected.map(rowIdOf).toSorted(), `${kind}`);
    assert.equal(new Set(found).size, found.length);
  }
});

test("records the operator's answer for each case on its page, and keeps the ledger right", async (context) => {
  const { signIn, list, made, database, harness } = await waitingWorld(context);
  const operations = await signIn('OPERATIONS');
  const rows = await list();
  const at = (kind: string, index = 0) => rows.filter((row) => row.kind === kind)[index]!.id;
  const done = (answer: { location: string | null; text: string }, what: string) =>
    assert.equal(answer.location, `/console/staff/reviews?done=${what}`, words(answer.text));

  done(await decide(operations, at('UNCLEAR'), resolving('NOT_DEBITED')), 'resolved');

  const debit = { transaction: 'TX-3003', amount: '1.52' };
  const unconfirmed = await decide(operations, at('UNANSWERED'), resolving('DEBITED', debit));
  assert.equal(unconfirmed.status, 400);
  assert.match(unconfirmed.text, /Yes, the operator debited 1\.52 CVE, not 100\.00 CVE/);
  const changed = { ...resolving('DEBITED', { ...debit, amount: '1.53' }), otherAmount: '152' };
  assert.equal((await decide(operations, at('UNANSWERED'), changed)).status, 400, 'another one');
  const confirmed = { ...resolving('DEBITED', debit), otherAmount: '152' };
  done(await decide(operations, at('UNANSWERED'), confirmed), 'resolved');
  const held = (await suspense(database)).find((each) => each.operatorTxId === 'TX-3003');
  assert.equal(held?.amountMinor, 152n, 'another amount goes back to the customer');

  done(await decide(operations, at('CLASH'), closing(at('CLASH'), 'Paid for the other')), 'closed');
  const both = rows.filter(({ kind }) => kind === 'CONTRADICTION').map((row) => row.id);
  for (const each of both) done(await decide(operations, each, closing(each, 'Settled')), 'closed');
  const returned = resolving('GIVEN_BACK', { transaction: 'TX-9001' });
  done(await decide(operations, made.refusal.id, returned), 'resolved');
  done(await decide(operations, at('UNKNOWN_REFERENCE'), resolving('REVERSE')), 'resolved');

  // Items closed without an outcome still have none: the clashing payment, and the refund in
  // progress.
  const left = await list();
  assert.deepEqual(
    left.map(({ subject }) => subject.id),
    [id('pi', made.clashing.id)],
  );
  done(
    await decide(operations, left[0]!.id, resolving('NOT_DEBITED', { note: 'By phone' })),
    'resolved',
  );
  assert.match((await operations.get('reviews')).text, /Nothing needs a decision/);
  assert.deepEqual(await checkLedger(database), []);
  const text = `SELECT DISTINCT actor FROM audit_records WHERE action ~ 'resolved|review.closed'`;
  assert.deepEqual(await database.query({ text }), [
    { actor: `person:${formatId('pe', operations.personId)}` },
  ]);
  assert.deepEqual((await harness.reversals()).map(({ status }) => status).toSorted(), [
    'PENDING',
    'PENDING',
    'SUCCEEDED',
  ]);
});

test('explains a refusal next to the input, and changes nothing', async (context) => {
  const { signIn, list, made, audit } = await waitingWorld(context);
  const operations = await signIn('OPERATIONS');
  const unclear = (await list())[0]!.id;
  const tries = [
    [
      unclear,
      resolving('DEBITED', { transaction: 'TX-1001', amount: '2.500,00' }),
      409,
      /already booked for something else/,
    ],
    [
      unclear,
      resolving('DEBITED', { transaction: 'TX-1', amount: '1.5000' }),
      400,
      /Enter an amount/,
    ],
    [
      unclear,
      resolving('DEBITED', { transaction: '', amount: '2500' }),
      400,
      /Enter the operator’s transaction number/,
    ],
    [unclear, resolving('REFUNDED', { transaction: 'TX-1' }), 400, /correct a value/],
    [unclear, closing(unclear, 'Enough'), 409, /closing the case would hide that/],
    [unclear, closing(unclear, ''), 400, /Explain why nothing needs to change/],
    [
      made.refusal.id,
      resolving('GIVEN_BACK', { transaction: 'TX-2001' }),
      409,
      /the number of the debit itself/,
    ],
    [made.refusal.id, resolving('REVERSE'), 409, /already been asked to return/],
    [id('pi', made.debited.id), resolving('NOT_DEBITED'), 409, /The outcome is already known/],
  ] as const;
  for (const [about, fields, status, text] of tries) {
    const answer = await decide(operations, about, fields);
    assert.equal(answer.status, status, words(answer.text));
    assert.match(words(answer.text), text);
  }
  const kept = await decide(
    operations,
    unclear,
    resolving('DEBITED', { transaction: 'TX-1001', amount: '2500' }),
  );
  assert.match(kept.text, /value="TX-1001"/);
  const changes = (await audit()).filter(({ action }) => action !== 'person.signed_in');
  assert.deepEqual(changes, []);
  assert.equal((await operations.get('reviews/pi_x')).status, 404);
  assert.equal((await operations.get(`reviews/${randomUUID()}`)).status, 404);
});

test('asks to insist on a number that the operator does not confirm, and keeps the other confirmation', async (context) => {
  const { signIn, list, operator, database } = await waitingWorld(context);
  const operations = await signIn('OPERATIONS');
  const about = (await list()).find(({ kind }) => kind === 'UNANSWERED')!.id;
  operator.records.set('TX-404', null);
  const debit = resolving('DEBITED', { transaction: 'TX-404', amount: '1.52' });
  const doubted = await decide(operations, about, { ...debit, otherAmount: '152' });
  assert.equal(doubted.status, 400);
  assert.match(
    words(doubted.text),
    /does not confirm this number: there is no such transaction\..*read TX-404 and the amount to me twice/,
  );
  assert.match(doubted.text, /name="otherAmount" value="152" checked/);
  const another = { ...debit, otherAmount: '152', unconfirmed: 'TX-405' };
  assert.equal((await decide(operations, about, another)).status, 400, 'another number');
  const insisted = { ...debit, otherAmount: '152', unconfirmed: 'TX-404' };
  assert.equal((await decide(operations, about, insisted)).status, 303);
  const held = (await suspense(database)).find((each) => each.operatorTxId === 'TX-404');
  assert.equal(held?.amountMinor, 152n);
});

test("masks phones without the permission, even in operators' text; auditors only read", async (context) => {
  const { signIn, made, database } = await waitingWorld(context);
  await database.query({
    text: `UPDATE review_items SET detail = detail || '{"told":{"failureCode":"of +238 991 23 45"}}' WHERE kind = 'CONTRADICTION'`,
  });
  const page = `reviews/${id('pi', made.debited.id)}`;
  const [operations, finance] = [await signIn('OPERATIONS'), await signIn('FINANCE')];
  const whole = (await operations.get(page)).text;
  assert.match(words(whole), /\+238 991 23 45.*of \+238 991 23 45/s);
  for (const reader of [finance, await signIn('AUDITOR')]) {
    const { text } = await reader.get(page);
    assert.doesNotMatch(text, /991 ?23 ?45/);
    assert.match(text, /• 45/);
    assert.doesNotMatch((await reader.get('reviews')).text, /991 ?23 ?45/);
  }
  const auditor = await signIn('AUDITOR');
  assert.doesNotMatch((await auditor.get(page)).text, /value="(resolve|close)"/);
  assert.equal((await auditor.post(page, { action: 'resolve' })).status, 403);
});

test('shows suspense and reversals with both sides, and links to their cases', async (context) => {
  const { signIn, made, harness } = await waitingWorld(context);
  const auditor = await signIn('AUDITOR');
  const { text } = await auditor.get('suspense');
  assert.match(
    words(text),
    /100\.00 CVE.*Failed.*Debited: TX-2001 Refused with: OPERATOR_REJECTED/,
  );
  assert.match(words(text), /77\.00 CVE.*Held.*Debited: TX-5005/);
  assert.deepEqual(
    rowsOf(text).map(([, each]) => each),
    [made.refusal.id, made.held.id],
  );
  for (let count = 0; count < 55; count += 1) {
    harness.wait(1);
    await heldDebit(harness, randomUUID(), `TX-70${count}`);
  }
  const pages = [
    ['suspense', 'Next'],
    ['reversals', 'Older'],
  ] as const;
  for (const [page, next] of pages) {
    assert.match((await auditor.get(page)).text, new RegExp(`rel="next">${next}</a>`));
    const seen = new Set<string>();
    for (let address: string | undefined = `/console/staff/${page}`; address !== undefined; ) {
      const answer: { text: string } = await auditor.get(address);
      for (const [, each] of rowsOf(answer.text)) seen.add(each!);
      address = /href="([^"]+)" rel="next"/.exec(answer.text)?.[1]?.replaceAll('&amp;', '&');
    }
    assert.equal(seen.size, 57, page);
  }
  assert.match(
    (await auditor.get('reversals?status=SUCCEEDED')).text,
    /No reversal has this status/,
  );
});
