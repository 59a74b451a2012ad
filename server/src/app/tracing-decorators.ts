import {
  type DebitRequest,
  type DisbursementRequest,
  disburseWith,
  type Operator,
  type OperatorAnswer,
  queryDisbursementWith,
  type ReversalRequest,
} from '../integrations/operators/operator.ts';
import type { Sender } from '../integrations/webhooks/send.ts';
import type { CreatePayment } from '../money/payments/create.ts';
import type { Payment } from '../money/payments/payment.ts';
import type { PaymentProcessor } from '../money/payments/process.ts';
import type { ReadPayment } from '../money/payments/read.ts';
import type { ApplyTransition } from '../money/payments/transition.ts';
import type { RefundProcessor } from '../money/refunds/process.ts';
import type { ApplyRefundTransition } from '../money/refunds/transition.ts';
import type { SpanOptions, Tracing } from '../platform/observability/tracing.ts';
import type { Database, Statement } from '../platform/postgres/database.ts';
import { formatId } from '../platform/values/ids.ts';
import type { AttemptPayment } from '../storefront/checkout/attempt.ts';

type Decorate<Part> = (part: Part) => Part;

/** Wraps parts of the gateway in spans; docs/monitoring.md#traces shows a trace. */
export interface Traced {
  createPayment: Decorate<CreatePayment>;
  readPayment: Decorate<ReadPayment>;
  attemptPayment: Decorate<AttemptPayment>;
  applyTransition: Decorate<ApplyTransition>;
  paymentProcessor: Decorate<PaymentProcessor>;
  applyRefundTransition: Decorate<ApplyRefundTransition>;
  refundProcessor: Decorate<RefundProcessor>;
  operator: Decorate<Operator>;
  sender: Decorate<Sender>;
  /** For statements of a single request; batched statements belong to many. */
  database: Decorate<Database>;
  /** A payment about to be written: its later processing belongs to the trace of its creation. */
  onPrepared: ((payment: Payment) => void) | undefined;
}

const same = <Part>(part: Part): Part => part;

const untraced: Traced = {
  createPayment: same,
  readPayment: same,
  attemptPayment: same,
  applyTransition: same,
  paymentProcessor: same,
  applyRefundTransition: same,
  refundProcessor: same,
  operator: same,
  sender: same,
  database: same,
  onPrepared: undefined,
};

export function createTraced(tracing: Tracing | undefined): Traced {
  if (tracing === undefined) return untraced;
  return {
    ...tracedPayments(tracing),
    ...tracedRefunds(tracing),
    operator: (operator) => tracedOperator(tracing, operator),
    sender: (sender) => tracedSender(tracing, sender),
    database: (database) => tracedDatabase(tracing, database),
    onPrepared: ({ id }) => tracing.carry(formatId('pi', id)),
  };
}

const ofPayment = (uuid: string): { 'zimbo.payment.id': string } => ({
  'zimbo.payment.id': formatId('pi', uuid),
});

function tracedPayments(tracing: Tracing) {
  const applyTransition: Decorate<ApplyTransition> =
    (inner) => (payment, change, leaseMs, author) =>
      tracing.trace(`payment ${change.to}`, ofPayment(payment.id), async (span) => {
        const moved = await inner(payment, change, leaseMs, author);
        span.set({ 'zimbo.written': moved !== undefined });
        return moved;
      });
  const createPayment: Decorate<CreatePayment> = (inner) => (input) =>
    tracing.trace('payment CREATED', { 'zimbo.operator': input.operator }, () => inner(input));
  // The statement belongs to many requests; the span shows how long this request waited for it.
  const readPayment: Decorate<ReadPayment> = (inner) => (tenantId, id) =>
    tracing.trace(
      'statement payments.read',
      { 'db.system.name': 'postgresql', ...ofPayment(id) },
      () => inner(tenantId, id),
      { kind: 'client' },
    );
  const attemptPayment: Decorate<AttemptPayment> = (inner) => (session, shop, choice) =>
    tracing.trace('payment CREATED', { 'zimbo.operator': choice.operator }, () =>
      inner(session, shop, choice),
    );
  const paymentProcessor: Decorate<PaymentProcessor> = (inner) => ({
    process: (payment, origin) => {
      const attributes = ofPayment(payment.id);
      const of = attributes['zimbo.payment.id'];
      const work = () => inner.process(payment, origin);
      return tracing.trace('process payment', attributes, work, { of });
    },
    hint: (tenantId, reference) => {
      const attributes = ofPayment(reference);
      const of = attributes['zimbo.payment.id'];
      const work = () => inner.hint(tenantId, reference);
      return tracing.trace('operator hint', attributes, work, { of });
    },
    notify: (notification) => {
      const attributes = ofPayment(notification.reference);
      const of = attributes['zimbo.payment.id'];
      return tracing.trace('operator notification', attributes, () => inner.notify(notification), {
        of,
      });
    },
    answered: (payment, answer) => inner.answered(payment, answer),
    refresh: (payment) => inner.refresh(payment),
  });
  return { applyTransition, createPayment, readPayment, attemptPayment, paymentProcessor };
}

function tracedRefunds(tracing: Tracing) {
  const applyRefundTransition: Decorate<ApplyRefundTransition> =
    (inner) => (refund, change, leaseMs) =>
      tracing.trace(`refund ${change.to}`, ofPayment(refund.paymentId), async (span) => {
        const moved = await inner(refund, change, leaseMs);
        span.set({ 'zimbo.written': moved !== undefined });
        return moved;
      });
  const refundProcessor: Decorate<RefundProcessor> = (inner) => ({
    process: (refund, origin) => {
      const of = formatId('pi', refund.paymentId);
      const attributes = { 'zimbo.payment.id': of, 'zimbo.refund.id': formatId('re', refund.id) };
      const work = () => inner.process(refund, origin);
      return tracing.trace('process refund', attributes, work, { of });
    },
    hint: (tenantId, reference) => inner.hint(tenantId, reference),
    notify: (notification) => inner.notify(notification),
  });
  return { applyRefundTransition, refundProcessor };
}

function tracedOperator(tracing: Tracing, inner: Operator): Operator {
  const call = (
    name: string,
    { operator, reference }: DebitRequest | ReversalRequest | DisbursementRequest,
    work: () => Promise<OperatorAnswer>,
    options: SpanOptions = {},
  ) =>
    tracing.trace(
      `operator ${name}`,
      { 'zimbo.operator': operator, 'zimbo.reference': reference },
      async (span) => {
        const answer = await work();
        span.set({ 'zimbo.answer': answer.kind === 'unknown' ? answer.progress : answer.kind });
        if (answer.kind === 'failed') span.set({ 'zimbo.failure_code': answer.failureCode });
        return answer;
      },
      { kind: 'client', ...options },
    );
  // Reversals are processed in batches without a request: each batch is its own trace.
  const begin = ({ kind }: ReversalRequest) => (kind === 'REVERSAL' ? { of: null } : {});
  return {
    requestDebit: (request) => call('requestDebit', request, () => inner.requestDebit(request)),
    queryDebit: (request) => call('queryDebit', request, () => inner.queryDebit(request)),
    reverse: (request) => call('reverse', request, () => inner.reverse(request), begin(request)),
    queryReversal: (request) =>
      call('queryReversal', request, () => inner.queryReversal(request), begin(request)),
    disburse: (request) => call('disburse', request, () => disburseWith(inner, request)),
    queryDisbursement: (request) =>
      call('queryDisbursement', request, () => queryDisbursementWith(inner, request)),
    traits: (request) => inner.traits(request),
    heldUntilMs: async (request) => (await inner.heldUntilMs?.(request)) ?? null,
    recordOf: async (request) => (await inner.recordOf?.(request)) ?? null,
  };
}

/** The subject of an event, from its payload (contract, section 6.2). */
interface Payload {
  id: string;
  type: string;
  data: { id: string; paymentIntentId?: string | null };
}

function tracedSender(tracing: Tracing, inner: Sender): Sender {
  return {
    send: (request) => {
      const { id, type, data } = JSON.parse(request.body.toString()) as Payload;
      const paymentId = data.paymentIntentId ?? data.id;
      return tracing.trace(
        `webhook ${type}`,
        { 'zimbo.event.id': id, 'zimbo.payment.id': paymentId },
        async (span) => {
          const result = await inner.send(request);
          const { statusCode, delivered } = result;
          if (statusCode !== null) span.set({ 'http.response.status_code': statusCode });
          if (!delivered) span.fail(statusCode === null ? 'no answer' : String(statusCode));
          return result;
        },
        { kind: 'client', of: paymentId },
      );
    },
    close: () => inner.close(),
  };
}

function tracedDatabase(tracing: Tracing, inner: Database): Database {
  return {
    ...inner,
    query: <Row>(statement: Statement, values?: readonly unknown[]) =>
      tracing.active()
        ? tracing.trace(
            `statement ${statement.name ?? 'of a list'}`,
            { 'db.system.name': 'postgresql' },
            () => inner.query<Row>(statement, values),
            { kind: 'client' },
          )
        : inner.query<Row>(statement, values),
  };
}
