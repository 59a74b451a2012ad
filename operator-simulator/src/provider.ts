import { balanceMinorOf, checkAccount, checkFloat } from './account.ts';
import type { AcceptanceFault, ListFault } from './faults.ts';
import { countGiven, noList, pageAsked, rowsGiven } from './listing.ts';
import {
  callbacksOf,
  canBeConfirmed,
  confirmationMs,
  isAnswerLost,
  outcomeOf,
  succeedsLate,
} from './outcomes.ts';
import { isRepeated, Presentation, repeatedReturn } from './presentation.ts';
import type { ProviderDependencies } from './provider-settings.ts';
import type { NewTransaction, Slice, Told, Transaction } from './records.ts';
import { numberOf, transactionBody } from './representations.ts';
import {
  type PaymentRequest,
  type PaymentType,
  type RequestHeaders,
  type ReversalRequest,
  readPayment,
  readReversal,
} from './requests.ts';
import { majorOf, Refused } from './standard.ts';

export interface Answer {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
  /** It never reaches the client. */
  isLost?: true;
}

const dueAtOnce = 200;
/** The pause between two callbacks that are out of order or contradictory. */
const callbackIntervalMs = 1_000;

/** The provider itself. Each call runs within a commit (`commits.ts`), and may throw Refused. */
export class Provider {
  #dependencies: ProviderDependencies;
  #shown: Presentation;
  /** The faults of the list that a client is reading. */
  #listFault: ListFault | undefined;

  constructor(dependencies: ProviderDependencies) {
    this.#dependencies = dependencies;
    this.#shown = new Presentation(dependencies);
  }

  /** The content of a transaction's callback. */
  callbackBody(transaction: Transaction, told: Told) {
    return this.#shown.callbackBody(transaction, told);
  }

  /** A debit or a disbursement. */
  pay(kind: PaymentType, headers: RequestHeaders, body: unknown): Answer {
    const request = JSON.stringify([kind, body]);
    const known = this.#known(headers, request, kind);
    if (known) return known;
    const { settings } = this.#dependencies;
    const payment = readPayment(body, settings.currencies, kind);
    checkAccount(settings, payment.account);
    if (kind === 'disbursement') checkFloat(this.#dependencies, payment);
    const delayMs = confirmationMs(kind, payment.payer, settings);
    const accepted = this.#accept(headers, { ...payment, request, kind }, delayMs);
    return isAnswerLost({ ...payment, kind }) ? { ...accepted, isLost: true } : accepted;
  }

  reverse(headers: RequestHeaders, reference: string, body: unknown): Answer {
    const request = JSON.stringify(['reversal', reference, body]);
    const known = this.#known(headers, request, 'reversal');
    if (known) return known;
    const { settings } = this.#dependencies;
    const reversal = readReversal(body, settings.currencies);
    const debit = this.#find(reference);
    const amountMinor = this.#reversible(debit, reversal);
    const { payer, currency, number: originalNumber } = debit;
    const accepted = { ...reversal, amountMinor, payer, currency, originalNumber, request };
    return this.#accept(headers, { ...accepted, kind: 'reversal' }, settings.promptMs);
  }

  requestState(id: string): Answer {
    const { store, settings } = this.#dependencies;
    const transaction = store.byRequestId(id.toLowerCase());
    if (!this.#shown.isShown(transaction)) throw unknown('request');
    if (transaction.polls >= settings.pollLimit) {
      const words = `${id} was asked for ${settings.pollLimit} times, which is the pollLimit`;
      throw new Refused('businessRule', 'rateLimitError', words);
    }
    store.countPoll(transaction.number);
    const stray = this.#shown.stray(transaction);
    if (!stray) return { status: 200, body: this.#shown.stateOf(transaction) };
    const isFailed = stray.number % 2 === 0;
    return {
      status: 200,
      body: this.#shown.stateOf(isFailed ? { ...stray, ...rejection } : stray),
    };
  }

  response(correlationId: string): Answer {
    const transaction = this.#dependencies.store.byCorrelationId(correlationId.toLowerCase());
    if (!this.#shown.isShown(transaction)) throw unknown('request');
    const { status, shownNumber: number, requestId } = this.#shown.presented(transaction);
    const isThere = status === 'completed';
    const id = encodeURIComponent(this.#shown.id(number));
    const link = isThere ? `/transactions/${id}` : `/requeststates/${requestId}`;
    return { status: 200, body: { link } };
  }

  transaction(reference: string): Answer {
    const found = this.#shown.presented(this.#find(reference));
    const stray = this.#shown.stray(found);
    const body = this.#shown.body(stray ?? found);
    // Answers half of the stray queries with a failure.
    if (stray && stray.number % 2 === 0) body.transactionStatus = 'failed';
    return { status: 200, body };
  }

  balance(key: string, value: string): Answer {
    const { settings } = this.#dependencies;
    checkAccount(settings, [{ key, value }]);
    const currency = settings.currencies[0]!;
    const balanceMinor = balanceMinorOf(this.#dependencies, currency);
    // The standard has no negative amounts.
    const currentBalance = majorOf(balanceMinor < 0n ? 0n : balanceMinor);
    return { status: 200, body: { accountStatus: 'available', currentBalance, currency } };
  }

  /** A part of an account's transactions, newest first. */
  transactions(key: string, value: string, slice: Slice): Answer {
    const { settings, store, clock, faults } = this.#dependencies;
    checkAccount(settings, [{ key, value }]);
    const toMs = Math.min(slice.toMs, clock.nowMs());
    const limit = Math.min(slice.limit, settings.mostListed);
    if (slice.offset === 0) this.#listFault = faults.ofList();
    const fault = this.#listFault;
    if (fault === 'list-error' && slice.offset > 0) return noList(clock.nowMs());
    const page = pageAsked({ ...slice, toMs, limit }, fault);
    const { found, available } = store.list(page);
    const given = rowsGiven(found, slice.offset, fault);
    return {
      status: 200,
      body: given.map((one) => this.#shown.row(one)),
      headers: {
        ...countGiven({ available, offset: slice.offset, given: given.length }, fault),
        'x-records-returned-count': String(given.length),
      },
    };
  }

  /** The payer enters the PIN now. @param reference the client's, or the provider's */
  confirm(reference: string): Answer {
    const { store, settings } = this.#dependencies;
    const number = numberOf(reference);
    const transaction =
      number === undefined ? store.byReference(reference) : store.byShownNumber(number);
    if (!this.#shown.isShown(transaction)) throw unknown('transaction');
    if (!canBeConfirmed(transaction)) {
      const words = `${reference} waits for no confirmation: it is ${transaction.status}`;
      throw new Refused('businessRule', 'incorrectState', words);
    }
    this.#decide(transaction, true);
    const { number: decided } = transaction;
    return { status: 200, body: transactionBody(store.byNumber(decided)!, settings.account) };
  }

  /** Finishes due transactions. @returns whether there were any */
  settleDue(): boolean {
    const { store, clock } = this.#dependencies;
    const due = store.due(clock.nowMs(), dueAtOnce);
    for (const transaction of due) this.#decide(transaction, false);
    return due.length > 0;
  }

  #decide(transaction: Transaction, isConfirmed: boolean): void {
    const { store, clock, settings, faults } = this.#dependencies;
    const nowMs = clock.nowMs();
    const outcome = isRepeated(transaction) ? repeatedReturn : outcomeOf(transaction, isConfirmed);
    const isLate = outcome !== undefined && succeedsLate(transaction);
    const lateAtMs = isLate ? nowMs + settings.lateConfirmMs : null;
    if (!store.decide(transaction.number, outcome, nowMs, lateAtMs)) return;
    if (transaction.callbackUrl === null) return;
    // After a failure nobody queries again: only this callback tells of a late success.
    const isSole = transaction.status === 'failed';
    const fault = isSole ? undefined : faults.ofCallback();
    const asked = callbacksOf(transaction);
    if (asked === 0 || fault === 'lost-callback') return;
    const add = (told: Told, delayMs = 0) =>
      store.addCallback(transaction.number, told, nowMs + delayMs);
    if (fault === 'contradictory-callback') add('opposite');
    const isSecond = fault === 'contradictory-callback';
    const delayMs = isSecond
      ? callbackIntervalMs
      : fault === 'late-callback'
        ? settings.lateCallbackMs
        : 0;
    const count = asked * (fault === 'duplicate-callback' ? 2 : 1);
    for (let made = 0; made < count; made++) {
      add(fault === 'fee-on-callback' ? 'fee' : 'outcome', delayMs);
    }
    if (fault === 'reordered-callback') add('pending', callbackIntervalMs);
  }

  /**
   * Answers a repeated request with its current state, unless this provider ignores or confuses
   * repetitions.
   */
  #known({ correlationId }: RequestHeaders, request: string, kind: Transaction['kind']) {
    const { store, settings } = this.#dependencies;
    const known = correlationId === undefined ? undefined : store.byCorrelationId(correlationId);
    if (!known) return undefined;
    if (settings.stateFirst && kind === 'reversal') {
      const words = 'this debit is being reversed, or was';
      throw new Refused('businessRule', 'incorrectState', words);
    }
    if (settings.duplicates === 'again') return undefined;
    if (settings.duplicates === 'error' || known.request !== request) {
      const words = 'this X-CorrelationID was used before';
      throw new Refused('businessRule', 'duplicateRequest', words);
    }
    return { status: 202, body: this.#shown.stateOf(known) };
  }

  #accept(
    { correlationId, callbackUrl }: RequestHeaders,
    request: Pick<NewTransaction, 'kind' | 'payer' | 'request' | 'amountMinor' | 'currency'> & {
      reference: PaymentRequest['reference'];
      originalNumber?: number;
    },
    delayMs: number,
  ): Answer {
    const { store, clock, newId, settings } = this.#dependencies;
    const { kind, payer, currency, originalNumber = null } = request;
    const earlier = store.latest(kind);
    const fault = this.#faultOf(kind, earlier);
    const createdAtMs = clock.nowMs() + (fault === 'queued' ? settings.queueMs : 0);
    const id = correlationId ?? newId();
    const accepted = store.insert({
      kind,
      payer,
      amountMinor: request.amountMinor + (fault === 'other-amount' ? settings.feeMinor : 0n),
      currency,
      originalNumber,
      createdAtMs,
      request: request.request,
      correlationId: id,
      requestId: newId(),
      reference: request.reference ?? id,
      callbackUrl: callbackUrl ?? null,
      shownNumber:
        fault === 'reused-id' || fault === 'repeated-return' ? earlier!.shownNumber : null,
      dueAtMs: createdAtMs + delayMs,
    });
    return { status: 202, body: this.#shown.stateOf(accepted) };
  }

  /** @param earlier a transaction of the same kind whose id a new one could get */
  #faultOf(kind: Transaction['kind'], earlier: Transaction | undefined) {
    const isReturn = kind === 'reversal';
    const borrowing: AcceptanceFault = isReturn ? 'repeated-return' : 'reused-id';
    const possible: AcceptanceFault[] = isReturn ? ['queued'] : ['queued', 'other-amount'];
    if (earlier) possible.push(borrowing);
    return this.#dependencies.faults.ofAcceptance(possible);
  }

  #reversible(debit: Transaction, reversal: ReversalRequest): bigint {
    const isGood = debit.kind === 'merchantpay' && debit.status === 'completed';
    if (!isGood || (reversal.currency ?? debit.currency) !== debit.currency) {
      const words = 'only a completed debit can be reversed, in its own currency';
      throw new Refused('businessRule', 'incorrectState', words);
    }
    const left = debit.amountMinor - this.#dependencies.store.reversedMinor(debit.number);
    const amountMinor = reversal.amountMinor ?? left;
    if (amountMinor <= left && left > 0n) return amountMinor;
    const words = `${majorOf(left)} ${debit.currency} of this debit are left`;
    throw new Refused('businessRule', 'greaterThanTransactionMaxValue', words);
  }

  #find(reference: string): Transaction {
    const number = numberOf(reference);
    const found = number === undefined ? undefined : this.#dependencies.store.byShownNumber(number);
    if (!this.#shown.isShown(found)) throw unknown('transaction');
    return found;
  }
}

const rejection = {
  status: 'failed',
  errorCategory: 'businessRule',
  errorCode: 'genericError',
} as const;

const unknown = (what: string) =>
  new Refused('identification', 'identifierError', `there is no such ${what} here`);
