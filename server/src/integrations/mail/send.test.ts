import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { skipWithoutCertificates as skip } from '../../../test/support/certificate.ts';
import { headerOf, type MailServerOptions, mailServer } from '../../../test/support/mail-server.ts';
import { loadConfig } from '../../platform/config/config.ts';
import { parseEmail } from '../../tenants/people/person.ts';
import type { OutgoingMail } from './message.ts';
import { nameInMail } from './message.ts';
import { createMailer, type MailerOptions } from './send.ts';

const mail: OutgoingMail = {
  to: 'maria@loja.cv',
  id: '019aa5d4-e0fb-7000-8000-000000000001',
  atMs: Date.parse('2026-11-22T08:00:00.000Z'),
  subject: 'O operador não responde',
  language: 'pt',
  parts: [
    'Olá.',
    { title: 'Título', text: 'Texto', link: { label: 'Ver', url: 'https://x.cv/console' } },
  ],
};

const from = { name: 'Zimbo', address: 'zimbo@example.cv' };
const login = { user: 'zimbo', password: 'p@ss:word/é' };

async function world(context: TestContext, options: MailServerOptions = {}) {
  const server = await mailServer(context, options);
  const mailer = (more: Partial<MailerOptions> = {}, host = '127.0.0.1') => {
    const isSecure = options.tls === 'FROM_START';
    const at = { host, port: server.port, isSecure, login: options.login };
    return createMailer({ server: at, from, timeoutMs: 5_000, ...more });
  };
  return { server, mailer, trusting: () => mailer({ ca: server.ca! }) };
}

test('encrypts a mail from the first byte or by STARTTLS, signs in, and says the same in text and HTML', {
  skip,
}, async (context) => {
  for (const tls of ['FROM_START', 'STARTTLS'] as const) {
    const { server, trusting, mailer } = await world(context, { tls, login });
    assert.deepEqual(await trusting().check(), { kind: 'SENT' });
    assert.equal(server.taken.length, 0);
    assert.deepEqual(await trusting().send(mail), { kind: 'SENT' });
    const [taken] = server.taken;
    assert.deepEqual(
      [taken!.isEncrypted, taken!.user, taken!.to],
      [true, 'zimbo', 'maria@loja.cv'],
    );
    assert.equal(headerOf(taken!, 'Message-ID'), `<${mail.id}@example.cv>`);
    assert.equal(headerOf(taken!, 'Auto-Submitted'), 'auto-generated');
    assert.equal(headerOf(taken!, 'From'), 'Zimbo <zimbo@example.cv>');
    assert.equal(headerOf(taken!, 'Date'), 'Sun, 22 Nov 2026 08:00:00 +0000');
    assert.match(taken!.text, /Olá\.\s+Título\s+Texto\s+https:\/\/x\.cv\/console/);
    assert.match(taken!.html, /<a href="https:\/\/x\.cv\/console">Ver<\/a>/);
    // No authority has signed that certificate.
    assert.equal((await mailer().send(mail)).kind, 'LATER');
    assert.equal(server.taken.length, 1);
  }
});

test('gives a remote server without TLS neither password nor mail, but allows one on this machine', async (context) => {
  const { server, mailer } = await world(context, { login });
  const result = await mailer({}, '0.0.0.0').send(mail);
  assert.equal(result.kind, 'LATER');
  assert.match((result as { error: string }).error, /STARTTLS/);
  assert.deepEqual(server.taken, []);
  assert.deepEqual(await mailer().send(mail), { kind: 'SENT' });
});

test('writes an address with accents unchanged, and never to an ASCII-only server', {
  skip,
}, async (context) => {
  const { server, trusting } = await world(context, { tls: 'STARTTLS', login });
  const to = parseEmail('Jose\u0301@Caf\u00e9.cv');
  assert.deepEqual(await trusting().send({ ...mail, to }), { kind: 'SENT' });
  // Some servers show a domain as in DNS, and some as people read it.
  assert.match(server.taken[0]!.to, /^jos\u00e9@(caf\u00e9|xn--caf-dma)\.cv$/);
  assert.match(headerOf(server.taken[0]!, 'To')!, /^jos\u00e9@(caf\u00e9|xn--caf-dma)\.cv$/);
  const old = await world(context, { tls: 'STARTTLS', login, isAsciiOnly: true });
  const refused = await old.trusting().send({ ...mail, to });
  assert.equal(refused.kind, 'REFUSED');
  assert.match((refused as { error: string }).error, /does not offer SMTPUTF8/);
  // An international domain alone requires nothing of it.
  const domain = parseEmail('ana@caf\u00e9.cv');
  assert.deepEqual(await old.trusting().send({ ...mail, to: domain }), { kind: 'SENT' });
  assert.equal(old.server.taken.length, 1);
  assert.equal(headerOf(old.server.taken[0]!, 'To'), 'ana@xn--caf-dma.cv');
});

test('distinguishes permanent refusals from temporary ones, and from no answer', async (context) => {
  const { server, mailer } = await world(context);
  const refused = async (at: 'MAIL' | 'RCPT' | 'DATA', code: number) => {
    server.state.refusal = { at, code };
    const { kind } = await mailer().send(mail);
    return `${at} ${code} ${kind}`;
  };
  const answers = [
    await refused('RCPT', 550),
    await refused('RCPT', 450),
    await refused('DATA', 554),
    await refused('DATA', 451),
    await refused('MAIL', 553),
    await refused('MAIL', 421),
  ];
  assert.deepEqual(answers, [
    'RCPT 550 REFUSED',
    'RCPT 450 LATER',
    'DATA 554 REFUSED',
    'DATA 451 LATER',
    'MAIL 553 LATER',
    'MAIL 421 LATER',
  ]);
  server.state.refusal = undefined;
  server.state.holds = true;
  assert.match(JSON.stringify(await mailer({ timeoutMs: 200 }).send(mail)), /LATER/);
  await server.stop();
  assert.match(JSON.stringify(await mailer().send(mail)), /LATER.*ECONNREFUSED/);
});

test('retries a mail after a wrong password, which is our own fault', { skip }, async (context) => {
  const { server, mailer } = await world(context, { tls: 'STARTTLS', login });
  const { port } = server;
  const wrong = { host: '127.0.0.1', port, isSecure: false, login: { ...login, password: 'no' } };
  const result = await mailer({ server: wrong, ca: server.ca! }).send(mail);
  assert.equal(result.kind, 'LATER');
  assert.match((result as { error: string }).error, /^535/);
});

test('prevents names of strangers from adding headers, links or changes of direction', async (context) => {
  const { server, mailer } = await world(context);
  const evil =
    'Loja\r\nBcc: all@bank.cv\r\n\r\n<script>x</script> https://evil.cv www.evil.cv \u202egnp';
  const name = nameInMail(evil);
  assert.equal(name, 'Loja Bcc all bank. cv script x script https evil. cv www. e…');
  await mailer().send({ ...mail, subject: `Hello ${evil}`, parts: [name] });
  const [taken] = server.taken;
  assert.equal(taken!.to, 'maria@loja.cv');
  assert.equal(headerOf(taken!, 'Bcc'), undefined);
  assert.doesNotMatch(taken!.raw, /^Bcc:/im);
  assert.doesNotMatch(taken!.html, /<script|href/);
});

test('reads SMTP_URL and MAIL_FROM as intended, and rejects wrong values by name', () => {
  const load = (env: Record<string, string>) => loadConfig(env, 'command');
  const MAIL_FROM = 'Zimbo <zimbo@example.cv>';
  const { mail: read } = load({ SMTP_URL: 'smtps://z:p%40ss%3Aw@mail.example.cv', MAIL_FROM });
  assert.deepEqual(read, {
    server: {
      host: 'mail.example.cv',
      port: 465,
      isSecure: true,
      login: { user: 'z', password: 'p@ss:w' },
    },
    from,
  });
  assert.equal(load({ SMTP_URL: 'smtp://[::1]', MAIL_FROM }).mail?.server.port, 587);
  assert.equal(load({}).mail, undefined);
  const wrong: [Record<string, string>, RegExp][] = [
    [
      { SMTP_URL: 'https://mail.example.cv', MAIL_FROM },
      /SMTP_URL must be.*For example: SMTP_URL=smtps:/,
    ],
    [{ SMTP_URL: 'smtps://only-user@mail.example.cv', MAIL_FROM }, /SMTP_URL must be/],
    [{ SMTP_URL: 'smtps://a:b@mail.example.cv/x', MAIL_FROM }, /SMTP_URL must be/],
    [{ SMTP_URL: 'smtps://a:%0d%0a@mail.example.cv', MAIL_FROM }, /SMTP_URL must be/],
    [{ SMTP_URL: 'smtps://a:b@mail.example.cv' }, /MAIL_FROM is required with SMTP_URL/],
    [{ MAIL_FROM }, /SMTP_URL is required with MAIL_FROM/],
    [
      { SMTP_URL: 'smtp://localhost', MAIL_FROM: 'Zimbo\r\nBcc: x@y.cv <z@x.cv>' },
      /MAIL_FROM must be/,
    ],
    [{ NOTICE_WEBHOOK_URL: 'http://x.cv/', NOTICE_WEBHOOK_SECRET: 'whsec_short' }, /2 settings/],
    [{ NOTICE_WEBHOOK_URL: 'https://x.cv/' }, /NOTICE_WEBHOOK_SECRET is required/],
  ];
  for (const [env, message] of wrong) assert.throws(() => load(env), { message });
  const secret = 'smtps://a:s3cret@mail.example.cv/x';
  assert.throws(
    () => load({ SMTP_URL: secret, MAIL_FROM }),
    (error: Error) => !error.message.includes('s3cret'),
  );
});
