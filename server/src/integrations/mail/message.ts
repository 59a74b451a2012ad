import type { MailSetting } from '../../platform/config/notice-variables.ts';
import { type Html, html } from '../../platform/text/html.ts';

/** The content of a mail. No header contains text of strangers, so none of them can inject a header. */
export interface MailText {
  subject: string;
  language: 'pt' | 'en';
  /** Each entry is a paragraph, or a link with its label. */
  parts: readonly MailPart[];
}

export type MailPart =
  | string
  | { title: string; text?: string; link: { label: string; url: string } };

export interface OutgoingMail extends MailText {
  to: string;
  /** The same for each sending of one message. */
  id: string;
  atMs: number;
}

const longestName = 60;

/**
 * A user-chosen name, made safe for a mail: without line breaks, without invisible characters or changes of
 * direction, and without anything that a mail program would turn into a link.
 */
export function nameInMail(name: string): string {
  const seen = name.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').replace(/[:/@\\<>]+/g, ' ');
  const apart = seen
    .replace(/\.(?=\S)/g, '. ')
    .replace(/\s+/g, ' ')
    .trim();
  const characters = Array.from(apart);
  if (characters.length <= longestName) return apart;
  return `${characters.slice(0, longestName - 1).join('')}…`;
}

/** The whole message in the format of SMTP. */
export async function composeMail(given: OutgoingMail, from: MailSetting['from']): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const mail = { ...given, subject: given.subject.replace(/\p{C}+/gu, ' ') };
  const composer = new MailComposer({
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    date: new Date(mail.atMs),
    messageId: `<${mail.id}@${from.address.split('@')[1]}>`,
    // Asks other programs not to send out-of-office replies.
    headers: { 'Auto-Submitted': 'auto-generated', 'Content-Language': mail.language },
    text: plainText(mail),
    html: document(mail).text,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return composer.compile().build();
}

const plainText = ({ parts }: MailText): string =>
  `${parts
    .map((part) => {
      if (typeof part === 'string') return part;
      return [part.title, part.text, part.link.url].filter(Boolean).join('\n');
    })
    .join('\n\n')}\n`;

function document({ language, subject, parts }: MailText): Html {
  return html`<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><title>${subject}</title></head>
<body>${parts.map(partOf)}</body></html>
`;
}

function partOf(part: MailPart): Html {
  if (typeof part === 'string') return html`<p>${part}</p>\n`;
  const { title, text, link } = part;
  return html`<p><b>${title}</b>${text === undefined ? undefined : html`<br>${text}`}<br><a href="${link.url}">${link.label}</a></p>\n`;
}
