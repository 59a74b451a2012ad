import type { AttemptPayment } from './checkout/attempt.ts';
import type {
  DebitRequest,
  Operator,
  OperatorAnswer,
  ReversalRequest,
} from './operators/operator.ts';
import type { Advance } from './payments/advance.ts';
import type { Attend } from './payments/attend.ts';
import type { CreatePayment } from './payments/create.ts';
import type { Payment } from './payments/payment.ts';
import type { Database, Statement } from './platform/database.ts';
import { formatId } from './platform/ids.ts';
import type { SpanOptions, Tracing } from './platform/tracing.ts';
import type { AdvanceRefund } from './refunds/advance.ts';
import type { AttendRefund } from './refunds/attend.ts';
import type { Sender } from './webhooks/send.ts';

type Decorate<Part> = (part: Part) => Part;

/** The parts whose work is a span of a trace; docs/tracing.md shows one. */
export interface Traced {
  createPayment: Decorate<CreatePayment>;
  attemptPayment: Decorate<AttemptPayment>;
  advance: Decorate<Advance>;
  attend: Decorate<Attend>;
  advanceRefund: Decorate<AdvanceRefund>;
  attendRefund: Decorate<AttendRefund>;
  operator: Decorate<Operator>;
  sender: Decorate<Sender>;
  /** For statements that belong to one request; those of batches belong to many. */
  database: Decorate<Database>;
  /** A payment about to be written: what is done for it later belongs to the trace of its creation. */
  onPrepared: ((payment: Payment) => void) | undefined;
}

const same = <Part>(part: Part): Part => part;

const untraced: Traced = {
  createPayment: same,
  attemptPayment: same,
  advance: same,
  attend: same,
  advanceRefund: same,
  attendRefund: same,
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
  const advance: Decorate<Advance> = (inner) => (payment, change, leaseMs, author) =>
    tracing.trace(`payment ${change.to}`, ofPayment(payment.id), async (span) => {
      const moved = await inner(payment, change, leaseMs, author);
      span.set({ 'zimbo.written': moved !== undefined });
      return moved;
    });
  const createPayment: Decorate<CreatePayment> = (inner) => (input) =>
    tracing.trace('payment CREATED', { 'zimbo.operator': input.operator }, () => inner(input));
  const attemptPayment: Decorate<AttemptPayment> = (inner) => (session, mode, choice) =>
    tracing.trace('payment CREATED', { 'zimbo.operator': choice.operator }, () =>
      inner(session, mode, choice),
    );
  const attend: Decorate<Attend> = (inner) => ({
    attend: (payment, origin) => {
      const attributes = ofPayment(payment.id);
      const of = attributes['zimbo.payment.id'];
      const work = () => inner.attend(payment, origin);
      return tracing.trace('attend to payment', attributes, work, { of });
    },
    hint: (tenantId, reference) => {
      const attributes = ofPayment(reference);
      const of = attributes['zimbo.payment.id'];
      const work = () => inner.hint(tenantId, reference);
      return tracing.trace('hint of operator', attributes, work, { of });
    },
    notice: (notice) => {
      const attributes = ofPayment(notice.reference);
      const of = attributes['zimbo.payment.id'];
      return tracing.trace('notice of operator', attributes, () => inner.notice(notice), { of });
    },
    answered: (payment, answer) => inner.answered(payment, answer),
    refresh: (payment) => inner.refresh(payment),
  });
  return { advance, createPayment, attemptPayment, attend };
}

function tracedRefunds(tracing: Tracing) {
  const advanceRefund: Decorate<AdvanceRefund> = (inner) => (refund, change, leaseMs) =>
    tracing.trace(`refund ${change.to}`, ofPayment(refund.paymentId), async (span) => {
      const moved = await inner(refund, change, leaseMs);
      span.set({ 'zimbo.written': moved !== undefined });
      return moved;
    });
  const attendRefund: Decorate<AttendRefund> = (inner) => ({
    attend: (refund, origin) => {
      const of = formatId('pi', refund.paymentId);
      const attributes = { 'zimbo.payment.id': of, 'zimbo.refund.id': formatId('re', refund.id) };
      const work = () => inner.attend(refund, origin);
      return tracing.trace('attend to refund', attributes, work, { of });
    },
    hint: (tenantId, reference) => inner.hint(tenantId, reference),
    notice: (notice) => inner.notice(notice),
  });
  return { advanceRefund, attendRefund };
}

function tracedOperator(tracing: Tracing, inner: Operator): Operator {
  const call = (
    name: string,
    { operator, reference }: DebitRequest | ReversalRequest,
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
  // Reversals are attended to in batches that no request has asked for: each is a trace of its own.
  const begin = ({ kind }: ReversalRequest) => (kind === 'REVERSAL' ? { of: null } : {});
  return {
    requestDebit: (request) => call('requestDebit', request, () => inner.requestDebit(request)),
    askDebit: (request) => call('askDebit', request, () => inner.askDebit(request)),
    reverse: (request) => call('reverse', request, () => inner.reverse(request), begin(request)),
    askReversal: (request) =>
      call('askReversal', request, () => inner.askReversal(request), begin(request)),
    traits: (request) => inner.traits(request),
    heldUntilMs: async (request) => (await inner.heldUntilMs?.(request)) ?? null,
  };
}

/** What the payload of an event says of where it belongs (contract, section 6.2). */
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
