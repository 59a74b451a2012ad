import type { Call, Reply } from '../../src/integrations/operators/gsma/client.ts';
import type { OperatorName } from '../../src/integrations/operators/operator.ts';
import type { Random } from '../torture/random.ts';
import { strayAnswer } from './astray.ts';
import { between } from './chances.ts';
import type { Counts } from './counts.ts';
import type { OperatorDials } from './dials.ts';
import type { List } from './lists.ts';
import { mannerOf } from './manner.ts';
import {
  bodyOf,
  debitOf,
  invented,
  isDebitPath,
  junk,
  leftToGiveBack,
  minorOf,
  payerOf,
  plainStateOf,
  refusal,
  rowOf,
  stateOf,
  truthOf,
  unknown,
} from './messages.ts';
import type { Answer, Customer, Manner, Request, Transaction } from './operator-records.ts';
import { newActor, type Scheduler } from './scheduler.ts';
import type { Trace } from './trace.ts';

export interface ProviderDependencies {
  operator: OperatorName;
  dials: OperatorDials;
  scheduler: Scheduler;
  random: Random;
  trace: Trace;
  counts: Counts;
  customerOf: (phone: string) => Customer;
  /** Sends a callback on its way, and again where nobody takes it. */
  callBack(url: string, body: unknown, words: string, tries: number): void;
  /** Hears of all money that moves. */
  onTransaction(operator: OperatorName, transaction: Transaction): void;
}

/** How long an operator may not know at its desk for questions what it has done. */
const longestHidingMs = 400_000;

/** How long a customer has to enter the PIN, at the operator. */
const expiryMs = 100_000;

/** How often a callback is tried; of what nobody would hear of otherwise, until it is taken. */
const tries = { usual: 3, sole: 100 };

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
  #byCorrelation = new Map<string, Request>();
  #moved = new Map<string, Transaction>();
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

  /** The request that the operator itself has given this id. */
  byCorrelation(id: string): Request | undefined {
    return this.#byCorrelation.get(id);
  }

  /** What was moved under a reference, by the first of the requests for it. */
  movedFor(reference: string): Transaction | undefined {
    return this.#moved.get(reference);
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
    const { deduplicates, checksStateFirst } = this.#dependencies.dials;
    const known = this.#byReference.get(reference);
    const mayRepeat = !known || !(deduplicates || checksStateFirst);
    if (mayRepeat && this.#queued.includes(reference)) return true;
    return known?.some(({ status }) => status === 'pending') === true;
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
    this.#byCorrelation.set(request.correlationId, request);
    const waitMs = request.isDebit ? customer.afterMs : between(random, 20, 3_000);
    if (random.chance(dials.synchronous) && waitMs < 8_000) request.respond = respond;
    else respond({ status: 202, body: stateOf(request), truth: plainStateOf(request) });
    if (request.isDebit) this.#ask(request, customer);
    else if (request.repeats) this.#later(waitMs, 'gives nothing back', () => this.#claim(request));
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
    const { dials, random, scheduler, operator } = this.#dependencies;
    const isDebit = isDebitPath(path);
    const of = isDebit ? undefined : this.#given(path);
    const start = operator === 'CVMOVEL' ? 'cafe' : 'beef';
    const number = String(this.requests.length + 1).padStart(12, '0');
    const reference = given.requestingOrganisationTransactionReference!;
    return {
      reference,
      isDebit,
      correlationId: `${start}0000-0000-4000-8000-${number}`,
      status: 'pending',
      error: undefined,
      phone: payerOf(given) ?? of!.phone,
      amountMinor: minorOf(given.amount!),
      currency: given.currency!,
      of,
      ofId: isDebit ? undefined : debitOf(path),
      transaction: undefined,
      repeats: isDebit ? undefined : this.#repeated(of!, reference),
      callbackUrl,
      isLoud: random.chance(dials.otherNotations),
      hiddenUntilMs: random.chance(dials.hiddenEnds) ? scheduler.nowMs + longestHidingMs : 0,
      respond: undefined,
    };
  }

  /** The earlier return that a new one is taken for, of the same debit where there is one. */
  #repeated(of: Transaction, reference: string): Request['repeats'] {
    const { dials, random, counts } = this.#dependencies;
    if (!random.chance(dials.repeatedReturns)) return undefined;
    const returned = this.requests.filter(({ isDebit, transaction }) => !isDebit && transaction);
    const same = returned.filter((each) => each.of === of);
    const earlier = same.length > 0 ? same : returned;
    if (earlier.length === 0) return undefined;
    const { transaction, ofId, reference: its } = random.pick(earlier);
    counts.add('repeated return');
    return { transaction: transaction!, ofId, reference: random.pick([undefined, its, reference]) };
  }

  /** The debit that a path names; of several with one id that which can still be given back, else the newest. */
  #given(path: string): Transaction | undefined {
    const id = debitOf(path);
    const found = this.transactions.filter(
      (each) => each.isDebit && (each.id === id || each.manner.id === id),
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
    const id = this.#newId(isDebit);
    const transaction: Transaction = {
      id,
      isDebit,
      reference,
      phone,
      amountMinor,
      currency,
      atMs: scheduler.nowMs,
      of,
      givenBackMinor: 0n,
      manner: this.#manner(id, of),
    };
    if (of) of.givenBackMinor += amountMinor;
    this.transactions.push(transaction);
    if (!this.#moved.has(reference)) this.#moved.set(reference, transaction);
    request.transaction = transaction;
    const what = isDebit
      ? `takes ${amountMinor} from ${phone}`
      : `gives ${amountMinor} of ${of!.id} back to ${phone}`;
    const name = JSON.stringify(transaction.manner.id);
    trace.tell(operator, `${id} ${what}, for ${trace.nameOf('?', reference)}, told as ${name}`);
    this.#dependencies.onTransaction(operator, transaction);
    this.#claim(request);
  }

  /** Whether or not anything has moved. */
  #claim(request: Request): void {
    const isRevived = request.status === 'failed';
    request.status = 'completed';
    request.error = undefined;
    this.#end(request, isRevived);
  }

  #manner(id: string, of: Transaction | undefined): Manner {
    const { dials, random, counts } = this.#dependencies;
    const manner = mannerOf(this.#dependencies, { id, isDebit: of === undefined });
    if (!of || !random.chance(dials.borrowedIds)) return manner;
    counts.add('borrowed id');
    const lenders = [true, false].flatMap((isDebit) => {
      const others = this.transactions.filter((each) => each.isDebit === isDebit);
      return others.length > 0 ? [random.pick(others)] : [];
    });
    return { ...manner, id: random.pick([of, ...lenders]).manner.id };
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
    const { trace, operator, dials, random, counts } = this.#dependencies;
    request.status = 'failed';
    request.error = error;
    trace.tell(operator, `${trace.nameOf('?', request.reference)} failed there: ${error}`);
    this.#end(request);
    if (request.callbackUrl === undefined || !random.chance(dials.revived)) return;
    counts.add('revived');
    const waitMs = between(random, 10_000, 200_000);
    this.#later(waitMs, 'changes its mind', () => this.#complete(request));
  }

  /** @param isSole nobody hears of it in another way */
  #end(request: Request, isSole = false): void {
    const { dials, random, counts } = this.#dependencies;
    const status = request.error ? 400 : 201;
    request.respond?.({ status, body: bodyOf(request), truth: truthOf(request) });
    request.respond = undefined;
    const url = request.callbackUrl;
    if (url === undefined || (!isSole && !random.chance(dials.callbacks.share))) return;
    if (random.chance(dials.afterJunk)) {
      counts.add('junk callbacks');
      for (const body of junk) this.#callBack(url, body, 'JUNK', between(random, 1, 2_000));
    }
    if (isSole) {
      const waitMs = between(random, 3_000, 20_000);
      this.#callBack(url, bodyOf(request), request.status, waitMs, tries.sole);
      return;
    }
    const times = random.chance(dials.callbacks.twice) ? 2 : 1;
    for (let sent = 0; sent < times; sent++) {
      const isLate = random.chance(dials.callbacks.late);
      const waitMs = isLate ? between(random, 5_000, 300_000) : between(random, 5, 500);
      const { body, words } = this.#told(request);
      this.#callBack(url, body, words, waitMs);
    }
  }

  #callBack(url: string, body: unknown, words: string, waitMs: number, most = tries.usual): void {
    this.#later(waitMs, 'calls back', () => this.#dependencies.callBack(url, body, words, most));
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
    if (succeeded && request.transaction && random.chance(otherAmount)) {
      const amountMinor = request.transaction.amountMinor + 150n;
      const transaction = { ...request.transaction, amountMinor };
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

  /** A page of the transactions of our account, the newest first. */
  list(walk: List, path: string): Reply {
    const query = new URLSearchParams(path.slice(path.indexOf('?')));
    const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
    const rows = this.requests.filter(({ transaction }) => transaction).reverse();
    const { body, ...page } = walk.page(rows, { offset, limit });
    const { dials } = this.#dependencies;
    const told = body.map((request) => rowOf(request, dials.listClock));
    return { kind: 'answered', retryAfterMs: 0, ...page, body: told };
  }

  #query(path: string): Answer {
    const { dials, random, counts } = this.#dependencies;
    if (this.requests.length > 1 && random.chance(dials.strayAnswers)) {
      const stray = strayAnswer(random, this.requests, path);
      if (stray) counts.add('stray answer');
      if (stray) return stray;
    }
    const [, kind, text = ''] = path.split('/');
    const id = decodeURIComponent(text);
    if (kind === 'requeststates') {
      const request = this.#byCorrelation.get(id.toLowerCase());
      const seen = request && this.#seen(request);
      if (!seen) return unknown;
      return { status: 200, body: stateOf(seen), truth: plainStateOf(seen) };
    }
    if (kind === 'transactions') {
      const request = this.requests.findLast((one) => one.transaction?.manner.id === id);
      return request ? { status: 200, body: bodyOf(request), truth: truthOf(request) } : unknown;
    }
    const request = this.#byReference.get(id)?.[0];
    if (!request) return unknown;
    const { transaction, correlationId } = this.#seen(request);
    const link = transaction
      ? `/transactions/${encodeURIComponent(transaction.manner.id.toWellFormed())}`
      : `/requeststates/${correlationId}`;
    return { status: 200, body: { link } };
  }
}
