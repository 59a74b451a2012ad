import type { Language } from '../words/common.ts';

const pt = {
  title: 'Equipa',
  name: 'Nome',
  you: '(você)',
  disabled: 'Bloqueado',
  email: 'E-mail',
  role: 'Função',
  roles: 'O que cada função pode',
  signsIn: 'Entra com',
  passkey: 'chave de acesso',
  password: 'palavra-passe e código',
  since: 'Desde',
  change: 'Mudar',
  changeOf: (name: string) => `Mudar: ${name}`,
  roleOf: (name: string) => `Função de ${name}`,
  remove: 'Remover da equipa',
  invitations: 'Convites por aceitar',
  noInvitations: 'Não há convites por aceitar.',
  expires: 'Expira em',
  revoke: 'Revogar',
  revokeOf: (email: string) => `Revogar o convite de ${email}`,
  invite: 'Convidar alguém',
  makeLink: 'Criar link de convite',
  linkTitle: 'Envie este link',
  linkHint:
    'Serve uma só vez, durante sete dias, e não volta a ser mostrado. Envie-o à pessoa por WhatsApp, SMS ou e-mail.',
  copyLink: 'Copiar link',
  mailed: (email: string) =>
    `O convite foi enviado para ${email}. Só o e-mail tem o link: serve uma vez, durante sete dias.`,
  notMailed:
    'O convite não pôde ser enviado por e-mail. Confirme o endereço e convide de novo mais tarde.',
  tooManyInvitations:
    'Já há demasiados convites em aberto ou feitos nas últimas 24 horas. Revogue alguns, ou volte amanhã.',
  wrongEmail: 'Escreva um e-mail, como maria@loja.cv.',
  isMember: 'Já pertence à equipa: mude a sua função.',
  lastOwner: 'É o último proprietário: torne primeiro outra pessoa proprietária.',
  gone: 'Já não existe: entretanto alguém o mudou.',
  done: {
    revoked: 'O convite foi revogado.',
    changed: 'A função foi mudada.',
    removed: 'A pessoa foi removida da equipa.',
  } as Record<string, string>,
};

const en: typeof pt = {
  title: 'Team',
  name: 'Name',
  you: '(you)',
  disabled: 'Disabled',
  email: 'E-mail',
  role: 'Role',
  roles: 'What each role may do',
  signsIn: 'Signs in with',
  passkey: 'passkey',
  password: 'password and code',
  since: 'Since',
  change: 'Change',
  changeOf: (name: string) => `Change: ${name}`,
  roleOf: (name: string) => `Role of ${name}`,
  remove: 'Remove from the team',
  invitations: 'Open invitations',
  noInvitations: 'There are no open invitations.',
  expires: 'Expires on',
  revoke: 'Revoke',
  revokeOf: (email: string) => `Revoke the invitation of ${email}`,
  invite: 'Invite somebody',
  makeLink: 'Create an invitation link',
  linkTitle: 'Send this link',
  linkHint:
    'It works once, for seven days, and is not shown again. Send it to the person by WhatsApp, SMS or e-mail.',
  copyLink: 'Copy link',
  mailed: (email: string) =>
    `The invitation was mailed to ${email}. Only the mail holds the link: it works once, for seven days.`,
  notMailed: 'The invitation could not be mailed. Check the address, and invite again later.',
  tooManyInvitations:
    'Too many invitations are open, or were made in the last 24 hours. Revoke some, or come back tomorrow.',
  wrongEmail: 'Enter an e-mail address such as maria@loja.cv.',
  isMember: 'They are in the team already: change their role.',
  lastOwner: 'That is the last owner: make somebody else owner first.',
  gone: 'It is gone: somebody has changed it meanwhile.',
  done: {
    revoked: 'The invitation was revoked.',
    changed: 'The role was changed.',
    removed: 'The person was removed from the team.',
  },
};

export type TeamWords = typeof pt;

export const teamWords: Record<Language, TeamWords> = { pt, en };
