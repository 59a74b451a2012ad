import type {
  Adapter,
  AdapterDependencies,
  Expected,
} from '../../src/integrations/operators/adapter.ts';
import { majorOf } from '../../src/integrations/operators/amount.ts';
import type {
  DebitRequest,
  DisbursementRequest,
  Operator,
  OperatorAnswer,
  Progress,
  ReversalRequest,
} from '../../src/integrations/operators/operator.ts';
import { traitsOf } from '../../src/integrations/operators/traits.ts';
import type { OperatorSettings } from '../../src/platform/config/operator-settings.ts';
import { answerOf, isOrder, type Order, walletCallbacks } from './messages.ts';

type Reply = { status: number; body: unknown } | 'UNREACHABLE' | 'NOT_SENT';

/** Only a refused connection means that nothing was sent; otherwise the outcome is unknown. */
async function call(
  { url, secret }: Pick<OperatorSettings, 'url' | 'secret'>,
  path: string,
  timeoutMs: number,
  order?: object,
): Promise<Reply> {
  try {
    const response = await fetch(url + path, {
      method: order ? 'POST' : 'GET',
      headers: { 'content-type': 'application/json', authorization: `Wallet ${secret}` },
      ...(order && { body: JSON.stringify(order) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const body: unknown = await response.json();
    return response.status >= 500 ? 'UNREACHABLE' : { status: response.status, body };
  } catch (error) {
    const { code } = ((error as Error).cause ?? {}) as { code?: string };
    return code === 'ECONNREFUSED' ? 'NOT_SENT' : 'UNREACHABLE';
  }
}

const unknown = (progress: Progress): OperatorAnswer => ({ kind: 'unknown', progress });
const problemOf = (body: unknown) => (body as { problem?: unknown } | null)?.problem;

const debitOf = ({ reference, currency }: DebitRequest): Expected => ({
  kind: 'DEBIT',
  reference,
  currency,
});

const payoutOf = ({ reference, currency }: DisbursementRequest): Expected => ({
  kind: 'DISBURSEMENT',
  reference,
  currency,
});

/** A wallet that takes orders as JSON. */
class WalletOperator implements Operator {
  #dependencies: AdapterDependencies;

  constructor(dependencies: AdapterDependencies) {
    this.#dependencies = dependencies;
  }

  async traits() {
    return traitsOf(this.#dependencies.settings);
  }

  requestDebit(request: DebitRequest): Promise<OperatorAnswer> {
    return this.#place(request, debitOf(request), { kind: 'collect', msisdn: request.phone });
  }

  queryDebit(request: DebitRequest): Promise<OperatorAnswer> {
    return this.#ask(debitOf(request));
  }

  reverse(request: ReversalRequest): Promise<OperatorAnswer> {
    return this.#place(request, request, { kind: 'return', of: request.operatorTxId });
  }

  queryReversal(request: ReversalRequest): Promise<OperatorAnswer> {
    return this.#ask(request);
  }

  disburse(request: DisbursementRequest): Promise<OperatorAnswer> {
    return this.#place(request, payoutOf(request), { kind: 'payout', msisdn: request.phone });
  }

  queryDisbursement(request: DisbursementRequest): Promise<OperatorAnswer> {
    return this.#ask(payoutOf(request));
  }

  async #place(
    request: DebitRequest | ReversalRequest | DisbursementRequest,
    expected: Expected,
    order: object,
  ): Promise<OperatorAnswer> {
    const { tenantId, reference, amountMinor, currency } = request;
    const notify = this.#dependencies.callbackUrl(expected.kind, tenantId, reference);
    const common = { ref: reference, cents: Number(amountMinor), currency, notify };
    const reply = await this.#call('/orders', { ...common, ...order });
    if (typeof reply === 'string') return unknown(reply);
    if (isOrder(reply.body)) return answerOf(reply.body, expected) ?? unknown('PENDING');
    if (problemOf(reply.body) !== 'REFUSED') return unknown('UNREACHABLE');
    // For a repeated request, this says nothing about the first.
    if (request.repeated) return this.#ask(expected);
    return { kind: 'failed', failureCode: 'OPERATOR_REJECTED' };
  }

  async #ask(expected: Expected): Promise<OperatorAnswer> {
    if (this.#dependencies.settings.query === 'none') return unknown('PENDING');
    const reply = await this.#call(`/orders/${expected.reference}`);
    if (typeof reply === 'string') return unknown(reply);
    if (isOrder(reply.body)) return answerOf(reply.body, expected) ?? unknown('PENDING');
    return unknown(problemOf(reply.body) === 'NO_SUCH_ORDER' ? 'NOT_FOUND' : 'UNREACHABLE');
  }

  async #call(path: string, order?: object): Promise<Reply> {
    const { settings, timeoutMs } = this.#dependencies;
    const reply = await call(settings, path, timeoutMs, order);
    this.#dependencies.onCall(typeof reply === 'string' ? 'unreachable' : 'answered');
    return reply;
  }
}

export const adapter: Adapter = {
  open: (dependencies) => ({ operator: new WalletOperator(dependencies), close: async () => {} }),
  callbacks: walletCallbacks,
  async probe(settings, clock) {
    const startedMs = clock.nowMs();
    const reply = await call(settings, '/balance', 10_000);
    const latencyMs = clock.nowMs() - startedMs;
    const { cents, currency } = typeof reply === 'string' ? {} : (reply.body as Partial<Order>);
    if (cents === undefined || currency === undefined) {
      return {
        service: 'unavailable',
        problem: 'the answer has no balance',
        latencyMs,
        balance: null,
      };
    }
    const balance = { amount: majorOf(BigInt(cents)), currency };
    return { service: 'available', problem: null, latencyMs, balance };
  },
  async findWalletName(settings, _clock, phone) {
    const reply = await call(settings, `/holders/${phone.slice(1)}`, 10_000);
    if (typeof reply === 'string') return { kind: 'UNANSWERED' };
    const { name } = reply.body as { name?: unknown };
    if (typeof name === 'string') return { kind: 'FOUND', name };
    return { kind: problemOf(reply.body) === 'NO_SUCH_HOLDER' ? 'NOT_FOUND' : 'FAILED' };
  },
  async *transactions(settings, _clock, { sinceMs }) {
    const reply = await call(settings, `/orders?since=${sinceMs}`, 10_000);
    const orders = typeof reply === 'string' ? [] : (reply.body as Order[]);
    const kinds = { collect: 'DEBIT', return: 'GIVEN_BACK', payout: 'DISBURSEMENT' } as const;
    const statuses = { DONE: 'SUCCEEDED', REFUSED: 'FAILED', WAITING: 'OPEN' } as const;
    for (const { id, ref, kind, of = null, state, cents, currency, at } of orders) {
      yield {
        operatorTxId: id,
        reference: ref,
        kind: kinds[kind],
        status: statuses[state],
        amountMinor: BigInt(cents),
        currency,
        atMs: Date.parse(at),
        debitTxId: of,
      };
    }
  },
};
