import type { Clock } from '../platform/clock.ts';
import type { Faults } from './faults.ts';
import { callbacksOf, canBeConfirmed, confirmationMs, outcomeOf, type Times } from './outcomes.ts';
import { numberOf, referenceOf, stateBody, transactionBody } from './representations.ts';
import {
  type Party,
  type PaymentRequest,
  type RequestHeaders,
  type ReversalRequest,
  readPayment,
  readReversal,
} from './requests.ts';
import { majorOf, Refused } from './standard.ts';
import type { NewTransaction, Store, Transaction } from './store.ts';

export interface ProviderSettings extends Times {
  /** The client's own account, which debits are credited to. */
  account: Party;
  currencies: readonly string[];
  /** How often a client may ask by the provider's id of a request. */
  pollLimit: number;
  /** What a request gets that was heard before: its state, or an error. */
  duplicates: 'state' | 'error';
  lateCallbackMs: number;
}

export interface ProviderParts {
  store: Store;
  settings: ProviderSettings;
  faults: Faults;
  clock: Clock;
  newId: () => string;
}

export interface Answer {
  status: number;
  body: unknown;
}

const dueAtOnce = 200;

/** The provider itself; each call is run within a commit (`commits.ts`), and may throw Refused. */
export class Provider {
  #parts: ProviderParts;

  constructor(parts: ProviderParts) {
    this.#parts = parts;
  }

  pay(headers: RequestHeaders, body: unknown): Answer {
    const request = JSON.stringify(['merchantpay', body]);
    const known = this.#known(headers, request);
    if (known) return known;
    const { settings } = this.#parts;
    const payment = readPayment(body, settings.currencies);
    this.#checkAccount(payment.creditParty);
    const delayMs = confirmationMs(payment.payer, settings);
    return this.#accept(headers, { ...payment, request, kind: 'merchantpay' }, delayMs);
  }

  reverse(headers: RequestHeaders, reference: string, body: unknown): Answer {
    const request = JSON.stringify(['reversal', reference, body]);
    const known = this.#known(headers, request);
    if (known) return known;
    const { settings } = this.#parts;
    const reversal = readReversal(body, settings.currencies);
    const debit = this.#find(reference);
    const amountMinor = this.#reversible(debit, reversal);
    const { payer, currency, number: originalNumber } = debit;
    const accepted = { ...reversal, amountMinor, payer, currency, originalNumber, request };
    return this.#accept(headers, { ...accepted, kind: 'reversal' }, settings.promptMs);
  }

  requestState(id: string): Answer {
    const { store, settings } = this.#parts;
    const transaction = store.byRequestId(id.toLowerCase());
    if (!transaction) throw unknown('request');
    if (transaction.polls >= settings.pollLimit) {
      const words = `${id} was asked for ${settings.pollLimit} times, which is the pollLimit`;
      throw new Refused('businessRule', 'rateLimitError', words);
    }
    store.countPoll(transaction.number);
    return { status: 200, body: this.#stateOf(transaction) };
  }

  response(correlationId: string): Answer {
    const transaction = this.#parts.store.byCorrelationId(correlationId.toLowerCase());
    if (!transaction) throw unknown('request');
    const { status, number, requestId } = transaction;
    const isThere = status === 'completed';
    const link = isThere ? `/transactions/${referenceOf(number)}` : `/requeststates/${requestId}`;
    return { status: 200, body: { link } };
  }

  transaction(reference: string): Answer {
    const body = transactionBody(this.#find(reference), this.#parts.settings.account);
    return { status: 200, body };
  }

  balance(key: string, value: string): Answer {
    const { settings, store } = this.#parts;
    this.#checkAccount([{ key, value }]);
    const [currency] = settings.currencies;
    const total = store.totals().find((one) => one.currency === currency);
    const balanceMinor = BigInt(total?.debitedMinor ?? 0) - BigInt(total?.reversedMinor ?? 0);
    const currentBalance = majorOf(balanceMinor);
    return { status: 200, body: { accountStatus: 'available', currentBalance, currency } };
  }

  /** The payer enters the PIN now. @param reference the client's, or the provider's */
  confirm(reference: string): Answer {
    const { store, settings } = this.#parts;
    const number = numberOf(reference);
    const transaction =
      number === undefined ? store.byReference(reference) : store.byNumber(number);
    if (!transaction) throw unknown('transaction');
    if (!canBeConfirmed(transaction)) {
      const words = `${reference} waits for no confirmation: it is ${transaction.status}`;
      throw new Refused('businessRule', 'incorrectState', words);
    }
    this.#decide(transaction, true);
    const { number: decided } = transaction;
    return { status: 200, body: transactionBody(store.byNumber(decided)!, settings.account) };
  }

  /** Ends what is due. @returns whether there was anything */
  settleDue(): boolean {
    const { store, clock } = this.#parts;
    const due = store.due(clock.nowMs(), dueAtOnce);
    for (const transaction of due) this.#decide(transaction, false);
    return due.length > 0;
  }

  #decide(transaction: Transaction, isConfirmed: boolean): void {
    const { store, clock, settings, faults } = this.#parts;
    const nowMs = clock.nowMs();
    if (!store.decide(transaction.number, outcomeOf(transaction, isConfirmed), nowMs)) return;
    if (transaction.callbackUrl === null) return;
    const fault = faults.ofCallback();
    const asked = callbacksOf(transaction);
    const count = fault === 'lost-callback' ? 0 : asked * (fault === 'duplicate-callback' ? 2 : 1);
    const dueAtMs = fault === 'late-callback' ? nowMs + settings.lateCallbackMs : nowMs;
    for (let made = 0; made < count; made++) store.addCallback(transaction.number, 0, dueAtMs);
    if (fault === 'reordered-callback') store.addCallback(transaction.number, 1, nowMs + 1_000);
  }

  /** Never a second debit: what was heard before is answered as it stands now. */
  #known({ correlationId }: RequestHeaders, request: string): Answer | undefined {
    const { store, settings } = this.#parts;
    const known = correlationId === undefined ? undefined : store.byCorrelationId(correlationId);
    if (!known) return undefined;
    if (settings.duplicates === 'error' || known.request !== request) {
      const words = 'this X-CorrelationID was used before';
      throw new Refused('businessRule', 'duplicateRequest', words);
    }
    return { status: 202, body: this.#stateOf(known) };
  }

  #accept(
    { correlationId, callbackUrl }: RequestHeaders,
    request: Pick<NewTransaction, 'kind' | 'payer' | 'request' | 'amountMinor' | 'currency'> & {
      reference: PaymentRequest['reference'];
      originalNumber?: number;
    },
    delayMs: number,
  ): Answer {
    const { store, clock, newId } = this.#parts;
    const createdAtMs = clock.nowMs();
    const id = correlationId ?? newId();
    const { kind, payer, amountMinor, currency, originalNumber = null } = request;
    const accepted = store.insert({
      kind,
      payer,
      amountMinor,
      currency,
      originalNumber,
      createdAtMs,
      request: request.request,
      correlationId: id,
      requestId: newId(),
      reference: request.reference ?? id,
      callbackUrl: callbackUrl ?? null,
      dueAtMs: createdAtMs + delayMs,
    });
    return { status: 202, body: this.#stateOf(accepted) };
  }

  #reversible(debit: Transaction, reversal: ReversalRequest): bigint {
    const isGood = debit.kind === 'merchantpay' && debit.status === 'completed';
    if (!isGood || (reversal.currency ?? debit.currency) !== debit.currency) {
      const words = 'only a completed debit can be reversed, in its own currency';
      throw new Refused('businessRule', 'incorrectState', words);
    }
    const left = debit.amountMinor - this.#parts.store.reversedMinor(debit.number);
    const amountMinor = reversal.amountMinor ?? left;
    if (amountMinor <= left && left > 0n) return amountMinor;
    const words = `${majorOf(left)} ${debit.currency} of this debit are left`;
    throw new Refused('businessRule', 'greaterThanTransactionMaxValue', words);
  }

  #checkAccount(parties: readonly Party[]): void {
    const { key, value } = this.#parts.settings.account;
    const isOurs = (party: Party) => party.key.toLowerCase() === key && party.value === value;
    if (parties.some(isOurs)) return;
    const words = `the account that this simulator knows is ${key}@${value}`;
    throw new Refused('identification', 'identifierError', words);
  }

  #find(reference: string): Transaction {
    const number = numberOf(reference);
    const found = number === undefined ? undefined : this.#parts.store.byNumber(number);
    if (!found) throw unknown('transaction');
    return found;
  }

  #stateOf(transaction: Transaction) {
    const { settings, clock } = this.#parts;
    const isPrompted = clock.nowMs() >= transaction.createdAtMs + settings.promptMs;
    return stateBody(transaction, settings, isPrompted);
  }
}

const unknown = (what: string) =>
  new Refused('identification', 'identifierError', `there is no such ${what} here`);
