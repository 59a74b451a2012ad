import { labels } from '../../platform/text/labels.ts';
import type { MailText } from './message.ts';
import type { Mailer, MailResult } from './send.ts';

/** A link that signs its reader in: it exists only in the mail, and is not stored. */
export interface InvitationMail {
  id: string;
  email: string;
  url: string;
  expiresAtMs: number;
  kind: 'INVITATION' | 'RESET';
  /** The language of the inviter; the invitee's is unknown. */
  language: 'pt' | 'en';
}

const words = {
  pt: {
    INVITATION: {
      subject: 'Convite para o Zimbo',
      text: 'Recebeu um convite para a consola do Zimbo. Se não o esperava, ignore este e-mail.',
      label: labels.pt.acceptTheInvitation,
    },
    RESET: {
      subject: 'Voltar a entrar no Zimbo',
      text: 'Foi pedido um novo acesso à sua conta na consola do Zimbo. Se não o pediu, ignore este e-mail.',
      label: 'Escolher como entro',
    },
    once: (until: string) =>
      `O link serve uma só vez, até ${until}, e deixa entrar quem o tiver: não o partilhe.`,
  },
  en: {
    INVITATION: {
      subject: 'Invitation to Zimbo',
      text: 'You have been invited to the Zimbo console. If you did not expect this, ignore this e-mail.',
      label: labels.en.acceptTheInvitation,
    },
    RESET: {
      subject: 'Sign in to Zimbo again',
      text: 'Somebody requested new access to your account in the Zimbo console. If you did not ask for it, ignore this e-mail.',
      label: 'Choose how I sign in',
    },
    once: (until: string) =>
      `The link works once, until ${until}, for anyone who has it: do not share it.`,
  },
};

export function invitationText({ kind, language, url, expiresAtMs }: InvitationMail): MailText {
  const { once, ...kinds } = words[language];
  const { subject, text, label } = kinds[kind];
  const until = `${new Date(expiresAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return { language, subject, parts: [{ title: text, link: { label, url } }, once(until)] };
}

/** Mails a link at once: the inviter learns whether that succeeded, and has the link. */
export function mailInvitation(
  mailer: Mailer,
  invitation: InvitationMail,
  nowMs: number,
): Promise<MailResult> {
  const { id, email } = invitation;
  return mailer.send({ ...invitationText(invitation), to: email, id, atMs: nowMs });
}
