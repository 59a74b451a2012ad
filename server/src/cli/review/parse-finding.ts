import {
  type Finding,
  type FindingOf,
  subjectOf,
  ways,
} from '../../backoffice/resolutions/finding.ts';
import { minorOf } from '../../integrations/operators/amount.ts';
import { isName, nameRule, readableName } from '../../integrations/operators/transaction-ids.ts';
import type { SubjectKind } from '../../money/review/review-item.ts';
import { StartError } from '../../platform/errors/start-error.ts';

export interface ResolveOptions {
  debited?: string;
  amount?: string;
  otherAmount?: true;
  notDebited?: true;
  refunded?: string;
  notRefunded?: true;
  givenBack?: string;
  notGivenBack?: true;
  reverse?: true;
}

/**
 * Parses a person's finding about a payment, refund or reversal. @throws StartError if it is ambiguous, or does not fit
 * this kind of object
 */
export function findingOf(
  options: ResolveOptions,
  subject: { kind: SubjectKind; name: string },
): Finding {
  const said = [
    options.debited !== undefined && debited(options, options.debited),
    options.notDebited && ({ kind: 'NOT_DEBITED' } as const),
    options.refunded !== undefined && transaction('REFUNDED', '--refunded', options.refunded),
    options.notRefunded && ({ kind: 'NOT_REFUNDED' } as const),
    options.givenBack !== undefined && transaction('GIVEN_BACK', '--given-back', options.givenBack),
    options.notGivenBack && ({ kind: 'NOT_GIVEN_BACK' } as const),
    options.reverse && ({ kind: 'REVERSE' } as const),
  ].filter((each) => typeof each === 'object');
  const hint = `For a ${subject.kind.toLowerCase()}, use ${ways[subject.kind]}.`;
  const [finding] = said;
  if (!finding || said.length > 1) {
    throw new StartError(`The outcome of ${subject.name} is missing.`, hint);
  }
  if (subjectOf[finding.kind] !== subject.kind) {
    throw new StartError(`${subject.name} is a ${subject.kind.toLowerCase()}.`, hint);
  }
  return finding;
}

function debited({ amount, otherAmount }: ResolveOptions, given: string): FindingOf<'DEBITED'> {
  const { operatorTxId } = transaction('DEBITED', '--debited', given);
  if (amount === undefined) {
    const hint = 'Give the amount that the operator reported: --amount 100, or --amount 15.20.';
    throw new StartError('--debited needs --amount.', hint);
  }
  const amountMinor = minorOf(amount);
  if (!amountMinor) throw new StartError('--amount must be above 0, such as 100 or 15.20.');
  return { kind: 'DEBITED', operatorTxId, amountMinor, isOtherAmount: otherAmount === true };
}

function transaction<Kind extends Finding['kind']>(kind: Kind, option: string, given: string) {
  const operatorTxId = given.trim();
  if (operatorTxId === '') {
    throw new StartError(`${option} needs the operator's number of the transaction.`);
  }
  if (isName(operatorTxId)) return { kind, operatorTxId };
  const hint = `You gave ${readableName(operatorTxId)}`;
  throw new StartError(`The number of a transaction ${nameRule}.`, hint);
}
