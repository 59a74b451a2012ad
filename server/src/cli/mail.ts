import type { Command } from 'commander';
import type { Config } from '../config/config.ts';
import type { Mailer } from '../mail/send.ts';
import { StartError } from '../start-error.ts';
import { type Output, printJson } from './output.ts';
import { commandConfig } from './workspace.ts';

const help = `
Examples:
  $ zimbo mail test maria@gateway.cv`;

export function addMailCommands(program: Command): void {
  const mail = program.command('mail').description('the mail server of SMTP_URL');
  mail
    .command('test')
    .description('send a mail to see that it arrives')
    .argument('<address>', 'to whom')
    .option('--json', 'print {"sent": true}')
    .addHelpText('after', help)
    .action(test);
}

/** @throws StartError without a mail server */
export async function mailerOf({ mail }: Pick<Config, 'mail'>): Promise<Mailer> {
  if (mail === undefined) {
    throw new StartError(
      'No mail server is configured.',
      'Set SMTP_URL and MAIL_FROM: docs/configuration.md describes them.',
    );
  }
  const { createMailer } = await import('../mail/send.ts');
  return createMailer(mail);
}

async function test(given: string, { json }: Output): Promise<void> {
  const mailer = await mailerOf(await commandConfig());
  const [{ parseEmail }, { randomUUID }] = await Promise.all([
    import('../people/person.ts'),
    import('node:crypto'),
  ]);
  const result = await mailer.send({
    to: parseEmail(given),
    id: randomUUID(),
    atMs: Date.now(),
    subject: 'Zimbo can send mail',
    language: 'en',
    parts: ['This is a test of SMTP_URL and MAIL_FROM. There is nothing to do.'],
  });
  if (result.kind !== 'SENT') {
    const advice = 'Check SMTP_URL and MAIL_FROM, and the log of the mail server.';
    throw new StartError(`The mail server did not take it: ${result.error}.`, advice);
  }
  if (json) printJson({ sent: true });
  else console.log(`The mail server has taken it. See whether it arrives at ${given}.`);
}
