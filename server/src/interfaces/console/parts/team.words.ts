import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.team,
  name: labels.pt.name,
  you: '(a sua conta)',
  disabled: 'Desativada',
  email: labels.pt.email,
  role: labels.pt.role,
  roles: 'O que cada função permite',
  signsIn: 'Entra com',
  passkey: labels.pt.passkey,
  password: labels.pt.passwordAndCode,
  since: labels.pt.since,
  change: labels.pt.change,
  changeOf: (name: string) => `Alterar: ${name}`,
  roleOf: (name: string) => `Função de ${name}`,
  remove: 'Remover da equipa',
  invitations: 'Convites por aceitar',
  noInvitations: 'Não há convites por aceitar.',
  expires: 'Expira em',
  revoke: labels.pt.revoke,
  revokeOf: (email: string) => `Revogar o convite de ${email}`,
  invite: 'Convidar alguém',
  makeLink: labels.pt.createInvitationLink,
  linkTitle: 'Envie este link',
  linkHint:
    'O link serve uma só vez, durante sete dias, e não volta a ser mostrado. Envie-o à pessoa por WhatsApp, SMS ou e-mail.',
  copyLink: labels.pt.copyLink,
  mailed: (email: string) =>
    `O convite foi enviado para ${email}. Só o e-mail tem o link, que serve uma vez, durante sete dias.`,
  notMailed:
    'Não foi possível enviar o convite por e-mail. Confirme o endereço e convide de novo mais tarde.',
  tooManyInvitations:
    'Há demasiados convites em aberto, ou feitos nas últimas 24 horas. Revogue alguns ou volte amanhã.',
  wrongEmail: messages.pt.enterEmail,
  isMember: 'Esta pessoa já pertence à equipa: altere a função dela.',
  lastOwner: 'É o último proprietário: dê primeiro essa função a outra pessoa.',
  staysCashier:
    'Quem entrou por código QR fica na caixa. Para outra função, convide a pessoa por e-mail.',
  noEmail: 'Sem e-mail',
  pin: 'PIN',
  byQr: 'Código QR',
  rolesPage: 'Quem pode fazer o quê, e funções próprias',
  qrInvite: 'Alguém sem e-mail',
  qrInviteHint: 'Para quem trabalha na caixa: lê um código QR do seu ecrã, e escolhe um PIN.',
  makeQr: 'Criar código QR',
  qrTitle: 'Leia este código com o telemóvel',
  qrHint:
    'Só para a pessoa que está consigo: o código serve uma vez, e não volta a ser mostrado. Não o envie a mais ninguém.',
  qrPicture: 'Código QR do convite',
  newPin: 'Novo PIN por código QR',
  tills: 'Telemóveis da loja',
  tillsHint:
    'Nestes telemóveis, as pessoas da loja mudam entre si com um PIN. Para acrescentar um, entre nele com a sua conta e abra «A minha conta».',
  noTills: 'Ainda não há nenhum.',
  enrolledBy: 'acrescentado por',
  revokeTill: labels.pt.unlink,
  revokeTillOf: (label: string) => `Retirar o telemóvel: ${label}`,
  gone: 'Já não existe: entretanto, alguém fez alterações.',
  done: {
    revoked: 'O convite foi revogado.',
    changed: 'A função foi alterada.',
    removed: 'A pessoa foi removida da equipa.',
    'end-till': 'O telemóvel foi retirado. As sessões nele terminaram.',
  } as Record<string, string>,
};

const en: typeof pt = {
  title: labels.en.team,
  name: labels.en.name,
  you: '(you)',
  disabled: 'Disabled',
  email: labels.en.email,
  role: labels.en.role,
  roles: 'What each role can do',
  signsIn: 'Signs in with',
  passkey: labels.en.passkey,
  password: labels.en.passwordAndCode,
  since: labels.en.since,
  change: labels.en.change,
  changeOf: (name: string) => `Change: ${name}`,
  roleOf: (name: string) => `Role of ${name}`,
  remove: 'Remove from the team',
  invitations: 'Open invitations',
  noInvitations: 'No open invitations.',
  expires: 'Expires on',
  revoke: labels.en.revoke,
  revokeOf: (email: string) => `Revoke the invitation for ${email}`,
  invite: 'Invite somebody',
  makeLink: labels.en.createInvitationLink,
  linkTitle: 'Send this link',
  linkHint:
    'The link works once, for seven days, and is not shown again. Send it to the person by WhatsApp, SMS or e-mail.',
  copyLink: labels.en.copyLink,
  mailed: (email: string) =>
    `The invitation was sent to ${email}. Only the e-mail contains the link: it works once, for seven days.`,
  notMailed:
    'The invitation could not be sent by e-mail. Check the address, and invite again later.',
  tooManyInvitations:
    'Too many invitations are open, or were made in the last 24 hours. Revoke some, or come back tomorrow.',
  wrongEmail: messages.en.enterEmail,
  isMember: 'This person is already on the team: change their role.',
  lastOwner: 'This is the last owner: make somebody else an owner first.',
  staysCashier:
    'People who joined by a QR code stay cashiers. For another role, invite them by e-mail.',
  noEmail: 'No e-mail',
  pin: 'PIN',
  byQr: 'QR code',
  rolesPage: 'Who may do what, and your custom roles',
  qrInvite: 'Somebody without e-mail',
  qrInviteHint:
    'For whoever works at the till: they scan a QR code from your screen, and choose a PIN.',
  makeQr: 'Create QR code',
  qrTitle: 'Scan this code with the phone',
  qrHint:
    'Only for the person beside you: the code works once, and is not shown again. Send it to nobody else.',
  qrPicture: 'QR code of the invitation',
  newPin: 'New PIN by QR code',
  tills: 'Shared phones',
  tillsHint:
    'On these phones, the people of the shop change by a PIN. To add one, sign in on it with your account, and open “My account”.',
  noTills: 'There are none yet.',
  enrolledBy: 'added by',
  revokeTill: labels.en.unlink,
  revokeTillOf: (label: string) => `Unlink the phone: ${label}`,
  gone: 'This no longer exists: somebody has changed it in the meantime.',
  done: {
    revoked: 'The invitation has been revoked.',
    changed: 'The role has been changed.',
    removed: 'The person has been removed from the team.',
    'end-till': 'The phone has been unlinked, and the sessions on it have ended.',
  },
};

export type TeamWords = typeof pt;

export const teamWords: Record<Language, TeamWords> = { pt, en };
