import { labels } from '../../../platform/text/labels.ts';
import { words as ofMerchants } from '../pages/audit.words.ts';
import type { Language } from '../words/common.ts';

const pt = {
  ...ofMerchants.pt,
  merchant: labels.pt.merchant,
  wrongMerchant: 'Um identificador como me_…',
  verify: 'Verificar os selos',
  downloads: 'Descarregar estes registos',
  downloadsHint:
    'Todos os registos que correspondem aos filtros, os mais recentes primeiro. O descarregamento fica registado.',
  csv: 'CSV',
  jsonLines: 'JSON, um por linha',
  tooMany: 'Já há dois descarregamentos do registo em curso. Espere que um termine.',
};

const en: typeof pt = {
  ...ofMerchants.en,
  merchant: labels.en.merchant,
  wrongMerchant: 'An id such as me_…',
  verify: 'Verify the seals',
  downloads: 'Download these records',
  downloadsHint: 'All records that match the filters, newest first. The download is recorded.',
  csv: 'CSV',
  jsonLines: 'JSON lines',
  tooMany: 'Two downloads of the log are already in progress. Wait until one has finished.',
};

export const words: Record<Language, typeof pt> = { pt, en };
