/**
 * Four eyes on the staff pages: one person requests, another approves, and the effect happens once,
 * even if processes die.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { checkLedger } from '../../src/money/ledger/check.ts';
import { type Database, openDatabase } from '../../src/platform/postgres/database.ts';
import { formatId, parseId } from '../../src/platform/values/ids.ts';
import type { StaffPermission } from '../../src/tenants/people/staff-permissions.ts';
import { KilledGateway } from '../operator-torture/gateway.ts';
import { oneOfEach, reviewWorld, settings } from '../operators/review-world.ts';
import { adminApi } from '../support/admin.ts';
import { cleanUp } from '../support/cleanup.ts';
import { consoleOn, type Member, memberAt, staffAt, testConsole } from '../support/console.ts';
import { silentLog } from '../support/database.ts';
import { anotherGateway, eventually } from '../support/gateway.ts';
import { ledgerProblems, processingSettlement } from '../support/settled.ts';

const environment = { FOUR_EYES: 'settlements,reviews' };
const approvals = '/console/staff/approvals';

const hiddenIn = (text: string, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? '';

/** Opens a page, and submits one of its forms. */
async function press(member: Member, page: string, fields: Record<string, string>) {
  const { text } = await member.get(page);
  const own = { key: hiddenIn(text, 'key'), version: hiddenIn(text, 'version') };
  return member.send(page, { ...own, ...fields });
}

/** Makes a request, and returns it as another person sees it. */
async function ask(member: Member, page: string, fields: Record<string, string>): Promise<string> {
  const { text } = await member.get(page);
  assert.match(text, /Another member of staff must approve this/);
  const { location, text: said } = await press(member, page, fields);
  assert.equal(location, `${approvals}?done=asked`, said);
  return hiddenIn((await member.get(approvals)).text, 'request');
}

const approve = (member: Member, request: string, suffix = '') =>
  member.post(approvals, { action: `approve${suffix}`, request });

async function statusOf(database: Database, request: string): Promise<string> {
  const text = 'SELECT status, failure FROM approvals WHERE id = $1';
  const id = parseId('ap', request);
  const [row] = await database.query<{ status: string; failure: string | null }>({ text }, [id]);
  return row!.failure === null ? row!.status : `${row!.status} ${row!.failure}`;
}

const countOf = async (database: Database, action: string): Promise<number> => {
  const text = 'SELECT count(*)::integer AS count FROM audit_records WHERE action = $1';
  return (await database.query<{ count: number }>({ text }, [action]))[0]!.count;
};

/** A ledger with one open case of each kind, and a gateway on which nobody decides alone. */
async function reviewing(context: TestContext) {
  const world = await reviewWorld(context);
  const made = await oneOfEach(world);
  const origin = await consoleOn(context, world.url, {
    ...world.environment,
    ...environment,
    ZIMBO_ROLE: 'api',
  });
  const { database } = world.harness;
  const signIn = (role: 'OPERATIONS' | 'FINANCE' | 'ADMIN' | 'AUDITOR') =>
    staffAt(origin, database, role);
  return { ...world, made, database, origin, signIn };
}

test('executes a payout that another person approves as shown, even with two concurrent approvals', async (context) => {
  const site = await testConsole(context, { environment });
  const { database, zimbo } = site.gateway;
  const id = await processingSettlement(site.gateway);
  const [finance, admin] = [await site.signInStaff('FINANCE'), await site.signInStaff('ADMIN')];
  const request = await ask(finance, `settlements/${id}`, { action: 'fail' });
  assert.match((await finance.get(approvals)).text, /Somebody else must approve your request/);
  assert.equal((await approve(finance, request)).status, 403);
  const operations = await site.signInStaff('OPERATIONS');
  assert.match(
    (await operations.get(approvals)).text,
    /Your role does not allow you to decide this/,
  );
  assert.equal((await approve(operations, request)).status, 403);
  assert.equal((await approve(operations, request, '-review')).status, 403);
  assert.equal((await zimbo.settlements.get(id)).status, 'PROCESSING');
  const shown = (await admin.get(approvals)).text;
  assert.match(shown, /The bank has not paid a payout/);
  assert.match(shown, /1,470\.00 CVE.*Loja de teste.*\.csv/s);

  const other = await consoleOn(context, site.gateway.databaseUrl, environment);
  const elsewhere = memberAt(other, await site.signInStaff('FINANCE'));
  const answers = await Promise.all([approve(admin, request), approve(elsewhere, request)]);
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((one, other) => one - other),
    [303, 409],
  );
  assert.equal((await zimbo.settlements.get(id)).status, 'FAILED');
  assert.equal(await countOf(database, 'settlement.failed'), 1);
  const ended = (await finance.get(approvals)).text;
  assert.match(ended, /Done.*(order was removed from the folder|was not in this server)/s);
  assert.deepEqual(await ledgerProblems(site.gateway), []);
});

test('prevents self-approval by tab, mailbox, identity, process or program', async (context) => {
  const site = await testConsole(context, { environment });
  const { database } = site.gateway;
  const id = await processingSettlement(site.gateway);
  const asker = await site.signInStaff('FINANCE');
  const identity = `UPDATE person_sessions SET signed_in_with = 'SSO', sso_issuer = 'https://id.example.cv',
    sso_subject = '4711', sso_asked_at = now(), sso_reached_at = now() WHERE person_id = $1`;
  await database.query({ text: identity }, [asker.personId]);
  const request = await ask(asker, `settlements/${id}`, { action: 'complete' });
  const sameMailbox = await site.signInStaff('ADMIN');
  const email = `UPDATE people SET email = (SELECT replace(email, '@', '+two@') FROM people WHERE id = $1) WHERE id = $2`;
  await database.query({ text: email }, [asker.personId, sameMailbox.personId]);
  const sameIdentity = await site.signInStaff('FINANCE');
  await database.query({ text: identity }, [sameIdentity.personId]);
  const other = await consoleOn(context, site.gateway.databaseUrl, environment);
  const guises = [asker, sameMailbox, sameIdentity];
  for (const guise of guises) {
    const tries = [guise, guise, memberAt(other, guise)].map((tab) => approve(tab, request));
    for (const { status, text } of await Promise.all(tries)) {
      assert.equal(status, 403);
      assert.match(text, /takes another person/);
    }
  }
  assert.match((await sameMailbox.get(approvals)).text, /with another account of yours/);
  assert.doesNotMatch((await sameIdentity.get(approvals)).text, /value="approve"/);

  const admin = await adminApi(site.gateway);
  const listed = await admin('GET', '/admin/v1/approvals');
  assert.deepEqual(
    listed.body.data.map((each: Record<string, unknown>) => [each.id, each.kind, each.about]),
    [[request, 'SETTLEMENT_COMPLETE', id]],
  );
  const one = await admin('GET', `/admin/v1/approvals/${request}`);
  assert.equal(one.body.askedBy.id, formatId('pe', asker.personId));
  assert.equal(one.body.status, 'PENDING');
  assert.equal((await admin('POST', `/admin/v1/approvals/${request}/approve`)).status, 404);
  const alone = await admin('POST', `/admin/v1/settlements/${id}/complete`);
  assert.equal(alone.status, 403);
  assert.match(alone.body.error.message, /Request it in the console/);
  const key = (also: StaffPermission) =>
    adminApi(site.gateway, { permissions: ['approvals.read', also] });
  const reviewer = await key('reviews.read');
  assert.deepEqual((await reviewer('GET', '/admin/v1/approvals')).body.data, []);
  assert.equal((await reviewer('GET', `/admin/v1/approvals/${request}`)).status, 404);
  const payer = await key('settlements.read');
  assert.equal((await payer('GET', '/admin/v1/approvals')).body.data.length, 1);
  assert.equal((await payer('GET', `/admin/v1/approvals/${request}`)).status, 200);
  assert.equal(await statusOf(database, request), 'PENDING');
});

test('freezes a review finding, shows both sides, and records it once approved', async (context) => {
  const { signIn, list, made, database, operator } = await reviewing(context);
  const [operations, finance] = [await signIn('OPERATIONS'), await signIn('FINANCE')];
  const rows = await list();
  const unanswered = rows.find(({ kind }) => kind === 'UNANSWERED')!.id;
  const page = `reviews/${unanswered}`;
  const told = { action: 'resolve', finding: 'DEBITED', transaction_DEBITED: 'TX-3003' };
  const unconfirmed = await press(operations, page, { ...told, amount_DEBITED: '1.52' });
  assert.equal(unconfirmed.status, 400, 'it is confirmed by who asks');
  const note_DEBITED = 'Told by +238 991 23 45';
  const whole = { ...told, amount_DEBITED: '100', note_DEBITED };
  operator.records.set('TX-3003', null);
  assert.equal((await press(operations, page, whole)).status, 400, 'the operator does not know it');
  const request = await ask(operations, page, { ...whole, unconfirmed: 'TX-3003' });
  assert.equal((await approve(operations, request, '-review')).status, 403);
  const { text } = await finance.get(approvals);
  assert.match(
    text,
    /The customer was debited.*TX-3003.*does not confirm this number.*100\.00 CVE.*Told by \+…45.*Loja/s,
  );
  assert.match(text, /Our records.*Cancelled, 100\.00 CVE.*The operator: CVMóvel.*no outcome/s);
  const forged = { action: 'approve-review', request, amount_DEBITED: '1', finding: 'NOT_DEBITED' };
  assert.equal((await finance.post(approvals, forged)).status, 303);
  assert.equal(await statusOf(database, request), 'DONE');
  assert.equal(
    (await list()).find(({ id }) => id === unanswered),
    undefined,
  );

  const clash = formatId('pi', made.clashing.id);
  const item = rows.find(({ kind }) => kind === 'CLASH')!.id;
  const closing = { action: 'close', item, [`reason_${item}`]: 'Paid for the other' };
  const close = await ask(operations, `reviews/${clash}`, closing);
  assert.match(
    (await finance.get(approvals)).text,
    /Close without changing anything.*Paid for the other/s,
  );
  assert.equal((await approve(finance, close, '-review')).status, 303);
  assert.equal(
    (await list()).find(({ id }) => id === item),
    undefined,
  );
  assert.equal(await countOf(database, 'payment.resolved'), 1);
  assert.equal(await countOf(database, 'review.closed'), 1);
  const by = `SELECT actor, origin FROM audit_records WHERE action = 'payment.resolved'`;
  const actor = `person:${formatId('pe', operations.personId)}`;
  assert.deepEqual(await database.query({ text: by }), [{ actor, origin: request }]);
  assert.deepEqual(await checkLedger(database), []);
});

test('approves nothing that changed meanwhile; allows rejection and withdrawal', async (context) => {
  const { signIn, list, zimbo, database } = await reviewing(context);
  const [operations, finance] = [await signIn('OPERATIONS'), await signIn('FINANCE')];
  const rows = await list();
  const [first, second] = rows.filter(({ kind }) => kind === 'CONTRADICTION').map(({ id }) => id);
  const closing = (item: string) => ({ action: 'close', item, [`reason_${item}`]: 'Settled' });
  const stale = await ask(operations, `reviews/${first}`, closing(first!));
  assert.equal((await zimbo('review', 'close', first!, '--reason', 'On the phone')).code, 0);
  const late = await approve(finance, stale, '-review');
  assert.equal(late.status, 409);
  assert.match(late.text, /the status has changed/);
  assert.equal(await statusOf(database, stale), 'FAILED CHANGED');
  assert.equal(await countOf(database, 'review.closed'), 1);

  const unclear = rows.find(({ kind }) => kind === 'UNCLEAR')!.id;
  const resolving = { action: 'resolve', finding: 'NOT_DEBITED' };
  const told = await ask(operations, `reviews/${unclear}`, resolving);
  await zimbo('review', 'resolve', unclear, '--not-debited');
  assert.equal((await approve(finance, told, '-review')).status, 409);

  const refused = await ask(operations, `reviews/${second}`, closing(second!));
  const reject = { action: 'reject-review', request: refused };
  assert.equal((await finance.post(approvals, reject)).location, `${approvals}?done=rejected`);
  assert.equal((await approve(finance, refused, '-review')).status, 409);
  const taken = await ask(operations, `reviews/${second}`, closing(second!));
  const cancel = { action: 'cancel', request: taken };
  assert.equal((await finance.post(approvals, cancel)).status, 403);
  assert.equal((await operations.post(approvals, cancel)).location, `${approvals}?done=cancelled`);
  assert.equal((await list()).filter(({ id }) => id === second).length, 1);
  const auditor = await signIn('AUDITOR');
  assert.match((await auditor.get(approvals)).text, /Withdrawn.*Rejected.*Not possible/s);
});

test('does not complete a payout that a command completed meanwhile', async (context) => {
  const site = await testConsole(context, { environment });
  const { database } = site.gateway;
  const id = await processingSettlement(site.gateway);
  const [finance, admin] = [await site.signInStaff('FINANCE'), await site.signInStaff('ADMIN')];
  const request = await ask(finance, `settlements/${id}`, { action: 'fail' });
  const text = `UPDATE settlements SET status = 'COMPLETED', version = version + 1 WHERE id = $1`;
  await database.query({ text }, [parseId('se', id)]);
  assert.equal((await approve(admin, request)).status, 409);
  assert.equal(await statusOf(database, request), 'FAILED CHANGED');
  assert.equal(await countOf(database, 'settlement.failed'), 0);
});

/**
 * A lock on the row delays the effect of an approved request; then its process is killed, and
 * others find the request when the lease ends.
 */
async function killBetween(
  context: TestContext,
  { url, cellUrl, database }: { url: string; cellUrl: string; database: Database },
  {
    row,
    request,
    approver,
    suffix,
  }: { row: string; request: string; approver: Member; suffix: string },
) {
  const dataDir = mkdtempSync(join(tmpdir(), 'zimbo-killed-'));
  cleanUp(context, () => rmSync(dataDir, { recursive: true, force: true }));
  const doomed = await KilledGateway.open({
    ...settings,
    ...environment,
    ZIMBO_ROLE: 'api',
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    ZIMBO_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  });
  cleanUp(context, () => doomed.kill());
  await doomed.start();
  const holder = openDatabase({ url: cellUrl, log: silentLog, maxConnections: 1 });
  cleanUp(context, () => holder.close());
  await holder.transaction(async (transaction) => {
    await transaction.query({ text: `${row} FOR UPDATE` });
    const unanswered = assert.rejects(
      approve(memberAt(doomed.url.replace('127.0.0.1', 'localhost'), approver), request, suffix),
    );
    const waits = `SELECT 1 FROM pg_stat_activity
      WHERE datname = current_database() AND wait_event_type = 'Lock' AND state = 'active'`;
    await eventually(
      'the effect waits',
      async () => (await database.query({ text: waits })).length > 0,
    );
    await doomed.kill();
    await unanswered;
  });
  assert.equal(await statusOf(database, request), 'APPROVED');
  const isLeft = `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state = 'active'
    AND wait_event_type = 'Lock'`;
  await eventually(
    'the dead one lets go',
    async () => (await database.query({ text: isLeft })).length === 0,
  );
}

/** The lease of the dead process ends, and two others claim work at the same time. */
async function othersGoOn(
  context: TestContext,
  url: string,
  database: Database,
  request: string,
  end = 'DONE',
) {
  const over = `UPDATE approvals SET due_at = now() - interval '1 second' WHERE status = 'APPROVED'`;
  await database.query({ text: over });
  const both = { environment: { ...settings, ...environment } };
  await Promise.all([anotherGateway(context, url, both), anotherGateway(context, url, both)]);
  await eventually(
    'another carries it out',
    async () => (await statusOf(database, request)) === end,
  );
}

test('kill -9 between approval and effect of a payout: another process completes it, once', async (context) => {
  const site = await testConsole(context, { environment });
  const { database, databaseUrl: url, cellUrl } = site.gateway;
  const id = await processingSettlement(site.gateway);
  const [finance, admin] = [await site.signInStaff('FINANCE'), await site.signInStaff('ADMIN')];
  const request = await ask(finance, `settlements/${id}`, { action: 'complete' });
  const row = `SELECT 1 FROM settlements WHERE id = '${parseId('se', id)}'`;
  await killBetween(
    context,
    { url, cellUrl, database },
    { row, request, approver: admin, suffix: '' },
  );
  assert.equal((await site.gateway.zimbo.settlements.get(id)).status, 'PROCESSING');
  await othersGoOn(context, url, database, request);
  assert.equal((await site.gateway.zimbo.settlements.get(id)).status, 'COMPLETED');
  assert.equal(await countOf(database, 'settlement.completed'), 1);
  assert.equal(await countOf(database, 'approval.done'), 1);
  assert.deepEqual(await ledgerProblems(site.gateway), []);
});

test('a payout that changed between approval and effect stays as it is, and the request says why', async (context) => {
  const site = await testConsole(context, { environment });
  const { database, databaseUrl: url, cellUrl } = site.gateway;
  const id = await processingSettlement(site.gateway);
  const [finance, admin] = [await site.signInStaff('FINANCE'), await site.signInStaff('ADMIN')];
  const request = await ask(finance, `settlements/${id}`, { action: 'complete' });
  const row = `SELECT 1 FROM settlements WHERE id = '${parseId('se', id)}'`;
  await killBetween(
    context,
    { url, cellUrl, database },
    { row, request, approver: admin, suffix: '' },
  );
  const change = 'UPDATE settlements SET version = version + 1 WHERE id = $1';
  await database.query({ text: change }, [parseId('se', id)]);
  await othersGoOn(context, url, database, request, 'FAILED CHANGED');
  assert.equal((await site.gateway.zimbo.settlements.get(id)).status, 'PROCESSING');
  assert.match((await finance.get(approvals)).text, /Not possible.*The status had changed/s);
});

test('kill -9 between approval and effect of a review: another process records it, once', async (context) => {
  const { signIn, list, made, database, url } = await reviewing(context);
  const [operations, finance] = [await signIn('OPERATIONS'), await signIn('FINANCE')];
  const returned = { finding: 'GIVEN_BACK', transaction_GIVEN_BACK: 'TX-9001' };
  const page = `reviews/${made.refusal.id}`;
  const request = await ask(operations, page, { action: 'resolve', ...returned });
  const row = `SELECT 1 FROM reversals WHERE id = '${made.refusal.id}'`;
  await killBetween(
    context,
    { url, cellUrl: url, database },
    { row, request, approver: finance, suffix: '-review' },
  );
  assert.equal(await countOf(database, 'reversal.resolved'), 0, 'what it had begun is undone');
  await othersGoOn(context, url, database, request);
  assert.equal(await countOf(database, 'reversal.resolved'), 1);
  assert.equal(
    (await list()).find(({ id }) => id === made.refusal.id),
    undefined,
  );
  assert.deepEqual(await checkLedger(database), []);
});
