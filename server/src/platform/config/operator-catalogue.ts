/** A country whose operators we know, and what its phone numbers look like. */
interface Country {
  name: string;
  callingCode: string;
  nationalDigits: number;
  /** A national number, for a form. */
  example: string;
}

/** By their codes of ISO 3166. */
export const countries = {
  CV: { name: 'Cape Verde', callingCode: '238', nationalDigits: 7, example: '991 23 45' },
  AO: { name: 'Angola', callingCode: '244', nationalDigits: 9, example: '923 456 789' },
} satisfies Record<string, Country>;
type CountryCode = keyof typeof countries;

export interface ListedOperator {
  /** What customers call it; a dictionary of the payment page may say otherwise. */
  label: string;
  /** Its countries, and how its numbers begin there: a hint for a form, since numbers move between operators. */
  prefixes: Partial<Record<CountryCode, string>>;
  /** What an account there takes, unless OPERATOR_…_CURRENCIES says otherwise; separated by commas. */
  currencies: string;
  /** The adapter that it speaks, unless OPERATOR_…_ADAPTER says otherwise. */
  adapter: string;
}

/**
 * Every adapter, by its name in OPERATOR_…_ADAPTER, with the module below `src` that exports it as `adapter`:
 * one line for each, beside its folder.
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
/** As the API names them. MOCK is simulated, and takes no live payment. */
export const operatorNames: readonly OperatorName[] = [...liveOperatorNames, 'MOCK'];
export const operatorCatalogue: Readonly<Record<LiveOperatorName, ListedOperator>> = live;

/** Makes a record of something for each of these names. */
export function recordOf<Name extends string, Value>(
  names: readonly Name[],
  make: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, make(name)])) as Record<Name, Value>;
}

export const operatorLabels = recordOf(operatorNames, (name) =>
  name === 'MOCK' ? 'Simulator' : operatorCatalogue[name].label,
);

/** How the international numbers of an operator begin, without the plus. */
export function phonePrefixes(name: OperatorName): string[] {
  if (name === 'MOCK') return [];
  const { prefixes } = operatorCatalogue[name];
  return countryCodes.flatMap((country) =>
    (prefixes[country]?.split(' ') ?? []).map((prefix) => countries[country].callingCode + prefix),
  );
}
