import type { Language } from '../words/common.ts';

const pt = {
  title: 'Checkout no seu site',
  toPage: 'Checkout no seu site: os sites que podem mostrar a página de pagamento',
  about:
    'Num computador, a página de pagamento pode abrir numa janela sobre o seu site, sem que o cliente saia da loja. Nos telemóveis abre sempre inteira.',
  origins: 'Sites que podem mostrar a página de pagamento',
  originsHint: {
    live: 'Um por linha, como https://loja.cv: só https, sem caminho, até 20. Vazio: nenhum, e a página abre sempre inteira.',
    test: 'Um por linha, como https://loja.cv ou http://localhost:8080: sem caminho, até 20. Vazio: nenhum, e a página abre sempre inteira.',
  },
  mode: {
    live: 'Esta lista vale para o modo real; o modo de teste tem a sua.',
    test: 'Esta lista vale para o modo de teste; o modo real tem a sua.',
  },
  code: 'Na página da loja',
  codeHint:
    'O seu servidor cria a sessão e confirma se está paga: o que o browser diz não prova nada.',
  done: { saved: 'Os sites foram guardados.' } as Record<string, string>,
  tooMany: 'São possíveis até 20 sites.',
  wrong: (origin: string) => `Não é um site permitido aqui: ${origin}`,
};

const en: typeof pt = {
  title: 'Checkout on your site',
  toPage: 'Checkout on your site: the sites that may show the payment page',
  about:
    'On a computer, the payment page can open in a window over your site, so that the customer stays in the shop. On phones, it always opens as a page of its own.',
  origins: 'Sites that may show the payment page',
  originsHint: {
    live: 'One per line, such as https://shop.cv: https only, without a path, at most 20. Empty: none, and the page always opens as a page of its own.',
    test: 'One per line, such as https://shop.cv or http://localhost:8080: without a path, at most 20. Empty: none, and the page always opens as a page of its own.',
  },
  mode: {
    live: 'This list is for live mode; test mode has its own.',
    test: 'This list is for test mode; live mode has its own.',
  },
  code: 'On the shop’s page',
  codeHint:
    'Your server creates the session, and asks whether it is paid: what the browser says proves nothing.',
  done: { saved: 'The sites have been saved.' },
  tooMany: 'At most 20 sites are possible.',
  wrong: (origin) => `This site is not possible here: ${origin}`,
};

export const words: Record<Language, typeof pt> = { pt, en };
