/** A country with supported operators, and the format of its phone numbers. */
interface Country {
  name: string;
  callingCode: string;
  nationalDigits: number;
  /** An example of a national number, for a form. */
  example: string;
}

/** By ISO 3166 code. */
export const countries = {
  CV: { name: 'Cape Verde', callingCode: '238', nationalDigits: 7, example: '991 23 45' },
  AO: { name: 'Angola', callingCode: '244', nationalDigits: 9, example: '923 456 789' },
} satisfies Record<string, Country>;
type CountryCode = keyof typeof countries;

export interface ListedOperator {
  /** The name that customers use; a translation of the payment page may override it. */
  label: string;
  /**
   * Its countries and its phone prefixes there: only a hint for a form, since customers take their numbers to
   * other operators.
   */
  prefixes: Partial<Record<CountryCode, string>>;
  /** The currencies of an account there, separated by commas; OPERATOR_…_CURRENCIES overrides them. */
  currencies: string;
  /** The adapter for its API; OPERATOR_…_ADAPTER overrides it. */
  adapter: string;
}

/**
 * Every adapter, by its name in OPERATOR_…_ADAPTER, with the module below `src` that exports it as `adapter`:
 * one line for each.
 */
export const adapterModules: Record<string, string> = {
  gsma: 'integrations/operators/gsma/gsma.ts',
};

/** Every operator of live payments: one line for each. A new name is announced in docs/contract.md. */
const live = {
  CVMOVEL: listed('CVMóvel', { CV: '36 58 59 95 97 98 99' }, 'CVE', 'gsma'),
  UNITEL_TMAIS: listed('Unitel T+', { CV: '51 52 53 91 92 93', AO: '92 93 94 97' }, 'CVE', 'gsma'),
};

function listed(
  label: string,
  prefixes: ListedOperator['prefixes'],
  currencies: string,
  adapter: string,
): ListedOperator {
  return { label, prefixes, currencies, adapter };
}

export type LiveOperatorName = keyof typeof live;
export type OperatorName = LiveOperatorName | 'MOCK';

const namesOf = <Name extends string>(record: Record<Name, unknown>) =>
  Object.keys(record) as Name[];

export const countryCodes = namesOf(countries);
export const liveOperatorNames = namesOf(live);
/** The names in the API. MOCK is simulated, and accepts no live payments. */
export const operatorNames: readonly OperatorName[] = [...liveOperatorNames, 'MOCK'];
export const operatorCatalogue: Readonly<Record<LiveOperatorName, ListedOperator>> = live;

/** Makes a record with a value for each name. */
export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;
}

export const operatorLabels = recordOf(operatorNames, (name) =>
  name === 'MOCK' ? 'Simulator' : operatorCatalogue[name].label,
);

/** The prefixes of the operator's international numbers, without the plus. */
export function phonePrefixes(name: OperatorName): string[] {
  if (name === 'MOCK') return [];
  const { prefixes } = operatorCatalogue[name];
  return countryCodes.flatMap((country) =>
    (prefixes[country]?.split(' ') ?? []).map((prefix) => countries[country].callingCode + prefix),
  );
}
