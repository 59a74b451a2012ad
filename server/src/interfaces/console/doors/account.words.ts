import { labels } from '../../../platform/text/labels.ts';
import type { SignedInWith } from '../../../tenants/people/sessions.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.myAccount,
  back: 'Voltar ao estabelecimento',
  profile: 'Perfil',
  name: labels.pt.name,
  language: labels.pt.language,
  languages: { pt: 'Português', en: 'English' } as Record<Language, string>,
  locked: 'Alterar a forma de entrar',
  lockedHint:
    'Para alterar chaves de acesso, palavra-passe ou códigos, confirme primeiro a sua identidade.',
  prove: 'Confirmar a identidade',
  passkeys: 'Chaves de acesso',
  passkeysHint:
    'Entra com a impressão digital, o rosto ou o PIN do dispositivo. Ninguém pode adivinhar uma chave de acesso, nem roubá-la com um e-mail falso.',
  noPasskeys: 'Ainda não tem nenhuma.',
  label: 'Nome da nova chave',
  labelHint: 'Para a reconhecer, por exemplo «Telemóvel».',
  add: 'Acrescentar chave de acesso',
  added: 'Criada em',
  used: 'usada em',
  remove: 'Remover',
  rename: 'Alterar o nome',
  newName: 'Nome da chave',
  byLink: 'Entrou por um link',
  byLinkHint:
    'Ainda não tem chave de acesso nem palavra-passe. Crie agora uma delas, aqui em baixo: assim pode voltar a entrar sem o link e confirmar a sua identidade. Só é possível nos dez minutos depois de entrar.',
  password: 'Palavra-passe e códigos',
  noPassword: 'Não tem palavra-passe.',
  hasPassword: (left: number) =>
    `Tem palavra-passe, com códigos de uma aplicação. Códigos de recuperação por usar: ${left}.`,
  change: 'Alterar a palavra-passe',
  renew: 'Criar novos códigos de recuperação',
  renewHint:
    'Os códigos anteriores deixam de servir. As suas outras sessões terminam, e os convites que fez e ninguém aceitou são revogados.',
  newPhone: 'Alterar a palavra-passe e a aplicação de códigos',
  setUp: 'Criar palavra-passe e códigos',
  sessions: 'Onde tem sessões abertas',
  sessionsHint: 'Se não reconhece alguma, termine-a e altere a forma de entrar.',
  unknown: 'Desconhecido',
  here: 'Esta',
  seen: 'última atividade',
  end: 'Terminar',
  endOthers: 'Terminar todas as outras',
  with: {
    PASSKEY: labels.pt.passkey,
    PASSWORD: labels.pt.passwordAndCode,
    RECOVERY_CODE: 'código de recuperação',
    INVITATION: 'convite',
    FIRST_LINK: 'link do primeiro arranque',
    SSO: 'conta da empresa',
    PIN: 'PIN, no telemóvel da loja',
  } as Record<SignedInWith, string>,
  pin: 'PIN para os telemóveis da loja',
  pinHint:
    'Num telemóvel da loja, escolhe o seu nome e escreve este PIN para cobrar em seu nome. O PIN não abre mais nada. Depois de cinco PINs errados, só volta a servir quando entrar com a sua conta.',
  newPin: 'Novo PIN, de 6 algarismos',
  wrongPin: 'Escreva 6 algarismos, que não sejam todos iguais nem seguidos.',
  setPin: 'Guardar o PIN',
  removePin: 'Remover o PIN',
  hasPin: 'Tem um PIN.',
  noPin: 'Não tem PIN.',
  tills: 'Usar este telemóvel como caixa',
  tillsHint:
    'Num telemóvel que várias pessoas usam, cada uma cobra em seu nome: escolhe o seu nome e escreve o seu PIN. A sua sessão termina quando outra pessoa entra.',
  useAsTill: (merchant: string) => `Usar como caixa de ${merchant}`,
  endTill: 'Retirar',
  endTillOf: (label: string) => `Retirar: ${label}`,
  refused: 'Não é possível: já não existe, ou é a única maneira de entrar.',
  tooMany: 'Já tem 20 chaves de acesso. Remova uma primeiro.',
  done: {
    profile: 'Guardado.',
    passkey: 'A chave de acesso foi acrescentada.',
    'passkey-renamed': 'A chave de acesso tem um novo nome.',
    'passkey-removed':
      'A chave de acesso foi removida. As suas outras sessões terminaram, e os convites que fez e ninguém aceitou foram revogados.',
    password:
      'A palavra-passe foi alterada. As suas outras sessões terminaram, e os convites que fez e ninguém aceitou foram revogados.',
    sessions: 'Sessões terminadas.',
    linked: 'A conta está ligada.',
    unlinked:
      'A conta foi desligada. As sessões abertas com ela terminaram, e os convites que fez e ninguém aceitou foram revogados.',
  } as Record<string, string>,
};

const en: typeof pt = {
  title: labels.en.myAccount,
  back: 'Back to the merchant',
  profile: 'Profile',
  name: labels.en.name,
  language: labels.en.language,
  languages: { pt: 'Português', en: 'English' },
  locked: 'Change how you sign in',
  lockedHint: 'To change passkeys, password or codes, first confirm your identity.',
  prove: 'Confirm your identity',
  passkeys: 'Passkeys',
  passkeysHint:
    'You sign in with the fingerprint, face or PIN of the device. Nobody can guess a passkey, or steal it with a fake e-mail.',
  noPasskeys: 'You have none yet.',
  label: 'Name of the new passkey',
  labelHint: 'To recognise it, for example “Phone”.',
  add: 'Add a passkey',
  added: 'Created on',
  used: 'used on',
  remove: 'Remove',
  rename: 'Rename',
  newName: 'Name of the passkey',
  byLink: 'You signed in with a link',
  byLinkHint:
    'You have neither a passkey nor a password yet. Create one now, below: then you can sign in without the link, and confirm your identity. This is possible only within ten minutes of signing in.',
  password: 'Password and codes',
  noPassword: 'You have no password.',
  hasPassword: (left: number) =>
    `You have a password, with codes from an app. ${left} recovery codes are left.`,
  change: 'Change the password',
  renew: 'Create new recovery codes',
  renewHint:
    'The previous codes stop working. Your other sessions end, and your invitations that nobody has accepted are revoked.',
  newPhone: 'Change the password and the authenticator app',
  setUp: 'Set up a password and codes',
  sessions: 'Where you are signed in',
  sessionsHint: 'If you do not recognise a session, end it and change how you sign in.',
  unknown: 'Unknown',
  here: 'This session',
  seen: 'last seen',
  end: 'End',
  endOthers: 'End all others',
  with: {
    PASSKEY: labels.en.passkey,
    PASSWORD: labels.en.passwordAndCode,
    RECOVERY_CODE: 'recovery code',
    INVITATION: 'invitation',
    FIRST_LINK: 'first-start link',
    SSO: 'company account',
    PIN: 'PIN, on a shared phone',
  },
  pin: 'PIN for the shop’s phones',
  pinHint:
    'On a shared phone, you choose your name and type this PIN to charge under your name. The PIN opens nothing else. After five wrong PINs, it works again once you sign in with your account.',
  newPin: 'New PIN, of 6 digits',
  wrongPin: 'Type 6 digits that are neither all the same nor in sequence.',
  setPin: 'Save the PIN',
  removePin: 'Remove the PIN',
  hasPin: 'You have a PIN.',
  noPin: 'You have no PIN.',
  tills: 'Use this phone as a till',
  tillsHint:
    'On a phone that several people use, each charges under their own name: they choose their name and type their PIN. Your session ends when somebody else enters.',
  useAsTill: (merchant: string) => `Use as a till of ${merchant}`,
  endTill: 'Remove',
  endTillOf: (label: string) => `Remove: ${label}`,
  refused: 'This is not possible: it no longer exists, or is your only way to sign in.',
  tooMany: 'You already have 20 passkeys. Remove one first.',
  done: {
    profile: 'Saved.',
    passkey: 'The passkey was added.',
    'passkey-renamed': 'The passkey has a new name.',
    'passkey-removed':
      'The passkey was removed. Your other sessions have ended, and your invitations that nobody had accepted were revoked.',
    password:
      'The password was changed. Your other sessions have ended, and your invitations that nobody had accepted were revoked.',
    sessions: 'Sessions ended.',
    linked: 'The account is connected.',
    unlinked:
      'The account is no longer connected. The sessions it opened have ended, and your invitations that nobody had accepted were revoked.',
  },
};

export const words: Record<Language, typeof pt> = { pt, en };
