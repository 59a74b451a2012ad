import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import {
  companySecret,
  hourMs,
  minuteMs,
  type NoticeWorld,
  noticeWorld,
} from '../../../test/support/notices.ts';
import { formatId } from '../../platform/values/ids.ts';
import { removeMember } from '../../tenants/people/members.ts';
import type { Role } from '../../tenants/people/permissions.ts';
import { kindsOf } from './audience.ts';
import { countUnread, listNotices, markRead } from './list-notices.ts';

/** The notices on a person's page. */
async function shown(
  { database, tenantId }: NoticeWorld,
  { personId }: { personId: string },
  who: Parameters<typeof kindsOf>[0],
) {
  const shelf = { personId, tenantId: 'role' in who ? tenantId : null, kinds: kindsOf(who) };
  const listed = await listNotices(database, shelf, { afterId: undefined, limit: 50 });
  assert.equal(
    await countUnread(database, shelf),
    listed.filter(({ readAtMs }) => readAtMs === null).length,
  );
  return listed;
}

const kindsIn = (listed: { kind: string }[]) => listed.map(({ kind }) => kind).sort();

test("each cause reaches those who may act, by console and mail, and the company's webhook", async (context) => {
  const world = await noticeWorld(context);
  const { cause, run } = world;
  const roles: Role[] = ['OWNER', 'FINANCE', 'SUPPORT', 'DEVELOPER', 'VIEWER'];
  const members = await Promise.all(
    roles.map((role) => world.person(role, `${role.toLowerCase()}@loja.cv`)),
  );
  const staffRoles = ['ADMIN', 'OPERATIONS', 'FINANCE', 'AUDITOR'] as const;
  const staff = await Promise.all(staffRoles.map((role) => world.worker(role)));
  await cause.endpointGone();
  await cause.settlementFailed();
  await cause.review();
  await cause.bankAccountChanged();
  await cause.operatorDown(['CVMOVEL']);
  await cause.balance(-5);
  await run.detect();
  await world.ask.refund(
    { tenantId: world.tenantId, asker: members[2]!, key: 'form' },
    { paymentId: world.paymentId, amountMinor: 20_000n, reason: 'Call 9912345' },
  );
  const mails = await world.mailed();
  const seen = await Promise.all(
    members.map((each, index) => shown(world, each, { role: roles[index]! })),
  );
  assert.deepEqual(seen.map(kindsIn), [
    ['APPROVAL_ASKED', 'BANK_ACCOUNT_CHANGED', 'ENDPOINT_DISABLED', 'SETTLEMENT_FAILED'],
    ['APPROVAL_ASKED', 'BANK_ACCOUNT_CHANGED', 'SETTLEMENT_FAILED'],
    [],
    ['ENDPOINT_DISABLED'],
    [],
  ]);
  const ofStaff = await Promise.all(
    staff.map((each, index) => shown(world, each, { staffRole: staffRoles[index]! })),
  );
  const [both, sums] = [['BALANCE_WRONG', 'BALANCE_WRONG'], ['SETTLEMENT_FAILED']];
  const account = 'BANK_ACCOUNT_CHANGED';
  assert.deepEqual(ofStaff.map(kindsIn), [
    [...both, account, 'OPERATOR_DOWN', 'REVIEW_WAITING', ...sums].toSorted(),
    ['OPERATOR_DOWN', 'REVIEW_WAITING'],
    [...both, account, 'REVIEW_WAITING', ...sums].toSorted(),
    [...both, 'OPERATOR_DOWN'],
  ]);
  assert.equal(mails.length, 7, 'several notices of a person go in one mail');
  const owner = mails.find(({ to }) => to === 'owner@loja.cv')!;
  ownerIsTold(owner.text, world.merchantId);
  for (const { raw, text, html } of mails) {
    const secret = /9912345|s3cret|\/hooks|200,00|215144|(?<![\da-f-])(20000|5144)(?![\da-f-])/;
    assert.doesNotMatch(raw + text + html, secret); // A random id may hold any digits.
    for (const [link] of (text + html).matchAll(/\bhttps?:\/\/[^\s"<]+/g)) {
      assert.match(link, /^https:\/\/pay\.example\.cv\/console\//);
    }
  }
  while ((await run.post()) > 0);
  const posted: string[] = world.posts.map(({ body }) => JSON.parse(body).data.notice.kind);
  assert.deepEqual(posted.toSorted(), [
    ...both,
    account,
    'OPERATOR_DOWN',
    'REVIEW_WAITING',
    'SETTLEMENT_FAILED',
  ]);
  for (const { body, headers } of world.posts) {
    // Checked as by a receiver with the Standard Webhooks library, whose clock is today's.
    assert.match(headers['webhook-signature']!, /^v1,/);
    assert.doesNotMatch(body, /9912345/);
  }
});

function ownerIsTold(text: string, merchantId: string): void {
  assert.match(text, /webhooks foi desativado · Loja da Praia/);
  assert.match(
    text,
    new RegExp(`https://pay.example.cv/console/${formatId('me', merchantId)}/live/endpoints/we_`),
  );
  assert.match(text, /A conta bancária para CVE foi alterada · Loja da Praia/);
  assert.match(text, /\/live\/money\b/);
  assert.match(text, /https:\/\/pay\.example\.cv\/console\/account/);
}

test("states a shop's notice in the shop's time zone, and the staff's in the installation's", async (context) => {
  const world = await noticeWorld(context);
  await world.person('OWNER', 'owner@loja.cv');
  await world.worker('ADMIN');
  await world.sql(
    `UPDATE merchants SET time_zone_history = '[{"fromMs":0,"timeZone":"Africa/Luanda"}]'`,
  );
  await world.cause.bankAccountChanged();
  for (const { to, text } of await world.mailed()) {
    const isOwner = to === 'owner@loja.cv';
    assert.match(text, isOwner ? /\(Africa\/Luanda\)/ : /\(Atlantic\/Cape_Verde\)/);
  }
});

test("signs the company's webhooks, gives each state an id, and retries until accepted", async (context) => {
  const world = await noticeWorld(context);
  await world.worker('ADMIN');
  world.clock.at = Date.now();
  await world.cause.operatorDown(['CVMOVEL']);
  await world.run.detect();
  await world.run.assign();
  world.company.answer = false;
  await world.run.post();
  await world.run.post();
  assert.equal(world.posts.length, 1, 'the next try waits');
  world.company.answer = true;
  world.later(2_000);
  await world.run.post();
  await world.cause.operatorDown([]);
  world.later(6 * minuteMs);
  await world.run.end();
  await world.run.post();
  await world.run.post();
  const types = world.posts.map(({ body }) => JSON.parse(body));
  assert.deepEqual(
    types.map(({ type, id }) => [type, id === types[0].id]),
    [
      ['notice.on', true],
      ['notice.on', true],
      ['notice.over', false],
    ],
  );
  const [{ headers, body }] = world.posts as [(typeof world.posts)[number]];
  const receiver = new Webhook(companySecret);
  assert.ok(receiver.verify(body, headers));
  assert.throws(() => receiver.verify(body.replace('CVMOVEL', 'UNITEL'), headers));
});

test('an ongoing condition is one notice, ends after five minutes, and reopens within the hour', async (context) => {
  const world = await noticeWorld(context);
  const admin = await world.worker('ADMIN');
  const who = { staffRole: 'ADMIN' } as const;
  const { run, cause } = world;
  await cause.operatorDown(['CVMOVEL']);
  for (let look = 0; look < 4; look++) {
    await Promise.all([run.detect(), run.detect()]);
    await run.end();
    world.later(minuteMs);
  }
  await run.assign();
  await cause.operatorDown([]);
  world.later(3 * minuteMs);
  await run.end();
  const first = await shown(world, admin, who);
  assert.deepEqual(
    first.map(({ endedAtMs }) => endedAtMs),
    [null],
    'not over yet',
  );
  world.later(2 * minuteMs);
  await run.end();
  const shelf = { personId: admin.personId, tenantId: null, kinds: kindsOf(who) };
  await markRead(world.database, shelf, undefined, world.clock.at);
  assert.deepEqual(
    (await shown(world, admin, who)).map(({ endedAtMs }) => endedAtMs),
    [world.clock.at],
  );
  world.later(30 * minuteMs);
  await cause.operatorDown(['CVMOVEL']);
  await run.detect();
  await run.assign();
  const again = await shown(world, admin, who);
  assert.deepEqual(
    again.map(({ id, endedAtMs, readAtMs }) => [id, endedAtMs, readAtMs]),
    [[first[0]!.id, null, null]],
  );
  await cause.operatorDown([]);
  world.later(10 * minuteMs);
  await run.end();
  world.later(2 * hourMs);
  await cause.operatorDown(['CVMOVEL']);
  await run.detect();
  await run.assign();
  assert.equal((await shown(world, admin, who)).length, 2);
});

test('a notice ends when a person has resolved its cause, by any way', async (context) => {
  const world = await noticeWorld(context);
  const [asker, owner] = [await world.person('SUPPORT'), await world.person('OWNER')];
  const admin = await world.worker('ADMIN');
  const endpointId = await world.cause.endpointGone();
  await world.cause.review();
  await world.cause.settlementFailed();
  const asked = await world.ask.refund(
    { tenantId: world.tenantId, asker, key: 'form' },
    { paymentId: world.paymentId, amountMinor: 20_000n, reason: null },
  );
  await world.run.assign();
  assert.equal(await world.run.end(), 0);
  await world.sql(
    `UPDATE webhook_endpoints SET status = 'ACTIVE', disabled_reason = NULL WHERE id = $1`,
    [endpointId],
  );
  await world.sql(`UPDATE review_items SET closed_at = now(), closed_by = 'x', reason = 'y'`);
  await world.decide.reject({ tenantId: world.tenantId, id: asked.id, by: owner });
  assert.equal(await world.run.end(), 3);
  assert.equal((await world.mailed()).length, 2, 'of the failed settlement alone');
  const listed = [
    ...(await shown(world, owner, { role: 'OWNER' })),
    ...(await shown(world, admin, { staffRole: 'ADMIN' })),
  ];
  assert.ok(listed.every(({ endedAtMs }) => endedAtMs !== null));
});

test('writes a notice only if the transaction of its cause commits', async (context) => {
  const world = await noticeWorld(context);
  const { database } = world;
  const kinds = async () =>
    (await world.sql<{ kind: string }>('SELECT kind FROM notices ORDER BY kind')).map(
      ({ kind }) => kind,
    );
  await world.sql('ALTER TABLE notices ADD CONSTRAINT broken CHECK (false) NOT VALID');
  const asker = await world.person('SUPPORT');
  const ask = (key: string) =>
    world.ask.refund(
      { tenantId: world.tenantId, asker, key },
      { paymentId: world.paymentId, amountMinor: 20_000n, reason: null },
    );
  await assert.rejects(world.cause.endpointGone());
  await assert.rejects(world.cause.settlementFailed());
  await assert.rejects(world.cause.review());
  await assert.rejects(world.cause.bankAccountChanged());
  await assert.rejects(ask('a'));
  const left = `
SELECT (SELECT count(*)::integer FROM webhook_endpoints WHERE status = 'DISABLED') AS endpoints,
  (SELECT count(*)::integer FROM settlements WHERE status = 'FAILED') AS settlements,
  (SELECT count(*)::integer FROM review_items) AS reviews, (SELECT count(*)::integer FROM approvals) AS approvals,
  (SELECT count(*)::integer FROM bank_accounts) AS accounts`;
  const none = { endpoints: 0, settlements: 0, reviews: 0, approvals: 0, accounts: 0 };
  assert.deepEqual(await world.sql(left), [none]);
  await world.sql('ALTER TABLE notices DROP CONSTRAINT broken');
  await world.sql('DELETE FROM settlements');
  await world.cause.endpointGone();
  await world.cause.settlementFailed();
  await world.cause.review();
  await world.cause.bankAccountChanged();
  await world.cause.bankAccountChanged();
  await world.cause.bankAccountChanged('Maria Lopes');
  await ask('b');
  assert.deepEqual(await kinds(), [
    'APPROVAL_ASKED',
    // Saving the same account changes nothing.
    'BANK_ACCOUNT_CHANGED',
    'BANK_ACCOUNT_CHANGED',
    'ENDPOINT_DISABLED',
    'REVIEW_WAITING',
    'SETTLEMENT_FAILED',
  ]);
  void database;
});

test('of 1,000 endpoints that fail in an hour, shows ten, counts the others, and sends few mails', async (context) => {
  const world = await noticeWorld(context);
  const owner = await world.person('OWNER');
  const insert = `
INSERT INTO notices (id, kind, tenant_id, subject, detail, at, last_at)
SELECT gen_random_uuid(), 'ENDPOINT_DISABLED', $1, gen_random_uuid()::text, '{"reason":"GONE"}', $2, $2
FROM generate_series(1, 999)`;
  await world.sql(insert, [world.tenantId, new Date(world.clock.at).toISOString()]);
  await world.cause.endpointGone();
  // None of the notices has ended.
  const mails = await world.mailed();
  const listed = await shown(world, owner, { role: 'OWNER' });
  assert.equal(listed.length, 10);
  assert.equal(
    listed.reduce((sum, { more }) => sum + more, listed.length),
    1_000,
  );
  assert.equal(mails.length, 1);
  assert.match(mails[0]!.text, /e mais 990 do mesmo tipo/);
  world.later(hourMs);
  await world.cause.endpointGone();
  assert.equal((await world.mailed()).length, 1, 'an hour later they are told again');
});

test('a flood at one merchant hides no notices of another; the staff see ten in all', async (context) => {
  const world = await noticeWorld(context);
  const admin = await world.worker('ADMIN');
  for (let each = 0; each < 12; each++) await world.cause.review();
  await world.run.assign();
  const listed = await shown(world, admin, { staffRole: 'ADMIN' });
  assert.deepEqual([listed.length, listed[0]!.more], [10, 2]);
});

test('does not notify the requester, by any account of their mailbox, nor people who may not decide', async (context) => {
  const world = await noticeWorld(context);
  const asker = await world.person('OWNER', 'maria.lopes@loja.cv');
  const twin = await world.person('OWNER', 'maria.lopes+two@loja.cv');
  const developer = await world.person('DEVELOPER');
  const finance = await world.person('FINANCE');
  await world.ask.refund(
    { tenantId: world.tenantId, asker, key: 'form' },
    { paymentId: world.paymentId, amountMinor: 20_000n, reason: null },
  );
  await world.run.assign();
  const counts = await Promise.all([
    shown(world, asker, { role: 'OWNER' }),
    shown(world, twin, { role: 'OWNER' }),
    shown(world, developer, { role: 'DEVELOPER' }),
    shown(world, finance, { role: 'FINANCE' }),
  ]);
  assert.deepEqual(
    counts.map(({ length }) => length),
    [0, 0, 0, 1],
  );
});

test('does not notify other merchants or the other mode, and mails nothing in test mode', async (context) => {
  const world = await noticeWorld(context);
  const owner = await world.person('OWNER');
  const admin = await world.worker('ADMIN');
  const [other, otherTenant] = [randomUUID(), randomUUID()];
  await world.sql(`INSERT INTO merchants (id, name, created_at) VALUES ($1, 'Outra', now())`, [
    other,
  ]);
  await world.sql(
    `INSERT INTO tenants (id, merchant_id, mode, created_at) VALUES ($1, $2, 'live', now())`,
    [otherTenant, other],
  );
  await world.cause.endpointGone(otherTenant);
  const strangers = 'SELECT FROM notice_recipients WHERE tenant_id = $1';
  await world.run.assign();
  assert.deepEqual(await world.sql(strangers, [otherTenant]), []);
  const [testTenant] = await world.sql<{ id: string }>(
    `SELECT id FROM tenants WHERE merchant_id = $1 AND mode = 'test'`,
    [world.merchantId],
  );
  await world.cause.endpointGone(testTenant!.id);
  await world.cause.review(randomUUID(), testTenant!.id);
  assert.deepEqual(await world.mailed(), []);
  assert.deepEqual(await shown(world, owner, { role: 'OWNER' }), []);
  assert.deepEqual(await shown(world, admin, { staffRole: 'ADMIN' }), []);
  assert.equal(
    (await shown({ ...world, tenantId: testTenant!.id }, owner, { role: 'OWNER' })).length,
    1,
  );
});

test('sends nothing to people who were deleted, disabled or demoted before the mail left', async (context) => {
  const world = await noticeWorld(context);
  const [stays, removed, disabled, demoted] = await Promise.all(
    ['stays', 'removed', 'disabled', 'demoted'].map((name) =>
      world.person('OWNER', `${name}@loja.cv`),
    ),
  );
  void stays;
  const leaver = await world.worker('FINANCE');
  await world.worker('ADMIN');
  await world.cause.settlementFailed();
  await world.run.assign();
  world.later(minuteMs);
  await world.run.batch();
  const { merchantId } = world;
  await removeMember(world.dependencies, { merchantId, personId: removed!.personId });
  await world.sql('UPDATE people SET disabled_at = now() WHERE id = $1', [disabled!.personId]);
  await world.sql(`UPDATE memberships SET role = 'VIEWER' WHERE person_id = $1`, [
    demoted!.personId,
  ]);
  await world.sql('DELETE FROM staff WHERE person_id = $1', [leaver.personId]);
  while ((await world.run.send()) > 0);
  const to = world.smtp.taken.map((mail) => mail.to);
  const ofShop = to.filter((each) => each.endsWith('@loja.cv'));
  assert.deepEqual(ofShop, ['stays@loja.cv']);
  assert.equal(to.length, 2, 'and the administrator');
  assert.equal((await shown(world, demoted!, { role: 'VIEWER' })).length, 0);
});
