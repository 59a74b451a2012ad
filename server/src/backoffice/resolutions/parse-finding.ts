import { isName, nameRule } from '../../integrations/operators/transaction-ids.ts';
import type { SubjectKind } from '../../money/review/review-item.ts';
import { invalid } from '../../platform/errors/errors.ts';
import { type Finding, findings, namesTransaction, subjectOf } from './finding.ts';

/** A finding of a person or a program, field by field. */
export interface FindingInput {
  finding: Finding['kind'];
  operatorTransaction?: string | undefined;
  /** In minor units. */
  amount?: string | undefined;
  otherAmount?: boolean;
  unconfirmed?: boolean;
}

/** @throws VALIDATION_ERROR the finding belongs to another kind of object, or lacks a field */
export function findingOf({ finding: kind, ...said }: FindingInput, of: SubjectKind): Finding {
  if (subjectOf[kind] !== of) {
    const these = findings.filter((each) => subjectOf[each] === of).join(', ');
    throw invalid('finding', `must be one of ${these} for a ${of.toLowerCase()}`);
  }
  const { amount, otherAmount = false, unconfirmed = false } = said;
  const operatorTxId = said.operatorTransaction?.trim();
  const needs = namesTransaction(kind);
  if (needs !== Boolean(operatorTxId)) {
    throw invalid('operatorTransaction', `must ${needs ? '' : 'not '}be given with ${kind}`);
  }
  if (operatorTxId && !isName(operatorTxId)) {
    throw invalid('operatorTransaction', nameRule);
  }
  if ((kind === 'DEBITED') !== (amount !== undefined)) {
    throw invalid('amount', `must ${kind === 'DEBITED' ? '' : 'not '}be given with ${kind}`);
  }
  if (!needs) return { kind } as Finding;
  const named = {
    operatorTxId: operatorTxId!,
    ...(unconfirmed && { isUnconfirmed: true as const }),
  };
  if (kind !== 'DEBITED') return { kind, ...named } as Finding;
  return { kind, ...named, amountMinor: BigInt(amount!), isOtherAmount: otherAmount };
}
