import type {
  FailureCode,
  OperatorName,
  PaymentFailureCode,
} from '../../../integrations/operators/operator.ts';
import { chooseLanguage } from '../../../platform/text/choose-language.ts';
import type { Language } from '../../../platform/text/language.ts';
import type { Currency } from '../../../platform/values/money.ts';
import { english } from './locale.en.ts';
import { portuguese } from './locale.pt.ts';

/** A heading, and its explanation or remedy. */
export interface Notice {
  title: string;
  advice: string;
}

/** Every word that a customer reads on the payment page. */
export interface Locale {
  language: Language;
  /** For the `lang` attribute. */
  tag: string;
  /** The name of the language in that language. */
  name: string;
  chooseLanguage: string;
  poweredBy: string;
  payTo(shop: string): string;
  total: string;
  totalPaid: string;
  moreItems(count: number): string;
  manyMoreItems: string;
  operator: string;
  operators: Record<OperatorName, string>;
  /** Beside an operator that does not work well, and below all of them. */
  operatorTroubles: Record<'DEGRADED' | 'DOWN', string>;
  operatorTrouble: string;
  suggested: string;
  phone: string;
  phoneHint: string;
  pay(amount: string): string;
  /** The purpose of the page, if no description says what is paid for. */
  payByPhone: string;
  payAgain: string;
  sending: string;
  backToShop: string;
  /** Precedes the shop's contact. */
  contactShop: string;
  receipt: string;
  onward: string;
  refresh: string;
  timeLeft: string;
  contacting(operator: OperatorName): Notice;
  confirm(operator: OperatorName): Notice;
  /** The operator reports a payment that differs from our request. */
  checking(operator: OperatorName): Notice;
  facts: { date: string; reference: string; transaction: string };
  paid: Notice;
  alreadyPaid: Notice;
  /** All of it, or a part. */
  refunded: Notice;
  partlyRefunded: Notice;
  expired: Notice;
  /** Precedes the number that is asked to confirm. */
  number: string;
  wrongNumber: string;
  /** What happens to the pending request if the customer changes the number. */
  changeNumber: string;
  otherNumber: string;
  keepWaiting: string;
  declined: string;
  /** Nobody confirmed in time. */
  notConfirmed: string;
  cancelled: Notice;
  failures: Record<PaymentFailureCode, string> & Partial<Record<FailureCode, string>>;
  noAttemptsLeft: string;
  noOperator: string;
  phoneWrong(example: string): string;
  /** The country of the number is not that of the currency. */
  phoneOfOtherCountry(currency: Currency): string;
  operatorMissing: string;
  tooManyForPhone: string;
  /** The shop is suspended. */
  shopNotNow: string;
  error: string;
  tooMany(seconds: number): Notice;
  notFound: Notice;
  unreadable: Notice;
  away: Notice;
  offline: string;
  ourFault(reference: string): Notice;
  test: {
    banner: string;
    numbers: string;
    endsIn: string;
    neverConfirmed: string;
    anyOther: string;
  };
}

export const locales: Record<Language, Locale> = { pt: portuguese, en: english };

/** The words in the language of {@link chooseLanguage}. */
export const localeFor = (...given: Parameters<typeof chooseLanguage>): Locale =>
  locales[chooseLanguage(...given)];
