import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import { type Database, type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';

/** From Sunday on, as clocks count them. */
export const weekdays = [
  'SUNDAY',
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
] as const;
/** Each month has these. */
const daysOfMonth = Array.from({ length: 28 }, (_, index) => index + 1);

/** When a merchant is paid out to by itself: every day, on one of the week or of the month, or only when somebody asks. */
export const payoutSchedules = [
  'DAILY',
  ...[...weekdays.slice(1), weekdays[0]].map((day) => `WEEKLY_${day}`),
  ...daysOfMonth.map((day) => `MONTHLY_${day}`),
  'MANUAL',
];

/** @throws NOT_FOUND the merchant */
export async function findPayoutSchedule(database: Queryable, merchantId: string): Promise<string> {
  const text = 'SELECT payout_schedule AS schedule FROM merchants WHERE id = $1';
  const [row] = await database.query<{ schedule: string }>({ text }, [merchantId]);
  if (!row) throw notFound('merchant');
  return row.schedule;
}

/**
 * Agrees when a merchant is paid out to, from the next run on.
 * @returns the schedule that holds
 * @throws VALIDATION_ERROR schedule
 * @throws NOT_FOUND the merchant
 */
export function changePayoutSchedule(
  dependencies: Administration & { database: Database },
  merchantId: string,
  schedule: string,
): Promise<string> {
  if (!payoutSchedules.includes(schedule)) {
    throw invalid(
      'schedule',
      'must be DAILY, WEEKLY_MONDAY (or another day), MONTHLY_1 to MONTHLY_28, or MANUAL',
    );
  }
  return dependencies.database.transaction(async (transaction) => {
    const text = 'SELECT payout_schedule AS before FROM merchants WHERE id = $1 FOR NO KEY UPDATE';
    const [row] = await transaction.query<{ before: string }>({ text }, [merchantId]);
    if (!row) throw notFound('merchant');
    const { before } = row;
    if (before === schedule) return schedule;
    const change = 'UPDATE merchants SET payout_schedule = $2 WHERE id = $1';
    await transaction.query({ text: change }, [merchantId, schedule]);
    await transaction.query(skipPastRuns, [merchantId, timestamp(dependencies.clock.nowMs())]);
    await writeAuditRecord(transaction, dependencies, {
      tenantId: null,
      action: 'merchant.payout_schedule_changed',
      subject: formatId('me', merchantId),
      before: { schedule: before },
      after: { schedule },
    });
    return schedule;
  });
}

/** What waits has seen the runs of the past: else the latest one of the new schedule would pay it out at once. */
const skipPastRuns = {
  text: `
UPDATE unsettled SET last_run_at = greatest(last_run_at, $2)
WHERE tenant_id IN (SELECT id FROM tenants WHERE merchant_id = $1)`,
};
