import { lastPaidCharge } from '../../../money/payments/till-charges.ts';
import { listClosingsLately } from '../../../money/payments/till-closings.ts';
import { instantOf } from '../../../platform/values/ids.ts';
import { wallClock } from '../../../platform/values/local-day.ts';
import { dayStartIn, timeZoneAt } from '../../../tenants/merchants/time-zone.ts';
import type { MerchantContext } from '../request-context.ts';
import { addDays, today } from './calendar-days.ts';
import { seesAllCharges, tillToday } from './charges.ts';

/** How many days back the page looks for one that nobody closed; people at the till count only yesterday. */
const mostDays = 7;
/** Until this hour, people who close the day mean the day before. */
const nightEnds = '06:00';

/** The last day before today with sales of the visitor's till. */
export interface EarlierDay {
  day: string;
  isOpen: boolean;
  /** Whether to show this day where no other is asked for. */
  comesFirst: boolean;
  /** Whether the shop closes its days at all. */
  isUsual: boolean;
}

/** Undefined without sales in the last days. A cashier sees only today: at night, that is still the day before. */
export async function earlierDay(visit: MerchantContext): Promise<EarlierDay | undefined> {
  const { services, tenantId, timeZones, nowMs } = visit;
  const isNight = wallClock(nowMs, visit.timeZone).slice(11, 16) < nightEnds;
  if (!seesAllCharges(visit) && !isNight) return undefined;
  const { personId, fromMs: untilMs } = tillToday(visit);
  const back = seesAllCharges(visit) ? mostDays : 1;
  const fromMs = dayStartIn(timeZones, addDays(today(visit), -back));
  const period = { fromMs, untilMs, personId };
  const last = await lastPaidCharge(services.database, tenantId, period);
  if (last === undefined) return undefined;
  const atMs = instantOf(last);
  const day = wallClock(atMs, timeZoneAt(timeZones, atMs)).slice(0, 10);
  const closed = await listClosingsLately(services.database, tenantId, { nowMs, personId });
  const closing = closed.find((each) => each.day === day);
  if (closing && personId !== null && instantOf(closing.id) < untilMs) return undefined;
  const isOpen = closing === undefined;
  return { day, isOpen, comesFirst: isOpen && isNight, isUsual: closed.length > 0 };
}
