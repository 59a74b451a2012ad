import type { Call, Reply } from '../../src/operators/gsma/client.ts';
import type { OperatorName } from '../../src/operators/operator.ts';
import type { Random } from '../torture/random.ts';
import { between } from './chances.ts';
import type { OperatorDials } from './dials.ts';
import {
  bodyOf,
  invented,
  isDebitPath,
  leftToGiveBack,
  minorOf,
  payerOf,
  refusal,
  stateOf,
  unknown,
} from './messages.ts';
import { newActor, type Scheduler } from './scheduler.ts';
import type { Trace } from './trace.ts';

export interface Answer {
  status: number;
  body: unknown;
}

/** Money that really moved. */
export interface Transaction {
  id: string;
  isDebit: boolean;
  /** Of the request. */
  reference: string;
  phone: string;
  amountMinor: bigint;
  currency: string;
  atMs: number;
  /** The debit that is given back. */
  of: Transaction | undefined;
  givenBackMinor: bigint;
}

/** What a customer will do when a debit asks for the PIN. */
export interface Customer {
  does: 'confirms' | 'declines' | 'has too little' | 'never answers';
  afterMs: number;
}

export interface Request {
  reference: string;
  isDebit: boolean;
  correlationId: string;
  status: 'pending' | 'completed' | 'failed';
  error: string | undefined;
  phone: string;
  amountMinor: bigint;
  currency: string;
  of: Transaction | undefined;
  transaction: Transaction | undefined;
  callbackUrl: string | undefined;
  /** Until then questions are told that it is pending, whatever it is. */
  hiddenUntilMs: number;
  /** Answers the request, where it waits for its end. */
  respond: ((answer: Answer) => void) | undefined;
}

export interface ProviderDependencies {
  operator: OperatorName;
  dials: OperatorDials;
  scheduler: Scheduler;
  random: Random;
  trace: Trace;
  customerOf: (phone: string) => Customer;
  /** Sends a callback on its way. */
  callBack(url: string, body: unknown, words: string): void;
  /** Hears of all money that moves. */
  onTransaction(operator: OperatorName, transaction: Transaction): void;
}

/** How long an operator may not know at its desk for questions what it has done. */
const longestHidingMs = 400_000;

/** How long a customer has to enter the PIN, at the operator. */
const expiryMs = 100_000;

/**
 * An operator in memory that speaks the GSMA Mobile Money API, with dials for what operators do; it
 * knows the truth: what was really taken from whom, and what was given back.
 */
export class Provider {
  readonly transactions: Transaction[] = [];
  readonly requests: Request[] = [];
  #dependencies: ProviderDependencies;
  #actor;
  #byReference = new Map<string, Request[]>();
  /** References that no question knows yet. */
  #queued: string[] = [];
  /** What is on its way to its end. */
  #open = 0;

  constructor(dependencies: ProviderDependencies) {
    this.#dependencies = dependencies;
    this.#actor = newActor(dependencies.operator);
  }

  get isIdle(): boolean {
    return this.#open === 0;
  }

  /** Whether money may still move under this reference, or has moved. */
  mayTransition(reference: string): boolean {
    return (
      this.mayStillMove(reference) ||
      this.#byReference.get(reference)?.some(({ status }) => status === 'completed') === true
    );
  }

  /** Whether money may still move under this reference. */
  mayStillMove(reference: string): boolean {
    return (
      this.#queued.includes(reference) ||
      this.#byReference.get(reference)?.some(({ status }) => status === 'pending') === true
    );
  }

  /** A call has arrived. It may be answered late, or never. */
  receive({ method, path, headers, body }: Call, respond: (answer: Answer) => void): void {
    const { dials, random } = this.#dependencies;
    if (method === 'GET') {
      respond(this.#query(path));
      return;
    }
    const given = body as Record<string, string>;
    const queueMs = random.chance(dials.queued) ? between(random, 50, dials.longestQueueMs) : 0;
    const reference = given.requestingOrganisationTransactionReference!;
    this.#queued.push(reference);
    this.#later(queueMs, 'takes a request', () => {
      this.#queued.splice(this.#queued.indexOf(reference), 1);
      const refused = this.#refusal(path, given);
      if (refused) respond(refused);
      else this.#take(this.#newRequest(path, given, headers?.['X-Callback-URL']), respond);
    });
  }

  #later(waitMs: number, label: string, run: () => void): void {
    this.#open += 1;
    this.#dependencies.scheduler.after(this.#actor, waitMs, label, () => {
      this.#open -= 1;
      run();
    });
  }

  #refusal(path: string, given: Record<string, string>): Answer | undefined {
    const { dials, customerOf } = this.#dependencies;
    const isKnown = this.#byReference.has(given.requestingOrganisationTransactionReference!);
    if (isKnown && dials.checksStateFirst) return refusal('businessRule', 'incorrectState');
    if (isKnown && dials.deduplicates) return refusal('businessRule', 'duplicateRequest');
    if (isDebitPath(path)) {
      const hasTooLittle = customerOf(payerOf(given)!).does === 'has too little';
      return hasTooLittle ? refusal('businessRule', 'insufficientFunds') : undefined;
    }
    const of = this.#given(path);
    if (!of) return refusal('identification', 'identifierError', 404);
    const amountMinor = minorOf(given.amount!);
    return leftToGiveBack({ of, amountMinor }) === 0n
      ? refusal('businessRule', 'incorrectState')
      : undefined;
  }

  #take(request: Request, respond: (answer: Answer) => void): void {
    const { dials, random, customerOf } = this.#dependencies;
    const { reference } = request;
    const customer = customerOf(request.phone);
    this.requests.push(request);
    this.#byReference.set(reference, [...(this.#byReference.get(reference) ?? []), request]);
    const waitMs = request.isDebit ? customer.afterMs : between(random, 20, 3_000);
    if (random.chance(dials.synchronous) && waitMs < 8_000) request.respond = respond;
    else respond({ status: 202, body: stateOf(request) });
    if (request.isDebit) this.#ask(request, customer);
    else this.#later(waitMs, 'gives back', () => this.#complete(request));
  }

  #ask(request: Request, { does, afterMs }: Customer): void {
    if (does === 'never answers') {
      this.#later(expiryMs, 'a prompt expires', () => this.#fail(request, 'genericError'));
    } else if (does === 'declines') {
      this.#later(afterMs, 'a customer declines', () => this.#fail(request, 'requestDeclined'));
    } else this.#later(afterMs, 'a customer confirms', () => this.#complete(request));
  }

  #newRequest(
    path: string,
    given: Record<string, string>,
    callbackUrl: string | undefined,
  ): Request {
    const { dials, random, scheduler } = this.#dependencies;
    const isDebit = isDebitPath(path);
    const of = isDebit ? undefined : this.#given(path);
    return {
      reference: given.requestingOrganisationTransactionReference!,
      isDebit,
      correlationId: `${this.#dependencies.operator}-${this.requests.length + 1}`,
      status: 'pending',
      error: undefined,
      phone: payerOf(given) ?? of!.phone,
      amountMinor: minorOf(given.amount!),
      currency: given.currency!,
      of,
      transaction: undefined,
      callbackUrl,
      hiddenUntilMs: random.chance(dials.hiddenEnds) ? scheduler.nowMs + longestHidingMs : 0,
      respond: undefined,
    };
  }

  /** The debit that a path names; of several with one id that which can still be given back, else the newest. */
  #given(path: string): Transaction | undefined {
    const [, id = ''] = /^\/transactions\/([^/]+)\/reversals$/.exec(path) ?? [];
    const found = this.transactions.filter(
      (each) => each.isDebit && each.id === decodeURIComponent(id),
    );
    return found.find(({ givenBackMinor }) => givenBackMinor === 0n) ?? found.at(-1);
  }

  #complete(request: Request): void {
    const { dials, random, scheduler, operator, trace } = this.#dependencies;
    const { isDebit, reference, phone, currency, of } = request;
    const isWrong = isDebit && random.chance(dials.wrongAmounts);
    const askedMinor = isWrong ? request.amountMinor + 700n : request.amountMinor;
    const amountMinor = of ? leftToGiveBack({ of, amountMinor: request.amountMinor }) : askedMinor;
    if (amountMinor === 0n) {
      this.#fail(request, 'genericError');
      return;
    }
    const transaction: Transaction = {
      id: this.#newId(isDebit),
      isDebit,
      reference,
      phone,
      amountMinor,
      currency,
      atMs: scheduler.nowMs,
      of,
      givenBackMinor: 0n,
    };
    if (of) of.givenBackMinor += amountMinor;
    this.transactions.push(transaction);
    request.status = 'completed';
    request.transaction = transaction;
    const what = isDebit
      ? `takes ${amountMinor} from ${phone}`
      : `gives ${amountMinor} of ${of!.id} back to ${phone}`;
    trace.tell(operator, `${transaction.id} ${what}, for ${trace.nameOf('?', reference)}`);
    this.#dependencies.onTransaction(operator, transaction);
    this.#end(request);
  }

  #newId(isDebit: boolean): string {
    const { dials, random } = this.#dependencies;
    const others = this.transactions.filter((each) => each.isDebit === isDebit);
    if (isDebit && others.length > 0 && random.chance(dials.reusedIds))
      return random.pick(others).id;
    const number = String(this.transactions.length + 1).padStart(4, '0');
    return `${this.#dependencies.operator.slice(0, 2)}-${isDebit ? 'TX' : 'BK'}-${number}`;
  }

  #fail(request: Request, error: string): void {
    const { trace, operator } = this.#dependencies;
    request.status = 'failed';
    request.error = error;
    trace.tell(operator, `${trace.nameOf('?', request.reference)} failed there: ${error}`);
    this.#end(request);
  }

  #end(request: Request): void {
    const { dials, random } = this.#dependencies;
    request.respond?.({ status: request.error ? 400 : 201, body: bodyOf(request) });
    request.respond = undefined;
    const url = request.callbackUrl;
    if (url === undefined || !random.chance(dials.callbacks.share)) return;
    const times = random.chance(dials.callbacks.twice) ? 2 : 1;
    for (let sent = 0; sent < times; sent++) {
      const isLate = random.chance(dials.callbacks.late);
      const waitMs = isLate ? between(random, 5_000, 300_000) : between(random, 5, 500);
      const { body, words } = this.#told(request);
      this.#later(waitMs, 'calls back', () => this.#dependencies.callBack(url, body, words));
    }
  }

  #told(request: Request): { body: unknown; words: string } {
    const { dials, random } = this.#dependencies;
    const { otherAmount, contradictory } = dials.callbacks;
    const succeeded = request.status === 'completed';
    if (random.chance(contradictory)) {
      const claimed: Request = succeeded
        ? { ...request, status: 'failed', error: 'genericError' }
        : {
            ...request,
            status: 'completed',
            transaction: invented(request, this.transactions.length),
          };
      return { body: bodyOf(claimed), words: `lies that it ${claimed.status}` };
    }
    if (succeeded && random.chance(otherAmount)) {
      const amountMinor = request.transaction!.amountMinor + 150n;
      const transaction = { ...request.transaction!, amountMinor };
      return { body: bodyOf({ ...request, transaction }), words: `completed with ${amountMinor}` };
    }
    return { body: bodyOf(request), words: request.status };
  }

  #seen(request: Request): Request {
    const isHidden = this.#dependencies.scheduler.nowMs < request.hiddenUntilMs;
    return isHidden
      ? { ...request, status: 'pending', transaction: undefined, error: undefined }
      : request;
  }

  /** The transactions of our account, the newest first. */
  list(path: string): Reply {
    const query = new URLSearchParams(path.slice(path.indexOf('?')));
    const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
    const done = this.requests.filter(({ transaction }) => transaction).reverse();
    const body = done.slice(offset, offset + limit).map((request) => ({
      ...(bodyOf(request) as object),
      creationDate: new Date(request.transaction!.atMs).toISOString(),
      ...(request.of && { originalTransactionReference: request.of.id }),
    }));
    return { kind: 'answered', status: 200, body, retryAfterMs: 0 };
  }

  #query(path: string): Answer {
    const [, kind, text = ''] =
      /^\/(transactions|responses|requeststates)\/([^/]+)$/.exec(path) ?? [];
    const id = decodeURIComponent(text);
    if (kind === 'requeststates') {
      const request = this.requests.find(({ correlationId }) => correlationId === id);
      return request ? { status: 200, body: stateOf(this.#seen(request)) } : unknown;
    }
    if (kind === 'transactions') {
      const request = this.requests.findLast(({ transaction }) => transaction?.id === id);
      return request ? { status: 200, body: bodyOf(request) } : unknown;
    }
    const request = this.#byReference.get(id)?.[0];
    if (!request) return unknown;
    const link =
      this.#seen(request).transaction === undefined
        ? `/requeststates/${request.correlationId}`
        : `/transactions/${request.transaction!.id}`;
    return { status: 200, body: { link } };
  }
}
