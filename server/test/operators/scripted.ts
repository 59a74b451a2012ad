import type {
  DebitRequest,
  DisbursementRequest,
  Operator,
  OperatorAnswer,
  OperatorTraits,
  ReversalRequest,
} from '../../src/integrations/operators/operator.ts';

type Answered = OperatorAnswer | Promise<OperatorAnswer>;
type CallName =
  | 'requestDebit'
  | 'queryDebit'
  | 'reverse'
  | 'queryReversal'
  | 'disburse'
  | 'queryDisbursement';

/** One call to the operator, and when it began. */
export interface Heard {
  call: CallName;
  reference: string;
  repeated: boolean;
  atMs: number;
}

export const pending: OperatorAnswer = { kind: 'unknown', progress: 'PENDING' };
export const prompted: OperatorAnswer = { kind: 'unknown', progress: 'PROMPTED' };
export const notFound: OperatorAnswer = { kind: 'unknown', progress: 'NOT_FOUND' };
export const unreachable: OperatorAnswer = { kind: 'unknown', progress: 'UNREACHABLE' };
export const notSent: OperatorAnswer = { kind: 'unknown', progress: 'NOT_SENT' };
export const refused: OperatorAnswer = { kind: 'failed', failureCode: 'OPERATOR_REJECTED' };

export const success = (operatorTxId: string, amountMinor: bigint): OperatorAnswer => ({
  kind: 'succeeded',
  operatorTxId,
  amountMinor,
});

/** An operator that answers as its test says: by default it knows nothing, and accepts everything. */
export class ScriptedOperator implements Operator {
  heard: Heard[] = [];
  known: OperatorTraits = { deduplicates: false, answersQueries: true, account: 'walletid@loja' };
  onRequestDebit: (request: DebitRequest) => Answered = () => pending;
  onQueryDebit: (request: DebitRequest) => Answered = () => notFound;
  onReverse: (request: ReversalRequest) => Answered = () => pending;
  onQueryReversal: (request: ReversalRequest) => Answered = () => notFound;
  onDisburse: (request: DisbursementRequest) => Answered = () => pending;
  onQueryDisbursement: (request: DisbursementRequest) => Answered = () => notFound;
  #nowMs: () => number;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** How often a call was made, about one reference or any. */
  count(call: CallName, reference?: string): number {
    const isMeant = (each: Heard) => reference === undefined || each.reference === reference;
    return this.heard.filter((each) => each.call === call && isMeant(each)).length;
  }

  async requestDebit(request: DebitRequest): Promise<OperatorAnswer> {
    this.#hear('requestDebit', request);
    return this.onRequestDebit(request);
  }

  async queryDebit(request: DebitRequest): Promise<OperatorAnswer> {
    this.#hear('queryDebit', request);
    return this.onQueryDebit(request);
  }

  async reverse(request: ReversalRequest): Promise<OperatorAnswer> {
    this.#hear('reverse', request);
    return this.onReverse(request);
  }

  async queryReversal(request: ReversalRequest): Promise<OperatorAnswer> {
    this.#hear('queryReversal', request);
    return this.onQueryReversal(request);
  }

  async disburse(request: DisbursementRequest): Promise<OperatorAnswer> {
    this.#hear('disburse', request);
    return this.onDisburse(request);
  }

  async queryDisbursement(request: DisbursementRequest): Promise<OperatorAnswer> {
    this.#hear('queryDisbursement', request);
    return this.onQueryDisbursement(request);
  }

  async traits(): Promise<OperatorTraits> {
    return this.known;
  }

  #hear(call: CallName, { reference, repeated }: Pick<DebitRequest, 'reference' | 'repeated'>) {
    this.heard.push({ call, reference, repeated, atMs: this.#nowMs() });
  }
}
