import { invalid } from '../../platform/errors/errors.ts';
import { type NoticeKind, noticeKinds } from '../../platform/notices/notice.ts';
import type { Queryable } from '../../platform/postgres/database.ts';
import { audiences, type Choice, choices } from './audience.ts';
import type { QuietHours } from './quiet-hours.ts';

/** The notices that a person has chosen, and how they arrive. */
export interface NoticeSettings {
  choices: Partial<Record<NoticeKind, Choice>>;
  quiet: QuietHours | undefined;
}

export interface SettingsRow {
  choices: Partial<Record<NoticeKind, Choice>> | null;
  quietFrom: number | null;
  quietUntil: number | null;
  timeZone: string | null;
}

export const settingsColumns =
  's.choices, s.quiet_from AS "quietFrom", s.quiet_until AS "quietUntil", s.time_zone AS "timeZone"';

export function settingsIn(row: SettingsRow | undefined): NoticeSettings {
  const { choices: chosen, quietFrom, quietUntil, timeZone } = row ?? {};
  const isQuiet = typeof quietFrom === 'number' && typeof quietUntil === 'number' && timeZone;
  const quiet = isQuiet
    ? { fromMinutes: quietFrom, untilMinutes: quietUntil, timeZone }
    : undefined;
  return { choices: chosen ?? {}, quiet };
}

/** Returns how a person receives notices of a kind. */
export const choiceOf = ({ choices: chosen }: NoticeSettings, kind: NoticeKind): Choice =>
  chosen[kind] ?? audiences[kind].choice;

/** The same in SQL, from the row `s` of the settings, which may be missing. */
export const choiceSql = (kind: string) =>
  `coalesce(s.choices ->> ${kind}, CASE ${kind} ${noticeKinds
    .map((each) => `WHEN '${each}' THEN '${audiences[each].choice}'`)
    .join(' ')} END)`;

export async function findNoticeSettings(
  database: Queryable,
  personId: string,
): Promise<NoticeSettings> {
  const text = `SELECT ${settingsColumns} FROM notice_settings s WHERE s.person_id = $1`;
  const name = 'notice_settings.find';
  return settingsIn((await database.query<SettingsRow>({ name, text }, [personId]))[0]);
}

/** The fields of the form: times as `22:00`, empty for none. */
export interface GivenSettings {
  choices: Partial<Record<NoticeKind, string>>;
  quietFrom: string;
  quietUntil: string;
  timeZone: string;
}

/**
 * Saves a person's choices about their own notices.
 * @throws VALIDATION_ERROR a time or time zone is malformed
 */
export async function saveNoticeSettings(
  database: Queryable,
  personId: string,
  given: GivenSettings,
): Promise<void> {
  const { timeZone } = given;
  const isOff = given.quietFrom === '' && given.quietUntil === '';
  const [from, until] = isOff ? [null, null] : [given.quietFrom, given.quietUntil].map(minutesIn);
  if (!isOff && from === until) throw invalid('quiet', 'must begin and end at different times');
  if (!isTimeZone(timeZone)) throw invalid('timeZone', 'must be a time zone');
  const chosen = Object.fromEntries(
    Object.entries(given.choices).filter(([, choice]) => choices.some((each) => each === choice)),
  );
  const text = `
INSERT INTO notice_settings (person_id, choices, quiet_from, quiet_until, time_zone)
SELECT id, $2, $3, $4, $5 FROM people WHERE id = $1
ON CONFLICT (person_id) DO UPDATE SET choices = notice_settings.choices || excluded.choices,
  quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until, time_zone = excluded.time_zone`;
  const values = [personId, JSON.stringify(chosen), from, until, timeZone];
  await database.query({ text }, values);
}

function minutesIn(text: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text)?.map(Number) ?? [];
  if (hours === undefined || minutes === undefined)
    throw invalid('quiet', 'must be a time such as 22:00');
  return hours * 60 + minutes;
}

function isTimeZone(text: string): boolean {
  try {
    const { timeZone } = new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions();
    return timeZone.length > 0 && text.length <= 60;
  } catch {
    return false;
  }
}
