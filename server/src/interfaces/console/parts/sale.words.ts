import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  amount: labels.pt.amount,
  currency: labels.pt.currency,
  keypad: 'Teclado',
  back: 'Apagar o último algarismo',
  clear: 'Apagar tudo',
  products: 'Escolher produtos',
  find: 'Procurar produtos pelo nome',
  search: labels.pt.search,
  noneFound: 'Nenhum produto tem este nome.',
  moreProducts: 'Há mais produtos: procure-os pelo nome.',
  more: (name: string) => `Mais um: ${name}`,
  fewer: (name: string) => `Menos um: ${name}`,
  noAmount: 'Escreva o valor ou escolha produtos.',
  badAmount: 'Escreva o valor assim: 1.500,00',
  tooMuch: 'O valor máximo é 1.000.000,00.',
  badQuantity: 'As quantidades são números inteiros até 9999.',
  both: 'O valor não é a soma dos produtos. Apague-o ou retire os produtos.',
};

const en: typeof pt = {
  amount: labels.en.amount,
  currency: labels.en.currency,
  keypad: 'Keypad',
  back: 'Delete the last digit',
  clear: 'Clear all',
  products: 'Choose products',
  find: 'Search for products by name',
  search: labels.en.search,
  noneFound: 'No product has this name.',
  moreProducts: 'There are more products: search for them by name.',
  more: (name) => `One more: ${name}`,
  fewer: (name) => `One fewer: ${name}`,
  noAmount: 'Enter the amount or choose products.',
  badAmount: 'Enter the amount like this: 1,500.00',
  tooMuch: 'The largest amount is 1,000,000.00.',
  badQuantity: 'Quantities are whole numbers up to 9999.',
  both: 'The amount is not the total of the products. Delete it, or remove the products.',
};

export const words: Record<Language, typeof pt> = { pt, en };
