import { words as ofMerchants } from '../pages/audit.words.ts';
import type { Language } from '../words/common.ts';

const pt = {
  ...ofMerchants.pt,
  merchant: 'Estabelecimento',
  wrongDay: 'Esta data não existe.',
  wrongMerchant: 'Um identificador como me_…',
  verify: 'Verificar os selos',
  downloads: 'Levar estes registos',
  downloadsHint:
    'Todos os que correspondem aos filtros, os mais recentes primeiro. Fica registado.',
  csv: 'CSV',
  jsonLines: 'JSON, um por linha',
  tooMany: 'Já há duas descargas do registo em curso. Espere que uma termine.',
};

const en: typeof pt = {
  ...ofMerchants.en,
  merchant: 'Merchant',
  wrongDay: 'This date does not exist.',
  wrongMerchant: 'An id such as me_…',
  verify: 'Verify the seals',
  downloads: 'Take these records away',
  downloadsHint: 'All that match the filters, newest first. This is recorded.',
  csv: 'CSV',
  jsonLines: 'JSON lines',
  tooMany: 'Two downloads of the log are under way already. Wait until one has ended.',
};

export const words: Record<Language, typeof pt> = { pt, en };
