import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../test/support/database.ts';
import { companySecret, minuteMs, noticeWorld } from '../../../test/support/notices.ts';
import type { Mailer, MailResult } from '../../integrations/mail/send.ts';
import { openDatabase } from '../../platform/postgres/database.ts';
import { DatabaseWatch } from './database-down.ts';

/** What a query says while nothing listens. */
async function outage(): Promise<unknown> {
  const url = 'postgres://zimbo@127.0.0.1:1/nothing';
  const database = openDatabase({ url, log: silentLog, maxConnections: 1 });
  try {
    return await database.query({ text: 'SELECT 1' }).catch((error: unknown) => error);
  } finally {
    await database.close();
  }
}

test('an outage of five minutes is told without the database, once, and its end to whoever heard of it', async (context) => {
  const world = await noticeWorld(context);
  await world.worker('ADMIN');
  const { watch, clock, bodies } = watchWith(world, world.mailerAt(world.smtp.port), () => true);
  await watch.answered();
  const error = await outage();
  await watch.failed(new Error('a fault of another kind'));
  for (let minute = 0; minute < 5; minute += 1, clock.at += minuteMs) await watch.failed(error);
  assert.deepEqual([world.smtp.taken.length, bodies.length], [0, 0], 'a short one is not told');
  world.smtp.state.refusal = { at: 'MAIL', code: 421 };
  await watch.failed(error);
  world.smtp.state.refusal = undefined;
  for (let minute = 0; minute < 3; minute += 1, clock.at += minuteMs) await watch.failed(error);
  assert.equal(world.smtp.taken.length, 1, 'the server that refused it at first gets it once');
  assert.match(world.smtp.taken[0]!.text, /docs\/runbooks\/requests-fail\.md/);
  assert.equal(bodies.length, 1);
  const on = JSON.parse(bodies[0]!);
  assert.deepEqual([on.type, on.data.notice.at], ['notice.on', '2026-11-22T08:00:00.000Z']);
  assert.equal(on.data.notice.title, 'The database does not answer');
  assert.ok(!('cell' in on.data.notice), 'there is one');
  await watch.answered();
  await watch.answered();
  assert.equal(world.smtp.taken.length, 2);
  const over = JSON.parse(bodies[1]!);
  assert.deepEqual([over.type, over.data.notice.id], ['notice.over', on.data.notice.id]);
  await watch.failed(error);
  await watch.answered();
  assert.equal(bodies.length, 2, 'a short one has no end to tell of either');
});

test('of several cells, the words say which one is away, and that the others go on', async (context) => {
  const world = await noticeWorld(context);
  await world.worker('ADMIN');
  const mailer = world.mailerAt(world.smtp.port);
  const { watch, clock, bodies } = watchWith(world, mailer, () => true, 'north');
  await watch.answered();
  const error = await outage();
  await watch.failed(error);
  clock.at += 5 * minuteMs;
  await watch.failed(error);
  await watch.answered();
  const [on, over] = bodies.map((body) => JSON.parse(body).data.notice);
  assert.deepEqual([on.cell, on.title], ['north', 'The database does not answer (cell north)']);
  assert.match(on.text, /^No payment in the cell north makes progress .* The other cells go on\./);
  assert.deepEqual([over.cell, over.title], ['north', 'The database answers again (cell north)']);
  for (const { text } of world.smtp.taken) assert.match(text, /\((cell|célula) north\)/);
  assert.equal(world.smtp.taken.length, 2);
});

/** A watch that posts to a receiver which takes what the test says. */
function watchWith(
  { database }: Awaited<ReturnType<typeof noticeWorld>>,
  mailer: Mailer,
  isPostTaken: () => boolean,
  cell?: string,
) {
  const clock = { at: 0 };
  const bodies: string[] = [];
  const watch = new DatabaseWatch({
    database,
    monotonicClock: { nowMs: () => clock.at },
    wallClock: { nowMs: () => Date.parse('2026-11-22T08:00:00Z') + clock.at },
    log: silentLog,
    consoleUrl: 'https://pay.example.cv',
    staffFolder: '/console/staff',
    cell,
    mailer,
    post: {
      webhook: { url: 'https://alerts.example.cv/', secret: companySecret },
      sender: {
        async send({ body }) {
          bodies.push(String(body));
          const rest = { durationMs: 1, retryAfterMs: null, responseSnippet: null };
          return { delivered: isPostTaken(), statusCode: 200, error: null, ...rest };
        },
      },
    },
  });
  return { watch, clock, bodies };
}

/** A watch whose receivers answer as the test says. */
function watchOf(world: Awaited<ReturnType<typeof noticeWorld>>) {
  const answers = { mail: 'UNKNOWN' as MailResult['kind'], isPostTaken: false };
  const mailIds: string[] = [];
  const sent = async ({ id }: { id: string }) => {
    mailIds.push(id);
    return { kind: answers.mail, error: 'no answer' };
  };
  const mailer = { ...world.mailerAt(1), send: sent };
  const { watch, clock, bodies } = watchWith(world, mailer, () => answers.isPostTaken);
  /** The ids of these mails, the requests, and what was new of either. */
  const told = () => {
    const [mails, posts] = [mailIds.splice(0), bodies.splice(0)];
    return {
      mails: mails.length,
      posts: posts.length,
      mailIds: new Set(mails),
      bodies: new Set(posts),
    };
  };
  return { clock, answers, watch, told };
}

test('who takes it and does not say so gets the same again, and an end that nobody took is told at the next look', async (context) => {
  const world = await noticeWorld(context);
  await world.worker('ADMIN');
  const { clock, answers, watch, told } = watchOf(world);
  const error = await outage();
  const minute = async (look: () => Promise<void>) => {
    await look();
    clock.at += minuteMs;
  };
  await watch.answered();
  for (let each = 0; each < 5; each += 1) await minute(() => watch.failed(error));
  for (let each = 0; each < 3; each += 1) await minute(() => watch.failed(error));
  const on = told();
  assert.deepEqual([on.mails, on.posts, on.mailIds.size, on.bodies.size], [3, 3, 1, 1]);
  Object.assign(answers, { mail: 'SENT', isPostTaken: true });
  await minute(() => watch.failed(error));
  assert.deepEqual(told(), { mails: 1, posts: 1, mailIds: on.mailIds, bodies: on.bodies });
  Object.assign(answers, { mail: 'LATER', isPostTaken: false });
  for (let each = 0; each < 3; each += 1) await minute(() => watch.answered());
  // A second outage, too short to be told, forgets nothing of the first.
  await minute(() => watch.failed(error));
  const over = told();
  assert.deepEqual([over.mails, over.posts, over.mailIds.size, over.bodies.size], [3, 3, 1, 1]);
  assert.ok(!on.mailIds.has([...over.mailIds][0]!));
  const [first, last] = [[...on.bodies][0]!, [...over.bodies][0]!].map((body) => JSON.parse(body));
  assert.notEqual(first.id, last.id);
  assert.deepEqual([last.type, last.data.notice.id], ['notice.over', first.data.notice.id]);
  assert.equal(
    last.data.notice.endedAt,
    '2026-11-22T08:09:00.000Z',
    'when it was over, not when told',
  );
  Object.assign(answers, { mail: 'SENT', isPostTaken: true });
  await minute(() => watch.answered());
  assert.deepEqual(told(), { mails: 1, posts: 1, mailIds: over.mailIds, bodies: over.bodies });
  await minute(() => watch.answered());
  assert.deepEqual([told().mails, told().posts], [0, 0]);
});
