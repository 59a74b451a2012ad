import { messages } from '../../../platform/text/messages.ts';
import type { Language } from '../words/common.ts';

const pt = {
  notMade: 'A chave de acesso não foi criada. Tente de novo, ou escolha uma palavra-passe.',
  notShown: 'A chave de acesso não foi usada. Tente de novo, ou use a palavra-passe.',
  needsScript: 'As chaves de acesso precisam de JavaScript, que está desligado neste navegador.',
  newPassword: 'Nova palavra-passe',
  newPasswordHint: 'Pelo menos 12 caracteres: por exemplo, quatro palavras ao acaso.',
  scan: 'Aponte a sua aplicação de códigos para esta imagem',
  scanHint:
    'Por exemplo, Google Authenticator, Microsoft Authenticator ou 2FAS. O código é pedido sempre que entrar.',
  picture: 'Código QR para a aplicação de códigos',
  secret: 'Se não conseguir, escreva isto na aplicação:',
  firstCode: 'O código que a aplicação mostra agora',
  recovery: 'Guarde os seus códigos de recuperação',
  recoveryHint:
    'Se perder o telemóvel, cada um destes códigos serve para entrar uma vez. Não voltam a ser mostrados: imprima-os, ou guarde-os com as suas palavras-passe.',
  kept: 'Já os guardei',
  noWay: (email: string) =>
    `Entrou por um link, e não tem chave de acesso nem palavra-passe para confirmar a sua identidade. Reinicie o Zimbo e entre com o novo link, ou crie um com «zimbo people reset ${email}». Depois crie uma chave de acesso ou uma palavra-passe na sua conta.`,
  waitSeconds: (seconds: number) =>
    `Demasiadas tentativas. Tente de novo daqui a ${seconds === 1 ? '1 segundo' : `${seconds} segundos`}.`,
  waitMinutes: (minutes: number) =>
    `Demasiadas tentativas. Tente de novo daqui a ${minutes} minutos.`,
  mistakes: {
    pin: 'Escreva 6 algarismos, que não sejam todos iguais nem seguidos.',
    name: 'Escreva um nome, com 100 caracteres no máximo, num só alfabeto.',
    nameTaken: 'Alguém da equipa já tem este nome. Escreva outro, por exemplo com o apelido.',
    email: messages.pt.enterEmail,
    length: 'A palavra-passe tem de ter entre 12 e 200 caracteres.',
    tooEasy: 'É demasiado fácil de adivinhar. Escolha outra, por exemplo quatro palavras ao acaso.',
    code: 'Não é o código que a aplicação mostra agora. Espere pelo próximo e tente de novo.',
    draft: 'Passou demasiado tempo. Aponte de novo a aplicação para a imagem.',
    passkey: 'A chave de acesso não foi criada como foi pedido. Tente de novo.',
    quiet: 'Indique duas horas diferentes, ou nenhuma.',
    timeZone: 'Escolha um fuso horário da lista.',
  },
};

const en: typeof pt = {
  notMade: 'The passkey was not created. Try again, or choose a password.',
  notShown: 'The passkey was not used. Try again, or use your password.',
  needsScript: 'Passkeys need JavaScript, which is off in this browser.',
  newPassword: 'New password',
  newPasswordHint: 'At least 12 characters: four random words, for example.',
  scan: 'Scan this image with your authenticator app',
  scanHint:
    'For example Google Authenticator, Microsoft Authenticator or 2FAS. You will need a code each time you sign in.',
  picture: 'QR code for the authenticator app',
  secret: 'If that does not work, enter this in the app:',
  firstCode: 'The code that the app shows now',
  recovery: 'Save your recovery codes',
  recoveryHint:
    'If you lose your phone, each of these codes lets you sign in once. They are not shown again: print them, or keep them with your passwords.',
  kept: 'I have saved them',
  noWay: (email: string) =>
    `You signed in with a link, and have neither a passkey nor a password to confirm your identity with. Restart Zimbo and sign in with its new link, or create one with “zimbo people reset ${email}”. Then create a passkey or a password in your account.`,
  waitSeconds: (seconds: number) => `Too many attempts. Try again in ${seconds} seconds.`,
  waitMinutes: (minutes: number) => `Too many attempts. Try again in ${minutes} minutes.`,
  mistakes: {
    pin: 'Type 6 digits that are neither all the same nor in sequence.',
    name: 'Enter a name of at most 100 characters, in one alphabet.',
    nameTaken: 'Somebody on the team has this name. Type another, for example with the surname.',
    email: messages.en.enterEmail,
    length: 'The password must have 12 to 200 characters.',
    tooEasy: 'This password is too easy to guess. Choose another, for example four random words.',
    code: 'This is not the code that the app shows now. Wait for the next one and try again.',
    draft: 'This took too long. Scan the image again.',
    passkey: 'The passkey was not created as requested. Try again.',
    quiet: 'Enter two different times, or none.',
    timeZone: 'Choose a time zone from the list.',
  },
};

export const words: Record<Language, typeof pt> = { pt, en };
