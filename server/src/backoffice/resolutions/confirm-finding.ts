import type {
  Expected,
  TransactionCheck,
  TransactionLookup,
} from '../../integrations/operators/adapter.ts';
import { loadAdapter } from '../../integrations/operators/load-adapters.ts';
import { traitsOf } from '../../integrations/operators/traits.ts';
import { findPayment } from '../../money/payments/store.ts';
import { findSubject, type ReviewSubject } from '../../money/review/subjects.ts';
import type { OperatorSettings } from '../../platform/config/operator-settings.ts';
import { formatAmount } from '../../platform/formats/display-format.ts';
import { subjectIdOf } from './describe-case.ts';
import type { Finding } from './finding.ts';
import { checkNumber, checkTransaction } from './resolution-checks.ts';
import type { Resolver } from './resolver.ts';
import { type Doubt, NotConfirmed, ReviewRefusal } from './review-error.ts';

/** Asks an operator about one of its transactions; undefined: it cannot be asked. */
export type LookUp = (
  settings: OperatorSettings,
  lookup: TransactionLookup,
) => Promise<TransactionCheck | undefined>;

type Named = Extract<Finding, { operatorTxId: string }>;

/**
 * Has the operator confirm the number of a transaction that a person typed, before money moves on it: two numbers are
 * easily mixed up, and the debit of another customer would go back. It calls the operator, so no transaction of the
 * database may be open.
 * @returns the finding, which is no longer unconfirmed if the operator confirms it
 * @throws ReviewRefusal NUMBER_TAKEN, NUMBER_OF_DEBIT it is booked for something else
 * @throws ReviewRefusal OTHER_TRANSACTION the operator says that it belongs to another request of ours
 * @throws NotConfirmed the operator does not confirm it, and the person does not insist
 */
export async function confirmFinding(
  resolver: Resolver,
  subject: ReviewSubject,
  finding: Finding,
  lookUp: LookUp = lookUpOf(resolver),
): Promise<Finding> {
  if (!('operatorTxId' in finding)) return finding;
  const { operatorTxId } = finding;
  const use = { kind: subject.kind, id: subject.id, isDebit: subject.kind === 'PAYMENT' };
  if (subject.kind === 'REVERSAL') checkNumber(subject.debitTxId ?? '', operatorTxId);
  await checkTransaction(resolver, subject, operatorTxId, use);
  const settings = settingsFor(resolver, subject);
  if (!settings) return finding;
  const expected = await expectedOf(resolver, subject, finding, settings);
  const timeoutMs = resolver.config.operatorTimeoutMs;
  const check = await lookUp(settings, { expected, operatorTxId, timeoutMs });
  if (!check) return finding;
  if (check.kind === 'OTHER') await refuseAnother(resolver, subject, finding, check.reference);
  const doubt = doubtOf(check, amountOf(subject, finding), subject.currency);
  const { isUnconfirmed, ...confirmed } = finding;
  if (!doubt) return confirmed;
  if (isUnconfirmed) return finding;
  throw new NotConfirmed(
    doubt,
    `${subject.operator} does not confirm ${operatorTxId}: ${wordsOf(doubt, subject, finding)}.`,
    'Check the number and the amount. If the operator has read them to you a second time, add --unconfirmed.',
  );
}

const lookUpOf =
  ({ clock }: Resolver): LookUp =>
  async (settings, lookup) =>
    (await loadAdapter(settings.adapter)).checkTransaction?.(settings, clock, lookup);

/** Undefined: nobody can be asked. */
function settingsFor(
  { config }: Resolver,
  { operator, mode }: ReviewSubject,
): OperatorSettings | undefined {
  const settings = operator === 'MOCK' ? undefined : config.operators[operator];
  const isAsked = mode === 'live' && settings !== undefined && traitsOf(settings).answersQueries;
  return isAsked ? settings : undefined;
}

async function expectedOf(
  { database }: Resolver,
  subject: ReviewSubject,
  finding: Named,
  settings: OperatorSettings,
): Promise<Expected> {
  const { kind, tenantId, reference, currency, debitTxId, paymentId } = subject;
  const payment = paymentId === null ? undefined : await findPayment(database, tenantId, paymentId);
  const phone = payment?.operatorPhone ?? subject.phone;
  return {
    kind: kind === 'PAYMENT' ? 'DEBIT' : kind,
    reference,
    currency,
    // An operator may leave the amount out; then the person's counts.
    amountMinor: amountOf(subject, finding),
    account: traitsOf(settings).account,
    ...(debitTxId !== null && { operatorTxId: debitTxId }),
    ...(phone !== null && { phone }),
  };
}

const amountOf = ({ amountMinor }: ReviewSubject, finding: Named) =>
  finding.kind === 'DEBITED' ? finding.amountMinor : amountMinor;

/**
 * No insisting helps here: the other object is the one to resolve. An operator that returns a debit by hand may keep
 * the reference of the payment, so that is not another.
 */
async function refuseAnother(
  { database }: Resolver,
  { operator, reference: ours, paymentId }: ReviewSubject,
  { operatorTxId }: Named,
  reference: string | null,
): Promise<void> {
  const isUuid = reference !== null && /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(reference);
  const isOurs = reference === ours || reference === paymentId;
  const other = isUuid && !isOurs ? await findSubject(database, reference) : undefined;
  if (!other) return;
  const name = `${other.kind.toLowerCase()} ${subjectIdOf(other.kind, other.id)}`;
  throw new ReviewRefusal(
    'OTHER_TRANSACTION',
    `${operator} says that ${operatorTxId} belongs to ${name}.`,
    'Nothing was changed. Check the number: two numbers may be mixed up.',
  );
}

/** Undefined: the operator confirms it. */
function doubtOf(
  check: TransactionCheck,
  expectedMinor: bigint,
  currency: string,
): Doubt | undefined {
  if (check.kind !== 'CONFIRMED') return { kind: check.kind };
  const { amountMinor: toldMinor } = check;
  return toldMinor === expectedMinor ? undefined : { kind: 'AMOUNT', toldMinor, currency };
}

function wordsOf(doubt: Doubt, subject: ReviewSubject, finding: Named): string {
  switch (doubt.kind) {
    case 'AMOUNT': {
      const [told, typed] = [doubt.toldMinor, amountOf(subject, finding)].map((minor) =>
        formatAmount(minor, doubt.currency),
      );
      return `its amount is ${told}, not ${typed}`;
    }
    case 'OTHER':
      return 'it describes a transaction of another customer, kind, currency or reference';
    case 'NOT_DONE':
      return 'it is not completed';
    case 'NOT_FOUND':
      return 'there is no such transaction';
    case 'NO_ANSWER':
      return 'it gave no usable answer';
  }
}
