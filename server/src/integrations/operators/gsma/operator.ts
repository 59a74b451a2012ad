import type { OperatorSettings } from '../../../platform/config/operator-settings.ts';
import { majorOf } from '../amount.ts';
import type { CallbackKind } from '../callback-token.ts';
import type {
  DebitRequest,
  DisbursementRequest,
  Operator,
  OperatorAnswer,
  OperatorTraits,
  ReversalRequest,
} from '../operator.ts';
import { traitsOf } from '../traits.ts';
import {
  isOfDebitItself,
  isTransaction,
  notSent,
  successIn,
  type Transaction,
  unnamed,
  unreachable,
} from './answers.ts';
import { isOfAnother } from './correlation.ts';
import { descriptionOf } from './description.ts';
import { isGsmaError, meaningOfRefusal } from './errors.ts';
import type { Answer, Exchange } from './exchange.ts';
import {
  type GsmaQuestionDependencies,
  GsmaQuestions,
  type RequestedTransfer,
  stateOfAnother,
} from './query-outcome.ts';
import { isFailed, isRequestState } from './request-states.ts';

export interface GsmaOperatorDependencies extends GsmaQuestionDependencies {
  settings: Pick<OperatorSettings, 'account' | 'mode' | 'deduplicates' | 'query'>;
  exchange: Pick<Exchange, 'call' | 'heldUntilMs'>;
  /** For one operation, for any number of calls; in milliseconds. */
  timeoutMs: number;
  callbackUrl(kind: CallbackKind, tenantId: string, reference: string): string;
}

type Charged = Pick<DebitRequest, 'amountMinor' | 'currency' | 'reference'>;

/** One operator that speaks the GSMA Mobile Money API 1.2 (docs/operators.md). */
export class GsmaOperator implements Operator {
  #dependencies: GsmaOperatorDependencies;
  #questions: GsmaQuestions;

  constructor(dependencies: GsmaOperatorDependencies) {
    this.#dependencies = dependencies;
    this.#questions = new GsmaQuestions(dependencies);
  }

  async traits(): Promise<OperatorTraits> {
    return traitsOf(this.#dependencies.settings);
  }

  async heldUntilMs(): Promise<number | null> {
    return this.#dependencies.exchange.heldUntilMs();
  }

  requestDebit(request: DebitRequest): Promise<OperatorAnswer> {
    return this.#request(this.#debitOf(request), '/transactions/type/merchantpay', {
      ...this.#common(request),
      descriptionText: descriptionOf(request.statementDescriptor),
      debitParty: [{ key: 'msisdn', value: request.phone }],
      creditParty: [this.#dependencies.settings.account],
    });
  }

  queryDebit(request: DebitRequest): Promise<OperatorAnswer> {
    return this.#questions.query(this.#debitOf(request), this.#signal());
  }

  reverse(request: ReversalRequest): Promise<OperatorAnswer> {
    const path = `/transactions/${encodeURIComponent(request.operatorTxId)}/reversals`;
    const body = { ...this.#common(request), type: 'reversal' };
    return this.#request(this.#returnOf(request), path, body);
  }

  queryReversal(request: ReversalRequest): Promise<OperatorAnswer> {
    return this.#questions.query(this.#returnOf(request), this.#signal());
  }

  disburse(request: DisbursementRequest): Promise<OperatorAnswer> {
    return this.#request(this.#disbursementOf(request), '/transactions/type/disbursement', {
      ...this.#common(request),
      descriptionText: descriptionOf(request.statementDescriptor),
      debitParty: [this.#dependencies.settings.account],
      creditParty: [{ key: 'msisdn', value: request.phone }],
    });
  }

  queryDisbursement(request: DisbursementRequest): Promise<OperatorAnswer> {
    return this.#questions.query(this.#disbursementOf(request), this.#signal());
  }

  #debitOf({ tenantId, reference, currency, repeated, phone }: DebitRequest): RequestedTransfer {
    return { kind: 'DEBIT', tenantId, reference, currency, repeated, phone, ...this.#ours() };
  }

  #returnOf(request: ReversalRequest): RequestedTransfer {
    return { ...request, ...this.#ours() };
  }

  #disbursementOf(request: DisbursementRequest): RequestedTransfer {
    const { tenantId, reference, currency, repeated, phone, amountMinor: exactMinor } = request;
    const about = { tenantId, reference, currency, repeated, phone, exactMinor };
    return { kind: 'DISBURSEMENT', ...about, ...this.#ours() };
  }

  #ours = () => ({ account: traitsOf(this.#dependencies.settings).account });

  #signal(): AbortSignal {
    return AbortSignal.timeout(this.#dependencies.timeoutMs);
  }

  #common({ amountMinor, currency, reference }: Charged) {
    return {
      amount: majorOf(amountMinor),
      currency,
      requestingOrganisationTransactionReference: reference,
      requestDate: new Date(this.#dependencies.clock.nowMs()).toISOString(),
    };
  }

  async #request(matter: RequestedTransfer, path: string, body: unknown): Promise<OperatorAnswer> {
    const signal = this.#signal();
    const { settings, exchange } = this.#dependencies;
    const { kind, tenantId, reference } = matter;
    const headers = {
      'X-CorrelationID': reference,
      ...(settings.mode === 'callback' && {
        'X-Callback-URL': this.#dependencies.callbackUrl(kind, tenantId, reference),
      }),
    };
    const reply = await exchange.call({ method: 'POST', path, headers, body, reference }, signal);
    if (reply === 'NOT_SENT') return notSent;
    if (reply === 'UNKNOWN') return unreachable;
    const asked = reply.wasRepeated ? { ...matter, repeated: true } : matter;
    const answer = await this.#meaningOf(asked, reply, signal);
    // The answer to a repeated request says nothing about the first, which may have been carried out.
    return answer.kind === 'failed' && asked.repeated
      ? this.#questions.query(asked, signal)
      : answer;
  }

  async #meaningOf(
    matter: RequestedTransfer,
    reply: Answer,
    signal: AbortSignal,
  ): Promise<OperatorAnswer> {
    const { body, status } = reply;
    if (isGsmaError(body) && status >= 400) {
      const reported = successIn(body);
      if (reported) return this.#questions.alert(matter, 'an error that is a success', reported);
      return this.#refusal(matter, reply, signal);
    }
    if (isTransaction(body)) return this.#answered(matter, body, signal);
    if (!isRequestState(body)) {
      return this.#questions.alert(matter, 'neither a transaction nor a state', unnamed(body));
    }
    if (await this.#questions.isStateOfAnother(matter, body))
      return this.#questions.alert(matter, stateOfAnother);
    // The id of a failed repetition could not be used to query the first request.
    await this.#questions.keep(matter, matter.repeated && isFailed(body) ? undefined : body);
    return this.#questions.state(matter, body, signal);
  }

  /** An answer that repeats the debit does not name the returning transaction: our own reference may lead to it. */
  async #answered(
    matter: RequestedTransfer,
    transaction: Transaction,
    signal: AbortSignal,
  ): Promise<OperatorAnswer> {
    if (!isOfDebitItself(transaction, matter))
      return this.#questions.transaction(matter, transaction);
    await this.#questions.keep(matter);
    return this.#questions.orReported(
      matter,
      await this.#questions.query(matter, signal),
      transaction,
    );
  }

  /** The request was refused, so no money moved. "Duplicate" means that the operator has received it before. */
  async #refusal(
    matter: RequestedTransfer,
    reply: Answer,
    signal: AbortSignal,
  ): Promise<OperatorAnswer> {
    const error = reply.body as { errorCategory: string; errorCode: string };
    const meaning = meaningOfRefusal(error, matter.kind);
    const { operator, log } = this.#dependencies;
    const { errorCategory: category, errorCode: code } = error;
    log.info({ operator, reference: matter.reference, category, code }, 'an operator refused');
    if (matter.kind === 'DISBURSEMENT' && code.toLowerCase() === 'insufficientfunds') {
      log.error({ operator }, `our account at ${operator} holds too little: disbursements fail`);
    }
    if (meaning === 'MISCONFIGURED' || isOfAnother(error, matter)) return unreachable;
    if (meaning !== 'ASK') return this.#questions.failed(matter, meaning);
    if (code.toLowerCase() !== 'duplicaterequest') return unreachable;
    await this.#questions.keep(matter);
    return this.#questions.query(matter, signal);
  }
}
