/** The rules of the GSMA Mobile Money API 1.2 for amounts and errors, as a provider needs them. */

const uuidShape = /^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$/;
const amountShape = /^(0|[1-9][0-9]{0,17})(?:\.([0-9]{0,3}[1-9]))?$/;

/** CVE and AOA both have two decimals (ISO 4217). */
const minorDigits = 2;
/** Fits into 64 bits, with room for sums. */
const mostMinor = 10n ** 16n;

const statuses = {
  businessRule: 400,
  validation: 400,
  authorisation: 401,
  identification: 404,
  internal: 500,
  serviceUnavailable: 503,
} as const;

/** An error object of the standard, thrown. */
export class Refused extends Error {
  readonly category: keyof typeof statuses;
  readonly code: string;

  constructor(category: keyof typeof statuses, code: string, description: string) {
    super(description);
    this.name = 'Refused';
    this.category = category;
    this.code = code;
  }

  get status(): number {
    return statuses[this.category];
  }

  body(nowMs: number) {
    return {
      errorCategory: this.category,
      errorCode: this.code,
      // The standard writes this code without a capital.
      errordescription: this.message.slice(0, 256),
      errorDateTime: new Date(nowMs).toISOString(),
    };
  }
}

export const isUuid = (text: unknown): text is string =>
  typeof text === 'string' && uuidShape.test(text);

/**
 * In minor units. @throws Refused if the text is not an amount of the standard, or has a part below
 * the smallest coin
 */
export function minorOf(amount: unknown): bigint {
  const [, whole, fraction = ''] =
    (typeof amount === 'string' && amountShape.exec(amount)) || ([] as string[]);
  if (whole === undefined) {
    const words = 'amount must be a text like "100" or "15.2", without a zero at its end';
    throw new Refused('validation', 'formatError', words);
  }
  if (fraction.length > minorDigits) {
    throw new Refused('validation', 'formatError', 'amount has a part below the smallest coin');
  }
  const minor = BigInt(whole + fraction.padEnd(minorDigits, '0'));
  if (minor === 0n) {
    const words = 'amount must be more than 0';
    throw new Refused('businessRule', 'lessThanTransactionMinValue', words);
  }
  if (minor >= mostMinor) {
    const words = 'amount is more than this provider takes';
    throw new Refused('businessRule', 'greaterThanTransactionMaxValue', words);
  }
  return minor;
}

/** Major units as the standard writes them: 1520 is "15.2", 10000 is "100". */
export function majorOf(minor: bigint): string {
  const digits = minor.toString().padStart(minorDigits + 1, '0');
  return `${digits.slice(0, -minorDigits)}.${digits.slice(-minorDigits)}`.replace(/\.?0+$/, '');
}
