import { formatId } from '../platform/values/ids.ts';
import type { MadeInvitation } from '../tenants/people/invitations.ts';
import { consoleAddress } from './console-address.ts';
import { formatInstant, type Output, printOnce } from './output.ts';
import type { Workspace } from './workspace.ts';

export type Linking = Output & { mail?: boolean };

/** Shows the link of an invitation or a reset, and mails it on request. */
export async function printLink(
  made: MadeInvitation,
  config: Workspace['config'],
  kind: 'INVITATION' | 'RESET',
  { json, mail }: Linking,
): Promise<void> {
  const { invitationUrl } = await import('../tenants/people/invitations.ts');
  const { token, email, expiresAtMs } = made;
  const id = formatId('iv', made.id);
  const url = invitationUrl(await consoleAddress(config), token);
  const printed = printOnce(
    { json },
    {
      object: { id, url, expiresAt: new Date(expiresAtMs).toISOString() },
      fields: { For: email, Link: url, Until: `${formatInstant(expiresAtMs)} UTC` },
      words: 'The link works once. Send it only to them: it cannot be shown again.',
      instead: `The link of ${id} could not be shown. Run the command again for a new one.`,
    },
  );
  if (!mail) return printed;
  // The mail still goes out.
  await printed.catch(() => {});
  await (await import('./mail.ts')).mailLink(made, url, kind);
  if (!json) console.log('It was mailed to them.');
}
