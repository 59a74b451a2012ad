/** Replaces what differs in each run (ids, instants, secrets, addresses) by values that stay the same. */
import { createHash } from 'node:crypto';
import { formatId, type IdPrefix, parseId } from '../../src/platform/values/ids.ts';

const beganMs = Date.parse('2026-11-21T09:30:00.000Z');
const minuteMs = 60_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;
/** No story takes longer. */
const storyMs = 600_000;
/** That of the documented header. */
export const requestId = '6f1c6c1e-8a0f-4a43-9d0d-6f3a1c9e2b11';

const prefixedId = /\b([a-z]{2,3})([_-])([0-7][0-9a-hjkmnp-tv-z]{25})(?![0-9a-z])/g;
const uuidShape = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g;
const instantShape = /\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:00)/g;
const dayShape = /\b\d{4}-\d\d-\d\d(?=["\\;, .])/g;

const hexOf = (seed: string) => createHash('sha256').update(seed).digest('hex');

/**
 * @param value the recording, as JSON
 * @param replacements further texts, longest first, and what stands for them
 */
export function stable<T>(value: T, replacements: readonly [RegExp | string, string][]): T {
  // Words would otherwise begin with the letter of the escaped end of a line.
  let text = JSON.stringify(value).replaceAll('\\n', '\n');
  for (const [from, to] of replacements) text = text.replaceAll(from, to);
  text = withStableInstants(text);
  text = withStableSecrets(text);
  return JSON.parse(withStableIds(text).replaceAll('\n', '\\n')) as T;
}

/** Ids keep their prefixes, and equal ones stay equal: a payment's id and its reference at the operator, for example. */
function withStableIds(text: string): string {
  const known = new Map<string, string>();
  const stableUuid = (uuid: string) => {
    const there = known.get(uuid);
    if (there !== undefined) return there;
    const time = (beganMs + known.size * 1_000).toString(16).padStart(12, '0');
    const hex = hexOf(`id ${known.size}`);
    const made = `${time.slice(0, 8)}-${time.slice(8)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
    known.set(uuid, made);
    return made;
  };
  return text
    .replaceAll(prefixedId, (all, prefix: string, separator: string, digits: string) => {
      const uuid = parseId(prefix as IdPrefix, `${prefix}_${digits}`);
      if (uuid === undefined) return all;
      return formatId(prefix as IdPrefix, stableUuid(uuid)).replace('_', separator);
    })
    .replaceAll(uuidShape, (uuid) => (uuid === requestId ? uuid : stableUuid(uuid)));
}

/** Random texts by their shape, numbered in the order in which they appear. */
function withStableSecrets(text: string): string {
  const shapes: [RegExp, (count: number, found: string) => string][] = [
    [
      /\b(?:sk_test|sk_live|ak_admin)_[0-9A-Za-z]{32}\b/g,
      (count, found) => `${found.slice(0, 8)}${String(count).padStart(found.length - 8, 'x')}`,
    ],
    [
      /\bSIM[0-9A-F]{20}\b/g,
      (count) => `SIM${hexOf(`transaction ${count}`).slice(0, 20).toUpperCase()}`,
    ],
    [
      /\bwhsec_[0-9A-Za-z+/=]{20,}/g,
      (count) =>
        `whsec_${Buffer.from(`an example of a secret, no. ${String(count).padStart(4, '0')}`).toString('base64')}`,
    ],
    [/(?<=\/pay\/(?:link\/)?)[0-9A-Za-z_-]{64}/g, (count) => hexOf(`page ${count}`)],
    [
      /(?<=\/l\/)[0-9A-Za-z]{22,26}/g,
      (count) => `${hexOf(`link ${count}`).replaceAll(/[a-f]/g, '').padEnd(26, '7').slice(0, 26)}`,
    ],
    [/\b[0-9a-f]{64}\b/g, (count) => hexOf(`digest ${count}`)],
  ];
  let changed = text;
  const endings = new Map<string, string>();
  for (const [shape, make] of shapes) {
    const known = new Map<string, string>();
    changed = changed.replaceAll(shape, (found) => {
      const made = known.get(found) ?? make(known.size + 1, found);
      known.set(found, made);
      endings.set(found.slice(-4), made.slice(-4));
      return made;
    });
  }
  return changed.replaceAll(
    /(?<="last4":")(?!\d{4}")[^"]+/g,
    (found) => endings.get(found) ?? 'x7Qa',
  );
}

/**
 * Instants of the story follow each other by a second, in their order. A later instant, such as the end of a link, keeps
 * its distance from the one from which it was reckoned. Ends of days and months keep their place in the calendar.
 */
function withStableInstants(text: string): string {
  const nowMs = Date.now();
  const found = [...new Set(text.match(instantShape) ?? [])].map((each) => Date.parse(each));
  const story = [...new Set(found)]
    .filter((ms) => ms % minuteMs !== 0 && ms <= nowMs && ms > nowMs - storyMs)
    .sort((one, other) => one - other);
  const placed = new Map(story.map((ms, index) => [ms, beganMs + index * 1_000]));
  const shiftMs = (Math.floor(beganMs / dayMs) - Math.floor(nowMs / dayMs)) * dayMs;
  const moved = (ms: number): number => {
    const own = placed.get(ms);
    if (own !== undefined) return own;
    if (ms % minuteMs === 0 && !isOfCalendar(ms))
      return ms + beganMs - Math.floor(nowMs / minuteMs) * minuteMs;
    if (isOfCalendar(ms) && new Date(ms).getUTCDate() === 1) return inSameMonth(ms, nowMs);
    const base = story.find((each) => ms > each && (ms - each) % 1_000 === 0);
    if (base !== undefined) return placed.get(base)! + ms - base;
    return afterHours(ms) ?? ms + shiftMs;
  };
  /** Some hours after an instant that no answer names. */
  const afterHours = (ms: number): number | undefined => {
    const hoursMs = Math.floor((ms - story[0]!) / hourMs) * hourMs;
    const before = story.findLast((each) => each <= ms - hoursMs);
    return before === undefined || hoursMs <= 0 ? undefined : placed.get(before)! + hoursMs;
  };
  const ofMonth = new RegExp(`"${new Date(nowMs).toISOString().slice(0, 7)}"`, 'g');
  return text
    .replaceAll(instantShape, (each) => withOffsetOf(each, moved(Date.parse(each))))
    .replaceAll(/\d\d:\d\d:\d\d(?= \(UTC\))/g, '09:30:40')
    .replaceAll(dayShape, (day) => {
      const ms = Date.parse(`${day}T00:00:00Z`);
      const isNear = Math.abs(ms - nowMs) < 45 * dayMs;
      return isNear ? new Date(ms + shiftMs).toISOString().slice(0, 10) : day;
    })
    .replaceAll(ofMonth, '"2026-11"');
}

const isOfCalendar = (ms: number) => ms % hourMs === 0;

/** In the same time zone as before. */
function withOffsetOf(before: string, ms: number): string {
  const [, sign, hours] = /([+-])(\d\d):00$/.exec(before) ?? [];
  if (sign === undefined) return new Date(ms).toISOString();
  const offsetMs = Number(`${sign}${hours}`) * 3_600_000;
  return new Date(ms + offsetMs).toISOString().replace('Z', `${sign}${hours}:00`);
}

function inSameMonth(ms: number, nowMs: number): number {
  const monthOf = (at: number) => new Date(at).getUTCFullYear() * 12 + new Date(at).getUTCMonth();
  const date = new Date(ms);
  return date.setUTCMonth(date.getUTCMonth() + monthOf(beganMs) - monthOf(nowMs));
}
