import { isLoopback } from '../network/networks.ts';
import type { Kind } from './kinds.ts';

const group = { group: 'Mail and notices' };

/** The mail server that accepts outgoing mail. */
export interface MailServer {
  host: string;
  port: number;
  /** TLS from the first byte; if false, STARTTLS. */
  isSecure: boolean;
  /** Undefined: the server accepts mail without a login. */
  login: { user: string; password: string } | undefined;
}

export interface MailSetting {
  server: MailServer;
  from: { name: string; address: string };
}

/** The company's endpoint for notices. */
export interface NoticeWebhook {
  url: string;
  /** In the format of webhook secrets: `whsec_` and base64. */
  secret: string;
}

const address = /^[!#-'*+\-/-9=?A-Z^-~.]{1,64}@[a-z0-9-]+(\.[a-z0-9-]+)*$/i;

const smtpUrlRule =
  'smtps://user:password@host:465 (TLS from the start) or smtp://user:password@host:587 (with STARTTLS; without TLS only to this machine), with special characters percent-encoded';

/** Parses a text such as `smtps://user:password@mail.example.cv:465`; undefined if it is invalid. */
function mailServerOf(given: string): MailServer | undefined {
  const url = URL.parse(given);
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '') return undefined;
  if (!/^\/?$/.test(url.pathname) || /[?#\s]/.test(given)) return undefined;
  if ((url.username === '') !== (url.password === '')) return undefined;
  const isSecure = url.protocol === 'smtps:';
  try {
    const [user, password] = [url.username, url.password].map(decodeURIComponent) as [
      string,
      string,
    ];
    if (/\p{Cc}/u.test(user + password)) return undefined;
    return {
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port) || (isSecure ? 465 : 587),
      isSecure,
      login: user === '' ? undefined : { user, password },
    };
  } catch {
    return undefined;
  }
}

const smtpUrl: Kind<string> = {
  rule: smtpUrlRule,
  parse: (given) => (mailServerOf(given) ? given : undefined),
};

const sender: Kind<MailSetting['from']> = {
  rule: 'an e-mail address, alone or after a name: Zimbo <zimbo@example.cv>',
  parse(given) {
    const [, name = '', inBrackets] = /^([^<>"\p{Cc}]{0,100}?)\s*<([^<>]+)>$/u.exec(given) ?? [];
    const found = inBrackets ?? given;
    return address.test(found) ? { name: name.trim(), address: found } : undefined;
  },
};

const noticeUrl: Kind<string> = {
  rule: 'a URL that begins with https:// (http:// only for this machine), without user and fragment',
  parse(given) {
    const url = URL.parse(given);
    if (url?.username !== '' || url.password !== '' || /[\s#]/.test(given)) return undefined;
    const isPlain = url.protocol === 'http:' && isLoopback(url.hostname);
    return url.protocol === 'https:' || isPlain ? given : undefined;
  },
};

const webhookSecret: Kind<string> = {
  rule: 'whsec_ and at least 24 bytes in base64',
  parse(given) {
    const isShaped = /^whsec_[A-Za-z0-9+/]+={0,2}$/.test(given);
    return isShaped && Buffer.from(given.slice(6), 'base64').length >= 24 ? given : undefined;
  },
};

/** How people and the company learn what needs their attention. */
export const noticeVariables = {
  SMTP_URL: {
    ...group,
    kind: smtpUrl,
    otherwise: 'no mail is sent',
    about:
      'The mail server that takes invitations and [notices](notices.md#mail). Requires MAIL_FROM.',
    example: 'smtps://zimbo:secret@mail.example.cv:465',
    secret: true as const,
  },
  MAIL_FROM: {
    ...group,
    kind: sender,
    otherwise: 'no mail is sent',
    about: 'The sender of mail.',
    example: 'Zimbo <zimbo@example.cv>',
  },
  NOTICE_WEBHOOK_URL: {
    ...group,
    kind: noticeUrl,
    otherwise: 'none',
    about:
      "Where the company that runs the gateway gets the staff's notices, [as signed JSON](notices.md#webhook). Private addresses need WEBHOOK_ALLOW_PRIVATE=true.",
    example: 'https://alerts.example.cv/zimbo',
    // Some receivers authenticate senders by a secret part of the URL.
    secret: true as const,
  },
  NOTICE_WEBHOOK_SECRET: {
    ...group,
    kind: webhookSecret,
    otherwise: 'none; required with NOTICE_WEBHOOK_URL, here or as a file',
    about: 'The secret that signs these requests.',
    example: 'whsec_ and the output of openssl rand -base64 32',
    secret: true as const,
  },
};

type Name = keyof typeof noticeVariables;
type Values = Partial<Record<string, unknown>>;

/** Both are undefined if not set; an incomplete setting is a problem. */
export function noticeSettings(
  values: Values,
  env: NodeJS.ProcessEnv,
  problems: string[],
): { mail: MailSetting | undefined; noticeWebhook: NoticeWebhook | undefined } {
  const need = (name: Name, why: Name) => {
    if (env[name] || !env[why]) return;
    problems.push(
      `${name} is required with ${why}. For example: ${name}=${noticeVariables[name].example}`,
    );
  };
  const url = values.SMTP_URL as string | undefined;
  const from = values.MAIL_FROM as MailSetting['from'] | undefined;
  need('MAIL_FROM', 'SMTP_URL');
  need('SMTP_URL', 'MAIL_FROM');
  const secret = values.NOTICE_WEBHOOK_SECRET as string | undefined;
  const target = values.NOTICE_WEBHOOK_URL as string | undefined;
  need('NOTICE_WEBHOOK_SECRET', 'NOTICE_WEBHOOK_URL');
  need('NOTICE_WEBHOOK_URL', 'NOTICE_WEBHOOK_SECRET');
  return {
    mail: url === undefined || !from ? undefined : { server: mailServerOf(url)!, from },
    noticeWebhook:
      target === undefined || secret === undefined ? undefined : { url: target, secret },
  };
}
