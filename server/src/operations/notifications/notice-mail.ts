import { type MailPart, type MailText, nameInMail } from '../../integrations/mail/message.ts';
import { isMoment } from '../../platform/notices/notice.ts';
import { dateTimeFormat } from '../../platform/values/intl-formats.ts';
import { timeZoneAt, timeZonesOf } from '../../tenants/merchants/time-zone.ts';
import { holds } from '../../tenants/people/permissions.ts';
import type { Language } from '../../tenants/people/person.ts';
import { rolesFor } from './audience.ts';
import { pageOf, type StaffAddress } from './links.ts';
import type { MailedNotice } from './mail-store.ts';
import { words as allWords } from './notice-mail.words.ts';
import { noticeWords } from './notices.words.ts';
import { choiceOf, settingsIn } from './settings.ts';

/** A mail lists this many notices; the console shows the rest. */
const mostNamed = 20;

/** Whether a notice still concerns the person: not if it ended before they heard of it, or their role changed. */
export function isWanted(notice: MailedNotice): boolean {
  const { staff, permissions } = rolesFor(notice);
  const { role, staffRole } = notice;
  const may =
    notice.place === 'STAFF'
      ? staffRole !== null && staff.includes(staffRole)
      : role !== null && permissions.some((each) => holds({ ...notice, role }, each));
  const choice = choiceOf(settingsIn(notice), notice.kind);
  const isOn = notice.endedAtMs === null || notice.isOver || isMoment(notice.kind);
  return may && isOn && (choice === 'MAIL' || choice === 'MAIL_ALWAYS');
}

/**
 * Builds the mail from our own texts, escaped merchant names, and links below CONSOLE_URL.
 * @param address with the time zone of the installation
 */
export function noticeMail(
  gathered: readonly MailedNotice[],
  address: StaffAddress & { timeZone: string },
): MailText {
  const notices = gathered.map((notice) => ({ ...notice, cell: address.cell }));
  const { language } = notices[0]!;
  const words = allWords[language];
  const first = titleOf(notices[0]!);
  const named = notices.slice(0, mostNamed);
  return {
    language,
    subject: notices.length === 1 ? first : words.several(first, notices.length - 1),
    parts: [
      ...named.map((notice) => partOf(notice, language, address)),
      ...(notices.length > mostNamed ? [words.others(notices.length - mostNamed)] : []),
      {
        title: words.why,
        link: { label: words.settings, url: `${address.consoleUrl}/console/account` },
      },
    ],
  };
}

/** Adds `Over:` if the person has received the beginning. */
function titleOf(notice: MailedNotice): string {
  const title = noticeWords[notice.language].title(notice);
  const isOver = notice.isOver && notice.endedAtMs !== null;
  return isOver ? `${allWords[notice.language].over}: ${title}` : title;
}

/** A shop's notice has the shop's time, as its pages do; the staff's has the reader's or the installation's. */
function zoneOf(notice: MailedNotice, installationZone: string): string {
  if (notice.place === 'STAFF') return settingsIn(notice).quiet?.timeZone ?? installationZone;
  return timeZoneAt(timeZonesOf(notice, installationZone), notice.atMs);
}

function partOf(
  notice: MailedNotice,
  language: Language,
  { consoleUrl, staffFolder, timeZone }: StaffAddress & { timeZone: string },
): MailPart {
  const zone = zoneOf(notice, timeZone);
  const { text, more } = noticeWords[language];
  const words = allWords[language];
  const { merchantName, place, atMs } = notice;
  const at = dateTimeFormat(language === 'pt' ? 'pt-PT' : 'en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: zone,
  }).format(atMs);
  const who = merchantName === null ? '' : ` · ${nameInMail(merchantName)}`;
  const others = notice.more > 0 ? ` (${more(notice.more)})` : '';
  return {
    title: `${titleOf(notice)}${who}`,
    text: `${at} (${zone})${others}. ${text(notice)}`,
    link: { label: words.look, url: `${consoleUrl}${pageOf(place, notice, staffFolder)}` },
  };
}
