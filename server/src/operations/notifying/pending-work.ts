import { type Queryable, timestamp } from '../../platform/postgres/database.ts';

const waitingStatement = {
  name: 'notices.waiting',
  text: `
SELECT EXISTS (SELECT FROM notices WHERE told_at IS NULL ORDER BY id LIMIT 1) AS "isUntold",
  coalesce((SELECT min(mail_due_at) FROM notice_recipients) <= $1, false) AS "isMailDue"`,
};

interface Waiting {
  /** Nobody has decided yet who hears of some notice. */
  isUntold: boolean;
  /** Somebody has a mail to get. */
  isMailDue: boolean;
}

/** What there is to do, in one statement without a lock: mostly it is nothing. */
export async function waitingNow(database: Queryable, nowMs: number): Promise<Waiting> {
  return (await database.query<Waiting>(waitingStatement, [timestamp(nowMs)]))[0]!;
}
