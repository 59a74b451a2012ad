import { createMailer } from '../../integrations/mail/send.ts';
import type { Config } from '../../platform/config/config.ts';
import { type Check, failure, ok } from './check.ts';

/** Long enough for a server that delays unknown clients. */
const timeoutMs = 8_000;

/** Connects to the mail server, encrypts and signs in, but sends nothing. */
export const mailCheck = ({ mail }: Pick<Config, 'mail'>): Check => ({
  name: 'Mail',
  async run() {
    if (mail === undefined) return ok('SMTP_URL is not set: no mail is sent');
    const { host, port } = mail.server;
    const result = await createMailer({ ...mail, timeoutMs }).check();
    if (result.kind === 'SENT') return ok(`${host}:${port} answers`);
    return failure(
      `${host}:${port} refuses our mail: ${result.error}`,
      'Check SMTP_URL. Zimbo retries unsent mail for three days:  zimbo mail test ADDRESS',
    );
  },
});
