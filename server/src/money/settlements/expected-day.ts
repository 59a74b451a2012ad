import { wallClock } from '../../platform/values/local-day.ts';
import { type Currency, timeZoneOf } from '../../platform/values/money.ts';
import type { Settlement } from './settlement.ts';

const dayMs = 86_400_000;

/**
 * The day by which the money of an open payout should be in the account, `2026-11-30`: the working day after that of
 * the order. Public holidays are unknown here. Undefined for a payout that has ended, or has no account to go to.
 */
export function expectedDay({
  status,
  currency,
  bankAccountId,
  processedAtMs,
  createdAtMs,
}: Pick<Settlement, 'status' | 'currency' | 'bankAccountId' | 'processedAtMs' | 'createdAtMs'>):
  | string
  | undefined {
  if (bankAccountId === null || (status !== 'PENDING' && status !== 'PROCESSING')) return undefined;
  const timeZone = timeZoneOf[currency as Currency];
  const ordered = wallClock(processedAtMs ?? createdAtMs, timeZone).slice(0, 10);
  let dayAtMs = Date.parse(ordered) + dayMs;
  while (new Date(dayAtMs).getUTCDay() % 6 === 0) dayAtMs += dayMs;
  return new Date(dayAtMs).toISOString().slice(0, 10);
}
