import assert from 'node:assert/strict';
import { test } from 'node:test';
import { silentLog } from '../../../test/support/database.ts';
import { companySecret, minuteMs, noticeWorld } from '../../../test/support/notices.ts';
import type { Mailer, MailResult } from '../../integrations/mail/send.ts';
import { openDatabase } from '../../platform/postgres/database.ts';
import { DatabaseOutageWatch } from './database-outage.ts';

/** The error of a query while no server listens. */
async function outage(): Promise<unknown> {
  const url = 'postgres://zimbo@127.0.0.1:1/nothing';
  const database = openDatabase({ url, log: silentLog, maxConnections: 1 });
  try {
    return await database.query({ text: 'SELECT 1' }).catch((error: unknown) => error);
  } finally {
    await database.close();
  }
}

test('reports an outage of five minutes once without the database, and its end to the same recipients', async (context) => {
  const world = await noticeWorld(context);
  await world.worker('ADMIN');
  const { watch, clock, bodies } = watchWith(world, world.mailerAt(world.smtp.port), () => true);
  await watch.recordSuccess();
  const error = await outage();
  await watch.recordFailure(new Error('a fault of another kind'));
  for (let minute = 0; minute < 5; minute += 1, clock.at += minuteMs)
    await watch.recordFailure(error);
  assert.deepEqual([world.smtp.taken.length, bodies.length], [0, 0], 'a short one is not told');
  world.smtp.state.refusal = { at: 'MAIL', code: 421 };
  await watch.recordFailure(error);
  world.smtp.state.refusal = undefined;
  for (let minute = 0; minute < 3; minute += 1, clock.at += minuteMs)
    await watch.recordFailure(error);
  assert.equal(world.smtp.taken.length, 1, 'the server that refused it at first gets it once');
  assert.match(world.smtp.taken[0]!.text, /docs\/runbooks\/README\.md#requests-fail/);
  assert.equal(bodies.length, 1);
  const on = JSON.parse(bodies[0]!);
  assert.deepEqual([on.type, on.data.notice.at], ['notice.on', '2026-11-22T08:00:00.000Z']);
  assert.equal(on.data.notice.title, 'The database does not answer');
  assert.ok(!('cell' in on.data.notice), 'there is one');
  await watch.recordSuccess();
  await watch.recordSuccess();
  assert.equal(world.smtp.taken.length, 2);
  const over = JSON.parse(bodies[1]!);
  assert.deepEqual([over.type, over.data.notice.id], ['notice.over', on.data.notice.id]);
  await watch.recordFailure(error);
  await watch.recordSuccess();
  assert.equal(bodies.length, 2, 'a short one has no end to tell of either');
});

test('names the cell that is down, and says that the others go on', async (context) => {
  const world = await noticeWorld(context);
  await world.worker('ADMIN');
  const mailer = world.mailerAt(world.smtp.port);
  const { watch, clock, bodies } = watchWith(world, mailer, () => true, 'north');
  await watch.recordSuccess();
  const error = await outage();
  await watch.recordFailure(error);
  clock.at += 5 * minuteMs;
  await watch.recordFailure(error);
  await watch.recordSuccess();
  const [on, over] = bodies.map((body) => JSON.parse(body).data.notice);
  assert.deepEqual([on.cell, on.title], ['north', 'The database does not answer (cell north)']);
  assert.match(on.text, /^No payment in the cell north makes progress .* The other cells go on\./);
  assert.deepEqual([over.cell, over.title], ['north', 'The database answers again (cell north)']);
  for (const { text } of world.smtp.taken) assert.match(text, /\((cell|célula) north\)/);
  assert.equal(world.smtp.taken.length, 2);
});

/** A watch whose receiver accepts what the test allows. */
function watchWith(
  { database }: Awaited<ReturnType<typeof noticeWorld>>,
  mailer: Mailer,
  isPostTaken: () => boolean,
  cell?: string,
) {
  const clock = { at: 0 };
  const bodies: string[] = [];
  const watch = new DatabaseOutageWatch({
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
  /** The ids of these mails and requests, and the new ones of each. */
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

test('retries with the same id when a receiver does not confirm, and reports an undelivered end at the next evaluation', async (context) => {
  const world = await noticeWorld(context);
  await world.worker('ADMIN');
  const { clock, answers, watch, told } = watchOf(world);
  const error = await outage();
  const minute = async (look: () => Promise<void>) => {
    await look();
    clock.at += minuteMs;
  };
  await watch.recordSuccess();
  for (let each = 0; each < 5; each += 1) await minute(() => watch.recordFailure(error));
  for (let each = 0; each < 3; each += 1) await minute(() => watch.recordFailure(error));
  const on = told();
  assert.deepEqual([on.mails, on.posts, on.mailIds.size, on.bodies.size], [3, 3, 1, 1]);
  Object.assign(answers, { mail: 'SENT', isPostTaken: true });
  await minute(() => watch.recordFailure(error));
  assert.deepEqual(told(), { mails: 1, posts: 1, mailIds: on.mailIds, bodies: on.bodies });
  Object.assign(answers, { mail: 'LATER', isPostTaken: false });
  for (let each = 0; each < 3; each += 1) await minute(() => watch.recordSuccess());
  // A second outage, too short to report, does not lose the first.
  await minute(() => watch.recordFailure(error));
  const over = told();
  assert.deepEqual([over.mails, over.posts, over.mailIds.size, over.bodies.size], [3, 3, 1, 1]);
  assert.ok(!on.mailIds.has([...over.mailIds][0]!));
  const [first, last] = [[...on.bodies][0]!, [...over.bodies][0]!].map((body) => JSON.parse(body));
  assert.notEqual(first.id, last.id);
  assert.deepEqual([last.type, last.data.notice.id], ['notice.over', first.data.notice.id]);
  assert.equal(
    last.data.notice.endedAt,
    '2026-11-22T08:09:00.000Z',
    'the time of the end, not of the report',
  );
  Object.assign(answers, { mail: 'SENT', isPostTaken: true });
  await minute(() => watch.recordSuccess());
  assert.deepEqual(told(), { mails: 1, posts: 1, mailIds: over.mailIds, bodies: over.bodies });
  await minute(() => watch.recordSuccess());
  assert.deepEqual([told().mails, told().posts], [0, 0]);
});
