import assert from 'node:assert/strict';
import { test } from 'node:test';
import { headerOf } from '../../../test/support/mail-server.ts';
import { hourMs, minuteMs, type NoticeWorld, noticeWorld } from '../../../test/support/notices.ts';
import { formatId } from '../../platform/values/ids.ts';
import { findPerson } from '../../tenants/people/account-store.ts';
import { removePerson } from '../../tenants/people/members.ts';
import { deleteOldNotices, keptMs } from './delete-old-notices.ts';
import { saveNoticeSettings } from './settings.ts';

const settings = (
  { database }: NoticeWorld,
  { personId }: { personId: string },
  given: Partial<Parameters<typeof saveNoticeSettings>[2]>,
) =>
  saveNoticeSettings(database, personId, {
    choices: {},
    quietFrom: '',
    quietUntil: '',
    timeZone: 'Atlantic/Cape_Verde',
    ...given,
  });

const waiting = async ({ sql }: NoticeWorld) => {
  const rows = await sql<{ text: string }>(
    `SELECT status || ' ' || tries || ' ' || is_uncertain AS text FROM notice_mails ORDER BY id`,
  );
  return rows.map(({ text }) => text);
};

test('holds mail until quiet hours end and sends it as one, except for urgent kinds', async (context) => {
  const world = await noticeWorld(context);
  const [sleeper, awake] = [
    await world.person('OWNER', 'sleeper@loja.cv'),
    await world.person('OWNER', 'awake@loja.cv'),
  ];
  await settings(world, sleeper, {
    quietFrom: '22:00',
    quietUntil: '07:00',
    choices: { SETTLEMENT_FAILED: 'MAIL_ALWAYS' },
  });
  void awake;
  world.clock.at = Date.parse('2026-11-22T23:30:00.000Z');
  await world.cause.endpointGone();
  assert.deepEqual(
    (await world.mailed()).map(({ to }) => to),
    ['awake@loja.cv'],
  );
  world.later(hourMs);
  await world.cause.endpointGone();
  await world.cause.settlementFailed();
  const urgent = (await world.mailed()).filter(({ to }) => to === 'sleeper@loja.cv');
  assert.equal(urgent.length, 1);
  assert.match(headerOf(urgent[0]!, 'Subject')!, /transfer/);
  assert.doesNotMatch(urgent[0]!.text, /webhook/);
  world.clock.at = Date.parse('2026-11-23T07:59:00.000Z');
  await world.run.batch();
  assert.equal(await world.run.send(), 0);
  world.later(minuteMs);
  const [morning, ...others] = await world.mailed();
  assert.deepEqual([morning!.to, others], ['sleeper@loja.cv', []]);
  assert.equal(morning!.text.match(/Um destino de webhooks foi desativado/g)?.length, 2);
});

test('mails a changed bank account at any hour, also to staff who may change it', async (context) => {
  const world = await noticeWorld(context);
  const finance = await world.worker('FINANCE');
  await world.worker('OPERATIONS');
  await settings(world, finance, { quietFrom: '22:00', quietUntil: '07:00' });
  world.clock.at = Date.parse('2026-11-22T23:30:00.000Z');
  await world.cause.bankAccountChanged();
  const mails = await world.mailed();
  const [{ email }] = (await world.sql<{ email: string }>(
    'SELECT email FROM people WHERE id = $1',
    [finance.personId],
  )) as [{ email: string }];
  assert.deepEqual(
    mails.map(({ to }) => to),
    [email],
    'the merchant has nobody',
  );
  const page = `https://pay.example.cv/console/staff/merchants/${formatId('me', world.merchantId)}`;
  assert.ok(mails[0]!.text.includes(page));
});

test('holds a retry until quiet hours end', async (context) => {
  const world = await noticeWorld(context);
  const owner = await world.person('OWNER');
  await settings(world, owner, { quietFrom: '22:00', quietUntil: '07:00' });
  world.clock.at = Date.parse('2026-11-22T22:57:00.000Z');
  world.smtp.state.refusal = { at: 'RCPT', code: 450 };
  await world.cause.endpointGone();
  assert.deepEqual(await world.mailed(), []);
  world.smtp.state.refusal = undefined;
  world.later(10 * minuteMs);
  await world.run.send();
  assert.deepEqual(world.smtp.taken, []);
  world.clock.at = Date.parse('2026-11-23T08:00:00.000Z');
  await world.run.send();
  assert.equal(world.smtp.taken.length, 1);
});

test('people choose by kind: nothing, the console only, or mail too', async (context) => {
  const world = await noticeWorld(context);
  const names = ['nothing', 'console', 'mail'] as const;
  const people = await Promise.all(
    names.map((name) => world.person('DEVELOPER', `${name}@loja.cv`)),
  );
  await settings(world, people[0]!, { choices: { ENDPOINT_DISABLED: 'NOTHING' } });
  await settings(world, people[1]!, { choices: { ENDPOINT_DISABLED: 'CONSOLE' } });
  await settings(world, people[2]!, { choices: { ENDPOINT_DISABLED: 'no choice' } });
  await world.cause.endpointGone();
  assert.deepEqual(
    (await world.mailed()).map(({ to }) => to),
    ['mail@loja.cv'],
  );
  const rows = await world.sql<{ email: string }>(
    'SELECT p.email FROM notice_recipients r JOIN people p ON p.id = r.person_id ORDER BY 1',
  );
  assert.deepEqual(
    rows.map(({ email }) => email),
    ['console@loja.cv', 'mail@loja.cv'],
  );
  const wrong = [
    { quietFrom: '22:00' },
    { quietFrom: '25:00', quietUntil: '07:00' },
    { quietFrom: '07:00', quietUntil: '07:00' },
    { timeZone: 'Mars/Olympus' },
  ];
  for (const given of wrong) {
    await assert.rejects(settings(world, people[0]!, given), { code: 'VALIDATION_ERROR' });
  }
});

test('a crash after sending repeats a mail at most once, with the same Message-ID', async (context) => {
  const world = await noticeWorld(context);
  await world.person('OWNER');
  await world.cause.endpointGone();
  await world.run.assign();
  world.later(minuteMs);
  await world.run.batch();
  const real = world.mailerAt(world.smtp.port);
  const dying = {
    ...real,
    async send(mail: Parameters<typeof real.send>[0]): Promise<never> {
      await real.send(mail);
      throw new Error('the process died');
    },
  };
  await assert.rejects(world.run.send(dying), /died/);
  assert.deepEqual(await waiting(world), ['PENDING 1 true']);
  assert.equal(await world.run.send(), 0, 'the lease of the one that died is not over');
  await world.cause.endpointGone();
  await world.run.assign();
  world.later(4 * minuteMs);
  await world.run.batch();
  await Promise.all([world.run.send(), world.run.send()]);
  const ids = world.smtp.taken.map((mail) => headerOf(mail, 'Message-ID'));
  assert.equal(ids.length, 3, 'what came meanwhile is a mail of its own');
  assert.equal(new Set(ids).size, 2);
  assert.equal(ids.filter((id) => id === ids[0]).length, 2);
  assert.equal(await world.run.send(), 0);
});

test('after a day without the mail server, each person gets one mail, and the console showed the notices meanwhile', async (context) => {
  const world = await noticeWorld(context);
  await world.person('OWNER');
  const { port } = world.smtp;
  await world.smtp.stop();
  const down = world.mailerAt(port);
  for (let hour = 0; hour < 20; hour++) {
    await world.cause.endpointGone();
    await world.run.assign();
    world.later(minuteMs);
    await world.run.batch();
    await world.run.send(down);
    world.later(hourMs);
  }
  assert.deepEqual(
    world.outcomes.filter((each) => each !== 'later'),
    [],
  );
  const [mail, ...others] = await waiting(world);
  assert.match(mail!, /^PENDING \d+ false$/);
  assert.deepEqual(others, []);
  const sent: { parts: readonly unknown[] }[] = [];
  const back = {
    ...down,
    async send(given: Parameters<typeof down.send>[0]) {
      sent.push(given);
      return { kind: 'SENT' as const };
    },
  };
  world.later(hourMs);
  await world.run.send(back);
  assert.deepEqual(
    sent.map(({ parts }) => parts.length),
    [21],
  );
  assert.equal((await world.sql('SELECT FROM notice_recipients')).length, 20);
});

test('gives up a refused mail at once, and an undelivered mail after three days', async (context) => {
  const world = await noticeWorld(context);
  await world.person('OWNER', 'gone@loja.cv');
  world.smtp.state.refusal = { at: 'RCPT', code: 550 };
  await world.cause.endpointGone();
  await world.mailed();
  assert.deepEqual(await waiting(world), ['FAILED 1 false']);
  world.smtp.state.refusal = { at: 'MAIL', code: 421 };
  await world.cause.settlementFailed();
  for (let hour = 0; hour < 80; hour++) {
    await world.mailed();
    world.later(hourMs);
  }
  const [, late] = await waiting(world);
  assert.match(late!, /^FAILED (7\d) false$/);
});

test('deleting a person deletes their notices, mails and choices', async (context) => {
  const world = await noticeWorld(context);
  const [owner, other] = [await world.person('OWNER'), await world.person('OWNER')];
  await settings(world, owner, {});
  await world.cause.endpointGone();
  await world.mailed();
  await removePerson(world.dependencies, owner.personId);
  const left = `
SELECT (SELECT count(*)::integer FROM notice_recipients WHERE person_id = $1) AS notices,
  (SELECT count(*)::integer FROM notice_mails WHERE person_id = $1) AS mails,
  (SELECT count(*)::integer FROM notice_settings WHERE person_id = $1) AS settings`;
  assert.deepEqual(await world.sql(left, [owner.personId]), [
    { notices: 0, mails: 0, settings: 0 },
  ]);
  assert.deepEqual(await world.sql(left, [other.personId]), [
    { notices: 1, mails: 1, settings: 0 },
  ]);
  assert.equal(await findPerson(world.database, owner.personId), undefined);
});

test('deletes old notices and mails, but keeps ongoing notices and their recipients', async (context) => {
  const world = await noticeWorld(context);
  await world.person('OWNER');
  const open = await world.cause.endpointGone();
  await world.cause.settlementFailed();
  await world.mailed();
  world.later(keptMs - hourMs);
  assert.equal(await deleteOldNotices(world.database, world.clock.at), 0);
  world.later(2 * hourMs);
  assert.equal(await deleteOldNotices(world.database, world.clock.at), 2);
  const left = 'SELECT n.subject FROM notices n JOIN notice_recipients r ON r.notice_id = n.id';
  assert.deepEqual(await world.sql(left), [{ subject: open }]);
  assert.deepEqual(await world.sql('SELECT FROM notice_mails'), []);
});
