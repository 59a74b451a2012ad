import { dayStartIn } from '../../../tenants/merchants/time-zone.ts';
import type { RequestContext } from '../request-context.ts';
import { addDays, isDay } from './calendar-days.ts';

type Zoned = Pick<RequestContext, 'timeZones'>;

/** Midnight at the start of a form's day, `2026-11-22`; undefined for an invalid day. */
export const dayStartMs = (day: string, { timeZones }: Zoned): number | undefined =>
  isDay(day) ? dayStartIn(timeZones, day) : undefined;

/** The last millisecond of a day. */
export const dayEndMs = (day: string, { timeZones }: Zoned): number | undefined =>
  isDay(day) ? dayStartIn(timeZones, addDays(day, 1)) - 1 : undefined;
