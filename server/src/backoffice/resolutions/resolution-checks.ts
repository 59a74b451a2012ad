import { findBookedAccounts } from '../../integrations/operators/booked-accounts.ts';
import type { OperatorTraits } from '../../integrations/operators/operator.ts';
import { simulatedTraits, traitsOf } from '../../integrations/operators/traits.ts';
import { isSameName } from '../../integrations/operators/transaction-ids.ts';
import { type Use, useOf } from '../../money/review/find-booking.ts';
import type { ReviewItem } from '../../money/review/review-item.ts';
import type { ReviewSubject } from '../../money/review/subjects.ts';
import { findTenants } from '../../tenants/merchants/store.ts';
import { subjectIdOf } from './describe-case.ts';
import type { Resolver } from './resolver.ts';
import { ReviewRefusal } from './review-error.ts';

/** The object whose outcome a person records. */
export interface Resolving {
  workspace: Resolver;
  subject: Pick<ReviewSubject, 'tenantId' | 'id'>;
  /** Its open items. */
  open: readonly ReviewItem[];
  /** Audits the finding, before it has consequences. */
  record: (detail: Record<string, unknown>) => Promise<void>;
}

/** Whether the operator contradicts a person's entry. */
export const isContradicted = ({ open }: Resolving, { byHand }: { byHand: boolean }) =>
  byHand && open.some(({ kind }) => kind === 'CONTRADICTION');

/** The lease of a person's claim: longer than the few statements that follow. */
export const leaseLengthMs = 15_000;

/** A gateway is processing it just now, or was faster. */
export const isBusy = ({ operator }: Pick<ReviewSubject, 'operator'>) =>
  new ReviewRefusal(
    'BUSY',
    `A gateway is querying ${operator} about it right now: nothing was changed.`,
    'Try again in a minute.',
  );

type Addressed = Pick<ReviewSubject, 'tenantId' | 'operator'>;

/**
 * The configuration of an operator, which is not called.
 * @param isBooked something is booked under our account there, so the account must be known
 */
export async function traitsFor(
  { database, config }: Pick<Resolver, 'database' | 'config'>,
  { tenantId, operator }: Addressed,
  isBooked: boolean,
): Promise<OperatorTraits> {
  const [tenant] = await findTenants(database, [tenantId]);
  if (tenant?.mode === 'test') return simulatedTraits;
  const settings = operator === 'MOCK' ? undefined : config.operators[operator];
  if (settings) return traitsOf(settings);
  if (!isBooked) return { deduplicates: false, answersQueries: false, account: null };
  throw new ReviewRefusal(
    'NOT_CONFIGURED',
    `${operator} is not configured here, so nothing can be booked for its account.`,
    `Run this with the gateway's settings: OPERATOR_${operator}_URL and the others.`,
  );
}

/**
 * Checks whether the operator's transaction can be the one that a person names.
 * @throws StartError if it is booked for something else: a typing mistake
 */
export async function checkTransaction(
  workspace: Resolver,
  subject: Addressed,
  operatorTxId: string,
  expected: Use,
): Promise<void> {
  const traits = await traitsFor(workspace, subject, expected.isDebit);
  const accounts = await accountsOf(workspace, traits);
  const use = await useOf(workspace.database, subject.operator, accounts, operatorTxId);
  if (!use || (use.isDebit === expected.isDebit && use.id === expected.id)) return;
  const noun = use.kind.toLowerCase();
  const name = `${noun} ${subjectIdOf(use.kind, use.id)}`;
  const returned = use.kind === 'DISBURSEMENT' ? `what paid out ${name}` : `what gave ${name} back`;
  const what = use.isDebit ? `a debit of ${name}` : returned;
  throw new ReviewRefusal(
    'NUMBER_TAKEN',
    `${operatorTxId} is already booked: it is ${what}.`,
    'Nothing was changed. Check the number and both ids: the operator may have used it twice.',
  );
}

/** The account under which a person books a return: any, if the operator is not configured here; null: simulated. */
export async function accountOfReturn(
  workspace: Pick<Resolver, 'database' | 'config'>,
  subject: Addressed,
): Promise<string | null> {
  const traits = await traitsFor(workspace, subject, false);
  return traits === simulatedTraits ? null : (traits.account ?? '');
}

/** If the operator is not configured here, it may be any. */
async function accountsOf(
  { database }: Pick<Resolver, 'database'>,
  traits: OperatorTraits,
): Promise<readonly string[]> {
  if (traits === simulatedTraits) return [];
  return traits.account === null ? findBookedAccounts(database) : [traits.account];
}

/** @throws StartError if the id of the return is that of the debit */
export function checkNumber(debitTxId: string, given: string): void {
  if (!isSameName(given, debitTxId)) return;
  throw new ReviewRefusal(
    'NUMBER_OF_DEBIT',
    `${given} is the debit itself.`,
    'Give the number of the transaction that returned it.',
  );
}
