import { parseId } from '../../platform/values/ids.ts';
import type { BankLine } from './bank-line.ts';

/** A payout that a statement may show. */
export interface Candidate {
  tenantId: string;
  id: string;
  currency: string;
  netMinor: bigint;
  status: string;
  bankReference: string | null;
  processedAtMs: number | null;
}

/**
 * EXACT: our reference, our amount. BY_AMOUNT: the only line and the only payout of this amount, without our
 * reference. AMOUNT_DIFFERS: our reference, another amount. TWICE: our reference, of a payout that another line has
 * paid. RETURNED: our reference, and the money came back. NO_PAYOUT: it looks like ours, but the bank was not ordered
 * to pay it.
 */
export const matchKinds = [
  'EXACT',
  'BY_AMOUNT',
  'AMOUNT_DIFFERS',
  'TWICE',
  'RETURNED',
  'NO_PAYOUT',
] as const;
export type MatchKind = (typeof matchKinds)[number];

/** A line of ours, with the payout that it concerns. */
export interface MatchedLine extends Omit<BankLine, 'texts' | 'isDebit'> {
  kind: MatchKind;
  settlement: Candidate | null;
}

/** A payout in a transfer's texts: with a hyphen as we write it, or as banks change it. */
const ours = /(?<![0-9a-z])se[-_ ]?([0-7][0-9a-hjkmnp-tv-z]{25})(?![0-9a-z])/;

/** The payout that a line names; undefined for lines of other parties. */
export function settlementIdIn({ texts }: Pick<BankLine, 'texts'>): string | undefined {
  for (const text of texts) {
    const code = ours.exec(text.toLowerCase())?.[1];
    const id = code === undefined ? undefined : parseId('se', `se_${code}`);
    if (id !== undefined) return id;
  }
  return undefined;
}

/** A bank seldom takes longer, and never pays before the order. */
const [earliestDays, latestDays] = [-1, 10];
const dayMs = 86_400_000;

/**
 * Finds our payouts in the lines of a statement. Lines of other parties are left out, and so are those whose
 * reference is recorded already.
 */
export function matchLines(
  lines: readonly BankLine[],
  candidates: readonly Candidate[],
): MatchedLine[] {
  const byId = new Map(candidates.map((each) => [each.id, each]));
  const named = lines.map((line) => ({ line, id: settlementIdIn(line) }));
  const returned = new Set(named.flatMap(({ line, id }) => (line.isDebit ? [] : [id])));
  const paid = new Set<string>();
  const found: MatchedLine[] = [];
  for (const { line, id } of named) {
    if (id === undefined) continue;
    const settlement = byId.get(id) ?? null;
    // Money that came back leaves nothing to confirm, whatever went out before.
    const kind = returned.has(id) ? returnedKind(line, settlement) : kindOf(line, settlement, paid);
    if (kind === 'EXACT') paid.add(id);
    if (kind !== undefined) found.push(matched(line, kind, settlement));
  }
  const free = candidates.filter(
    ({ id, bankReference, status }) =>
      !paid.has(id) &&
      bankReference === null &&
      (status === 'PROCESSING' || status === 'COMPLETED'),
  );
  const recorded = recordedIn(candidates);
  const isRecorded = (line: BankLine) =>
    line.bankReference !== null &&
    recorded.has(`${amountKey(line.amountMinor, line.currency)} ${referenceOf(line)}`);
  const unnamed = named.flatMap(({ line, id }) =>
    id === undefined && line.isDebit && !isRecorded(line) ? line : [],
  );
  found.push(...matchByAmount(unnamed, free));
  return found.sort((one, other) => one.line - other.line);
}

const amountKey = (minor: bigint, currency: string) => `${minor} ${currency}`;

/** The bank's transfers that are recorded already, each by its amount and reference. */
function recordedIn(candidates: readonly Candidate[]): ReadonlySet<string> {
  const recorded = candidates.filter(({ bankReference }) => bankReference !== null);
  return new Set(
    recorded.map((each) => `${amountKey(each.netMinor, each.currency)} ${each.bankReference}`),
  );
}

const isRecordedFor = (line: BankLine, settlement: Candidate | null): boolean =>
  settlement?.bankReference === referenceOf(line);

const returnedKind = (line: BankLine, settlement: Candidate | null): MatchKind | undefined =>
  line.isDebit && isRecordedFor(line, settlement) ? undefined : 'RETURNED';

/** Undefined for what is recorded already. */
function kindOf(
  line: BankLine,
  settlement: Candidate | null,
  paid: ReadonlySet<string>,
): MatchKind | undefined {
  if (settlement === null) return 'NO_PAYOUT';
  const { status, bankReference, netMinor, currency, id } = settlement;
  if (status !== 'PROCESSING' && status !== 'COMPLETED') return 'NO_PAYOUT';
  if (isRecordedFor(line, settlement)) return undefined;
  if (bankReference !== null || paid.has(id)) return 'TWICE';
  return netMinor === line.amountMinor && currency === line.currency ? 'EXACT' : 'AMOUNT_DIFFERS';
}

/** One to one: where two have the same amount, nobody can say which is which. */
function matchByAmount(lines: readonly BankLine[], free: readonly Candidate[]): MatchedLine[] {
  const linesOf = Map.groupBy(lines, (line) => amountKey(line.amountMinor, line.currency));
  const payoutsOf = Map.groupBy(free, (each) => amountKey(each.netMinor, each.currency));
  return [...linesOf].flatMap(([amount, [line, ...more]]) => {
    const [settlement, ...others] = payoutsOf.get(amount) ?? [];
    const isOneToOne = settlement !== undefined && more.length === 0 && others.length === 0;
    return isOneToOne && isInTime(line!, settlement) ? matched(line!, 'BY_AMOUNT', settlement) : [];
  });
}

function isInTime({ day }: BankLine, { processedAtMs }: Candidate): boolean {
  if (day === null || processedAtMs === null) return false;
  const days = (Date.parse(day) - Math.floor(processedAtMs / dayMs) * dayMs) / dayMs;
  return days >= earliestDays && days <= latestDays;
}

const longest = 140;

/** The bank's reference of a line; a line without one is named by its day and place. */
export const referenceOf = ({ bankReference, day, line }: Omit<BankLine, 'texts'>): string =>
  bankReference?.replace(/\p{C}/gu, ' ').trim().slice(0, longest).toWellFormed() ||
  `${day ?? ''}/${line}`;

function matched(line: BankLine, kind: MatchKind, settlement: Candidate | null): MatchedLine {
  const { texts: _, isDebit: __, ...rest } = line;
  return { ...rest, bankReference: referenceOf(line), kind, settlement };
}
