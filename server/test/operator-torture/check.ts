import { formatId, parseId } from '../../src/platform/values/ids.ts';
import type {
  BookedDisbursement,
  BookedPayment,
  BookedRefund,
  BookedReversal,
  Ledger,
} from './ledger.ts';
import type { SimulatedTotals, SimulatedTransaction } from './simulator-process.ts';

/** The operator's records. */
export interface Operator {
  transactions: readonly SimulatedTransaction[];
  totals: SimulatedTotals['totals'];
}

const good = ['DEBITED', 'SETTLED', 'PARTIALLY_REFUNDED', 'REFUNDED'];
const ends = [...good, 'FAILED', 'EXPIRED', 'CANCELLED'];

const nameOf = (paymentId: string) => formatId('pi', paymentId);

/** The broken promises once nothing is in flight, in words. */
export function brokenPromises(
  ledger: Ledger,
  operator: Operator,
  acknowledged: readonly string[],
): string[] {
  const done = operator.transactions.filter((one) => one.transactionStatus === 'completed');
  const debits = done.filter(({ type }) => type === 'merchantpay');
  const reversals = done.filter(({ type }) => type === 'reversal');
  const payouts = done.filter(({ type }) => type === 'disbursement');
  return [
    ...lostOrStuck(ledger, acknowledged),
    ...wrongDebits(ledger, debits),
    ...paidForNothing(ledger, debits),
    ...wrongReversals(ledger, reversals),
    ...returnedForNothing(ledger, reversals).map(
      ({ id }) => `the return ${id} is booked, and was never made`,
    ),
    ...wrongPayouts(ledger, payouts),
    ...wrongTotals(ledger, operator, done, reversals),
  ];
}

function lostOrStuck(ledger: Ledger, acknowledged: readonly string[]): string[] {
  const { payments, refunds, reversals, disbursements, listed } = ledger;
  const known = new Set(payments.map(({ id }) => id));
  const isOpen = (of: readonly string[]) => (row: { id: string; status: string }) =>
    !of.includes(row.status) && !listed.has(row.id);
  return [
    ...acknowledged
      .filter((id) => !known.has(parseId('pi', id)!))
      .map((id) => `${id} was acknowledged, and is lost`),
    // Each order has a unique amount.
    ...[...Map.groupBy(payments, ({ amountMinor }) => amountMinor.toString())]
      .filter(([, same]) => same.length > 1)
      .map(([amount, same]) => `an order of ${amount} has ${same.length} payments`),
    ...payments
      .filter(isOpen(ends))
      .map(({ id, status }) => `${nameOf(id)} is stuck: ${status}, and nothing queries it`),
    ...refunds
      .filter(isOpen(['SUCCEEDED', 'FAILED']))
      .map(({ id, status }) => `the refund ${formatId('re', id)} is stuck: ${status}`),
    // Refused or held reversals stay in suspense, listed for review.
    ...reversals
      .filter(isOpen(['SUCCEEDED', 'FAILED', 'HELD']))
      .map(({ id, status }) => `the reversal ${id} is stuck: ${status}`),
    ...disbursements
      .filter(isOpen(['SUCCEEDED', 'FAILED', 'CANCELLED']))
      .map(({ id, status }) => `the disbursement ${formatId('di', id)} is stuck: ${status}`),
  ];
}

/** Each debit is booked once, with its amount: for its payment, or as returned. */
function wrongDebits(ledger: Ledger, debits: readonly SimulatedTransaction[]): string[] {
  const payments = Map.groupBy(ledger.payments, ({ operatorTxId }) => operatorTxId ?? '');
  const reversals = Map.groupBy(ledger.reversals, ({ operatorTxId }) => operatorTxId);
  return debits.flatMap((debit) => {
    const id = debit.transactionReference;
    return problemsOfDebit(ledger, debit, payments.get(id) ?? [], reversals.get(id) ?? []);
  });
}

function problemsOfDebit(
  { listed }: Ledger,
  debit: SimulatedTransaction,
  payments: readonly BookedPayment[],
  reversals: readonly BookedReversal[],
): string[] {
  const { transactionReference: id, requestingOrganisationTransactionReference: ours } = debit;
  const { amountMinor } = debit;
  const credited = payments.filter(({ status }) => good.includes(status));
  const what = `the debit ${id} of ${amountMinor} for ${nameOf(ours)}`;
  const bookings = [
    ...credited.map((one) => ({ paymentId: one.id, minor: one.amountMinor })),
    ...reversals.map((one) => ({ paymentId: one.paymentId, minor: one.amountMinor })),
  ];
  if (bookings.length === 0) return listed.has(ours) ? [] : [`${what} is booked nowhere`];
  const problems: string[] = [];
  if (credited.length > 1) problems.push(`${what} is credited to ${credited.length} payments`);
  if (reversals.length > 1) problems.push(`${what} is returned ${reversals.length} times`);
  if (credited.length > 0 && reversals.length > 0) {
    problems.push(`${what} is credited, and is returned`);
  }
  for (const { paymentId, minor } of bookings) {
    if (paymentId !== ours) problems.push(`${what} is booked for ${nameOf(paymentId)}`);
    if (minor !== BigInt(amountMinor)) problems.push(`${what} is booked with ${minor}`);
  }
  return problems;
}

function paidForNothing({ payments }: Ledger, debits: readonly SimulatedTransaction[]): string[] {
  const done = new Set(debits.map((one) => one.transactionReference));
  return payments
    .filter(({ status, operatorTxId }) => good.includes(status) && !done.has(operatorTxId ?? ''))
    .map(({ id, status }) => `${nameOf(id)} is ${status}, and was never debited`);
}

/** Each return of the operator was requested, once, and is booked with its amount. */
function wrongReversals(
  { refunds, reversals, listed }: Ledger,
  done: readonly SimulatedTransaction[],
): string[] {
  const byReference = Map.groupBy(done, (one) => one.requestingOrganisationTransactionReference);
  const asked = new Map<string, BookedRefund | BookedReversal>(
    [...refunds, ...reversals].map((one) => [one.id, one]),
  );
  return [...byReference].flatMap(([reference, given]) => {
    const problems: string[] = [];
    const what = `the return ${reference} of ${given[0]!.amountMinor}`;
    if (given.length > 1) problems.push(`${what} was made ${given.length} times`);
    const row = asked.get(reference);
    if (!row) return [...problems, `${what} was never requested`];
    // A refund that had failed in our records is booked all the same, against suspense.
    const isLate = 'operatorRefundId' in row && row.operatorRefundId !== null;
    const isBooked = row.status === 'SUCCEEDED' || isLate;
    if (!isBooked && !listed.has(reference)) problems.push(`${what} is booked as ${row.status}`);
    if (row.amountMinor !== BigInt(given[0]!.amountMinor)) {
      problems.push(`${what} is booked with ${row.amountMinor}`);
    }
    return problems;
  });
}

const isPaid = ({ status, operatorTxId }: BookedDisbursement) =>
  status === 'SUCCEEDED' || operatorTxId !== null;

/** Each payee was paid once, with the amount that is booked; nothing else is booked as paid. */
function wrongPayouts(
  { disbursements, listed }: Ledger,
  payouts: readonly SimulatedTransaction[],
): string[] {
  const paid = Map.groupBy(payouts, (one) => one.requestingOrganisationTransactionReference);
  const known = new Set(disbursements.map(({ reference }) => reference));
  const unknown = [...paid.keys()].filter((reference) => !known.has(reference));
  return [
    ...unknown.map((reference) => `the payout ${reference} was never requested`),
    ...disbursements.flatMap((row) => {
      const { id, reference, status, amountMinor } = row;
      const what = `the disbursement ${formatId('di', id)}`;
      const [first, ...more] = paid.get(reference) ?? [];
      if (!first) return isPaid(row) ? [`${what} is ${status}, and was never paid`] : [];
      if (more.length > 0) return [`${what} was paid ${more.length + 1} times`];
      if (!isPaid(row)) return listed.has(id) ? [] : [`${what} was paid, and is ${status}`];
      const isOther = amountMinor !== BigInt(first.amountMinor);
      return isOther ? [`${what} of ${first.amountMinor} is booked with ${amountMinor}`] : [];
    }),
  ];
}

/** Booked but never made, except for transactions that are also reported for another request. */
const returnedForNothing = (ledger: Ledger, done: readonly SimulatedTransaction[]) =>
  neverMade(ledger, done).filter(({ id }) => !ledger.clashed.has(id));

function neverMade(
  { refunds, reversals }: Ledger,
  done: readonly SimulatedTransaction[],
): (BookedRefund | BookedReversal)[] {
  const given = new Set(done.map((one) => one.requestingOrganisationTransactionReference));
  return [...refunds, ...reversals].filter(
    ({ id, status }) => status === 'SUCCEEDED' && !given.has(id),
  );
}

/** The operator's balance must equal the ledger's to the cent, apart from listed items. */
function wrongTotals(
  ledger: Ledger,
  { totals }: Operator,
  done: readonly SimulatedTransaction[],
  reversals: readonly SimulatedTransaction[],
): string[] {
  const excused = unbookedAndListed(ledger, done);
  const clashed = neverMade(ledger, reversals).filter(({ id }) => ledger.clashed.has(id));
  return totals.flatMap(({ currency, debitedMinor, reversedMinor, disbursedMinor }) => {
    const excusedMinor = excused
      .filter((one) => one.currency === currency)
      .map(({ type, amountMinor }) => BigInt(amountMinor) * (type === 'merchantpay' ? 1n : -1n))
      .reduce((sum, minor) => sum + minor, 0n);
    const clashedMinor = clashed
      .filter((one) => one.currency === currency)
      .reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    const goneMinor = BigInt(reversedMinor) + BigInt(disbursedMinor);
    const has = BigInt(debitedMinor) - goneMinor - excusedMinor - clashedMinor;
    const owes = ledger.owedMinor.get(currency) ?? 0n;
    if (has === owes) return [];
    return [`the operator has ${has} ${currency} of ours, and owes ${owes} by the ledger`];
  });
}

/** Operator transactions that our records lack, and a person knows of. */
export function unbookedAndListed(
  { payments, refunds, reversals, disbursements, listed }: Ledger,
  transactions: readonly SimulatedTransaction[],
): SimulatedTransaction[] {
  const booked = new Set([
    ...payments.map(({ operatorTxId }) => operatorTxId),
    ...reversals.map(({ operatorTxId }) => operatorTxId),
  ]);
  const returned = new Set(
    [...refunds, ...reversals].filter(({ status }) => status === 'SUCCEEDED').map(({ id }) => id),
  );
  const payouts = new Map(disbursements.map((row) => [row.reference, row]));
  return transactions.filter((one) => {
    if (one.transactionStatus !== 'completed') return false;
    const reference = one.requestingOrganisationTransactionReference;
    const payout = payouts.get(reference);
    if (payout) return !isPaid(payout) && listed.has(payout.id);
    const isDebit = one.type === 'merchantpay';
    const isBooked = isDebit ? booked.has(one.transactionReference) : returned.has(reference);
    return !isBooked && listed.has(reference);
  });
}
