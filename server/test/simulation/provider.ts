import type { Call, Reply } from '../../src/integrations/operators/gsma/client.ts';
import type { OperatorName } from '../../src/integrations/operators/operator.ts';
import type { Random } from '../torture/random.ts';
import { callbackContent } from './callback-content.ts';
import type { Counts } from './counts.ts';
import type { OperatorDials } from './dials.ts';
import {
  bodyOf,
  debitOf,
  isDebitPath,
  isPayoutPath,
  junk,
  leftToGiveBack,
  minorOf,
  payeeOf,
  payerOf,
  plainStateOf,
  refusal,
  rowOf,
  stateOf,
  truthOf,
  unknown,
} from './messages.ts';
import { chooseNotation } from './notation.ts';
import type { Answer, Customer, Notation, Request, Transaction } from './operator-records.ts';
import { isDown, type Outage } from './outages.ts';
import { between } from './random-values.ts';
import { newActor, type Scheduler } from './scheduler.ts';
import { strayAnswer } from './stray-answers.ts';
import type { Trace } from './trace.ts';
import type { TransactionList } from './transaction-list.ts';

export interface ProviderDependencies {
  operator: OperatorName;
  outages: readonly Outage[];
  dials: OperatorDials;
  scheduler: Scheduler;
  random: Random;
  trace: Trace;
  counts: Counts;
  customerOf: (phone: string) => Customer;
  /** Sends a callback, and sends it again while no gateway is up. */
  callBack(url: string, body: unknown, words: string, tries: number): void;
  /** Called whenever money moves. */
  onTransaction(operator: OperatorName, transaction: Transaction): void;
}

/** How long queries may not see an outcome. */
const longestHidingMs = 400_000;

/** How long the operator lets a customer enter the PIN. */
const expiryMs = 100_000;

/** How often a callback is tried: usually, and if the gateway has no other way to learn the outcome. */
const tries = { usual: 3, sole: 100 };

/** An operator in memory that speaks the GSMA Mobile Money API, with dials for its faults. It knows the true movements. */
export class Provider {
  readonly transactions: Transaction[] = [];
  readonly requests: Request[] = [];
  /** When a query was last told that a reference is unknown. */
  readonly deniedAtMs = new Map<string, number>();
  #dependencies: ProviderDependencies;
  #actor;
  #byReference = new Map<string, Request[]>();
  #byCorrelation = new Map<string, Request>();
  #firstByReference = new Map<string, Transaction>();
  /** References that no query finds yet. */
  #queued: string[] = [];
  /** How many actions are still scheduled. */
  #scheduledCount = 0;

  constructor(dependencies: ProviderDependencies) {
    this.#dependencies = dependencies;
    this.#actor = newActor(dependencies.operator);
  }

  get isDown(): boolean {
    const { outages, scheduler } = this.#dependencies;
    return isDown(outages, scheduler.nowMs);
  }

  get isIdle(): boolean {
    return this.#scheduledCount === 0;
  }

  /** Finds the request by the operator's own id. */
  byCorrelation(id: string): Request | undefined {
    return this.#byCorrelation.get(id);
  }

  /** The first transaction under a reference. */
  movedFor(reference: string): Transaction | undefined {
    return this.#firstByReference.get(reference);
  }

  /** Whether money has moved under this reference, or may still move. */
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

  /** Handles a call. The answer may come late, or never. */
  receive({ method, path, headers, body: sent }: Call, respond: (answer: Answer) => void): void {
    const { dials, random } = this.#dependencies;
    if (method === 'GET') {
      respond(this.#query(path));
      return;
    }
    const body = sent as Record<string, string>;
    const queueMs = random.chance(dials.queued) ? between(random, 50, dials.longestQueueMs) : 0;
    const reference = body.requestingOrganisationTransactionReference!;
    this.#queued.push(reference);
    this.#schedule(queueMs, 'takes a request', () => {
      this.#queued.splice(this.#queued.indexOf(reference), 1);
      const refused = this.#refusal(path, body);
      if (refused) respond(refused);
      else this.#accept(this.#newRequest(path, body, headers?.['X-Callback-URL']), respond);
    });
  }

  #schedule(waitMs: number, label: string, run: () => void): void {
    this.#scheduledCount += 1;
    this.#dependencies.scheduler.after(this.#actor, waitMs, label, () => {
      this.#scheduledCount -= 1;
      run();
    });
  }

  #refusal(path: string, body: Record<string, string>): Answer | undefined {
    const { dials, customerOf } = this.#dependencies;
    const isKnown = this.#byReference.has(body.requestingOrganisationTransactionReference!);
    if (isKnown && dials.checksStateFirst) return refusal('businessRule', 'incorrectState');
    if (isKnown && dials.deduplicates) return refusal('businessRule', 'duplicateRequest');
    if (isDebitPath(path)) {
      const lacksFunds = customerOf(payerOf(body)!).does === 'has too little';
      return lacksFunds ? refusal('businessRule', 'insufficientFunds') : undefined;
    }
    if (isPayoutPath(path)) {
      const isRefused = customerOf(payeeOf(body)!).does === 'has too little';
      return isRefused ? refusal('identification', 'identifierError', 404) : undefined;
    }
    const of = this.#debitToReverse(path);
    if (!of) return refusal('identification', 'identifierError', 404);
    const amountMinor = minorOf(body.amount!);
    return leftToGiveBack({ of, amountMinor }) === 0n
      ? refusal('businessRule', 'incorrectState')
      : undefined;
  }

  #accept(request: Request, respond: (answer: Answer) => void): void {
    const { dials, random, customerOf } = this.#dependencies;
    const { reference } = request;
    const customer = customerOf(request.phone);
    this.requests.push(request);
    this.#byReference.set(reference, [...(this.#byReference.get(reference) ?? []), request]);
    this.#byCorrelation.set(request.correlationId, request);
    const isDecided = request.isDebit || request.isPayout;
    const waitMs = isDecided ? customer.afterMs : between(random, 20, 3_000);
    if (random.chance(dials.synchronous) && waitMs < 8_000) request.respond = respond;
    else respond({ status: 202, body: stateOf(request), truth: plainStateOf(request) });
    if (isDecided) this.#promptCustomer(request, customer);
    else if (request.repeats)
      this.#schedule(waitMs, 'gives nothing back', () => this.#reportCompleted(request));
    else this.#schedule(waitMs, 'gives back', () => this.#complete(request));
  }

  #promptCustomer(request: Request, { does, afterMs }: Customer): void {
    if (does === 'never answers') {
      this.#schedule(expiryMs, 'a prompt expires', () => this.#fail(request, 'genericError'));
    } else if (does === 'declines') {
      this.#schedule(afterMs, 'a customer declines', () => this.#fail(request, 'requestDeclined'));
    } else this.#schedule(afterMs, 'a customer confirms', () => this.#complete(request));
  }

  #newRequest(
    path: string,
    body: Record<string, string>,
    callbackUrl: string | undefined,
  ): Request {
    const { dials, random, scheduler, operator } = this.#dependencies;
    const isDebit = isDebitPath(path);
    const isPayout = isPayoutPath(path);
    const of = isDebit || isPayout ? undefined : this.#debitToReverse(path);
    const start = operator === 'CVMOVEL' ? 'cafe' : 'beef';
    const number = String(this.requests.length + 1).padStart(12, '0');
    const reference = body.requestingOrganisationTransactionReference!;
    return {
      reference,
      isDebit,
      isPayout,
      correlationId: `${start}0000-0000-4000-8000-${number}`,
      status: 'pending',
      error: undefined,
      phone: isPayout ? payeeOf(body)! : (payerOf(body) ?? of!.phone),
      amountMinor: minorOf(body.amount!),
      currency: body.currency!,
      of,
      ofId: of && debitOf(path),
      transaction: undefined,
      repeats: of && this.#repeated(of, reference),
      callbackUrl,
      usesCapitals: random.chance(dials.otherNotations),
      hiddenUntilMs: random.chance(dials.hiddenEnds) ? scheduler.nowMs + longestHidingMs : 0,
      respond: undefined,
    };
  }

  /** The earlier return that this return is mistaken for, preferably of the same debit. */
  #repeated(of: Transaction, reference: string): Request['repeats'] {
    const { dials, random, counts } = this.#dependencies;
    if (!random.chance(dials.repeatedReturns)) return undefined;
    const returned = this.requests.filter(({ of: debit, transaction }) => debit && transaction);
    const same = returned.filter((each) => each.of === of);
    const earlier = same.length > 0 ? same : returned;
    if (earlier.length === 0) return undefined;
    const { transaction, ofId, reference: its } = random.pick(earlier);
    counts.add('repeated return');
    return { transaction: transaction!, ofId, reference: random.pick([undefined, its, reference]) };
  }

  /** The debit that a path names: with several, one that can still be returned, else the newest. */
  #debitToReverse(path: string): Transaction | undefined {
    const id = debitOf(path);
    const found = this.transactions.filter(
      (each) => each.isDebit && (each.id === id || each.notation.id === id),
    );
    return found.find(({ givenBackMinor }) => givenBackMinor === 0n) ?? found.at(-1);
  }

  #complete(request: Request): void {
    const { dials, random, scheduler, operator, trace } = this.#dependencies;
    const { isDebit, isPayout, reference, phone, currency, of } = request;
    const isWrong = !of && random.chance(dials.wrongAmounts);
    const askedMinor = isWrong ? request.amountMinor + 700n : request.amountMinor;
    const amountMinor = of ? leftToGiveBack({ of, amountMinor: request.amountMinor }) : askedMinor;
    if (amountMinor === 0n) {
      this.#fail(request, 'genericError');
      return;
    }
    const id = this.#newId(request);
    const transaction: Transaction = {
      id,
      isDebit,
      isPayout,
      reference,
      phone,
      amountMinor,
      currency,
      atMs: scheduler.nowMs,
      of,
      givenBackMinor: 0n,
      notation: this.#notation(id, of),
    };
    if (of) of.givenBackMinor += amountMinor;
    this.transactions.push(transaction);
    if (!this.#firstByReference.has(reference)) this.#firstByReference.set(reference, transaction);
    request.transaction = transaction;
    const back = `gives ${amountMinor} of ${of?.id} back to ${phone}`;
    const out = isPayout ? `pays ${amountMinor} to ${phone}` : back;
    const what = isDebit ? `takes ${amountMinor} from ${phone}` : out;
    const name = JSON.stringify(transaction.notation.id);
    trace.add(operator, `${id} ${what}, for ${trace.nameOf('?', reference)}, with the id ${name}`);
    this.#dependencies.onTransaction(operator, transaction);
    this.#reportCompleted(request);
  }

  /** Reports success, whether or not money has moved. */
  #reportCompleted(request: Request): void {
    const isRevived = request.status === 'failed';
    request.status = 'completed';
    request.error = undefined;
    this.#end(request, isRevived);
  }

  #notation(id: string, of: Transaction | undefined): Notation {
    const { dials, random, counts } = this.#dependencies;
    const notation = chooseNotation(this.#dependencies, { id, isDebit: of === undefined });
    if (!of || !random.chance(dials.borrowedIds)) return notation;
    counts.add('borrowed id');
    const lenders = [true, false].flatMap((isDebit) => {
      const others = this.transactions.filter((each) => each.isDebit === isDebit);
      return others.length > 0 ? [random.pick(others)] : [];
    });
    return { ...notation, id: random.pick([of, ...lenders]).notation.id };
  }

  #newId({ isDebit, isPayout }: Pick<Request, 'isDebit' | 'isPayout'>): string {
    const { dials, random } = this.#dependencies;
    const others = this.transactions.filter((each) => each.isDebit === isDebit);
    if (isDebit && others.length > 0 && random.chance(dials.reusedIds))
      return random.pick(others).id;
    const number = String(this.transactions.length + 1).padStart(4, '0');
    const kind = isDebit ? 'TX' : isPayout ? 'PO' : 'BK';
    return `${this.#dependencies.operator.slice(0, 2)}-${kind}-${number}`;
  }

  #fail(request: Request, error: string): void {
    const { trace, operator, dials, random, counts } = this.#dependencies;
    request.status = 'failed';
    request.error = error;
    trace.add(operator, `${trace.nameOf('?', request.reference)} failed there: ${error}`);
    this.#end(request);
    if (request.callbackUrl === undefined || !random.chance(dials.revived)) return;
    counts.add('revived');
    const waitMs = between(random, 10_000, 200_000);
    this.#schedule(waitMs, 'changes its mind', () => this.#complete(request));
  }

  /** @param isSole the gateway has no other way to learn the outcome */
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
      const { body, words } = callbackContent(request, dials, random, this.transactions.length);
      this.#callBack(url, body, words, waitMs);
    }
  }

  #callBack(url: string, body: unknown, words: string, waitMs: number, most = tries.usual): void {
    this.#schedule(waitMs, 'calls back', () => this.#dependencies.callBack(url, body, words, most));
  }

  #visible(request: Request): Request {
    const isHidden = this.#dependencies.scheduler.nowMs < request.hiddenUntilMs;
    return isHidden
      ? { ...request, status: 'pending', transaction: undefined, error: undefined }
      : request;
  }

  /** A page of our account's transactions, the newest first. */
  list(walk: TransactionList, path: string): Reply {
    const query = new URLSearchParams(path.slice(path.indexOf('?')));
    const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
    const listed = this.requests.filter(({ transaction }) => transaction).reverse();
    const { body, ...page } = walk.page(listed, { offset, limit });
    const { dials } = this.#dependencies;
    const rows = body.map((request) => rowOf(request, dials.listClock));
    return { kind: 'answered', retryAfterMs: 0, ...page, body: rows };
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
      const visible = request && this.#visible(request);
      if (!visible) return unknown;
      return { status: 200, body: stateOf(visible), truth: plainStateOf(visible) };
    }
    if (kind === 'transactions') {
      const request = this.requests.findLast((each) => each.transaction?.notation.id === id);
      return request ? { status: 200, body: bodyOf(request), truth: truthOf(request) } : unknown;
    }
    const request = this.#byReference.get(id)?.[0];
    if (!request) {
      this.deniedAtMs.set(id, this.#dependencies.scheduler.nowMs);
      return unknown;
    }
    const { transaction, correlationId } = this.#visible(request);
    const link = transaction
      ? `/transactions/${encodeURIComponent(transaction.notation.id.toWellFormed())}`
      : `/requeststates/${correlationId}`;
    return { status: 200, body: { link } };
  }
}
