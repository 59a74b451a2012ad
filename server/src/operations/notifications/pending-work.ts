import { type Queryable, timestamp } from '../../platform/postgres/database.ts';

const waitingStatement = {
  name: 'notices.waiting',
  text: `
SELECT EXISTS (SELECT FROM notices WHERE told_at IS NULL ORDER BY id LIMIT 1) AS "isUnassigned",
  coalesce((SELECT min(mail_due_at) FROM notice_recipients) <= $1, false) AS "isMailDue"`,
};

interface PendingWork {
  /** Some notice has no recipients assigned yet. */
  isUnassigned: boolean;
  /** Some mail is due. */
  isMailDue: boolean;
}

/** Checks for pending work in one statement without a lock, since mostly there is none. */
export async function findPendingWork(database: Queryable, nowMs: number): Promise<PendingWork> {
  return (await database.query<PendingWork>(waitingStatement, [timestamp(nowMs)]))[0]!;
}
