import { wallClockMs } from '../../platform/values/local-day.ts';
import { payoutSchedules, weekdays } from '../../tenants/merchants/payout-schedule.ts';
import { type DailyRun, latestRunMs } from './daily-run-time.ts';

const dayMs = 86_400_000;
/** From one MONTHLY_1 to the next. */
const mostDays = 31;

/** The date and weekday of a run in its time zone. */
const dayOf = (runAtMs: number, { timeZone }: DailyRun) => new Date(wallClockMs(runAtMs, timeZone));

function isOn(schedule: string, local: Date): boolean {
  if (schedule === 'DAILY') return true;
  const [every, on] = schedule.split('_');
  if (every === 'WEEKLY') return on === weekdays[local.getUTCDay()];
  return every === 'MONTHLY' && on === String(local.getUTCDate());
}

/** The latest run of each schedule that is not in the future; MANUAL has none. */
export function latestRuns(nowMs: number, run: DailyRun): { schedule: string; runAtMs: number }[] {
  const found = new Map<string, number>();
  let runAtMs = latestRunMs(nowMs, run);
  for (let days = 0; days <= mostDays; days++) {
    const day = dayOf(runAtMs, run);
    for (const schedule of payoutSchedules) {
      if (!found.has(schedule) && isOn(schedule, day)) found.set(schedule, runAtMs);
    }
    runAtMs = latestRunMs(runAtMs - 1, run);
  }
  return [...found].map(([schedule, atMs]) => ({ schedule, runAtMs: atMs }));
}

/** When a merchant with a schedule is paid out next, in milliseconds; undefined with MANUAL. */
export function nextRunMs(nowMs: number, run: DailyRun, schedule: string): number | undefined {
  for (let days = 1; days <= mostDays + 1; days++) {
    const runAtMs = latestRunMs(nowMs + days * dayMs, run);
    if (isOn(schedule, dayOf(runAtMs, run))) return runAtMs;
  }
  return undefined;
}
