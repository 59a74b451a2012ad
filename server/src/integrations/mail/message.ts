import type { MailSetting } from '../../platform/config/notice-variables.ts';
import { type Html, html } from '../../platform/text/html.ts';

/** What a mail says. Nothing of strangers stands in a header, so none of them can write one. */
export interface MailText {
  subject: string;
  language: 'pt' | 'en';
  /** Each of them a paragraph, or a thing with a link. */
  parts: readonly MailPart[];
}

export type MailPart =
  | string
  | { title: string; text?: string; link: { label: string; url: string } };

export interface OutgoingMail extends MailText {
  to: string;
  /** The same message has the same, however often it is sent. */
  id: string;
  atMs: number;
}

const longestName = 60;

/**
 * A name that somebody chose, as it may stand in a mail: without line breaks, without characters that turn text or
 * cannot be seen, and with nothing that a mail program would make a link of.
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

/** The whole message, as a mail server takes it. */
export async function composeMail(given: OutgoingMail, from: MailSetting['from']): Promise<Buffer> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const mail = { ...given, subject: given.subject.replace(/\p{C}+/gu, ' ') };
  const composer = new MailComposer({
    from,
    to: { name: '', address: mail.to },
    subject: mail.subject,
    date: new Date(mail.atMs),
    messageId: `<${mail.id}@${from.address.split('@')[1]}>`,
    // Nobody's absence is told to a program.
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
