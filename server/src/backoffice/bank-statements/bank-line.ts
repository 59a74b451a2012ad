/** A transfer on a bank statement, as far as it may be one of our payouts. */
export interface BankLine {
  /** Its place in the file, from 1. */
  line: number;
  /** `2026-11-27`; null if the bank does not say. */
  day: string | null;
  /** Always positive. */
  amountMinor: bigint;
  currency: string;
  /** Money that left the account. */
  isDebit: boolean;
  /** The bank's own reference. */
  bankReference: string | null;
  /** The texts in which our reference may stand. They are not stored. */
  texts: string[];
}

/** A statement as read. */
export interface BankLines {
  format: 'camt.053' | 'CSV';
  lines: BankLine[];
}

export const bankStatementLimits = { fileBytes: 4 * 1024 * 1024, lines: 50_000 };

/** The kind of problem with a file, for pages with their own texts. */
export type BankStatementProblem =
  | 'NOT_CAMT'
  | 'TOO_MANY_LINES'
  | 'AMOUNT'
  | 'DAY'
  | 'NO_COLUMN'
  | 'ENCODING'
  | 'EMPTY';

/** The file is not a statement that we can read. */
export class BankStatementError extends Error {
  readonly problem: BankStatementProblem;
  /** A detail for the message, such as a column or a line. */
  readonly about: readonly string[];

  constructor(problem: BankStatementProblem, message: string, ...about: string[]) {
    super(message);
    this.problem = problem;
    this.about = about;
  }
}

export function requireFewLines(count: number): void {
  const most = bankStatementLimits.lines;
  if (count <= most) return;
  throw new BankStatementError('TOO_MANY_LINES', `It has more than ${most} lines.`, String(most));
}

/**
 * An amount of a statement in minor units, at most 18 digits. @param text in the decimal notation of the file
 * @throws BankStatementError
 */
export function minorOf(text: string, line: number): bigint {
  const parts = /^([+-]?)0*(\d{1,16})(?:\.(\d{1,2})0*)?$/.exec(text);
  if (!parts) {
    const about = [text.slice(0, 40), String(line)];
    throw new BankStatementError(
      'AMOUNT',
      `"${about[0]}" is no amount, in line ${line}.`,
      ...about,
    );
  }
  const [, sign, whole, cents = ''] = parts;
  const minor = BigInt(whole! + cents.padEnd(2, '0'));
  return sign === '-' ? -minor : minor;
}

/** Whether the day exists, and is near enough that the database knows it and the day after: `2026-11-27`. */
export function isCalendarDay(text: string): boolean {
  if (!/^(19|20)/.test(text)) return false;
  const atMs = Date.parse(`${text}T00:00:00Z`);
  return Number.isFinite(atMs) && new Date(atMs).toISOString().startsWith(text);
}
