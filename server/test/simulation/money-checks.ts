import type { Invariant } from './broken-invariant.ts';
import { isLive, type LiveName, type World } from './dependencies.ts';
import { instantOf, type Mirrored, type Row } from './mirror.ts';
import type { Transaction } from './operator-records.ts';
import { newActor } from './scheduler.ts';
import { settings } from './settings.ts';

/**
 * How long an undisturbed gateway may take to book or list an answer, and over how many instants.
 */
const longestBookingMs = 2_000;
const mostInstants = 5;

const open = ['CREATED', 'OPERATOR_PENDING', 'USER_CONFIRMING'];
export const debited = ['DEBITED', 'SETTLED', 'REFUNDED', 'PARTIALLY_REFUNDED'];

/** What a merchant wants to return once, however often it requests that. */
interface Wish {
  mostMinor: bigint;
  returnedMinor: bigint;
}

type Break = (invariant: Invariant, message: string, names: readonly string[]) => void;

/** Checks that money counts once in both directions, and that confirmed debits are handled. */
export class MoneyChecks {
  #world: () => World;
  #broken: Break;
  #actor = newActor('the checks');
  /** Payments that the operator confirmed as debited while they were open. */
  #confirmed = new Set<string>();
  #wishes = new Map<string, Wish>();
  #wishOf = new Map<string, Wish>();

  constructor(world: () => World, broken: Break) {
    this.#world = world;
    this.#broken = broken;
  }

  /** An operator has told a gateway that the debit of a payment succeeded. */
  onConfirmed(reference: string): void {
    const { mirror, scheduler, trace } = this.#world();
    const row = mirror.get('payments', reference)?.row;
    if (!row || !open.includes(row.status) || !this.#isSteady()) return;
    if (this.sharesItsId(row.operator, reference)) return;
    this.#confirmed.add(reference);
    const waitMs = Math.max(longestBookingMs, mostInstants * this.#world().dials.tickMs);
    scheduler.after(this.#actor, waitMs, 'a look at what was confirmed', () => {
      if (this.#isBookedOrListed(reference)) return;
      const name = trace.nameOf('P', reference);
      const status = mirror.get('payments', reference)?.row.status;
      const message = `the debit of ${name} was confirmed; it is ${status}, and not listed for a person`;
      this.#broken('confirmed', message, [name]);
    });
  }

  onChange(table: string, before: Mirrored | undefined, { row }: Mirrored): void {
    if (!isLive(this.#world(), row.tenant_id)) return;
    if (table === 'payments' && row.status !== before?.row.status) this.#onStatus(row);
    if (table === 'refunds' && !before) this.#onRefund(row);
    const column = returnColumns[table as 'refunds'];
    if (column && row[column] !== null && row[column] !== before?.row[column]) {
      this.#checkReturn(row.operator, row[column]);
    }
  }

  /** A customer got money back. */
  onReturn({ id, reference, amountMinor, of }: Transaction): void {
    const { trace } = this.#world();
    const wish = this.#wishOf.get(reference);
    if (!wish) return;
    wish.returnedMinor += amountMinor;
    if (wish.returnedMinor <= wish.mostMinor) return;
    const message = `${wish.returnedMinor} went back for one wish of ${wish.mostMinor}, last by ${id}`;
    this.#broken('refunded-once', message, [id, of!.id, trace.nameOf('R', reference)]);
  }

  /** Whether the database has a refund for this wish. */
  isLost(wishName: string): boolean {
    const { mirror } = this.#world();
    const wish = this.#wishes.get(wishName);
    if (!wish) return false;
    return [...mirror.rows('refunds').keys()].every((id) => this.#wishOf.get(id) !== wish);
  }

  #onStatus(row: Row): void {
    const { trace, providers } = this.#world();
    const name = trace.nameOf('P', row.id);
    // A debit of another amount is returned, and its payment may end without a debit.
    const isOpen = this.#confirmed.has(row.id) && !this.#isAbout('reversals', 'payment_id', row.id);
    if (isOpen && !this.#isLeftToPerson(row) && ['EXPIRED', 'FAILED'].includes(row.status)) {
      const message = `${name} is ${row.status}, though the operator had confirmed its debit`;
      this.#broken('confirmed', message, [name]);
    }
    if (!debited.includes(row.status)) return;
    if (providers[row.operator as 'CVMOVEL'].movedFor(row.id)) return;
    this.#broken('books', `${name} is ${row.status}, and its customer was never debited`, [name]);
  }

  /**
   * The operator's answer is unreadable, so a person was asked; the payment is held while it is
   * watched.
   */
  #isLeftToPerson({ id, sent_at: sentAt }: Row): boolean {
    const sentMs = instantOf(sentAt);
    const isOver =
      sentMs !== null && this.#world().scheduler.nowMs >= sentMs + settings.timing.watchMs;
    return isOver && this.#isAbout('review_items', 'subject_id', id);
  }

  #onRefund(row: Row): void {
    const { mirror } = this.#world();
    const { wish: name } = JSON.parse(row.metadata ?? '{}') as { wish?: string };
    if (name === undefined) return;
    const payment = mirror.get('payments', row.payment_id)?.row;
    const known = this.#wishes.get(name);
    const wish = known ?? { mostMinor: 0n, returnedMinor: 0n };
    // After a set-back, the remaining amount may be larger, but never above the payment.
    const isAll = name.endsWith('all');
    wish.mostMinor = BigInt((isAll ? payment?.amount_minor : undefined) ?? row.amount_minor);
    this.#wishes.set(name, wish);
    this.#wishOf.set(row.id, wish);
  }

  /** A returning transaction belongs to one refund or reversal, and is not a debit. */
  #checkReturn(operator: string, operatorTxId: string): void {
    const { mirror, trace } = this.#world();
    const found = Object.entries(returnColumns).flatMap(([table, column]) =>
      mirror.where(table, column, operatorTxId),
    );
    const debits = mirror.where('payments', 'operator_tx_id', operatorTxId);
    const same = [...found, ...debits].filter(({ row }) => row.operator === operator);
    const names = same.map(({ row }) => trace.nameOf('R', row.id));
    if (names.length < 2) return;
    const message = `${operatorTxId} is booked as what went back, and for ${names.join(' and ')}`;
    this.#broken('one-booking', message, [...names, operatorTxId]);
  }

  #isBookedOrListed(id: string): boolean {
    const { mirror } = this.#world();
    const status = mirror.get('payments', id)?.row.status;
    if (debited.includes(status)) return true;
    return (
      this.#isAbout('review_items', 'subject_id', id) ||
      this.#isAbout('reversals', 'payment_id', id)
    );
  }

  #isAbout(table: string, column: string, id: string): boolean {
    return this.#world().mirror.where(table, column, id).length > 0;
  }

  /** The operator has confirmed one of two debits with the same id, and nobody knows which. */
  sharesItsId(operator: LiveName, reference: string): boolean {
    const { transactions } = this.#world().providers[operator];
    const id = transactions.find((each) => each.reference === reference)?.notation.id;
    return transactions.filter(({ notation }) => notation.id === id).length > 1;
  }

  /** Whether no fault prevents a gateway from acting at once. */
  #isSteady(): boolean {
    const { frozenSteps, frozenGateways, kills, setBacks } = this.#world().dials;
    return frozenSteps + frozenGateways + kills + setBacks === 0;
  }
}

const returnColumns = {
  refunds: 'operator_refund_id',
  reversals: 'operator_reversal_id',
} as const;
