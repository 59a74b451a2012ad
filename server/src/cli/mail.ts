import type { Command } from 'commander';
import type { Mailer } from '../integrations/mail/send.ts';
import { StartError } from '../platform/errors/start-error.ts';
import type { MadeInvitation } from '../tenants/people/invitations.ts';
import { type Output, printJson } from './output.ts';
import { commandConfig } from './workspace.ts';

const help = `
Examples:
  $ zimbo mail test maria@gateway.cv`;

export function addMailCommands(program: Command): void {
  const mail = program.command('mail').description('the mail server of SMTP_URL');
  mail
    .command('test')
    .description('send a test mail')
    .argument('<address>', 'to whom')
    .option('--json', 'print {"sent": true}')
    .addHelpText('after', help)
    .action(test);
}

/** @throws StartError without a mail server */
export async function configuredMailer(): Promise<Mailer> {
  const { mail } = await commandConfig();
  if (mail === undefined) {
    throw new StartError(
      'No mail server is configured.',
      'Set SMTP_URL and MAIL_FROM: docs/configuration.md describes them.',
    );
  }
  const { createMailer } = await import('../integrations/mail/send.ts');
  return createMailer(mail);
}

/**
 * Mails a new link. A new user's language is not known yet, so the mail is in Portuguese. @throws StartError if the
 * mail server refused the mail
 */
export async function mailLink(
  made: MadeInvitation,
  url: string,
  kind: 'INVITATION' | 'RESET',
): Promise<void> {
  const { mailInvitation } = await import('../integrations/mail/invitation.ts');
  const mail = { ...made, url, kind, language: 'pt' } as const;
  const result = await mailInvitation(await configuredMailer(), mail, Date.now());
  if (result.kind === 'SENT') return;
  const advice = 'The link is shown above: send it in another way.';
  throw new StartError(`The link was not mailed: ${result.error}.`, advice);
}

async function test(given: string, { json }: Output): Promise<void> {
  const mailer = await configuredMailer();
  const [{ parseEmail }, { randomUUID }] = await Promise.all([
    import('../tenants/people/person.ts'),
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
    throw new StartError(`The mail server refused it: ${result.error}.`, advice);
  }
  if (json) printJson({ sent: true });
  else console.log(`The mail server accepted it. Check that it arrives at ${given}.`);
}
