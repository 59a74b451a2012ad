import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { MailSetting } from '../../platform/config/notice-variables.ts';
import { isLoopback } from '../../platform/network/networks.ts';
import { composeMail, type OutgoingMail } from './message.ts';

/**
 * The result of sending a mail. REFUSED: never. LATER: not now, and nobody has it. UNKNOWN: no answer came after the
 * mail was transmitted, so the server may have accepted it.
 */
export type MailResult =
  | { kind: 'SENT' }
  | { kind: 'REFUSED' | 'LATER' | 'UNKNOWN'; error: string };

/** Sends mail through the server, one connection for each. Never throws: errors are part of the result. */
export interface Mailer {
  send(mail: OutgoingMail): Promise<MailResult>;
  /** Connects, encrypts and signs in, and sends nothing. */
  check(): Promise<MailResult>;
}

export interface MailerOptions extends MailSetting {
  /** The time limit for everything: look-up, connection, TLS, the whole conversation. */
  timeoutMs?: number;
  /** Certificates to trust besides the usual ones; for tests. */
  ca?: string;
}

/** How long a mail may take, in milliseconds. */
export const mailTimeoutMs = 20_000;
const longestError = 200;
const asciiOnly =
  'the mail server does not offer SMTPUTF8, so it accepts only addresses in Latin letters without accents';

export function createMailer(options: MailerOptions): Mailer {
  return {
    async send(mail) {
      const message = await composeMail(mail, options.from);
      const envelope = { from: options.from.address, to: [mail.to] };
      const isAscii = !/[^\0-\x7f]/.test(mail.to);
      return converse(options, (connection, done, extensions) => {
        if (isAscii || /[ -]SMTPUTF8\b/i.test(extensions)) connection.send(envelope, message, done);
        else done(Object.assign(new Error(asciiOnly), { code: 'EASCII' }));
      });
    },
    check: () => converse(options, (_connection, done) => done(null)),
  };
}

type Failure = Error & {
  code?: string | undefined;
  responseCode?: number | undefined;
  command?: string | undefined;
};
type Done = (error?: Failure | null) => void;

async function converse(
  options: MailerOptions,
  work: (connection: SMTPConnection, done: Done, extensions: string) => void,
): Promise<MailResult> {
  const { server, timeoutMs = mailTimeoutMs } = options;
  // Loaded with the first mail: many gateways send none.
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const connection = new Connection(connectionOptions(options, timeoutMs));
  return new Promise((resolve) => {
    let isHandedOver = false;
    const settle = (result: MailResult) => {
      clearTimeout(timer);
      connection.close();
      resolve(result);
    };
    const fail = (error: Failure) => settle(resultOf(error, isHandedOver));
    const timer = setTimeout(
      () =>
        fail(Object.assign(new Error(`no answer within ${timeoutMs} ms`), { code: 'ETIMEDOUT' })),
      timeoutMs,
    );
    const then = (next: () => void) => (error?: Failure | null) => (error ? fail(error) : next());
    // Even after the time-out: without a listener an error would end the process.
    connection.on('error', (error) => fail(error as Failure));
    // It ends before it says why.
    const ended = () => fail(new Error('the server has closed the connection'));
    connection.on('end', () => setImmediate(ended));
    const begin = (extensions: string) => {
      isHandedOver = true;
      const done = then(() => settle({ kind: 'SENT' }));
      work(connection, done, extensions);
    };
    connection.connect(
      then(() => {
        // The server's answer to EHLO.
        const extensions = String(connection.lastServerResponse);
        if (server.login === undefined) return begin(extensions);
        const { user, password: pass } = server.login;
        connection.login(
          { user, pass },
          then(() => begin(extensions)),
        );
      }),
    );
  });
}

function connectionOptions({ server, ca }: MailerOptions, timeoutMs: number) {
  const { host, port, isSecure } = server;
  return {
    host,
    port,
    secure: isSecure,
    // An eavesdropper must get neither the password nor the mail.
    requireTLS: !isSecure && !isLoopback(host),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    socketCloseTimeout: 0,
    tls: { minVersion: 'TLSv1.2' as const, ...(ca !== undefined && { ca }) },
  };
}

/** A server that refuses us, rather than a mail, needs a correction by its operator or ours: then it works. */
function resultOf(error: Failure, isHandedOver: boolean): MailResult {
  const { code = '', responseCode = 0, command = '', message } = error;
  if (code === 'EASCII') return { kind: 'REFUSED', error: message };
  const text = `${responseCode || code} ${message}`.replace(/[^\x20-\x7e]+/g, ' ').trim();
  const said = text.length > longestError ? `${text.slice(0, longestError)}…` : text;
  const isOfMail = command === 'RCPT TO' || command === 'DATA' || code === 'EMESSAGE';
  if (responseCode >= 500 && isOfMail) return { kind: 'REFUSED', error: said };
  const isAnswered = responseCode >= 400 || !isHandedOver;
  return { kind: isAnswered ? 'LATER' : 'UNKNOWN', error: said };
}
