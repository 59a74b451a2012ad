import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.disbursements,
  hint: 'O que este estabelecimento pode enviar do seu saldo para carteiras. Vazio: sem limite. Vale dentro de cinco segundos.',
  whoChanged: 'Quem alterou estas condições?',
  allowed: 'As chaves reais podem fazer envios',
  maxDisbursement: 'Maior envio',
  maxDisbursedPerDay: 'Máximo por dia (UTC), em cada moeda',
  maxDisbursedPerWalletAndDay: 'Máximo por dia e carteira',
  keepBalance: (currency: string) => `Fica no saldo, em ${currency}`,
  keepBalanceHint: 'As transferências para o banco deixam este valor. Vazio: nada.',
};

const en: typeof pt = {
  title: labels.en.disbursements,
  hint: 'What this merchant may send from its balance to wallets. Empty: no limit. In force within five seconds.',
  whoChanged: 'Who changed these terms?',
  allowed: 'Live keys may disburse',
  maxDisbursement: 'Largest disbursement',
  maxDisbursedPerDay: 'At most in a day (UTC), in each currency',
  maxDisbursedPerWalletAndDay: 'At most in a day to one wallet',
  keepBalance: (currency) => `Stays in the balance, in ${currency}`,
  keepBalanceHint: 'Payouts to the bank leave this amount. Empty: nothing.',
};

export const words: Record<Language, typeof pt> = { pt, en };
