import { dateOf } from './listing.ts';
import { strangeId, upperCaseState, withNotationFaults } from './notations.ts';
import type { ProviderDependencies } from './provider-settings.ts';
import type { Told, Transaction } from './records.ts';
import { callbackBody, referenceOf, stateBody, transactionBody } from './representations.ts';

/** Shows the provider's transactions to clients, with all faults of presentation. */
export class Presentation {
  #dependencies: ProviderDependencies;

  constructor(dependencies: ProviderDependencies) {
    this.#dependencies = dependencies;
  }

  /** Queued requests are as unknown as those that never arrived. */
  isShown(transaction: Transaction | undefined): transaction is Transaction {
    return transaction !== undefined && transaction.createdAtMs <= this.#dependencies.clock.nowMs();
  }

  stateOf(transaction: Transaction) {
    const { settings, clock, faults } = this.#dependencies;
    const isPrompted = clock.nowMs() >= transaction.createdAtMs + settings.promptMs;
    const shown = this.presented(transaction);
    const body = stateBody(shown, settings, isPrompted);
    const id = shown.status === 'completed' && { objectReference: this.id(shown.shownNumber) };
    const written = { ...body, ...id };
    return faults.ofManner(transaction.number).includes('other-notation')
      ? upperCaseState(written)
      : written;
  }

  /** The content of a transaction's callback. */
  callbackBody(transaction: Transaction, told: Told) {
    const { account, feeMinor } = this.#dependencies.settings;
    const shown = this.presented(transaction);
    const body = callbackBody(shown, account, { told, feeMinor });
    return 'transactionReference' in body ? this.#written(shown, body) : body;
  }

  body(transaction: Transaction) {
    return this.#written(
      transaction,
      transactionBody(transaction, this.#dependencies.settings.account),
    );
  }

  /** A row of the list, dated by the clock of the list. */
  row(transaction: Transaction) {
    const creationDate = dateOf(transaction.createdAtMs, this.#dependencies.settings.listClock);
    return { ...this.body(this.presented(transaction)), creationDate };
  }

  #written({ number, shownNumber, originalShownNumber: original }: Transaction, body: object) {
    const ids = {
      transactionReference: this.id(shownNumber),
      ...(original !== null && { originalTransactionReference: this.id(original) }),
    };
    return withNotationFaults(
      { ...body, ...ids },
      number,
      this.#dependencies.faults.ofManner(number),
    );
  }

  id(number: number): string {
    const id = referenceOf(number);
    const isStrange = this.#dependencies.faults.ofManner(number).includes('strange-id');
    return isStrange ? strangeId(id, number) : id;
  }

  /**
   * The presented transaction: a return mistaken for an earlier one appears as that one, under
   * either reference.
   */
  presented(transaction: Transaction): Transaction {
    if (!isRepeated(transaction) || transaction.status === 'pending') return transaction;
    const earlier = this.#dependencies.store.byNumber(transaction.shownNumber)!;
    const { number, requestId, callbackUrl, reference } = transaction;
    const told = number % 2 === 0 ? reference : earlier.reference;
    return { ...earlier, requestId, callbackUrl, reference: told };
  }

  /** The transaction that a stray answer shows instead of the queried one. */
  stray({ number }: Transaction): Transaction | undefined {
    const { faults, store } = this.#dependencies;
    const index = faults.ofQuery(store.count() - 1);
    if (index === undefined) return undefined;
    const other = store.byNumber(index + 1 < number ? index + 1 : index + 2);
    return this.isShown(other) ? this.presented(other) : undefined;
  }
}

/** Marks a return that moves nothing as failed, whatever clients see. */
export const repeatedReturn = { category: 'simulator', code: 'repeated-return' };
export const isRepeated = ({ kind, number, shownNumber }: Transaction) =>
  kind === 'reversal' && shownNumber !== number;
