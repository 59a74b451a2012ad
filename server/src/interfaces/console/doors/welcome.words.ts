import { messages } from '../../../platform/text/messages.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: 'Bem-vindo ao Zimbo',
  hint: 'Experimente à vontade: cobre, reembolse, veja o recibo. É uma loja de demonstração, e nenhum dinheiro é movimentado.',
  go: 'Entrar na loja de demonstração',
  over: messages.pt.thisLinkNoLongerWorks,
  overHint:
    'Serve uma só vez, durante 15 minutos, e só neste computador. Reinicie o Zimbo para receber outro.',
};

const en: typeof pt = {
  title: 'Welcome to Zimbo',
  hint: 'Try anything you like: charge, refund, look at the receipt. This is a demo shop, and no money moves.',
  go: 'Enter the demo shop',
  over: messages.en.thisLinkNoLongerWorks,
  overHint:
    'The link works once, for 15 minutes, and only on this computer. Restart Zimbo to get another.',
};

export const words: Record<Language, typeof pt> = { pt, en };
