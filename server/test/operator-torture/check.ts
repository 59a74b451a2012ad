import { inspectLedger } from '../../src/ledger/check.ts';
import type { Database } from '../../src/platform/database.ts';
import { formatId, parseId } from '../../src/platform/ids.ts';
import type { SimulatedTransaction, SimulatorProcess } from './simulator-process.ts';

export interface Evidence {
  database: Database;
  simulator: SimulatorProcess;
  acknowledged: readonly string[];
}

const good = ['DEBITED', 'SETTLED', 'PARTIALLY_REFUNDED', 'REFUNDED'];
const ends = [...good, 'FAILED', 'EXPIRED', 'CANCELLED'];

/** What is broken once nothing is under way any more; each in words. */
export async function brokenAtRest(evidence: Evidence): Promise<string[]> {
  const { database, simulator } = evidence;
  const transactions = await simulator.transactions();
  const { problems } = await inspectLedger(database);
  return [
    ...problems.map(({ message }) => `the ledger: ${message}`),
    ...(await wrongPayments(evidence, transactions)),
    ...(await wrongTotals(evidence)),
    ...(await wrongBookings(database, transactions)),
  ];
}

async function wrongPayments(
  { database, acknowledged }: Evidence,
  transactions: readonly SimulatedTransaction[],
): Promise<string[]> {
  const rows = await database.query<{ id: string; status: string }>({
    text: 'SELECT id, status FROM payments',
  });
  const statuses = new Map(rows.map(({ id, status }) => [id, status]));
  const done = transactions.filter((one) => one.transactionStatus === 'completed');
  const debits = done.filter(({ type }) => type === 'merchantpay');
  const reversedMinor = new Map<string, bigint>();
  for (const { originalTransactionReference: debit, amountMinor } of done) {
    if (debit) reversedMinor.set(debit, (reversedMinor.get(debit) ?? 0n) + BigInt(amountMinor));
  }
  const kept = debits.filter(
    (debit) => (reversedMinor.get(debit.transactionReference) ?? 0n) < BigInt(debit.amountMinor),
  );
  const amounts = kept.map(({ amountMinor }) => amountMinor);
  const debited = new Set(debits.map((one) => one.requestingOrganisationTransactionReference));
  return [
    ...acknowledged
      .filter((id) => !statuses.has(parseId('pi', id)!))
      .map((id) => `${id} was acknowledged, and is lost`),
    ...rows
      .filter(({ status }) => !ends.includes(status))
      .map(({ id, status }) => `${formatId('pi', id)} is stuck: ${status}`),
    ...rows
      .filter(({ id, status }) => good.includes(status) && !debited.has(id))
      .map(({ id, status }) => `${formatId('pi', id)} is ${status}, and was never debited`),
    ...amounts
      .filter((amount, index) => amounts.indexOf(amount) !== index)
      .map((amount) => `an order of ${amount} was debited twice`),
    ...kept
      .map((one) => one.requestingOrganisationTransactionReference)
      .filter((id) => !good.includes(statuses.get(id) ?? ''))
      .map((id) => `${formatId('pi', id)} is ${statuses.get(id)}, and its debit was not reversed`),
  ];
}

/** What the operator says it has must be what the books say that it owes, to the cent. */
async function wrongTotals({ database, simulator }: Evidence): Promise<string[]> {
  const rows = await database.query<{ currency: string; owedMinor: string }>({
    text: `SELECT currency, (-sum(balance_minor))::text AS "owedMinor" FROM balances
           WHERE account = 'operator:CVMOVEL' GROUP BY currency`,
  });
  const owed = new Map(rows.map(({ currency, owedMinor }) => [currency, BigInt(owedMinor)]));
  const { totals } = await simulator.totals();
  return totals.flatMap(({ currency, debitedMinor, reversedMinor }) => {
    const has = BigInt(debitedMinor) - BigInt(reversedMinor);
    const books = owed.get(currency) ?? 0n;
    return has === books
      ? []
      : [`the operator has ${has} ${currency}, and owes ${books} by the books`];
  });
}

/** Each debit is booked once, with its amount, and each reversal too. */
async function wrongBookings(
  database: Database,
  transactions: readonly SimulatedTransaction[],
): Promise<string[]> {
  const rows = await database.query<{ id: string; minor: string }>({
    text: `SELECT source_id AS id, sum(amount_minor)::text AS minor FROM postings
           WHERE from_account = 'operator:CVMOVEL' GROUP BY source_id`,
  });
  const booked = new Map(rows.map(({ id, minor }) => [id, minor]));
  const bySuspense = await database.query<{ paymentId: string; minor: string }>({
    text: `SELECT payment_id AS "paymentId", sum(amount_minor)::text AS minor FROM reversals GROUP BY payment_id`,
  });
  const inSuspense = new Map(bySuspense.map(({ paymentId, minor }) => [paymentId, minor]));
  return transactions.flatMap((one) => {
    if (one.type !== 'merchantpay' || one.transactionStatus !== 'completed') return [];
    const id = one.requestingOrganisationTransactionReference;
    const minor = booked.get(id) ?? inSuspense.get(id);
    if (minor === one.amountMinor) return [];
    return [
      `${formatId('pi', id)} was debited ${one.amountMinor}, and ${minor ?? 'nothing'} is booked`,
    ];
  });
}
