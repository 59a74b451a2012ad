import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.reusableLinks,
  oneTitle: 'Link reutilizável',
  intro: 'Um link que pode ser pago várias vezes: uma quota, um serviço, um donativo.',
  nothing: 'Ainda não há links reutilizáveis',
  description: labels.pt.paymentFor,
  amount: labels.pt.amount,
  amountHint:
    'Deixe vazio se escolher um produto, ou para o cliente escolher entre o mínimo e o máximo.',
  least: 'Mínimo',
  most: 'Máximo',
  maxUses: 'Número máximo de utilizações',
  maxUsesHint: 'Vazio: sem limite.',
  currency: labels.pt.currency,
  create: labels.pt.createLink,
  product: 'Preço de',
  productGone: 'Preço de um produto que já não existe',
  productChoice: labels.pt.product,
  noProduct: 'Nenhum: escrevo o valor',
  productHint: 'O cliente paga o preço que o produto tiver quando usar o link.',
  lastDay: 'Último dia',
  lastDayHint: 'Vazio: não expira.',
  until: labels.pt.validUntil,
  uses: 'Utilizações',
  created: labels.pt.created,
  state: labels.pt.status,
  states: { on: labels.pt.active, off: 'Em pausa', ended: 'Terminou' },
  offHint: 'Em pausa: quem abre este link lê que a loja não recebe agora pagamentos por ele.',
  endedHint: 'Terminou: já ninguém pode pagar com este link.',
  turnOn: 'Retomar',
  turnOff: 'Pausar',
  turnOffHint: 'O link e os cartazes impressos voltam a funcionar quando o retomar.',
  toggleOf: (description: string) => `o link ${description}`,
  address: labels.pt.address,
  action: labels.pt.action,
  wrong:
    'Indique o que se paga, e só uma destas coisas: um produto, um valor, ou um mínimo e um máximo. As utilizações são um número inteiro, e o último dia ainda não pode ter passado.',
  done: {
    created: 'O link foi criado.',
    earlier: 'O link já tinha sido criado.',
    changed: 'O link foi alterado.',
    on: 'O link volta a receber pagamentos.',
    off: 'O link está em pausa.',
  } as Record<string, string>,
};

const en: typeof pt = {
  title: labels.en.reusableLinks,
  oneTitle: 'Reusable link',
  intro: 'A link that can be paid many times: a fee, a service, a donation.',
  nothing: 'No reusable links yet',
  description: labels.en.paymentFor,
  amount: labels.en.amount,
  amountHint:
    'Leave empty if you choose a product, or to let the customer choose between the minimum and the maximum.',
  least: 'Minimum',
  most: 'Maximum',
  maxUses: 'Maximum number of uses',
  maxUsesHint: 'Empty: no limit.',
  currency: labels.en.currency,
  create: labels.en.createLink,
  product: 'Price of',
  productGone: 'Price of a product that no longer exists',
  productChoice: labels.en.product,
  noProduct: 'None: I enter the amount',
  productHint: 'Customers pay the product’s price at the time they use the link.',
  lastDay: 'Last day',
  lastDayHint: 'Empty: no expiry.',
  until: labels.en.validUntil,
  uses: 'Uses',
  created: labels.en.created,
  state: labels.en.status,
  states: { on: labels.en.active, off: 'Paused', ended: 'Ended' },
  offHint: 'Paused: people who open this link read that the shop takes no payments by it now.',
  endedHint: 'Ended: nobody can pay by this link any more.',
  turnOn: 'Resume',
  turnOff: 'Pause',
  turnOffHint: 'The link and printed posters work again when you resume it.',
  toggleOf: (description) => `the link ${description}`,
  address: labels.en.address,
  action: labels.en.action,
  wrong:
    'Say what the payment is for, and enter only one of these: a product, an amount, or a minimum and a maximum. Uses must be a whole number, and the last day must not have passed.',
  done: {
    created: 'The link has been created.',
    earlier: 'The link had already been created.',
    changed: 'The link has been changed.',
    on: 'The link takes payments again.',
    off: 'The link is paused.',
  } as Record<string, string>,
};

export const words: Record<Language, typeof pt> = { pt, en };

const paymentsPt = {
  title: 'Quem pagou',
  nothing: 'Ainda ninguém pagou por este link',
  noMatch: 'Não há mais pagamentos entre estas utilizações',
  created: labels.pt.created,
  amount: labels.pt.amount,
  status: labels.pt.status,
  phone: labels.pt.phone,
  refunded: 'reembolsado:',
  payments: (number: number, text: string) =>
    `${text} ${number === 1 ? 'pagamento' : 'pagamentos'}`,
  latest: (uses: string) => `Conta as últimas ${uses} utilizações do link.`,
};

const paymentsEn: typeof paymentsPt = {
  title: 'Who paid',
  nothing: 'Nobody has paid by this link yet',
  noMatch: 'No more payments among these uses',
  created: labels.en.created,
  amount: labels.en.amount,
  status: labels.en.status,
  phone: labels.en.phone,
  refunded: 'refunded:',
  payments: (number, text) => `${text} ${number === 1 ? 'payment' : 'payments'}`,
  latest: (uses) => `Counts the latest ${uses} uses of the link.`,
};

/** Of the list of payments by a link. */
export const paymentsWords: Record<Language, typeof paymentsPt> = {
  pt: paymentsPt,
  en: paymentsEn,
};
