import { subjectOf, ways } from '../../backoffice/resolutions/finding.ts';
import type { FindingInput } from '../../backoffice/resolutions/parse-finding.ts';
import { minorOf } from '../../integrations/operators/amount.ts';
import { isName, nameRule, readableName } from '../../integrations/operators/transaction-ids.ts';
import type { SubjectKind } from '../../money/review/review-item.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { kebab } from '../api/fields.ts';

/** The options that say the outcome. */
const findings = {
  debited: 'DEBITED',
  notDebited: 'NOT_DEBITED',
  refunded: 'REFUNDED',
  notRefunded: 'NOT_REFUNDED',
  givenBack: 'GIVEN_BACK',
  notGivenBack: 'NOT_GIVEN_BACK',
  reverse: 'REVERSE',
  paidOut: 'PAID_OUT',
  notPaidOut: 'NOT_PAID_OUT',
  charge: 'CHARGE',
  writeOff: 'WRITE_OFF',
} as const;
type Outcome = keyof typeof findings;

export interface ResolveOptions extends Partial<Record<Outcome, string | true>> {
  amount?: string;
  otherAmount?: true;
  unconfirmed?: true;
}

const outcomesIn = (options: ResolveOptions) =>
  (Object.keys(findings) as Outcome[]).filter((name) => options[name] !== undefined);

/** The kind of object that the options speak of. */
export function kindIn(options: ResolveOptions): SubjectKind {
  const [outcome = 'debited'] = outcomesIn(options);
  return subjectOf[findings[outcome]];
}

/**
 * A person's finding about an object, in the API's format. @throws StartError if it is ambiguous, or
 * does not fit this kind of object
 */
export function findingOf(
  options: ResolveOptions,
  { kind, name }: { kind: SubjectKind; name: string },
): FindingInput {
  const [outcome, ...more] = outcomesIn(options);
  const hint = `For a ${kind.toLowerCase()}, use ${ways[kind]}.`;
  if (!outcome || more.length > 0) throw new StartError(`The outcome of ${name} is missing.`, hint);
  const finding = findings[outcome];
  if (subjectOf[finding] !== kind)
    throw new StartError(`${name} is a ${kind.toLowerCase()}.`, hint);
  const given = options[outcome];
  if (typeof given !== 'string') return { finding };
  const named = {
    operatorTransaction: transactionOf(`--${kebab(outcome)}`, given.trim()),
    ...(options.unconfirmed && { unconfirmed: true }),
  };
  if (finding !== 'DEBITED') return { finding, ...named };
  return { finding, ...named, ...amountOf(options) };
}

function amountOf({ amount, otherAmount }: ResolveOptions) {
  if (amount === undefined) {
    const hint = 'Give the amount that the operator reported: --amount 100, or --amount 15.20.';
    throw new StartError('--debited needs --amount.', hint);
  }
  const amountMinor = minorOf(amount);
  if (!amountMinor) throw new StartError('--amount must be above 0, such as 100 or 15.20.');
  return { amount: amountMinor.toString(), otherAmount: otherAmount === true };
}

function transactionOf(option: string, given: string): string {
  if (given === '')
    throw new StartError(`${option} needs the operator's number of the transaction.`);
  if (isName(given)) return given;
  throw new StartError(
    `The number of a transaction ${nameRule}.`,
    `You gave ${readableName(given)}`,
  );
}
