/** Both currencies have two minor digits (ISO 4217). */
const minorDigits = 2;

/**
 * An amount in the notation that operators expect: major units without needless zeros. 10000 is "100", 1520 is
 * "15.2".
 */
export function majorOf(amountMinor: bigint): string {
  const digits = amountMinor.toString().padStart(minorDigits + 1, '0');
  const fraction = digits.slice(-minorDigits).replace(/0+$/, '');
  const whole = digits.slice(0, -minorDigits);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * The minor units of an amount that an operator wrote, as text or as a JSON number; undefined if it is no amount, or
 * has a part smaller than the smallest coin. "5.00" is no amount of the standard, and yet it can mean only one thing.
 * What can mean two is none: "1,520", an exponent, or a text such as "1.520", whose point may stand before thousands.
 */
export function minorOf(major: unknown): bigint | undefined {
  const text = typeof major === 'number' ? exactText(major) : major;
  if (typeof text !== 'string') return undefined;
  // Stryker disable next-line ArrayDeclaration: nobody reads the first element
  const [, whole, fraction = ''] = /^(\d{1,16})(?:\.(?!\d{3}$)(\d{1,16}))?$/.exec(text) ?? [];
  if (whole === undefined || !/^0*$/.test(fraction.slice(minorDigits))) return undefined;
  return BigInt(whole + fraction.slice(0, minorDigits).padEnd(minorDigits, '0'));
}

/** JSON does not show how a number with more digits than a double keeps was written. */
const exactText = (major: number): string | undefined =>
  Math.abs(major) < 1e13 ? String(major) : undefined;

/** Matches numbers that may have more digits than a double keeps. */
const exactKeys = new Set([
  'amount',
  'transactionReference',
  'originalTransactionReference',
  'requestingOrganisationTransactionReference',
  'objectReference',
  'serverCorrelationId',
  // Of a party: its account or phone.
  'value',
]);

/** Parses an operator's JSON and keeps the text of numeric amounts and ids: as a double, they could change. */
export function parseExactly(text: string): unknown {
  const reviver = (
    key: string,
    value: unknown,
    { source = String(value) }: { source?: string },
  ) => {
    if (!exactKeys.has(key) || typeof value !== 'number') return value;
    return key === 'amount' ? source.replace(needlessZeros, '$1') : source;
  };
  return JSON.parse(text, reviver as Parameters<typeof JSON.parse>[1]);
}

/** The point of a JSON number precedes decimals; in a text it would be ambiguous. */
const needlessZeros = /^(\d+\.\d\d)0+$/;
