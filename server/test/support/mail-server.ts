import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { selfSigned } from './certificate.ts';
import { cleanUp } from './cleanup.ts';

/** A received mail. Values only, so that a failing assertion can print them. */
export interface LeasedMail {
  from: string;
  to: string;
  isEncrypted: boolean;
  user: string | undefined;
  raw: string;
  /** The plain text and the HTML, decoded. */
  text: string;
  html: string;
}

type Refusal = { at: 'MAIL' | 'RCPT' | 'DATA'; code: number } | undefined;

export interface MailServerOptions {
  /** Requires this user and password. */
  login?: { user: string; password: string };
  /** Offers STARTTLS, or TLS from the first byte. */
  tls?: 'STARTTLS' | 'FROM_START';
  /** The name in its certificate. */
  name?: string;
  /** Accepts only ASCII addresses. */
  isAsciiOnly?: boolean;
  /** The previous port, to start again. */
  port?: number;
}

/** A real mail server in this process, which stores received mail. */
export async function mailServer(
  context: Pick<TestContext, 'after'>,
  options: MailServerOptions = {},
) {
  const taken: LeasedMail[] = [];
  const state = { refusal: undefined as Refusal, holds: false, connections: 0 };
  const certificate = options.tls && selfSigned(options.name ?? '127.0.0.1');
  const refuse = (at: NonNullable<Refusal>['at']) =>
    state.refusal?.at === at
      ? Object.assign(new Error('not today'), { responseCode: state.refusal.code })
      : undefined;
  const handlers: SMTPServerOptions = {
    onConnect(_session, done) {
      state.connections += 1;
      if (!state.holds) done();
    },
    onAuth({ username, password }, _session, done) {
      const { user, password: right } = options.login!;
      if (username === user && password === right) done(null, { user: username });
      else done(new Error('wrong'));
    },
    onMailFrom: (_address, _session, done) => done(refuse('MAIL') ?? null),
    onRcptTo: (_address, _session, done) => done(refuse('RCPT') ?? null),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const refusal = refuse('DATA');
        if (refusal) return done(refusal);
        const { mailFrom, rcptTo } = session.envelope;
        const from = mailFrom === false ? '' : mailFrom.address;
        const { secure, user } = session;
        const to = rcptTo.map(({ address }) => address).join();
        taken.push(
          mailOf(Buffer.concat(chunks).toString(), { from, to, isEncrypted: secure, user }),
        );
        return done();
      });
    },
  };
  const server = new SMTPServer({
    ...handlers,
    ...certificate,
    secure: options.tls === 'FROM_START',
    hideSTARTTLS: options.tls === undefined,
    authOptional: options.login === undefined,
    disabledCommands: [
      ...(options.login === undefined ? ['AUTH'] : []),
      ...(options.tls === undefined ? ['STARTTLS'] : []),
    ],
    allowInsecureAuth: options.tls === undefined,
    hideSMTPUTF8: options.isAsciiOnly ?? false,
    disableReverseLookup: true,
    closeTimeout: 100,
    logger: false,
  });
  // A client that hangs up is not the server's fault.
  server.on('error', () => {});
  server.listen(options.port ?? 0, '127.0.0.1');
  await once(server.server, 'listening');
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  cleanUp(context, stop);
  const { port } = server.server.address() as AddressInfo;
  return { port, taken, state, stop, ca: certificate?.cert };
}

type Envelope = { from: string; to: string; isEncrypted: boolean; user: unknown };

function mailOf(raw: string, { user, ...envelope }: Envelope): LeasedMail {
  const part = (type: string) => {
    const found = new RegExp(
      `Content-Type: ${type}[^]*?(?:Content-Transfer-Encoding: ([^\\r\\n]+))?\\r\\n\\r\\n([^]*?)\\r\\n--`,
    ).exec(raw);
    return decoded(found?.[2] ?? '', found?.[1] ?? '');
  };
  const named = typeof user === 'string' ? user : undefined;
  return {
    ...envelope,
    user: named,
    raw,
    text: part('text/plain'),
    html: part('text/html'),
  };
}

export function headerOf({ raw }: LeasedMail, name: string): string | undefined {
  const [head = ''] = raw.split('\r\n\r\n', 1);
  const lines = head.replace(/\r\n[ \t]+/g, ' ').split('\r\n');
  const start = `${name.toLowerCase()}: `;
  return lines.find((line) => line.toLowerCase().startsWith(start))?.slice(start.length);
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([0-9A-F]{2})/g, (_whole, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
  return Buffer.from(bytes, 'latin1').toString();
}
