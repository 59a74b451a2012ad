import type { Logger } from 'pino';
import type { OperatorSettings } from '../../../platform/config/operator-settings.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import type { Clock } from '../../../platform/process/clock.ts';
import type { Expected } from '../adapter.ts';
import {
  type FailureCode,
  failureOfDisbursement,
  failureOfReversal,
  type OperatorAnswer,
  type OperatorName,
} from '../operator.ts';
import { isName, readableName } from '../transaction-ids.ts';
import {
  answerOfTransaction,
  completed,
  isTransaction,
  mismatchOf,
  notFound,
  pending,
  prompted,
  type Transaction,
  unnamed,
  unreachable,
} from './answers.ts';
import type { Call } from './client.ts';
import { isOfAnother, isSame, type QuerySubject } from './correlation.ts';
import { isGsmaError, meaningOfEnd } from './errors.ts';
import type { Answer, Exchange } from './exchange.ts';
import { namesPhone } from './parties.ts';
import {
  isFailed,
  isNotFoundAnswer,
  isRequestState,
  linkOf,
  type RequestState,
} from './request-states.ts';
import { findOther, keepAcknowledgement, takePoll } from './store.ts';
import { isReversed, isSuccess, isUnderWay } from './transaction-statuses.ts';

export interface GsmaQuestionDependencies {
  operator: OperatorName;
  settings: Pick<OperatorSettings, 'query'>;
  exchange: Pick<Exchange, 'call'>;
  database: Database;
  clock: Clock;
  log: Logger;
}

/** A debit, return or disbursement that we requested. */
export interface RequestedTransfer extends Expected {
  tenantId: string;
  repeated: boolean;
  /** Of a disbursement: the amount that a success must name, in minor units. */
  exactMinor?: bigint;
  /** For a return: looked up if an answer names a phone. */
  phoneOf?: (() => Promise<string | undefined>) | undefined;
}

/** Queries an operator about the outcome of a request, and interprets the answer. */
export class GsmaQuestions {
  #dependencies: GsmaQuestionDependencies;

  constructor(dependencies: GsmaQuestionDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * The operator has reported a success: if the answer to a further query does not mention it, a person must look
   * into it.
   */
  async orReported(
    matter: RequestedTransfer,
    answer: OperatorAnswer,
    reported: Transaction,
  ): Promise<OperatorAnswer> {
    if (answer.kind !== 'unknown' || answer.reported || answer.progress === 'PROMPTED')
      return answer;
    if (answer.progress === 'UNREACHABLE') return this.#unread(matter, reported);
    const more = await this.alert(matter, 'a success without its transaction', reported);
    return more.kind === 'unknown' && more.reported ? more : answer;
  }

  /** No answer now; for an operator without queries there will be no other time. */
  async #unread(matter: RequestedTransfer, reported: Transaction): Promise<OperatorAnswer> {
    if (this.#dependencies.settings.query === 'none') {
      return this.alert(matter, 'a success without its transaction', reported);
    }
    const answer = mismatchOf(reported, matter);
    return answer?.kind === 'unknown' ? { ...answer, progress: 'UNREACHABLE' } : unreachable;
  }

  /** By the operator's id of the request while the operator allows that, otherwise by our own reference. */
  async query(matter: RequestedTransfer, signal: AbortSignal): Promise<OperatorAnswer> {
    if (this.#dependencies.settings.query === 'none') return pending;
    const known = await this.#takePoll(matter);
    if (known?.requestId) return this.#queryState(matter, known.requestId, signal);
    return this.#queryResponse(matter, known, signal);
  }

  #takePoll({ tenantId, reference }: RequestedTransfer) {
    return takePoll(this.#dependencies.database, tenantId, reference);
  }

  async #queryState(
    matter: RequestedTransfer,
    id: string,
    signal: AbortSignal,
  ): Promise<OperatorAnswer> {
    const asked = { ...matter, serverCorrelationId: id };
    const reply = await this.#get(matter, `/requeststates/${encodeURIComponent(id)}`, signal);
    // An operator that has forgotten the id, or confuses it with another, may still know the reference.
    const byReference = () => this.#queryResponse(matter, { keptId: id }, signal);
    if (!reply || !isRequestState(reply.body)) {
      return isNotFoundAnswer(reply, asked) ? byReference() : this.#odd(matter, reply);
    }
    if (!(await this.isStateOfAnother(asked, reply.body)))
      return this.state(matter, reply.body, signal);
    await this.alert(matter, stateOfAnother);
    return byReference();
  }

  /** @param known the stored data of the request; undefined if the operator never acknowledged it */
  async #queryResponse(
    matter: RequestedTransfer,
    known: { keptId: string | null } | undefined,
    signal: AbortSignal,
  ): Promise<OperatorAnswer> {
    const reply = await this.#get(matter, `/responses/${matter.reference}`, signal);
    if (isNotFoundAnswer(reply, matter)) return known ? pending : notFound;
    const link = linkOf(reply);
    if (!link) return this.#odd(matter, reply);
    if (isOfAnother(reply?.body, matter)) return this.alert(matter, 'the response of another');
    if (link.kind === 'transactions') return this.#queryTransaction(matter, link.id, signal);
    if (!isName(link.id)) return unreachable;
    if (known?.keptId) {
      if (!isSame(link.id, known.keptId)) return this.alert(matter, stateOfAnother);
      if (!(await this.#takePoll(matter))?.requestId) return pending;
    }
    const state = await this.#get(matter, `/requeststates/${encodeURIComponent(link.id)}`, signal);
    if (!state || !isRequestState(state.body)) return this.#odd(matter, state);
    const asked = { ...matter, serverCorrelationId: link.id };
    if (await this.isStateOfAnother(asked, state.body)) {
      return this.alert(matter, stateOfAnother);
    }
    await this.keep(matter, state.body, 1);
    return this.state(matter, state.body, signal, true);
  }

  async #queryTransaction(
    matter: RequestedTransfer,
    id: string,
    signal: AbortSignal,
    reported?: Transaction,
  ): Promise<OperatorAnswer> {
    if (!isName(id)) return this.alert(matter, `transaction ${readableName(id)}`, reported);
    const asked = { ...matter, transactionReference: id };
    const reply = await this.#get(matter, `/transactions/${encodeURIComponent(id)}`, signal);
    if (!reply) return reported ? this.#unread(matter, reported) : unreachable;
    if (!isTransaction(reply.body)) {
      const found = unnamed(reply.body, id) ?? reported;
      if (found) return this.alert(matter, `nothing to read as transaction ${id}`, found, reported);
      return isNotFoundAnswer(reply, asked) ? pending : unreachable;
    }
    if (isOfAnother(reply.body, asked)) {
      const named = readableName(reply.body.transactionReference);
      return this.alert(matter, `transaction ${named} in place of ${id}`, reply.body, reported);
    }
    const answer = await this.transaction(matter, reply.body);
    const isSilent = answer.kind === 'unknown' && !answer.reported;
    if (!reported || !isSilent || isUnderWay(reply.body.transactionStatus)) return answer;
    return this.alert(matter, `transaction ${id} with a status that nobody knows`, reported);
  }

  async state(
    matter: RequestedTransfer,
    state: RequestState,
    signal: AbortSignal,
    isFromResponse = false,
  ): Promise<OperatorAnswer> {
    if (state.status.toLowerCase() === 'pending') return prompted;
    if (isFailed(state)) {
      const end = isGsmaError(state.error)
        ? meaningOfEnd(state.error, matter.kind)
        : 'OPERATOR_REJECTED';
      return end === 'ASK' ? pending : this.failed(matter, end);
    }
    const { objectReference: id } = state;
    if (!isSuccess(state.status)) return pending;
    if (typeof id === 'string' && id !== '')
      return this.#queryTransaction(matter, id, signal, completed(id));
    const known = { keptId: state.serverCorrelationId };
    const found = isFromResponse ? pending : await this.#queryResponse(matter, known, signal);
    return this.orReported(matter, found, completed(''));
  }

  /** A failed request counts only under an id that the operator has given to no other. */
  async isStateOfAnother(
    asked: RequestedTransfer & QuerySubject,
    state: RequestState,
  ): Promise<boolean> {
    if (isOfAnother(state, asked)) return true;
    const { database, operator } = this.#dependencies;
    const { tenantId, reference } = asked;
    const requestId = state.serverCorrelationId;
    if (!isFailed(state) || !isName(requestId)) return false;
    return (await findOther(database, { operator, requestId, tenantId, reference })).length > 0;
  }

  /** A transaction that differs from our request, but may report a success all the same. */
  async #odd(matter: RequestedTransfer, reply: Answer | undefined): Promise<OperatorAnswer> {
    const reported = unnamed(reply?.body);
    return reported ? this.alert(matter, 'neither a state nor a link', reported) : unreachable;
  }

  async transaction(matter: RequestedTransfer, transaction: Transaction): Promise<OperatorAnswer> {
    const phone = namesPhone(transaction) ? await matter.phoneOf?.() : undefined;
    const expected = { ...matter, ...(phone !== undefined && { phone }) };
    const answer = answerOfTransaction(transaction, expected);
    const { transactionReference: id } = transaction;
    if (!answer || isOfOtherAmount(answer, matter)) {
      return this.alert(matter, `transaction ${readableName(id)}`, transaction);
    }
    if (matter.kind === 'DISBURSEMENT' && isReversed(transaction.transactionStatus)) {
      return this.alert(matter, `the reversed transaction ${readableName(id)}`, completed(id));
    }
    if (answer.kind === 'failed') {
      return { ...answer, ...this.failed(matter, answer.failureCode) };
    }
    if (answer.kind === 'unknown') await this.keep(matter);
    return answer;
  }

  failed({ kind }: RequestedTransfer, failureCode: FailureCode): OperatorAnswer {
    if (kind === 'DEBIT') return { kind: 'failed', failureCode };
    const of = kind === 'DISBURSEMENT' ? failureOfDisbursement : failureOfReversal;
    return { kind: 'failed', failureCode: of(failureCode) };
  }

  /** The operator knows the request, but its answer cannot be booked: a person must look into it. */
  async alert(matter: RequestedTransfer, what: string, ...reported: (Transaction | undefined)[]) {
    const { operator, log } = this.#dependencies;
    const { tenantId, reference } = matter;
    log.error(
      { operator, tenantId, reference },
      `${operator} gave ${what}, which does not match the request: ask the operator about it`,
    );
    await this.keep(matter);
    const mismatches = reported.map((each) => each && mismatchOf(each, matter));
    return mismatches.find((each) => each !== undefined) ?? pending;
  }

  /** @param polls how often the state has been queried so far: the operator counts these queries too */
  async keep(matter: RequestedTransfer, state?: RequestState, polls = 0): Promise<void> {
    const { database, operator, clock } = this.#dependencies;
    const { tenantId, reference } = matter;
    const limit = state?.pollLimit;
    const isLimited = typeof limit === 'number' && limit >= 0 && limit < 2 ** 31;
    const pollsLeft = isLimited ? Math.max(Math.floor(limit) - polls, 0) : null;
    const requestId = isName(state?.serverCorrelationId) ? state.serverCorrelationId : null;
    const row = { tenantId, reference, operator, requestId, pollsLeft };
    await keepAcknowledgement(database, { ...row, nowMs: clock.nowMs() });
  }

  async #get(
    { reference }: RequestedTransfer,
    path: Call['path'],
    signal: AbortSignal,
  ): Promise<Answer | undefined> {
    const { settings, exchange } = this.#dependencies;
    if (settings.query === 'none') return undefined;
    const reply = await exchange.call({ method: 'GET', path, reference }, signal);
    return typeof reply === 'string' ? undefined : reply;
  }
}

/** The money has left: nothing but the amount that was asked for can be booked without a person. */
const isOfOtherAmount = (answer: OperatorAnswer, { exactMinor }: RequestedTransfer): boolean =>
  exactMinor !== undefined && answer.kind === 'succeeded' && answer.amountMinor !== exactMinor;

export const stateOfAnother = 'the state of another request';
