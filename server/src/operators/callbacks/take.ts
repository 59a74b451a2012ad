import { createHash } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { invalid } from '../../platform/errors.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { isTransaction } from '../gsma/answers.ts';
import { isGsmaError } from '../gsma/errors.ts';
import { insertCallback, type OperatorCallback } from './store.ts';
import type { CallbackAddress } from './token.ts';

export interface TakeCallbackParts {
  database: Database;
  clock: Clock;
  metrics: Pick<Metrics, 'excessCallbacks'>;
  /** Handles callbacks in memory as they are written; its lease keeps others away from them. */
  worker: {
    leaseMs(callback: OperatorCallback): number;
    accept(callback: OperatorCallback): void;
  };
}

/** A callback to an address of ours, as the operator sent it. */
export interface SentCallback {
  address: CallbackAddress;
  /** It has proved to be the operator's. */
  authenticated: boolean;
  /** Parsed. */
  body: unknown;
}

/**
 * Keeps a callback, so that the operator can be told that it was taken. It is handled afterwards.
 * @throws VALIDATION_ERROR the body is neither a transaction nor an error of the standard
 */
export type TakeCallback = (sent: SentCallback) => Promise<void>;

export function createTakeCallback(parts: TakeCallbackParts): TakeCallback {
  return async ({ address, authenticated, body }) => {
    const outcome = outcomeOf(body);
    if (outcome === undefined) {
      throw invalid('The request body', 'must be a transaction, a reversal or an error object');
    }
    const nowMs = parts.clock.nowMs();
    const callback: OperatorCallback = {
      ...address,
      id: address.reference,
      outcome,
      body: JSON.stringify(body),
      lookCount: 0,
      authenticated,
      dueAtMs: nowMs,
      createdAtMs: nowMs,
    };
    callback.dueAtMs = parts.worker.leaseMs(callback);
    const kept = await insertCallback(parts.database, callback);
    if (kept === 'KEPT') parts.worker.accept(callback);
    else if (kept === 'TOO_MANY') parts.metrics.excessCallbacks.inc({ operator: address.operator });
  };
}

/** What makes two callbacks of one reference different; dates and receipts do not. */
function outcomeOf(body: unknown): string | undefined {
  if (isGsmaError(body)) return digestOf('error', [body.errorCategory, body.errorCode]);
  if (!isTransaction(body)) return undefined;
  const { transactionReference, transactionStatus, amount, currency } = body;
  return digestOf('transaction', [transactionReference, transactionStatus, amount, currency]);
}

/** Hashed, because what an operator writes may be longer than an index takes. */
function digestOf(kind: string, parts: unknown[]): string {
  const text = JSON.stringify(parts.map((part) => (typeof part === 'string' ? part : null)));
  return `${kind} ${createHash('sha256').update(text).digest('base64url')}`;
}
