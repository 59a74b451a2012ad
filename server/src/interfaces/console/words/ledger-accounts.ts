import { labels } from '../../../platform/text/labels.ts';
import type { Language } from './common.ts';

type Accounts = Record<string, string | undefined>;

const pt = {
  operator: labels.pt.operator,
  payable: 'A pagar ao estabelecimento',
  fees: labels.pt.fees,
  refunds_in_transit: 'Reembolsos em curso',
  disbursements_in_transit: labels.pt.disbursementsInTransit,
  kept: labels.pt.keptInTheBalance,
  payouts_in_transit: 'Transferências em curso',
  bank: 'Banco',
  suspense: labels.pt.suspense,
};

const en: typeof pt = {
  operator: labels.en.operator,
  payable: 'Owed to the merchant',
  fees: labels.en.fees,
  refunds_in_transit: 'Refunds in transit',
  disbursements_in_transit: labels.en.disbursementsInTransit,
  kept: labels.en.keptInTheBalance,
  payouts_in_transit: 'Payouts in transit',
  bank: 'Bank',
  suspense: labels.en.suspense,
};

/** What the accounts of the ledger are called to the staff. */
export const ledgerAccountWords: Record<Language, Accounts> = { pt, en };

/** The same to the merchant. */
export const ownAccountWords: Record<Language, Accounts> = {
  pt: { ...pt, payable: 'A pagar-lhe', suspense: 'Por esclarecer' },
  en: { ...en, payable: 'Owed to you', suspense: 'To be cleared up' },
};
