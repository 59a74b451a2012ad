import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { OperatorSettings } from '../../config/operator-settings.ts';
import type { Database } from '../../postgres/database.ts';
import type { Expected } from '../adapter.ts';
import { majorOf } from '../amount.ts';
import type { CallbackKind } from '../callback-token.ts';
import { isName, readableName } from '../names.ts';
import {
  type DebitRequest,
  type FailureCode,
  failureOfReversal,
  type Operator,
  type OperatorAnswer,
  type OperatorName,
  type OperatorTraits,
  type ReversalRequest,
} from '../operator.ts';
import { traitsOf } from '../traits.ts';
import {
  answerOfTransaction,
  completed,
  isOfDebitItself,
  isTransaction,
  mismatchOf,
  notFound,
  notSent,
  pending,
  prompted,
  type Transaction,
  unnamed,
  unreachable,
} from './answers.ts';
import type { Call } from './client.ts';
import { descriptionOf } from './description.ts';
import { isOfAnother, isSame } from './echoes.ts';
import { isGsmaError, meaningOfEnd, meaningOfRefusal } from './errors.ts';
import type { Answer, Exchange } from './exchange.ts';
import { isRequestState, isUnknownThere, linkOf, type RequestState } from './request-states.ts';
import { keepAcknowledgement, takePoll } from './store.ts';

export interface GsmaOperatorDependencies {
  operator: OperatorName;
  settings: Pick<OperatorSettings, 'account' | 'mode' | 'deduplicates' | 'query'>;
  exchange: Pick<Exchange, 'call' | 'heldUntilMs'>;
  database: Database;
  clock: Clock;
  log: Logger;
  /** For one operation, however many calls it takes; in milliseconds. */
  timeoutMs: number;
  callbackUrl(kind: CallbackKind, tenantId: string, reference: string): string;
}

/** A request of ours, whether it debits or returns. */
interface Matter extends Expected {
  tenantId: string;
  repeated: boolean;
}

/** One operator that speaks the GSMA Mobile Money API 1.2 (docs/operators.md). */
export class GsmaOperator implements Operator {
  #dependencies: GsmaOperatorDependencies;

  constructor(dependencies: GsmaOperatorDependencies) {
    this.#dependencies = dependencies;
  }

  async traits(): Promise<OperatorTraits> {
    return traitsOf(this.#dependencies.settings);
  }

  async heldUntilMs(): Promise<number | null> {
    return this.#dependencies.exchange.heldUntilMs();
  }

  requestDebit(request: DebitRequest): Promise<OperatorAnswer> {
    return this.#request(debitOf(request), '/transactions/type/merchantpay', {
      ...this.#common(request),
      descriptionText: descriptionOf(request.statementDescriptor),
      debitParty: [{ key: 'msisdn', value: request.phone }],
      creditParty: [this.#dependencies.settings.account],
    });
  }

  queryDebit(request: DebitRequest): Promise<OperatorAnswer> {
    return this.#query(debitOf(request), this.#signal());
  }

  reverse(request: ReversalRequest): Promise<OperatorAnswer> {
    const path = `/transactions/${encodeURIComponent(request.operatorTxId)}/reversals`;
    return this.#request(request, path, { ...this.#common(request), type: 'reversal' });
  }

  queryReversal(request: ReversalRequest): Promise<OperatorAnswer> {
    return this.#query(request, this.#signal());
  }

  #signal(): AbortSignal {
    return AbortSignal.timeout(this.#dependencies.timeoutMs);
  }

  #common({ amountMinor, currency, reference }: DebitRequest | ReversalRequest) {
    return {
      amount: majorOf(amountMinor),
      currency,
      requestingOrganisationTransactionReference: reference,
      requestDate: new Date(this.#dependencies.clock.nowMs()).toISOString(),
    };
  }

  async #request(matter: Matter, path: string, body: unknown): Promise<OperatorAnswer> {
    const signal = this.#signal();
    const { settings, exchange } = this.#dependencies;
    const { kind, tenantId, reference } = matter;
    const headers = {
      'X-CorrelationID': reference,
      ...(settings.mode === 'callback' && {
        'X-Callback-URL': this.#dependencies.callbackUrl(kind, tenantId, reference),
      }),
    };
    const reply = await exchange.call({ method: 'POST', path, headers, body }, signal);
    if (reply === 'NOT_SENT') return notSent;
    if (reply === 'UNKNOWN') return unreachable;
    if (isGsmaError(reply.body) && reply.status >= 400) return this.#refusal(matter, reply, signal);
    if (isTransaction(reply.body)) return this.#answered(matter, reply.body, signal);
    if (!isRequestState(reply.body)) {
      return this.#alert(matter, 'neither a transaction nor a state', unnamed(reply.body));
    }
    if (isOfAnother(reply.body, matter)) return this.#alert(matter, stateOfAnother);
    await this.#keep(matter, reply.body);
    return this.#state(matter, reply.body, signal);
  }

  /** An answer that repeats the debit names nothing that gave it back: our own reference may lead to that. */
  async #answered(
    matter: Matter,
    transaction: Transaction,
    signal: AbortSignal,
  ): Promise<OperatorAnswer> {
    if (!isOfDebitItself(transaction, matter)) return this.#transaction(matter, transaction);
    await this.#keep(matter);
    return this.#query(matter, signal);
  }

  /**
   * The request was refused, so nothing was debited. "Duplicate" means that it was heard before, and what is
   * said of a repeated request says nothing about the first: some operators look at the state of things
   * before they look for duplicates.
   */
  async #refusal(matter: Matter, reply: Answer, signal: AbortSignal): Promise<OperatorAnswer> {
    const error = reply.body as { errorCategory: string; errorCode: string };
    const meaning = meaningOfRefusal(error);
    const { operator, log } = this.#dependencies;
    const { errorCategory: category, errorCode: code } = error;
    log.info({ operator, reference: matter.reference, category, code }, 'an operator refused');
    if (meaning === 'MISCONFIGURED' || isOfAnother(error, matter)) return unreachable;
    if (matter.repeated && meaning !== 'ASK') return this.#query(matter, signal);
    if (meaning !== 'ASK') return this.#failed(matter, meaning);
    if (code.toLowerCase() !== 'duplicaterequest') return unreachable;
    await this.#keep(matter);
    return this.#query(matter, signal);
  }

  /** By the operator's id of the request while it allows that, else by our own reference. */
  async #query(matter: Matter, signal: AbortSignal): Promise<OperatorAnswer> {
    if (this.#dependencies.settings.query === 'none') return pending;
    const known = await takePoll(this.#dependencies.database, matter.tenantId, matter.reference);
    if (known?.requestId) return this.#queryState(matter, known.requestId, signal);
    return this.#queryResponse(matter, known, signal);
  }

  async #queryState(matter: Matter, id: string, signal: AbortSignal): Promise<OperatorAnswer> {
    const asked = { ...matter, serverCorrelationId: id };
    const reply = await this.#get(`/requeststates/${encodeURIComponent(id)}`, signal);
    // An operator that has forgotten the id, or takes it for another, may still know the reference.
    const byReference = () => this.#queryResponse(matter, { keptId: id }, signal);
    if (!reply || !isRequestState(reply.body)) {
      return isUnknownThere(reply, asked) ? byReference() : unreachable;
    }
    if (!isOfAnother(reply.body, asked)) return this.#state(matter, reply.body, signal);
    await this.#alert(matter, stateOfAnother);
    return byReference();
  }

  /** @param known what was kept of the request; undefined if the operator never told us that it knows it */
  async #queryResponse(
    matter: Matter,
    known: { keptId: string | null } | undefined,
    signal: AbortSignal,
  ): Promise<OperatorAnswer> {
    const reply = await this.#get(`/responses/${matter.reference}`, signal);
    if (isUnknownThere(reply, matter)) return known ? pending : notFound;
    const link = linkOf(reply);
    if (!link) return unreachable;
    if (isOfAnother(reply?.body, matter)) return this.#alert(matter, 'the response of another');
    if (link.kind === 'transactions') return this.#queryTransaction(matter, link.id, signal);
    if (!isName(link.id)) return unreachable;
    if (known?.keptId && !isSame(link.id, known.keptId)) return this.#alert(matter, stateOfAnother);
    const state = await this.#get(`/requeststates/${encodeURIComponent(link.id)}`, signal);
    if (!state || !isRequestState(state.body)) return unreachable;
    const asked = { ...matter, serverCorrelationId: link.id };
    if (isOfAnother(state.body, asked)) return this.#alert(matter, stateOfAnother);
    await this.#keep(matter, state.body);
    return this.#state(matter, state.body, signal, true);
  }

  async #queryTransaction(
    matter: Matter,
    id: string,
    signal: AbortSignal,
    told?: Transaction,
  ): Promise<OperatorAnswer> {
    if (!isName(id)) return this.#alert(matter, `transaction ${readableName(id)}`, told);
    const asked = { ...matter, transactionReference: id };
    const reply = await this.#get(`/transactions/${encodeURIComponent(id)}`, signal);
    if (!reply || !isTransaction(reply.body)) {
      const found = unnamed(reply?.body, id);
      if (found) return this.#alert(matter, `transaction ${id} without its name`, found);
      return isUnknownThere(reply, asked) ? pending : unreachable;
    }
    if (isOfAnother(reply.body, asked)) {
      const named = readableName(reply.body.transactionReference);
      return this.#alert(matter, `transaction ${named} in place of ${id}`, reply.body);
    }
    return this.#transaction(matter, reply.body);
  }

  async #state(
    matter: Matter,
    state: RequestState,
    signal: AbortSignal,
    isFromResponse = false,
  ): Promise<OperatorAnswer> {
    const status = state.status.toLowerCase();
    if (status === 'pending') return prompted;
    if (status === 'failed') {
      const end = isGsmaError(state.error) ? meaningOfEnd(state.error) : 'OPERATOR_REJECTED';
      return end === 'ASK' ? pending : this.#failed(matter, end);
    }
    const { objectReference: id } = state;
    if (status !== 'completed') return pending;
    if (typeof id === 'string' && id !== '')
      return this.#queryTransaction(matter, id, signal, completed(id));
    if (isFromResponse) return pending;
    return this.#queryResponse(matter, { keptId: state.serverCorrelationId }, signal);
  }

  async #transaction(matter: Matter, transaction: Transaction): Promise<OperatorAnswer> {
    const answer = answerOfTransaction(transaction, matter);
    const { transactionReference: id } = transaction;
    if (!answer) return this.#alert(matter, `transaction ${readableName(id)}`, transaction);
    if (answer.kind === 'failed') return this.#failed(matter, answer.failureCode);
    if (answer.kind === 'unknown') await this.#keep(matter);
    return answer;
  }

  #failed({ kind }: Matter, failureCode: FailureCode): OperatorAnswer {
    return {
      kind: 'failed',
      failureCode: kind === 'DEBIT' ? failureCode : failureOfReversal(failureCode),
    };
  }

  /** The operator knows the request, and what it says of it cannot be booked: a person must look. */
  async #alert(matter: Matter, what: string, told?: Transaction): Promise<OperatorAnswer> {
    const { operator, log } = this.#dependencies;
    const { tenantId, reference } = matter;
    log.error(
      { operator, tenantId, reference },
      `${operator} gave ${what}, which does not match the request: ask the operator about it`,
    );
    await this.#keep(matter);
    return (told && mismatchOf(told, matter)) ?? pending;
  }

  async #keep(matter: Matter, state?: RequestState): Promise<void> {
    const { database, operator, clock } = this.#dependencies;
    const { tenantId, reference } = matter;
    const limit = state?.pollLimit;
    const isLimited = typeof limit === 'number' && limit >= 0 && limit < 2 ** 31;
    const pollsLeft = isLimited ? Math.floor(limit) : null;
    const requestId = isName(state?.serverCorrelationId) ? state.serverCorrelationId : null;
    const row = { tenantId, reference, operator, requestId, pollsLeft };
    await keepAcknowledgement(database, { ...row, nowMs: clock.nowMs() });
  }

  async #get(path: Call['path'], signal: AbortSignal): Promise<Answer | undefined> {
    const { settings, exchange } = this.#dependencies;
    if (settings.query === 'none') return undefined;
    const reply = await exchange.call({ method: 'GET', path }, signal);
    return typeof reply === 'string' ? undefined : reply;
  }
}

const debitOf = (request: DebitRequest): Matter => {
  const { tenantId, reference, currency, repeated } = request;
  return { kind: 'DEBIT', tenantId, reference, currency, repeated };
};

const stateOfAnother = 'the state of another request';
