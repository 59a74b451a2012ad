import { isLive, liveNames, type World } from './dependencies.ts';
import type { Row } from './mirror.ts';

export interface Customer {
  /** What operators have really taken, minus what they have returned. */
  paidMinor: bigint;
  /** What the operators owe us for this customer, according to our records. */
  bookedMinor: bigint;
  /** Several if an operator mixes them up. */
  phones: string[];
  /** Ids of the payments, refunds and reversals. */
  ids: string[];
  /** As the trace names them. */
  names: string[];
}

interface Known {
  /** How many events had happened. */
  stamp: string;
  byId: Map<string, Customer>;
}

const known = new WeakMap<World, Known>();

/** By payment, refund or reversal; computed again only after an event. */
export function customerOf(world: World, id: string): Customer | undefined {
  const moved = liveNames.map((name) => world.providers[name].transactions.length);
  const stamp = `${world.mirror.changes} ${moved.join(' ')}`;
  let found = known.get(world);
  if (found?.stamp !== stamp) {
    const byId = new Map<string, Customer>();
    for (const customer of bookedPerCustomer(world)) {
      for (const each of customer.ids) if (!byId.has(each)) byId.set(each, customer);
    }
    found = { stamp, byId };
    known.set(world, found);
  }
  return found.byId.get(id);
}

/**
 * The truth next to the ledger, by phone; each payment of the simulation has its own phone. If an
 * operator gave one id to transactions of several customers, those customers count as one, because
 * nobody could tell them apart.
 */
export function bookedPerCustomer(world: World): Iterable<Customer> {
  const { mirror, trace } = world;
  const customers = new Map<string, Customer>();
  const of = (phone: string): Customer => {
    const known = customers.get(phone);
    if (known) return known;
    const customer: Customer = {
      paidMinor: 0n,
      bookedMinor: 0n,
      phones: [phone],
      ids: [],
      names: [],
    };
    customers.set(phone, customer);
    return customer;
  };
  const phoneOfTransaction = new Map<string, string>();
  for (const operator of liveNames) {
    for (const { id, reference, isDebit, phone, amountMinor } of world.providers[operator]
      .transactions) {
      const same = phoneOfTransaction.get(`${operator} ${id}`);
      if (same !== undefined && !customers.has(phone)) {
        of(same).phones.push(phone);
        customers.set(phone, of(same));
      }
      const customer = of(phone);
      customer.paidMinor += isDebit ? amountMinor : -amountMinor;
      customer.names.push(id);
      // Payments missing from our records are listed by their reference.
      customer.ids.push(reference);
      phoneOfTransaction.set(`${operator} ${id}`, phone);
    }
  }
  const sources = new Map<string, Customer>();
  const add = (letter: string, { id }: Row, phone: string | undefined) => {
    const customer = of(phone ?? 'somebody unknown');
    customer.ids.push(id);
    customer.names.push(trace.nameOf(letter, id));
    sources.set(id, customer);
  };
  const rowsOf = (table: string) =>
    [...mirror.rows(table).values()]
      .map(({ row }) => row)
      .filter((row) => isLive(world, row.tenant_id));
  const phoneOf = (paymentId: string) => mirror.get('payments', paymentId)?.row.operator_phone;
  for (const row of rowsOf('payments')) add('P', row, row.operator_phone);
  for (const row of rowsOf('refunds')) add('R', row, phoneOf(row.payment_id));
  for (const row of rowsOf('reversals')) {
    const byTransaction = phoneOfTransaction.get(`${row.operator} ${row.operator_tx_id}`);
    add('V', row, phoneOf(row.payment_id) ?? byTransaction);
  }
  for (const row of rowsOf('disbursements')) add('D', row, row.operator_phone);
  for (const row of rowsOf('postings')) {
    const customer = sources.get(row.source_id);
    const amountMinor = BigInt(row.amount_minor);
    if (!customer) continue;
    if (row.from_account.startsWith('operator:')) customer.bookedMinor += amountMinor;
    if (row.to_account.startsWith('operator:')) customer.bookedMinor -= amountMinor;
  }
  return new Set(customers.values());
}
