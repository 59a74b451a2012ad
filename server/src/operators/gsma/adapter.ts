import type { Logger } from 'pino';
import type { Clock } from '../../clock.ts';
import type { OperatorSettings } from '../../config/operator-settings.ts';
import type { Database } from '../../postgres/database.ts';
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
  isTransaction,
  notFound,
  notSent,
  pending,
  prompted,
  unreachable,
} from './answers.ts';
import type { Call } from './client.ts';
import { isGsmaError, meaningOfEnd, meaningOfRefusal } from './errors.ts';
import type { Answer, Exchange } from './exchange.ts';
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
interface Matter {
  kind: CallbackKind;
  tenantId: string;
  reference: string;
  currency: string;
  /** Of a return, whose answer need not repeat it. */
  amountMinor?: bigint;
  repeated: boolean;
}

interface RequestState {
  serverCorrelationId: string;
  status: string;
  objectReference?: unknown;
  pollLimit?: unknown;
  error?: unknown;
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
    if (isTransaction(reply.body)) return this.#transaction(matter, reply.body);
    if (isRequestState(reply.body)) {
      await this.#keep(matter, reply.body);
      return this.#state(matter, reply.body, signal);
    }
    return this.#alert(matter, 'an answer that is neither a transaction nor a request state');
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
    if (meaning === 'MISCONFIGURED') return unreachable;
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
    return this.#queryResponse(matter, known !== undefined, signal);
  }

  async #queryState(matter: Matter, id: string, signal: AbortSignal): Promise<OperatorAnswer> {
    const reply = await this.#get(`/requeststates/${encodeURIComponent(id)}`, signal);
    if (reply && isRequestState(reply.body)) return this.#state(matter, reply.body, signal);
    // An operator that has forgotten the id may still know the reference.
    return isUnknownThere(reply) ? this.#queryResponse(matter, true, signal) : unreachable;
  }

  async #queryResponse(
    matter: Matter,
    isKnown: boolean,
    signal: AbortSignal,
  ): Promise<OperatorAnswer> {
    const reply = await this.#get(`/responses/${matter.reference}`, signal);
    if (isUnknownThere(reply)) return isKnown ? pending : notFound;
    const link = (reply?.body as { link?: unknown } | undefined)?.link;
    // Only the end of the link is used: an operator cannot send our credentials elsewhere.
    const [, kind, id] =
      typeof link === 'string'
        ? (/\/?(transactions|requeststates)\/([^/?#]{1,256})\/?$/.exec(link) ?? [])
        : [];
    if (kind === undefined || id === undefined) return unreachable;
    if (kind === 'transactions') return this.#queryTransaction(matter, decoded(id), signal);
    if (!isName(decoded(id))) return unreachable;
    const state = await this.#get(`/requeststates/${encodeURIComponent(decoded(id))}`, signal);
    if (!state || !isRequestState(state.body)) return unreachable;
    await this.#keep(matter, state.body);
    return this.#state(matter, state.body, signal, true);
  }

  async #queryTransaction(
    matter: Matter,
    id: string,
    signal: AbortSignal,
  ): Promise<OperatorAnswer> {
    if (!isName(id)) return this.#alert(matter, `transaction ${readableName(id)}`);
    const reply = await this.#get(`/transactions/${encodeURIComponent(id)}`, signal);
    if (reply && isTransaction(reply.body)) return this.#transaction(matter, reply.body);
    return isUnknownThere(reply) ? pending : unreachable;
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
    if (typeof id === 'string' && id !== '') return this.#queryTransaction(matter, id, signal);
    return isFromResponse ? pending : this.#queryResponse(matter, true, signal);
  }

  async #transaction(
    matter: Matter,
    transaction: Parameters<typeof answerOfTransaction>[0],
  ): Promise<OperatorAnswer> {
    const answer = answerOfTransaction(transaction, matter);
    const { transactionReference: id } = transaction;
    if (!answer) return this.#alert(matter, `transaction ${readableName(id)}`);
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
  async #alert(matter: Matter, what: string): Promise<OperatorAnswer> {
    const { operator, log } = this.#dependencies;
    const { tenantId, reference } = matter;
    log.error(
      { operator, tenantId, reference },
      `${operator} gave ${what}, which does not match the request: ask the operator about it`,
    );
    await this.#keep(matter);
    return pending;
  }

  async #keep(matter: Matter, state?: RequestState): Promise<void> {
    const { database, operator, clock } = this.#dependencies;
    const { tenantId, reference } = matter;
    const limit = state?.pollLimit;
    const isLimited = typeof limit === 'number' && limit >= 0 && limit < 2 ** 31;
    const pollsLeft = isLimited ? Math.floor(limit) : null;
    // By any other name it cannot be asked: then our own reference does.
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

const debitOf = ({ tenantId, reference, currency, repeated }: DebitRequest): Matter => ({
  kind: 'DEBIT',
  tenantId,
  reference,
  currency,
  repeated,
});

function isRequestState(body: unknown): body is RequestState {
  const { serverCorrelationId: id, status } = (body ?? {}) as Partial<RequestState>;
  return typeof id === 'string' && typeof status === 'string';
}

/** Only the operator's own words count: a proxy answers 404 too. */
const isUnknownThere = (reply: Answer | undefined): boolean =>
  reply?.status === 404 &&
  isGsmaError(reply.body) &&
  reply.body.errorCategory.toLowerCase() === 'identification';

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
