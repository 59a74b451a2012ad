import type { NoticeKind } from '../../platform/notices/notice.ts';
import { type Database, type Queryable, timestamp } from '../../platform/postgres/database.ts';
import type { Clock } from '../../platform/process/clock.ts';
import type { Ids } from '../../platform/values/ids.ts';
import { tryLock } from './assign-recipients.ts';
import { quietUntilMs } from './quiet-hours.ts';
import { choiceOf, findNoticeSettings } from './settings.ts';

export interface BatchMailsDependencies {
  database: Database;
  clock: Clock;
  ids: Ids;
  mailDelayMs: number;
}

const peopleAtOnce = 100;
/** The rest go into the next mail. */
const noticesPerMail = 200;
/** After this time a mail takes no more notices, since its retries may end soon. */
const joinedForMs = 86_400_000;

const dueStatement = {
  name: 'notice_recipients.mail_due',
  text: `
SELECT DISTINCT person_id AS "personId" FROM (
  SELECT person_id FROM notice_recipients
  WHERE mail_due_at <= $1 ORDER BY mail_due_at LIMIT $2
) due`,
};

/** Puts the notices due to a person, and those due within the mail delay, into one mail. @returns the number of people */
export function batchMails(dependencies: BatchMailsDependencies): Promise<number> {
  const nowMs = dependencies.clock.nowMs();
  return dependencies.database.transaction(async (transaction) => {
    if (!(await tryLock(transaction))) return 0;
    const values = [timestamp(nowMs), peopleAtOnce];
    const people = await transaction.query<{ personId: string }>(dueStatement, values);
    for (const { personId } of people)
      await batchForPerson(transaction, dependencies, personId, nowMs);
    return people.length;
  });
}

const waitingStatement = {
  name: 'notice_recipients.waiting',
  text: `
SELECT place, notice_id AS "noticeId", kind FROM notice_recipients
WHERE person_id = $1 AND mail_due_at <= $2
ORDER BY notice_id LIMIT $3 FOR UPDATE`,
};

interface Waiting {
  place: string;
  noticeId: string;
  kind: NoticeKind;
}

async function batchForPerson(
  transaction: Queryable,
  { ids, mailDelayMs }: BatchMailsDependencies,
  personId: string,
  nowMs: number,
): Promise<void> {
  const values = [personId, timestamp(nowMs + mailDelayMs), noticesPerMail];
  const rows = await transaction.query<Waiting>(waitingStatement, values);
  const settings = await findNoticeSettings(transaction, personId);
  const untilMs = quietUntilMs(settings.quiet, nowMs);
  const isQuiet = ({ kind }: Waiting) =>
    untilMs !== undefined && choiceOf(settings, kind) !== 'MAIL_ALWAYS';
  await postpone(transaction, personId, rows.filter(isQuiet), untilMs ?? nowMs);
  const now = rows.filter((row) => !isQuiet(row));
  if (now.length === 0) return;
  const mailId = await findOrCreateMail(transaction, personId, ids.next(nowMs), nowMs);
  const text = `
UPDATE notice_recipients r SET mail_due_at = NULL, mail_id = $2
FROM unnest($3::text[], $4::uuid[]) AS given (place, notice_id)
WHERE r.person_id = $1 AND r.place = given.place AND r.notice_id = given.notice_id`;
  await transaction.query({ name: 'notice_recipients.gather', text }, [
    personId,
    mailId,
    ...keysOf(now),
  ]);
}

const keysOf = (rows: readonly Waiting[]) => [
  rows.map(({ place }) => place),
  rows.map(({ noticeId }) => noticeId),
];

async function postpone(
  transaction: Queryable,
  personId: string,
  rows: readonly Waiting[],
  untilMs: number,
): Promise<void> {
  if (rows.length === 0) return;
  const text = `
UPDATE notice_recipients r SET mail_due_at = $2
FROM unnest($3::text[], $4::uuid[]) AS given (place, notice_id)
WHERE r.person_id = $1 AND r.place = given.place AND r.notice_id = given.notice_id`;
  const values = [personId, timestamp(untilMs), ...keysOf(rows)];
  await transaction.query({ name: 'notice_recipients.hold', text }, values);
}

/*
 * While the mail server is down, new notices join the one pending mail of their person. A mail that the server may
 * already have stays unchanged: the receiver would drop a changed copy as a duplicate, and the new notices with it.
 */
const mailStatement = {
  name: 'notice_mails.for',
  text: `
WITH waiting AS (
  SELECT id FROM notice_mails
  WHERE person_id = $1 AND status = 'PENDING' AND NOT is_uncertain AND created_at > $4
  ORDER BY id LIMIT 1 FOR UPDATE
), created AS (
  INSERT INTO notice_mails (id, person_id, status, due_at, created_at)
  SELECT $2, $1, 'PENDING', $3, $3 WHERE NOT EXISTS (SELECT FROM waiting)
  RETURNING id
)
SELECT id FROM waiting UNION ALL SELECT id FROM created`,
};

async function findOrCreateMail(
  transaction: Queryable,
  personId: string,
  newId: string,
  nowMs: number,
) {
  const values = [personId, newId, timestamp(nowMs), timestamp(nowMs - joinedForMs)];
  const [mail] = await transaction.query<{ id: string }>(mailStatement, values);
  return mail!.id;
}
