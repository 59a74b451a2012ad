/** Notices over a whole gateway: from the cause to the pages, a mail server and the company's receiver. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { addMailCommands } from '../../src/cli/mail.ts';
import { addPeopleCommands } from '../../src/cli/people.ts';
import { reviewItemOf } from '../../src/money/review/review-item.ts';
import { insertReviewItem } from '../../src/money/review/store.ts';
import { kindsOf } from '../../src/operations/notifications/audience.ts';
import { pageOf } from '../../src/operations/notifications/links.ts';
import type { NoticeKind } from '../../src/platform/notices/notice.ts';
import { writeNotices } from '../../src/platform/notices/write.ts';
import { formatId } from '../../src/platform/values/ids.ts';
import { type StaffPermission, staffRoles } from '../../src/tenants/people/staff-permissions.ts';
import { adminApi } from '../support/admin.ts';
import { runCommand } from '../support/command-line.ts';
import { type Member, type TestConsole, testConsole } from '../support/console.ts';
import { eventually } from '../support/eventually.ts';
import { headerOf, mailServer } from '../support/mail-server.ts';
import { companySecret } from '../support/notices.ts';
import { testReceiver } from '../support/receiver.ts';

async function setUp(context: TestContext) {
  const smtp = await mailServer(context);
  const company = await testReceiver(context);
  const settings = {
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    MAIL_FROM: 'Zimbo <zimbo@example.cv>',
    NOTICE_WEBHOOK_URL: company.url,
    NOTICE_WEBHOOK_SECRET: companySecret,
  };
  const timing = { mailDelayMs: 50, noticeLookMs: 100, clockIntervalMs: 200 };
  const site = await testConsole(context, { environment: settings, timing });
  const { database, databaseUrl } = site.gateway;
  const idOf = async (mode: 'live' | 'test') => {
    const text = 'SELECT id FROM tenants WHERE merchant_id = $1 AND mode = $2';
    return (await database.query<{ id: string }>({ text }, [site.merchantId, mode]))[0]!.id;
  };
  return { site, smtp, company, settings, database, databaseUrl, live: await idOf('live') };
}

const bellOf = async (member: Member, path = '') =>
  /class="bell"[^>]*aria-label="([^"]*)"/.exec((await member.get(path)).text)?.[1];

test('notifies exactly the people who may fix an endpoint that answers 410', async (context) => {
  const { site, database } = await setUp(context);
  const { zimbo, api } = site.gateway;
  const [owner, developer, support] = await Promise.all(
    (['OWNER', 'DEVELOPER', 'SUPPORT'] as const).map((role) => site.signIn(role)),
  );
  const other = randomUUID();
  await database.query(
    { text: `INSERT INTO merchants (id, name, created_at) VALUES ($1, 'x', now())` },
    [other],
  );
  const receiver = await testReceiver(context);
  receiver.answer = () => 410;
  await api('POST', '/v1/webhooks', { url: receiver.url, events: ['payment.created'] });
  await zimbo.payments.create({ amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' });
  await eventually('the bell rings', async () => (await bellOf(owner!)) === 'Notices: 1 unread');
  assert.equal(await bellOf(developer!, 'payments'), 'Notices: 1 unread');
  assert.equal(await bellOf(support!), 'Notices');
  assert.equal(await bellOf(owner!, site.baseOf(site.merchantId, 'live')), 'Notices');
  const page = await owner!.get('notices');
  assert.match(page.text, /A webhook endpoint was disabled/);
  assert.match(page.text, /The endpoint answered 410 Gone/);
  assert.match(page.text, /Ongoing/);
  const [link = ''] = /\/console\/me_\w+\/test\/endpoints\/we_\w+/.exec(page.text) ?? [];
  assert.equal((await owner!.get(link)).status, 200);
  const [, notice = ''] = /name="notice" value="(no_\w+)"/.exec(page.text) ?? [];
  await support!.send('notices', { action: 'read', notice });
  assert.equal(await bellOf(owner!), 'Notices: 1 unread', 'nobody reads for another');
  assert.equal((await owner!.send('notices', { action: 'read', notice })).status, 303);
  assert.equal(await bellOf(owner!), 'Notices');
  assert.equal(await bellOf(developer!), 'Notices: 1 unread');
  await developer!.send('notices', { action: 'read-all' });
  assert.equal(await bellOf(developer!), 'Notices');
  const endpoint = link.split('/').at(-1)!;
  // Its pending deliveries would disable it again.
  receiver.answer = () => 200;
  await owner!.send(link, { action: 'enable' });
  assert.equal((await api('GET', `/v1/webhooks/${endpoint}`)).body.status, 'ACTIVE');
  await eventually('it is over', async () => /Resolved/.test((await owner!.get('notices')).text));
});

test('reports a review to the staff by mail and to the company by a signed request, once', async (context) => {
  const { site, smtp, company, database, live } = await setUp(context);
  const admin = await site.signInStaff('ADMIN');
  const auditor = await site.signInStaff('AUDITOR');
  const subject = { tenantId: live, id: randomUUID(), operator: 'CVMOVEL' } as const;
  const finding = { kind: 'CLASH', about: 'OP-1', detail: { phone: '+2389912345' } } as const;
  const item = reviewItemOf('PAYMENT', subject, finding, Date.now());
  assert.equal(await insertReviewItem(database, item), true);
  assert.equal(await insertReviewItem(database, item), false);
  await eventually('it is mailed', () => smtp.taken.length > 0);
  await eventually('the company has it', () => company.received.length > 0);
  assert.equal(await bellOf(admin, 'notices'), 'Notices: 1 unread');
  assert.equal(await bellOf(auditor, 'notices'), 'Notices');
  assert.match((await admin.get('notices')).text, /A review is waiting for a decision/);
  const [{ raw, headers }] = company.received as [(typeof company.received)[number]];
  const verified = new Webhook(companySecret).verify(
    raw.toString(),
    headers as Record<string, string>,
  );
  const { type, data } = verified as { type: string; data: { notice: { kind: string } } };
  assert.deepEqual([type, data.notice.kind], ['notice.on', 'REVIEW_WAITING']);
  await database.query({
    text: `UPDATE review_items SET closed_at = now(), closed_by = 'x', reason = 'y'`,
  });
  await eventually('the company hears that it is over', () => company.received.length > 1);
  assert.equal(company.received[1]!.event.type, 'notice.over');
  assert.equal(smtp.taken.length, 1);
  assert.doesNotMatch(smtp.taken[0]!.raw + raw.toString(), /9912345/);
  await eachLinkOpens(site, { tenantId: live, reviewId: item.id });
  await programsHear(site, { tenantId: live, first: data.notice });
});

/**
 * A key of `/admin/v1` sees the kinds of notices that its permissions allow, as the company's
 * webhook reports them.
 */
async function programsHear(
  { gateway, merchantId }: TestConsole,
  { tenantId, first }: { tenantId: string; first: object },
) {
  const approval = { approval: 'SETTLEMENT_COMPLETE' };
  const asked = { kind: 'APPROVAL_ASKED', subject: randomUUID(), detail: approval } as const;
  await writeNotices(gateway.database, [{ ...asked, tenantId, atMs: Date.now() }]);
  const list = async (also: StaffPermission, query = '') => {
    const api = await adminApi(gateway, { permissions: ['notices.read', also] });
    const { status, body } = await api('GET', `/admin/v1/notices${query}`);
    assert.equal(status, 200);
    return body as { data: Record<string, unknown>[]; hasMore: boolean };
  };
  const kinds = async (also: StaffPermission, query?: string) =>
    (await list(also, query)).data.map(({ kind }) => kind);
  await eventually('the staff were told', async () => (await list('settlements.decide')).data[0]);
  assert.deepEqual(await kinds('settlements.decide'), ['APPROVAL_ASKED']);
  assert.deepEqual(await kinds('reviews.resolve'), ['REVIEW_WAITING']);
  assert.deepEqual(await kinds('ledger.read'), []);
  const [review] = (await list('reviews.resolve')).data;
  const { version, endedAt, ...rest } = review!;
  assert.deepEqual({ ...first, ...rest }, first);
  assert.deepEqual([version, typeof endedAt], [2, 'string'], 'it is over by now');
  assert.deepEqual(await kinds('reviews.resolve', '?ended=false'), []);
  assert.deepEqual(await kinds('reviews.resolve', '?ended=true&kind=OPERATOR_DOWN'), []);
  const merchant = formatId('me', merchantId);
  assert.equal((await list('reviews.resolve', `?merchant_id=${merchant}`)).data.length, 1);
  const other = formatId('me', randomUUID());
  assert.deepEqual(await kinds('reviews.resolve', `?merchant_id=${other}`), []);
  const all = await adminApi(gateway);
  const pages: unknown[] = [];
  for (let after = ''; ; ) {
    const { body } = await all('GET', `/admin/v1/notices?limit=1${after}`);
    pages.push(...body.data.map(({ kind }: { kind: string }) => kind));
    if (!body.hasMore) break;
    after = `&starting_after=${body.data.at(-1).id}`;
  }
  assert.deepEqual(pages, ['APPROVAL_ASKED', 'REVIEW_WAITING']);
}

/** Notices lead staff to the object itself, in every role that gets them. */
async function eachLinkOpens(
  { gateway, merchantId, ...site }: TestConsole,
  { tenantId, reviewId }: { tenantId: string; reviewId: string },
) {
  const settlementId = randomUUID();
  const insert = `
INSERT INTO settlements (tenant_id, id, merchant_id, status, version, currency, gross_minor, fee_minor, refund_minor,
  net_minor, item_count, payout_ref, period_start, period_end, created_at)
VALUES ($1, $2, $3, 'FAILED', 3, 'CVE', 2, 1, 0, 1, 1, 'payout.csv', now(), now(), now())`;
  await gateway.database.query({ text: insert }, [tenantId, settlementId, merchantId]);
  const things: Record<NoticeKind, { subject: string; shows: RegExp } | undefined> = {
    ENDPOINT_DISABLED: undefined,
    BANK_ACCOUNT_CHANGED: { subject: randomUUID(), shows: /<h2[^>]*>Bank account/ },
    REVIEW_WAITING: { subject: reviewId, shows: /<h2>Transaction already booked/ },
    SETTLEMENT_FAILED: { subject: settlementId, shows: new RegExp(formatId('se', settlementId)) },
    APPROVAL_ASKED: { subject: randomUUID(), shows: /<h1>Approvals/ },
    OPERATOR_DOWN: { subject: 'SIMULATOR', shows: /<h1>Simulator/ },
    BALANCE_WRONG: { subject: 'IMBALANCE CVE', shows: /<h1>Ledger/ },
    ALERT: { subject: 'Suspense CVE', shows: /<h1>Doctor/ },
    FLOAT_LOW: { subject: 'SIMULATOR', shows: /<h1>Simulator/ },
  };
  for (const staffRole of staffRoles) {
    const member = await site.signInStaff(staffRole);
    for (const kind of kindsOf({ staffRole })) {
      const { subject, shows } = things[kind]!;
      const link = pageOf('STAFF', { kind, subject, merchantId, mode: 'live' }, '/console/staff');
      const { status, text } = await member.get(link);
      assert.equal(status, 200, `${staffRole} at ${link}`);
      assert.match(text, shows, `${staffRole} at ${link}`);
    }
  }
}

test('puts the link of an invitation only into the mail, if mail is configured', async (context) => {
  const { site, smtp, settings, databaseUrl } = await setUp(context);
  const owner = await site.signIn('OWNER');
  const invite = (email: string) =>
    owner.send('team', { action: 'invite', email, role: 'SUPPORT' });
  const page = await invite('ana@loja.cv');
  assert.match(page.text, /The invitation was sent to ana@loja\.cv/);
  assert.doesNotMatch(page.text, /console\/invitation\//);
  assert.equal(smtp.taken[0]!.to, 'ana@loja.cv');
  assert.match(smtp.taken[0]!.text, /http:\/\/localhost:\d+\/console\/invitation\/[\w-]{43}/);
  assert.match(headerOf(smtp.taken[0]!, 'Subject')!, /Invitation to Zimbo/);
  smtp.state.refusal = { at: 'RCPT', code: 550 };
  const refused = await invite('rui@loja.cv');
  assert.match(refused.text, /could not be sent by e-mail/);
  assert.doesNotMatch(refused.text, /\/console\/invitation\//);
  smtp.state.refusal = undefined;
  const admin = await site.signInStaff();
  await admin.send('team', { action: 'invite', email: 'eva@zimbo.cv', role: 'FINANCE' });
  assert.equal(smtp.taken.at(-1)!.to, 'eva@zimbo.cv');
  const merchant = `merchants/${formatId('me', site.merchantId)}`;
  const owned = await admin.send(merchant, { action: 'invite', email: 'ivo@loja.cv' });
  assert.doesNotMatch(owned.text, /console\/invitation\//);
  assert.equal(smtp.taken.at(-1)!.to, 'ivo@loja.cv');
  const env = {
    DATABASE_URL: databaseUrl,
    CONSOLE_URL: site.origin,
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...settings,
  };
  const sent = await runCommand(addMailCommands, ['mail', 'test', 'maria@zimbo.cv', '--json'], env);
  assert.deepEqual(JSON.parse(sent.stdout), { sent: true });
  assert.equal(smtp.taken.at(-1)!.to, 'maria@zimbo.cv');
  const people = ['people', 'invite', '--staff', 'auditor', 'jo@zimbo.cv', '--mail', '--json'];
  const made = JSON.parse((await runCommand(addPeopleCommands, people, env)).stdout);
  assert.ok(smtp.taken.at(-1)!.text.includes(made.url));
  const without = await runCommand(addMailCommands, ['mail', 'test', 'maria@zimbo.cv'], {
    DATABASE_URL: databaseUrl,
  });
  assert.match(without.stderr, /Set SMTP_URL and MAIL_FROM/);
});

test('lets people choose their notices and times', async (context) => {
  const { site, database } = await setUp(context);
  const account = '/console/account';
  const owner = await site.signIn('OWNER');
  const page = await owner.get(account);
  assert.match(page.text, /Webhook endpoint disabled/);
  assert.doesNotMatch(page.text, /Operator down/, 'that is for the staff');
  const fields = { action: 'notices', ENDPOINT_DISABLED: 'CONSOLE', timeZone: 'Africa/Luanda' };
  const quiet = { from: '22:00', until: '06:30' };
  assert.equal((await owner.send(account, { ...fields, ...quiet })).status, 303);
  const again = await owner.get(account);
  assert.match(again.text, /<option value="CONSOLE" selected>/);
  assert.match(again.text, /name="until" type="time" value="06:30"/);
  assert.match(again.text, /<option value="Africa\/Luanda" selected>/);
  const wrong = await owner.send(account, { ...fields, from: '22:00', until: '' });
  assert.equal(wrong.status, 400);
  assert.match(wrong.text, /Enter two different times, or none/);
  await owner.send(account, { ...fields, OPERATOR_DOWN: 'NOTHING', from: '', until: '' });
  const text = 'SELECT choices, quiet_from AS "from" FROM notice_settings';
  assert.deepEqual(await database.query({ text }), [
    { choices: { ENDPOINT_DISABLED: 'CONSOLE' }, from: null },
  ]);
  assert.match((await (await site.signInStaff('OPERATIONS')).get(account)).text, /Operator down/);
});
