import type { Call } from '../../src/integrations/operators/gsma/client.ts';
import type { PayoutFile } from './bank.ts';
import { BrokenInvariant, type Invariant } from './broken-invariant.ts';
import { isLive, liveNames, type World } from './dependencies.ts';
import type { GatewayDials } from './dials.ts';
import { DisbursementChecks } from './disbursement-checks.ts';
import { bookedPerCustomer } from './ledger.ts';
import { isPayoutPath } from './messages.ts';
import { instantOf, type Mirrored, type Row } from './mirror.ts';
import { debited, MoneyChecks } from './money-checks.ts';
import type { Answer, Transaction } from './operator-records.ts';
import type { Actor } from './scheduler.ts';
import { settings } from './settings.ts';

/** How long after `sent_at` a request may begin, and how far a clock may be off. */
const latestStartMs = 2_000;
const toleranceMs = 500;

const closedWithoutDebit = ['CANCELLED', 'EXPIRED', 'FAILED'];
const ended = [...closedWithoutDebit, ...debited, 'SUCCEEDED'];

/**
 * Checks the invariants at each step, from memory; {@link atRest} adds those that hold only at the
 * end.
 */
export class Checks {
  /** Checks only this invariant, to study one fault in code that has several. */
  only: Invariant | undefined;
  /** The first broken invariant. Thrown later, because the code under test might catch it here. */
  found: BrokenInvariant | undefined;
  #world: () => World;
  /** When requests for each reference began, in true time. */
  #sent = new Map<string, number[]>();
  /** References whose outcome an operator has reported definitely. */
  #definiteOutcomes = new Set<string>();
  /** Those of them that the database has: their payment closed afterwards. */
  #writtenOutcomes = new Set<string>();
  #writtenAtSnapshot = new Set<string>();
  /** References whose outcome a person has entered. */
  #findings = new Set<string>();
  #acknowledged = new Set<string>();
  /** When an operator last answered a query for each reference. */
  #queriedAtMs = new Map<string, number>();
  /** When a set-back made the database forget that it had sent a payment. */
  #unsentSince = new Map<string, number>();
  #setBackMs = Number.NEGATIVE_INFINITY;
  #units = new Map<string, Set<string>>();
  /** Transactions that a person named by mistake. */
  #mistypedIds = new Set<string>();
  readonly money: MoneyChecks;
  readonly disbursements: DisbursementChecks;

  constructor(world: () => World) {
    this.#world = world;
    this.money = new MoneyChecks(world, (...given) => this.broken(...given));
    this.disbursements = new DisbursementChecks({
      world,
      broken: (...given) => this.broken(...given),
      isDefinite: (reference) => this.#definiteOutcomes.has(reference),
      setBackMs: () => this.#setBackMs,
    });
  }

  onRequest(
    actor: Actor,
    { operatorTimeoutMs }: GatewayDials,
    reference: string,
    kind: string,
  ): void {
    const { mirror, scheduler, trace } = this.#world();
    const { nowMs } = scheduler;
    this.#sent.set(reference, [...(this.#sent.get(reference) ?? []), nowMs]);
    const mirrored =
      mirror.get('payments', reference) ??
      mirror.get('refunds', reference) ??
      mirror.get('reversals', reference) ??
      mirror.where('disbursements', 'reference', reference)[0];
    const name = trace.nameOf('?', reference);
    if (!mirrored) {
      if (this.#isJustSetBack()) return;
      this.broken('lease', `${actor.name} sends ${kind} of ${name}, which does not exist`, [name]);
      return;
    }
    const { row, statusSinceMs, sentSinceMs = 0 } = mirrored;
    const wasSentFirst =
      sentSinceMs <= statusSinceMs && nowMs - sentSinceMs <= latestStartMs + toleranceMs;
    if (ended.includes(row.status) && !wasSentFirst) {
      this.broken('lease', `${actor.name} sends ${name}, which is ${row.status}`, [name]);
    }
    const leftMs = (instantOf(row.due_at) ?? 0) - nowMs;
    if (!ended.includes(row.status) && leftMs < operatorTimeoutMs - toleranceMs) {
      const left = row.due_at === null ? 'no lease' : `${leftMs / 1_000} s of its lease left`;
      this.broken(
        'lease',
        `${actor.name} sends ${name} with ${left}; an answer may take ${operatorTimeoutMs / 1_000} s`,
        [name],
      );
    }
  }

  /** A request committed before the set-back may still begin. */
  #isJustSetBack(): boolean {
    return this.#world().scheduler.nowMs - this.#setBackMs <= latestStartMs + toleranceMs;
  }

  onFile(actor: Actor, file: PayoutFile, others: readonly PayoutFile[]): void {
    const { mirror, scheduler, trace } = this.#world();
    const name = trace.nameOf('S', file.settlementId);
    const row = mirror.get('settlements', file.settlementId)?.row;
    if (row === undefined && this.#isJustSetBack()) return;
    if (row?.status !== 'PROCESSING') {
      this.broken('lease', `${actor.name} writes the payout of ${name}, which is ${row?.status}`, [
        name,
      ]);
    } else if ((instantOf(row.due_at) ?? 0) < scheduler.nowMs - toleranceMs) {
      this.broken('lease', `${actor.name} writes the payout of ${name} outside its lease`, [name]);
    }
    for (const other of others) {
      if (other.isWithdrawn) continue;
      const twice = [...file.units].filter((unit) => other.units.has(unit));
      if (twice.length === 0) continue;
      const both = [name, trace.nameOf('S', other.settlementId)];
      this.broken(
        'payout',
        `${twice.length} debits are in the payout files of ${both.join(' and ')}`,
        both,
      );
    }
  }

  unitsOf(settlementId: string): ReadonlySet<string> {
    return this.#units.get(settlementId) ?? new Set();
  }

  onAnswer(
    { method, headers, path }: Call,
    { status, body, truth = body }: Answer,
    about: string | undefined,
  ): void {
    if (method === 'GET')
      this.#queriedAtMs.set(path.slice(path.lastIndexOf('/') + 1), this.#world().scheduler.nowMs);
    const fields = (truth ?? {}) as Record<string, string>;
    const reference =
      headers?.['X-CorrelationID'] ?? fields.requestingOrganisationTransactionReference;
    if (fields.serverCorrelationId !== undefined) this.#recordState(fields);
    if (reference === undefined) return;
    if (status < 300) this.#acknowledged.add(reference);
    if (fields.transactionStatus === 'completed') {
      this.#definiteOutcomes.add(reference);
      if (about === reference) this.money.onConfirmed(reference);
    }
    const isRefusal = method === 'POST' && status >= 400 && fields.errorCode !== 'duplicateRequest';
    // The operator may refuse a repetition because of what the first request does or has done.
    const { providers } = this.#world();
    const mayTransition = liveNames.some((name) => providers[name].mayTransition(reference));
    const isAnswered =
      !mayTransition ||
      this.#isOnlyKnown(reference) ||
      (isPayoutPath(path) &&
        this.#isSentAgain(reference) &&
        this.disbursements.wasHidden(reference));
    if (isRefusal && isAnswered) this.#definiteOutcomes.add(reference);
  }

  /**
   * The ledger knows of one request: the set-back removed the earlier ones, and the gateway has
   * since queried the operator.
   */
  #isOnlyKnown(reference: string): boolean {
    const lostMs = this.#unsentSince.get(reference);
    if (lostMs === undefined || (this.#queriedAtMs.get(reference) ?? 0) <= lostMs) return false;
    return (this.#sent.get(reference) ?? []).filter((sentMs) => sentMs >= lostMs).length === 1;
  }

  /** Sent before the last set-back, which may have removed the first sending. */
  #isSentAgain(reference: string): boolean {
    return (this.#sent.get(reference) ?? []).some((sentMs) => sentMs < this.#setBackMs);
  }

  #recordState({ serverCorrelationId: id, status }: Record<string, string>): void {
    const { providers } = this.#world();
    const request = liveNames
      .map((name) => providers[name].byCorrelation(id!))
      .find((found) => found !== undefined);
    if (!request) return;
    this.#acknowledged.add(request.reference);
    if (status === 'failed') this.#definiteOutcomes.add(request.reference);
  }

  /** A person enters the operator's answer. Returns whether anybody had before. */
  onFinding(reference: string): boolean {
    const wasFound = this.#findings.has(reference);
    this.#findings.add(reference);
    return wasFound;
  }

  /** A person names a transaction other than the operator's. */
  onMistypedId(operatorTxId: string): void {
    this.#mistypedIds.add(operatorTxId);
  }

  removeFinding(reference: string): void {
    this.#findings.delete(reference);
  }

  /** The database is as {@link whileSetBack} will make it again. */
  onSnapshot(): void {
    this.#writtenAtSnapshot = new Set(this.#writtenOutcomes);
  }

  /**
   * Forgets the answers that the set-back removes from the database. A process keeps what it has
   * not written yet.
   */
  async whileSetBack(setBack: () => Promise<void>): Promise<void> {
    const { mirror, scheduler } = this.#world();
    const sentBefore = [...mirror.rows('payments').values()].filter(({ row }) => row.sent_at);
    const isOpen = (reference: string) => mirror.get('payments', reference)?.row.due_at !== null;
    const written = [...this.#definiteOutcomes].filter((reference) => !isOpen(reference));
    await setBack();
    this.#setBackMs = scheduler.nowMs;
    for (const { row } of sentBefore) {
      const now = mirror.get('payments', row.id)?.row;
      if (now?.sent_at === null) this.#unsentSince.set(row.id, scheduler.nowMs);
    }
    for (const reference of written) {
      // A closed payment is open again while the gateway queries its operator about a callback.
      if (!isOpen(reference) || this.#writtenAtSnapshot.has(reference)) continue;
      this.#definiteOutcomes.delete(reference);
      this.#writtenOutcomes.delete(reference);
    }
  }

  onTransaction(transaction: Transaction): void {
    const { of, reference } = transaction;
    const { mirror } = this.#world();
    if (of) this.money.onReturn(transaction);
    if (transaction.isPayout) this.disbursements.onPayout(transaction);
    if (of && mirror.get('reversals', reference)) this.#checkOneBooking(of.id);
  }

  onChange(table: string, before: Mirrored | undefined, after: Mirrored): void {
    this.money.onChange(table, before, after);
    this.disbursements.onChange(table, before, after);
    const { row } = after;
    if (table === 'settlement_periods' && row.settlement_id !== null) this.#takeUnits(row);
    if (
      table !== 'payments' ||
      (before?.row.status === row.status && before?.row.due_at === row.due_at)
    )
      return;
    if (!this.#isLive(row)) return;
    if (row.due_at === null && this.#definiteOutcomes.has(row.id)) {
      this.#writtenOutcomes.add(row.id);
    }
    this.#checkWatched(row);
    if (debited.includes(row.status) && row.operator_tx_id !== before?.row.operator_tx_id) {
      this.#checkOneBooking(row.operator_tx_id);
    }
  }

  #takeUnits({ tenant_id: tenantId, currency, period, settlement_id: id }: Row): void {
    const units = this.#units.get(id) ?? new Set();
    this.#units.set(id, units);
    for (const { row } of this.#world().mirror.rows('postings').values()) {
      const isOfIt =
        row.tenant_id === tenantId && row.currency === currency && row.period === period;
      if (isOfIt && row.kind === 'debit_net') units.add(row.source_id);
    }
  }

  #checkWatched(row: Row): void {
    if (row.due_at !== null || !closedWithoutDebit.includes(row.status)) return;
    const sent = this.#sent.get(row.id);
    if (
      !sent ||
      this.#definiteOutcomes.has(row.id) ||
      this.#findings.has(row.id) ||
      this.#isListed(row.id)
    )
      return;
    const { scheduler, trace, mirror } = this.#world();
    // The gateway knows the debit, and returns it.
    if (mirror.where('reversals', 'payment_id', row.id).length > 0) return;
    // The set-back removed the record of sending, so one query to the operator is enough.
    const queriedMs = this.#queriedAtMs.get(row.id) ?? 0;
    if (row.sent_at === null && queriedMs > (this.#unsentSince.get(row.id) ?? 0)) return;
    const isGivenUp =
      scheduler.nowMs - sent.at(-1)! >= settings.timing.watchMs && !this.#acknowledged.has(row.id);
    if (isGivenUp) return;
    const name = trace.nameOf('P', row.id);
    this.broken('watched', `${name} was sent, is ${row.status}, and nobody asks any more`, [name]);
  }

  /** A transaction may belong to one payment, or be reversed by us, but not both. */
  #checkOneBooking(operatorTxId: string): void {
    const { mirror, providers, trace } = this.#world();
    const payments = mirror
      .where('payments', 'operator_tx_id', operatorTxId)
      .filter(({ row }) => this.#isLive(row));
    for (const operator of new Set(payments.map(({ row }) => row.operator as string))) {
      const credited = payments.filter(({ row }) => row.operator === operator);
      const names = credited.map(({ row }) => trace.nameOf('P', row.id));
      if (credited.length > 1) {
        this.broken('one-booking', `${operatorTxId} is booked for ${names.join(' and ')}`, [
          ...names,
          operatorTxId,
        ]);
      }
      // An operator that uses an id again may write it otherwise: then it is another transaction.
      const reversed = providers[operator as 'CVMOVEL'].transactions.find(
        ({ of, reference }) =>
          of?.notation.id === operatorTxId && mirror.get('reversals', reference),
      );
      if (credited.length > 0 && reversed) {
        this.broken(
          'one-booking',
          `${operatorTxId} is credited to the merchant for ${names[0]}, and was reversed by us`,
          [...names, operatorTxId, trace.nameOf('V', reversed.reference)],
        );
      }
    }
  }

  onClaim(name: string, limit: number, taken: number): void {
    if (taken > limit)
      this.broken('claims', `${name} took ${taken} rows, and was to take ${limit}`, []);
  }

  /** Checks what holds only when nothing is in flight. */
  atRest(listed: ReadonlySet<string>): void {
    const world = this.#world();
    for (const customer of bookedPerCustomer(world)) {
      const { paidMinor, bookedMinor, phones, ids, names } = customer;
      if (paidMinor === bookedMinor) continue;
      if (
        ids.some((id) => listed.has(id)) ||
        this.#isLeftToStatement(customer) ||
        this.disbursements.isLeftToStatement(customer)
      )
        continue;
      const message = `${phones.join(' and ')} paid ${paidMinor} of which the ledger has ${bookedMinor}`;
      this.broken('books', message, names);
    }
    this.disbursements.atRest(listed);
    for (const { row } of world.mirror.rows('payments').values()) {
      if (this.#isLive(row) && !listed.has(row.id)) this.#checkWatched(row);
    }
  }

  /**
   * A person entered a transaction that the operator does not have, or that the ledger knows by
   * another name: only the operator's statement reveals that.
   */
  #isLeftToStatement({ phones, ids }: { phones: string[]; ids: string[] }): boolean {
    const { mirror, providers } = this.#world();
    const there = liveNames.flatMap((name) => providers[name].transactions);
    const isUnknown = (id: string) => {
      const named = mirror.get('payments', id)?.row.operator_tx_id;
      return this.#mistypedIds.has(named) && !there.some((each) => each.id === named);
    };
    const isRenamed = ({ id, phone, notation }: Transaction) =>
      phones.includes(phone) && this.#mistypedIds.has(id) && notation.id !== id;
    return ids.some(isUnknown) || there.some(isRenamed);
  }

  broken(invariant: Invariant, message: string, names: readonly string[]): void {
    if (this.only !== undefined && this.only !== invariant) return;
    this.found ??= new BrokenInvariant(invariant, message, names);
  }

  #isLive({ tenant_id: tenantId }: Row): boolean {
    return isLive(this.#world(), tenantId);
  }

  /** A review item waits for a person. */
  #isListed(id: string): boolean {
    const items = this.#world().mirror.where('review_items', 'subject_id', id);
    return items.some(({ row }) => row.closed_at === null);
  }
}
