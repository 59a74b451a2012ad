import { type Administration, writeAuditRecord } from '../../platform/audit/record.ts';
import { invalid, notFound } from '../../platform/errors/errors.ts';
import { type Database, type Queryable, timestamp } from '../../platform/postgres/database.ts';
import { formatId } from '../../platform/values/ids.ts';

/** Starting with Sunday, like Date. */
export const weekdays = [
  'SUNDAY',
  'MONDAY',
  'TUESDAY',
  'WEDNESDAY',
  'THURSDAY',
  'FRIDAY',
  'SATURDAY',
] as const;
/** Days that each month has. */
const daysOfMonth = Array.from({ length: 28 }, (_, index) => index + 1);

/** When a merchant is paid out automatically: daily, on a day of the week or month, or only on request. */
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
 * Sets when a merchant is paid out, from the next run on.
 * @returns the current schedule
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

/** Marks past runs as seen: otherwise the latest run of the new schedule would pay out immediately. */
const skipPastRuns = {
  text: `
UPDATE unsettled SET last_run_at = greatest(last_run_at, $2)
WHERE tenant_id IN (SELECT id FROM tenants WHERE merchant_id = $1)`,
};
