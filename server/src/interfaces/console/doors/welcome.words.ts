import { messages } from '../../../platform/text/messages.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: 'Bem-vindo ao Zimbo',
  hint: 'Experimente à vontade: cobre, reembolse, veja o recibo. É uma loja de demonstração, e nenhum dinheiro é movimentado.',
  go: 'Entrar na loja de demonstração',
  keep: 'Ficar com esta conta',
  keepHint:
    'Com uma chave de acesso ou uma palavra-passe, pode voltar a entrar e convidar colegas. Também pode fazê-lo mais tarde, na sua conta, nos primeiros dez minutos.',
  passkey: 'Criar chave de acesso e entrar',
  orPassword: messages.pt.preferPassword,
  withPassword: 'Entrar com palavra-passe',
  over: messages.pt.thisLinkNoLongerWorks,
  overHint:
    'Serve uma só vez, durante 15 minutos, e só neste computador. Reinicie o Zimbo para receber outro.',
};

const en: typeof pt = {
  title: 'Welcome to Zimbo',
  hint: 'Try anything you like: charge, refund, look at the receipt. This is a demo shop, and no money moves.',
  go: 'Enter the demo shop',
  keep: 'Keep this account',
  keepHint:
    'With a passkey or a password, you can sign in again and invite colleagues. You can also add one later on your account page, within the first ten minutes.',
  passkey: 'Create a passkey and enter',
  orPassword: messages.en.preferPassword,
  withPassword: 'Enter with a password',
  over: messages.en.thisLinkNoLongerWorks,
  overHint:
    'The link works once, for 15 minutes, and only on this computer. Restart Zimbo to get another.',
};

export const words: Record<Language, typeof pt> = { pt, en };
