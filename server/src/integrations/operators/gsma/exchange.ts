import type { Logger } from 'pino';
import type { Clock } from '../../../platform/process/clock.ts';
import type { CallOutcome } from '../adapter.ts';
import { CircuitBreaker, type Pause } from '../circuit-breaker.ts';
import type { OperatorName } from '../operator.ts';
import type { Call, GsmaClient, Reply } from './client.ts';
import { isGsmaError, isOfClient, meaningOfRefusal } from './errors.ts';

export interface ExchangeDependencies {
  operator: OperatorName;
  client: GsmaClient;
  clock: Clock;
  log: Logger;
  /** How long calls pause for an operator that is down, in milliseconds. */
  pauseMs: number;
  onCall(outcome: CallOutcome): void;
}

export interface Answer {
  status: number;
  body: unknown;
  wasRepeated?: true;
}

/** A usable answer. UNKNOWN: nothing is known. NOT_SENT: the request certainly did not reach the operator. */
export type ExchangeResult = Answer | 'UNKNOWN' | 'NOT_SENT';

/** Calls to one operator: logs transport errors, and pauses further calls after them. */
export class Exchange {
  #dependencies: ExchangeDependencies;
  #breaker: CircuitBreaker;

  constructor(dependencies: ExchangeDependencies) {
    this.#dependencies = dependencies;
    this.#breaker = new CircuitBreaker(dependencies.pauseMs);
  }

  /** When new work may be sent, in milliseconds since 1970, or null: now. */
  heldUntilMs(): number | null {
    return this.#breaker.heldUntilMs(this.#dependencies.clock.nowMs());
  }

  /** The present pause of calls; null: none. */
  currentPause(): Pause | null {
    return this.#breaker.currentPause();
  }

  /** Calls the operator, unless it is down. */
  async call(call: Call, signal: AbortSignal): Promise<ExchangeResult> {
    const { client, clock } = this.#dependencies;
    if (this.#breaker.isOpen(clock.nowMs())) return 'NOT_SENT';
    const reply = await client.call(call, signal);
    const outcome = outcomeOf(reply);
    this.#dependencies.onCall(outcome);
    if (reply.kind === 'answered' && outcome === 'answered') {
      this.#breaker.succeeded();
      return reply;
    }
    this.#note(call, reply, outcome);
    return reply.kind === 'unreachable' && !reply.begun ? 'NOT_SENT' : 'UNKNOWN';
  }

  #note(call: Call, reply: Reply, outcome: CallOutcome): void {
    const { operator, clock, log } = this.#dependencies;
    const answer =
      reply.kind === 'unreachable'
        ? { reason: reply.reason }
        : { status: reply.status, ...(isGsmaError(reply.body) && { error: nameOf(reply.body) }) };
    const context = { operator, call: `${call.method} ${call.path}`, ...answer };
    if (outcome === 'misconfigured') {
      const retryAfterMs = reply.kind === 'answered' ? reply.retryAfterMs : 0;
      this.#breaker.refused(
        clock.nowMs(),
        retryAfterMs,
        isOfUs(reply) ? undefined : call.reference,
      );
      const isHeld = this.#breaker.currentPause() !== null;
      log.error(
        context,
        `${operator} refuses us because of our configuration (credentials or rate)${isHeld ? ': its payments wait' : ''}`,
      );
    } else if (this.#breaker.failed(clock.nowMs())) {
      log.error(context, `${operator} does not answer: its new payments wait until it does`);
    } else {
      log.warn(context, `${operator} gave no usable answer: the outcome is unknown`);
    }
  }
}

/** Our credentials are refused, for any customer; any other refusal may concern one customer. */
function isOfUs(reply: Reply): boolean {
  if (reply.kind !== 'answered') return false;
  return isGsmaError(reply.body)
    ? isOfClient(reply.body)
    : reply.status === 401 || reply.status === 407;
}

const nameOf = (error: { errorCategory: string; errorCode: string }) =>
  `${error.errorCategory}/${error.errorCode}`.slice(0, 100);

function outcomeOf(reply: Reply): CallOutcome {
  if (reply.kind === 'unreachable' || reply.status >= 500) return 'unreachable';
  const { status, body } = reply;
  if (status < 300 && typeof body === 'object' && body !== null) return 'answered';
  if (!isGsmaError(body)) {
    return [401, 403, 407, 429].includes(status) ? 'misconfigured' : 'unreachable';
  }
  const meaning = meaningOfRefusal(body);
  if (meaning === 'MISCONFIGURED' || status === 429) return 'misconfigured';
  return status >= 400 ? 'answered' : 'unreachable';
}
