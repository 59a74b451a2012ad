import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.product,
  newTitle: 'Novo produto',
  create: 'Criar produto',
  change: labels.pt.change,
  nothing: 'Ainda não há produtos',
  nothingHint: 'Com produtos, para cobrar basta tocar no que o cliente leva.',
  name: labels.pt.name,
  price: 'Preço',
  priceHint: 'Por exemplo 1.500,00',
  currency: labels.pt.currency,
  currencies: { CVE: 'CVE · escudo de Cabo Verde', AOA: 'AOA · kwanza de Angola' },
  description: labels.pt.description,
  status: labels.pt.status,
  active: 'À venda',
  inactive: 'Fora de venda',
  reference: labels.pt.reference,
  changed: labels.pt.lastChange,
  link: 'Link e código QR',
  activate: 'Voltar a vender',
  deactivate: 'Retirar de venda',
  deactivateHint: 'Deixa de aparecer ao cobrar. Os links já criados não mudam.',
  noName: 'Escreva o nome.',
  longName: messages.pt.upTo255,
  longText: 'No máximo 2000 caracteres.',
  badPrice: 'Escreva o preço assim: 1.500,00',
  done: {
    created: 'O produto foi criado.',
    earlier:
      'Este formulário já tinha sido enviado com outros valores; não foi criado mais nenhum produto.',
    changed: 'O produto foi alterado.',
    activated: 'O produto está de novo à venda.',
    deactivated: 'O produto já não está à venda.',
  },
};

const en: typeof pt = {
  title: labels.en.product,
  newTitle: 'New product',
  create: 'Create product',
  change: labels.en.change,
  nothing: 'No products yet',
  nothingHint: 'With products, you charge by tapping what the customer buys.',
  name: labels.en.name,
  price: 'Price',
  priceHint: 'For example 1,500.00',
  currency: labels.en.currency,
  currencies: { CVE: 'CVE · Cape Verdean escudo', AOA: 'AOA · Angolan kwanza' },
  description: labels.en.description,
  status: labels.en.status,
  active: 'On sale',
  inactive: 'Not on sale',
  reference: labels.en.reference,
  changed: labels.en.lastChange,
  link: 'Link and QR code',
  activate: 'Sell again',
  deactivate: 'Stop selling',
  deactivateHint: 'The product is no longer offered when charging. Existing links do not change.',
  noName: 'Enter the name.',
  longName: messages.en.upTo255,
  longText: 'At most 2,000 characters.',
  badPrice: 'Enter the price like this: 1,500.00',
  done: {
    created: 'The product has been created.',
    earlier: 'This form was already sent with other values; no other product was created.',
    changed: 'The product has been changed.',
    activated: 'The product is on sale again.',
    deactivated: 'The product is no longer on sale.',
  },
};

export const words: Record<Language, typeof pt> = { pt, en };

/** Of the list. */
export const productsWords: Record<Language, typeof pt> = {
  pt: { ...pt, title: labels.pt.products },
  en: { ...en, title: labels.en.products },
};
