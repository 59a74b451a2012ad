import { choices, kindsOf } from '../../../operations/notifications/audience.ts';
import { noticeWords } from '../../../operations/notifications/notices.words.ts';
import type { QuietHours } from '../../../operations/notifications/quiet-hours.ts';
import {
  choiceOf,
  findNoticeSettings,
  saveNoticeSettings,
} from '../../../operations/notifications/settings.ts';
import { type NoticeKind, noticeKinds } from '../../../platform/notices/notice.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { button, type FieldErrors, form, select } from '../parts/form.ts';
import type { SentForm } from '../request-context.ts';
import { words as allWords } from './account-notices.words.ts';
import type { OwnCaller } from './door.ts';

/** The usual time zones here, plus the person's own if it differs. */
const timeZones = [
  'Atlantic/Cape_Verde',
  'Africa/Luanda',
  'Europe/Lisbon',
  'Atlantic/Azores',
  'Africa/Bissau',
  'Africa/Sao_Tome',
  'Africa/Maputo',
  'America/Sao_Paulo',
  'America/New_York',
  'Europe/London',
  'Europe/Paris',
  'UTC',
];

/** The kinds of notices that a person gets at any of their merchants, or as staff. */
function kindsOfCaller({ who }: OwnCaller): NoticeKind[] {
  const heard = [
    ...who.memberships.flatMap((each) => kindsOf(each)),
    ...(who.staffRole === null ? [] : kindsOf({ staffRole: who.staffRole })),
  ];
  return noticeKinds.filter((kind) => heard.includes(kind));
}

/** The person's settings for notices by mail; nothing for people without notices. */
export async function noticesCard(
  caller: OwnCaller,
  errors: FieldErrors,
): Promise<Html | undefined> {
  const kinds = kindsOfCaller(caller);
  if (kinds.length === 0) return undefined;
  const words = allWords[caller.language];
  const settings = await findNoticeSettings(caller.people.database, caller.who.person.id);
  const options = choices.map((each) => [each, words.choices[each]] as const);
  const { kinds: names } = noticeWords[caller.language];
  const zone = settings.quiet?.timeZone ?? caller.timeZone;
  const zones = [...new Set([zone, caller.timeZone, ...timeZones])];
  const content = html`${kinds.map((kind) =>
    select(kind, names[kind], options, { value: choiceOf(settings, kind) }),
  )}
<h3>${words.quiet}</h3><p class="hint">${words.quietHint}</p>
${time('from', words.from, timeOf(settings.quiet?.fromMinutes))}${time('until', words.until, timeOf(settings.quiet?.untilMinutes))}
${errors.quiet === undefined ? undefined : html`<p class="error" role="alert">${errors.quiet}</p>`}
${select(
  'timeZone',
  words.timeZone,
  zones.map((each) => [each, each.replace('_', ' ')] as const),
  { value: zone },
)}
${button('notices', caller.words.save)}`;
  return html`<section class="card" id="notices"><h2>${words.title}</h2>
<p class="hint">${words.hint}</p>${form(caller, content)}</section>`;
}

/** Reads the card's form. @throws VALIDATION_ERROR */
export function saveNotices(caller: OwnCaller, sent: SentForm): Promise<void> {
  return saveNoticeSettings(caller.people.database, caller.who.person.id, {
    choices: Object.fromEntries(kindsOfCaller(caller).map((kind) => [kind, sent.text(kind)])),
    quietFrom: sent.text('from'),
    quietUntil: sent.text('until'),
    timeZone: sent.text('timeZone'),
  });
}

const time = (name: string, label: string, value: string): Html =>
  html`<div class="field"><label for="${name}">${label}</label><input id="${name}" name="${name}" type="time" value="${value}"></div>`;

function timeOf(minutes: QuietHours['fromMinutes'] | undefined): string {
  if (minutes === undefined) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
}
