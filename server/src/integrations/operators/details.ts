import {
  countries,
  countryCodes,
  type LiveOperatorName,
  liveOperatorNames,
  type OperatorName,
  operatorCatalogue,
  operatorLabels,
  operatorNames,
  phonePrefixes,
} from '../../platform/config/operator-catalogue.ts';
import { usualFacts } from '../../platform/config/operator-facts.ts';
import type { OperatorConfigs } from '../../platform/config/operator-settings.ts';
import { isoInstant } from '../../platform/formats/instant.ts';
import { type Currency, currencies } from '../../platform/values/money.ts';
import { currencyOfCountry } from '../../platform/values/phone.ts';
import { type CheckOperator, offeredOperators } from './check.ts';
import type { OperatorStatus } from './statuses/store.ts';

/** An operator as merchants see it: a JSON value. */
export interface OperatorDetails {
  name: OperatorName;
  /** What customers call it. */
  label: string;
  /** By ISO 3166, of the account there; null: it belongs to none. */
  country: string | null;
  currencies: Currency[];
  /** How its international numbers begin; only a hint, since customers take their numbers along. */
  prefixes: string[];
  status: OperatorStatus;
  /** RFC 3339; null: for as long as anyone knows. */
  statusSince: string | null;
  /** Minor units, as text. */
  minAmount: string;
  maxAmount: string;
  /** How long customers have to confirm. */
  confirmationSeconds: number;
  /** What customers do when the operator prompts them. */
  prompt: { pt: string; en: string };
}

export interface DetailsConfig {
  operators: OperatorConfigs;
  paymentExpiryMs: number;
}

type State = { status: OperatorStatus; sinceMs: number | null };
const alwaysUp: State = { status: 'UP', sinceMs: null };

/** Describes an operator in this state, from the catalogue and the settings. */
export function describeOperator(
  { operators, paymentExpiryMs }: DetailsConfig,
  name: OperatorName,
  { status, sinceMs }: State = alwaysUp,
): OperatorDetails {
  const given = name === 'MOCK' ? undefined : operators[name];
  const listed = name === 'MOCK' ? currencies : operatorCatalogue[name].currencies.split(',');
  const accepted = (given?.currencies ?? listed) as readonly Currency[];
  const facts = given?.facts ?? usualFacts;
  return {
    name,
    label: operatorLabels[name],
    country: name === 'MOCK' ? null : (countryOfCurrency(accepted[0]!) ?? null),
    currencies: [...accepted],
    prefixes: phonePrefixes(name).map((prefix) => `+${prefix}`),
    status,
    statusSince: sinceMs === null ? null : isoInstant(sinceMs),
    minAmount: String(facts.minAmountMinor),
    maxAmount: String(facts.maxAmountMinor),
    confirmationSeconds: facts.confirmationSeconds ?? Math.ceil(paymentExpiryMs / 1_000),
    prompt: facts.prompt,
  };
}

const countryOfCurrency = (currency: Currency) =>
  countryCodes.find((code) => currencyOfCountry(`+${countries[code].callingCode}`) === currency);

export interface Prediction {
  /** As it is stored. */
  phone: string;
  /** By ISO 3166; null: a country without operators. */
  country: string | null;
  /** Of that country. */
  currency: Currency | null;
  /** The only operator whose numbers begin like this one; null: none, or several. */
  operator: OperatorName | null;
  /** All operators that a payment of this phone may go through, those with its prefix first. */
  candidates: OperatorName[];
}

/**
 * Which operator a phone probably belongs to, by its prefix alone: nobody is asked.
 * @param phone normalized
 */
export function predictOperator(
  checkOperator: CheckOperator,
  mode: 'live' | 'test',
  phone: string,
): Prediction {
  const digits = phone.slice(1);
  const country =
    countryCodes.find((code) => digits.startsWith(countries[code].callingCode)) ?? null;
  const currency = currencyOfCountry(phone) ?? null;
  const offered =
    currency !== null
      ? offeredOperators(checkOperator, mode, currency)
      : mode === 'test'
        ? [...operatorNames]
        : [];
  const isLikely = (name: OperatorName) =>
    phonePrefixes(name).some((prefix) => digits.startsWith(prefix));
  const likely = offered.filter(isLikely);
  const candidates = [...likely, ...offered.filter((name) => !isLikely(name))];
  return {
    phone,
    country,
    currency,
    operator: likely.length === 1 ? likely[0]! : null,
    candidates,
  };
}

/** The operators that a tenant of this mode sees: live ones those that are configured, test ones all. */
export const operatorsOfMode = (
  { operators }: Pick<DetailsConfig, 'operators'>,
  mode: 'live' | 'test',
): readonly OperatorName[] =>
  mode === 'test'
    ? operatorNames
    : liveOperatorNames.filter((name: LiveOperatorName) => operators[name] !== undefined);
