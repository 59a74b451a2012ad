import { addMonths, dayStartMs, wallClock, wallClockMs } from '../../platform/values/local-day.ts';
import { type Currency, timeZoneOf } from '../../platform/values/money.ts';

/** The time zones that a merchant can have. */
export const merchantTimeZones = ['Atlantic/Cape_Verde', 'Africa/Luanda'] as const;
export type MerchantTimeZone = (typeof merchantTimeZones)[number];

/** Since which instant which time zone holds for a merchant, the oldest first, the first of them since ever. */
export type TimeZones = readonly { fromMs: number; timeZone: string }[];

/** A merchant's time zone as stored. */
export interface StoredTimeZone {
  /** As JSON; null until somebody has set a time zone or a default currency. */
  timeZoneHistory: string | null;
  /** The owner's choice. */
  defaultCurrency: Currency | null;
  /** The currency of the first bank account or payment; null without any. */
  firstCurrency: Currency | null;
}

// Whichever was first stays first, so that nothing that happens later moves a closed month. Live before test.
const firstCurrency = `(SELECT currency FROM (
  (SELECT currency, valid_from AS at, false AS is_test FROM bank_accounts
    WHERE merchant_id = m.id ORDER BY valid_from LIMIT 1)
  UNION ALL
  (SELECT p.currency, p.created_at, t.mode = 'test' FROM tenants t CROSS JOIN LATERAL (
    SELECT currency, created_at FROM payments WHERE tenant_id = t.id ORDER BY id LIMIT 1) p
    WHERE t.merchant_id = m.id)
) AS firsts ORDER BY is_test, at LIMIT 1)`;

/** The columns of {@link StoredTimeZone}, of `merchants m`. */
export const timeZoneColumns = `m.time_zone_history AS "timeZoneHistory",
  m.default_currency AS "defaultCurrency", ${firstCurrency} AS "firstCurrency"`;

/** The currency that comes first for a merchant; null if it has none yet. */
export const ownCurrencyOf = ({
  defaultCurrency,
  firstCurrency,
}: StoredTimeZone): Currency | null => defaultCurrency ?? firstCurrency;

/**
 * The time zones of a merchant: the only rule for pages, exports and receipts. Statements and fee documents follow
 * their currency, and the API speaks UTC.
 * @param otherwise for a merchant without any currency yet, such as the installation's
 */
export function timeZonesOf(stored: StoredTimeZone, otherwise: string): TimeZones {
  const { timeZoneHistory, firstCurrency: currency } = stored;
  if (timeZoneHistory !== null) return JSON.parse(timeZoneHistory) as TimeZones;
  return always(currency === null ? otherwise : timeZoneOf[currency]);
}

/** A time zone without changes. */
export const always = (timeZone: string): TimeZones => [{ fromMs: 0, timeZone }];

/** The time zone that holds at an instant. */
export const timeZoneAt = (zones: TimeZones, atMs: number): string =>
  (zones.findLast(({ fromMs }) => fromMs <= atMs) ?? zones[0]!).timeZone;

/** Local time, as of `wallClockMs`, in the time zone that holds then. */
export const wallClockMsIn = (zones: TimeZones, atMs: number): number =>
  wallClockMs(atMs, timeZoneAt(zones, atMs));

/** The first instant of a day: the end of the day before, in the time zone that held then. */
export function dayStartIn(zones: TimeZones, day: string): number {
  const starts = zones.map(({ fromMs, timeZone }) => ({
    fromMs,
    startMs: dayStartMs(day, timeZone),
  }));
  return (starts.findLast(({ fromMs, startMs }) => fromMs < startMs) ?? starts[0]!).startMs;
}

/**
 * The time zones after a change. It holds from the next month on, as soon as that has begun in both zones: then no
 * payment moves into or out of a closed month. It replaces a change that does not hold yet.
 */
export function changeTimeZone(zones: TimeZones, timeZone: string, nowMs: number): TimeZones {
  const held = zones.filter(({ fromMs }) => fromMs <= nowMs);
  const present = held.at(-1)!.timeZone;
  if (present === timeZone) return held;
  const month = addMonths(wallClock(nowMs, present).slice(0, 10), 1);
  const fromMs = Math.max(dayStartMs(month, present), dayStartMs(month, timeZone));
  return [...held, { fromMs, timeZone }];
}
