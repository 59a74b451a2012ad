/** Both currencies have two minor digits (ISO 4217). */
const minorDigits = 2;

/** Minor units as the operator wants them: major units without needless zeros. 10000 is "100", 1520 is "15.2". */
export function majorOf(amountMinor: bigint): string {
  const digits = amountMinor.toString().padStart(minorDigits + 1, '0');
  const fraction = digits.slice(-minorDigits).replace(/0+$/, '');
  const whole = digits.slice(0, -minorDigits);
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/**
 * The minor units of an amount that an operator wrote; undefined if it is no amount, or has a part
 * smaller than the smallest coin. "5.00" is no amount of the standard, and yet it can mean only one thing.
 */
export function minorOf(major: unknown): bigint | undefined {
  if (typeof major !== 'string') return undefined;
  const [, whole, fraction = ''] = /^(\d{1,16})(?:\.(\d{1,4}))?$/.exec(major) ?? [];
  if (whole === undefined || !/^0*$/.test(fraction.slice(minorDigits))) return undefined;
  return BigInt(whole + fraction.slice(0, minorDigits).padEnd(minorDigits, '0'));
}
