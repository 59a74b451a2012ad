import { createHmac, timingSafeEqual } from 'node:crypto';
import type {
  CallbackFormat,
  Expected,
  SignedCallback,
} from '../../src/integrations/operators/adapter.ts';
import type { CallbackKind } from '../../src/integrations/operators/callback-token.ts';
import {
  type FailureCode,
  failureOfDisbursement,
  failureOfReversal,
  type OperatorAnswer,
} from '../../src/integrations/operators/operator.ts';

/** Money that the wallet collects for us, returns, or pays out. */
export interface Order {
  id: string;
  ref: string;
  kind: 'collect' | 'return' | 'payout';
  /** For a return: the order that collected the money. */
  of?: string;
  state: 'WAITING' | 'DONE' | 'REFUSED';
  why?: string;
  cents: number;
  currency: string;
  at: string;
}

const failures: Record<string, FailureCode> = {
  NO_FUNDS: 'INSUFFICIENT_FUNDS',
  NO_WALLET: 'PAYER_NOT_FOUND',
  OVER_LIMIT: 'PAYER_LIMIT_REACHED',
  SAID_NO: 'PAYER_DECLINED',
  NOT_ALLOWED: 'PAYER_NOT_ALLOWED',
  WRONG_PIN: 'PAYER_AUTH_FAILED',
};

export function isOrder(body: unknown): body is Order {
  const { id, ref, kind, state, cents, currency } = (body ?? {}) as Partial<Order>;
  return (
    [id, ref, currency].every((text) => typeof text === 'string' && text !== '') &&
    ['collect', 'return', 'payout'].includes(kind!) &&
    (state === 'WAITING' || state === 'DONE' || state === 'REFUSED') &&
    Number.isSafeInteger(cents)
  );
}

const orderKinds: Record<CallbackKind, Order['kind']> = {
  DEBIT: 'collect',
  REFUND: 'return',
  REVERSAL: 'return',
  DISBURSEMENT: 'payout',
};

const failureOf: Record<Order['kind'], (code: FailureCode) => FailureCode> = {
  collect: (code) => code,
  return: failureOfReversal,
  payout: failureOfDisbursement,
};

/** Undefined if the order differs from the request, or returns another order than requested. */
export function answerOf(order: Order, { kind, reference, currency, operatorTxId }: Expected) {
  const isOurs = order.ref === reference && order.kind === orderKinds[kind];
  const isOfOther = operatorTxId !== undefined && order.of !== operatorTxId;
  if (!isOurs || isOfOther || order.id === operatorTxId) return undefined;
  return order.currency === currency ? outcomeOf(order) : undefined;
}

function outcomeOf({ id, kind, state, why = '', cents }: Order): OperatorAnswer {
  if (state === 'DONE') return { kind: 'succeeded', operatorTxId: id, amountMinor: BigInt(cents) };
  if (state === 'WAITING') return { kind: 'unknown', progress: 'PROMPTED' };
  const failureCode = failures[why] ?? 'OPERATOR_REJECTED';
  return { kind: 'failed', failureCode: failureOf[kind](failureCode) };
}

/** The time is signed with the body. */
export function signatureHeader(
  secret: string,
  seconds: number,
  body: string | Uint8Array,
): string {
  const mac = createHmac('sha256', secret).update(`${seconds}.`).update(body).digest('hex');
  return `t=${seconds},v1=${mac}`;
}

function isSigned(secret: string, { headers, body }: SignedCallback): boolean {
  const given = headers['wallet-signature'];
  const [, seconds] =
    (typeof given === 'string' && /^t=(\d{1,12}),v1=[\da-f]{64}$/.exec(given)) || [];
  if (seconds === undefined) return false;
  const right = signatureHeader(secret, Number(seconds), body);
  return (
    given?.length === right.length &&
    timingSafeEqual(Buffer.from(given as string), Buffer.from(right))
  );
}

/** The wallet POSTs an order. */
export const walletCallbacks: CallbackFormat = {
  method: 'POST',
  rule: 'an order of the wallet',
  isSigned,
  read(body) {
    if (!isOrder(body)) return undefined;
    const { id, ref, state, why, cents, currency } = body;
    return {
      outcome: { kind: 'order', values: [id, ref, state, why, String(cents), currency] },
      about: { reference: ref, amountMinor: BigInt(cents), currency },
      answerTo: (expected) => answerOf(body, expected),
    };
  },
};
