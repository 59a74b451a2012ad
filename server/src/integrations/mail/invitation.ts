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
      label: 'Aceitar o convite',
    },
    RESET: {
      subject: 'Voltar a entrar no Zimbo',
      text: 'Foi pedido um novo acesso à sua conta na consola do Zimbo. Se não o pediu, ignore este e-mail.',
      label: 'Escolher como entro',
    },
    once: (until: string) =>
      `O link serve uma vez, até ${until}, a quem o tiver: não o passe a ninguém.`,
  },
  en: {
    INVITATION: {
      subject: 'Invitation to Zimbo',
      text: 'You are invited to the console of Zimbo. If you did not expect this, ignore it.',
      label: 'Accept the invitation',
    },
    RESET: {
      subject: 'Back into Zimbo',
      text: 'New access to your account in the console of Zimbo was asked for. If you did not ask, ignore this mail.',
      label: 'Choose how I sign in',
    },
    once: (until: string) =>
      `The link works once, until ${until}, for whoever has it: pass it on to nobody.`,
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
