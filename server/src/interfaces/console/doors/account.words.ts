import type { SignedInWith } from '../../../tenants/people/sessions.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: 'A minha conta',
  back: 'Voltar ao estabelecimento',
  profile: 'Perfil',
  name: 'Nome',
  language: 'Idioma',
  languages: { pt: 'Português', en: 'English' } as Record<Language, string>,
  locked: 'Mudar como entra',
  lockedHint:
    'Para mudar chaves de acesso, palavra-passe ou códigos, confirme primeiro que é você.',
  prove: 'Confirmar que sou eu',
  passkeys: 'Chaves de acesso',
  passkeysHint:
    'Entra com a impressão digital, o rosto ou o PIN do dispositivo. Nada se adivinha nem se rouba por um e-mail falso.',
  noPasskeys: 'Ainda não tem nenhuma.',
  label: 'Nome da nova chave',
  labelHint: 'Para a reconhecer, por exemplo «Telemóvel».',
  add: 'Acrescentar chave de acesso',
  added: 'Criada em',
  used: 'usada em',
  remove: 'Remover',
  rename: 'Mudar o nome',
  newName: 'Nome da chave',
  byLink: 'Entrou por um link',
  byLinkHint:
    'Ainda não tem chave de acesso nem palavra-passe. Crie agora uma delas, aqui em baixo: assim volta a entrar sem o link, e pode confirmar que é você. Só é possível nos dez minutos depois de entrar.',
  password: 'Palavra-passe e códigos',
  noPassword: 'Não tem palavra-passe.',
  hasPassword: (left: number) =>
    `Tem palavra-passe, com códigos de uma aplicação. Restam ${left} códigos de recuperação.`,
  change: 'Mudar a palavra-passe',
  renew: 'Fazer novos códigos de recuperação',
  renewHint:
    'Os de antes deixam de servir. As outras sessões e os convites por aceitar que fez terminam.',
  newPhone: 'Mudar a palavra-passe e a aplicação de códigos',
  setUp: 'Criar palavra-passe e códigos',
  sessions: 'Onde tem sessão aberta',
  sessionsHint: 'Se não reconhece alguma, termine-a e mude como entra.',
  unknown: 'Desconhecido',
  here: 'Esta',
  seen: 'última vez',
  end: 'Terminar',
  endOthers: 'Terminar todas as outras',
  with: {
    PASSKEY: 'chave de acesso',
    PASSWORD: 'palavra-passe e código',
    RECOVERY_CODE: 'código de recuperação',
    INVITATION: 'convite',
    FIRST_LINK: 'link do primeiro arranque',
    SSO: 'conta da empresa',
  } as Record<SignedInWith, string>,
  refused: 'Não é possível: já não existe, ou é a única maneira de entrar.',
  tooMany: 'Já tem 20 chaves de acesso. Remova uma primeiro.',
  done: {
    profile: 'Guardado.',
    passkey: 'A chave de acesso foi acrescentada.',
    'passkey-renamed': 'A chave de acesso tem um novo nome.',
    'passkey-removed':
      'A chave de acesso foi removida. As outras sessões e os convites por aceitar que fez terminaram.',
    password:
      'A palavra-passe foi mudada. As outras sessões e os convites por aceitar que fez terminaram.',
    sessions: 'Terminada.',
    linked: 'A conta está ligada.',
    unlinked:
      'A ligação foi desfeita. As sessões abertas com ela e os convites por aceitar que fez terminaram.',
  } as Record<string, string>,
};

const en: typeof pt = {
  title: 'My account',
  back: 'Back to the merchant',
  profile: 'Profile',
  name: 'Name',
  language: 'Language',
  languages: { pt: 'Português', en: 'English' },
  locked: 'Change how you sign in',
  lockedHint: 'To change passkeys, password or codes, prove first that it is you.',
  prove: 'Prove that it is me',
  passkeys: 'Passkeys',
  passkeysHint:
    'You sign in with the fingerprint, face or PIN of the device. Nothing can be guessed, or stolen by a forged mail.',
  noPasskeys: 'You have none yet.',
  label: 'Name of the new passkey',
  labelHint: 'To recognise it, for example “Phone”.',
  add: 'Add a passkey',
  added: 'Created on',
  used: 'used on',
  remove: 'Remove',
  rename: 'Rename',
  newName: 'Name of the passkey',
  byLink: 'You came in by a link',
  byLinkHint:
    'You have neither a passkey nor a password yet. Make one of them now, below: then you come in again without the link, and can prove that it is you. That is possible only within ten minutes of coming in.',
  password: 'Password and codes',
  noPassword: 'You have no password.',
  hasPassword: (left: number) =>
    `You have a password, with codes from an app. ${left} recovery codes are left.`,
  change: 'Change the password',
  renew: 'Make new recovery codes',
  renewHint:
    'Those of before stop working. Your other sessions, and your invitations that nobody has accepted, end.',
  newPhone: 'Change the password and the app for codes',
  setUp: 'Set up a password and codes',
  sessions: 'Where you are signed in',
  sessionsHint: 'If you do not recognise one, end it and change how you sign in.',
  unknown: 'Unknown',
  here: 'This one',
  seen: 'last seen',
  end: 'End',
  endOthers: 'End all others',
  with: {
    PASSKEY: 'passkey',
    PASSWORD: 'password and code',
    RECOVERY_CODE: 'recovery code',
    INVITATION: 'invitation',
    FIRST_LINK: 'link of the first start',
    SSO: 'company account',
  },
  refused: 'That is not possible: it is gone, or it is your only way to sign in.',
  tooMany: 'You have 20 passkeys already. Remove one first.',
  done: {
    profile: 'Saved.',
    passkey: 'The passkey was added.',
    'passkey-renamed': 'The passkey has a new name.',
    'passkey-removed':
      'The passkey was removed. Your other sessions, and your invitations that nobody has accepted, have ended.',
    password:
      'The password was changed. Your other sessions, and your invitations that nobody has accepted, have ended.',
    sessions: 'Ended.',
    linked: 'The account is connected.',
    unlinked:
      'The account is no longer connected. The sessions that it opened, and your invitations that nobody has accepted, have ended.',
  },
};

export const words: Record<Language, typeof pt> = { pt, en };
