import type { CallbackContent } from '../../integrations/operators/adapter.ts';
import type { AdapterOf } from '../../integrations/operators/load-adapters.ts';
import {
  failureOfDisbursement,
  failureOfReversal,
  type OperatorAnswer,
} from '../../integrations/operators/operator.ts';
import { isSameName } from '../../integrations/operators/transaction-ids.ts';
import type { KnownSubject } from './handle.ts';
import type { OperatorCallback } from './store.ts';

interface CompareDependencies {
  adapterOf: AdapterOf;
}

/** The content of a stored callback; undefined if the operator has since switched to another adapter. */
export function readAgain(
  { adapterOf }: CompareDependencies,
  { operator, body }: OperatorCallback,
): CallbackContent | undefined {
  return adapterOf[operator].callbacks.read(JSON.parse(body));
}

/** The outcome that a callback reports. */
export function answerOf(
  dependencies: CompareDependencies,
  callback: OperatorCallback,
  known: KnownSubject,
): OperatorAnswer | undefined {
  const { reference, kind } = callback;
  const { currency, amountMinor, debitTxId: operatorTxId } = known;
  const isDebit = kind === 'DEBIT';
  const ofReturn = { amountMinor, ...(operatorTxId !== undefined && { operatorTxId }) };
  const { account = null, phone } = known.parties ?? {};
  const ofParties = { account, ...(phone !== undefined && { phone }) };
  const expected = { kind, reference, currency, ...ofParties, ...(!isDebit && ofReturn) };
  const answer = readAgain(dependencies, callback)?.answerTo(expected);
  if (isDebit || answer?.kind !== 'failed') return answer;
  const failureOf = kind === 'DISBURSEMENT' ? failureOfDisbursement : failureOfReversal;
  return { kind: 'failed', failureCode: failureOf(answer.failureCode) };
}

/** Whether our records already say what the callback reports. */
export function agrees(
  dependencies: CompareDependencies,
  callback: OperatorCallback,
  known: KnownSubject,
): boolean {
  const answer = answerOf(dependencies, callback, known);
  switch (answer?.kind) {
    case 'succeeded':
      return known.booked.some(
        ({ operatorTxId, amountMinor }) =>
          isSameName(answer.operatorTxId, operatorTxId ?? answer.operatorTxId) &&
          amountMinor === answer.amountMinor,
      );
    case 'failed':
      return known.outcome === 'FAILED' && known.booked.length === 0;
    case 'unknown':
      if (answer.deniesSuccess) return known.outcome === 'FAILED' && known.booked.length === 0;
      // If the object ended without a success, the callback is news and leads to a query.
      return known.outcome === 'SUCCEEDED' && !answer.reported;
    default:
      return false;
  }
}

/** Whether a callback reports no outcome, so that one query is enough. */
export const isProgress = (...heard: Parameters<typeof answerOf>) => {
  const answer = answerOf(...heard);
  return answer?.kind === 'unknown' && !answer.reported && !answer.deniesSuccess;
};
