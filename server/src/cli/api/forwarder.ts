import { setTimeout as delay } from 'node:timers/promises';
import { deliveryHeaders } from '../../integrations/webhooks/signature.ts';
import { parseId } from '../../platform/values/ids.ts';
import type { ZimboEvent } from './connection.ts';

/** One attempt to deliver an event to the local server, with its outcome. */
export interface ForwardAttempt {
  event: ZimboEvent;
  /** The status of the response, or the reason for its absence. */
  outcome: number | string;
  durationMs: number;
  isDelivered: boolean;
  /** Undefined: there is no further attempt. */
  nextInMs: number | undefined;
}

export interface ForwarderDependencies {
  url: string;
  secret: string;
  signal: AbortSignal;
  tell: (attempt: ForwardAttempt) => void;
}

interface Task {
  event: ZimboEvent;
  failedBefore: number;
}

const intervalsMs = [1_000, 5_000, 15_000];
const timeoutMs = 15_000;
const maxActive = 8;

/** Sends events to a local server, signed like webhooks; a failing event does not delay others. */
export class Forwarder {
  #dependencies: ForwarderDependencies;
  #waiting: Task[] = [];
  #active = 0;
  #open = new Set<ZimboEvent>();

  constructor(dependencies: ForwarderDependencies) {
    this.#dependencies = dependencies;
  }

  /** Events neither delivered nor given up. */
  get open(): ReadonlySet<ZimboEvent> {
    return this.#open;
  }

  take(event: ZimboEvent): void {
    this.#open.add(event);
    this.#add({ event, failedBefore: 0 });
  }

  #add(task: Task): void {
    this.#waiting.push(task);
    this.#work();
  }

  #work(): void {
    while (this.#active < maxActive) {
      const task = this.#waiting.shift();
      if (!task) return;
      this.#active += 1;
      void this.#attempt(task).finally(() => {
        this.#active -= 1;
        this.#work();
      });
    }
  }

  async #attempt({ event, failedBefore }: Task): Promise<void> {
    const { signal, tell } = this.#dependencies;
    const startedMs = performance.now();
    const outcome = await this.#post(event);
    if (signal.aborted) return;
    const isDelivered = typeof outcome === 'number' && outcome >= 200 && outcome < 300;
    const nextInMs = isDelivered ? undefined : intervalsMs[failedBefore];
    const durationMs = Math.round(performance.now() - startedMs);
    tell({ event, outcome, durationMs, isDelivered, nextInMs });
    if (nextInMs === undefined) this.#open.delete(event);
    else void this.#again({ event, failedBefore: failedBefore + 1 }, nextInMs);
  }

  async #again(task: Task, intervalMs: number): Promise<void> {
    try {
      await delay(intervalMs, undefined, { signal: this.#dependencies.signal });
    } catch {
      return;
    }
    this.#add(task);
  }

  async #post(event: ZimboEvent): Promise<number | string> {
    const { url, secret, signal } = this.#dependencies;
    const body = JSON.stringify(event);
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: headersOf(event, secret, body),
        body,
        redirect: 'manual',
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      });
      await answer.body?.cancel();
      return answer.status;
    } catch (error) {
      return reasonOf(error as Error);
    }
  }
}

function headersOf(event: ZimboEvent, secret: string, body: string): Record<string, string> {
  const eventId = parseId('evt', event.id);
  if (eventId === undefined) throw new TypeError(`${event.id} is not the id of an event`);
  return deliveryHeaders({
    eventId,
    // The API does not show the gateway's own sequence number; the instant of the event also grows per object.
    sequence: Date.parse(event.createdAt),
    secret,
    timestampSeconds: Math.floor(Date.now() / 1_000),
    body,
  });
}

function reasonOf(error: Error): string {
  if (error.name === 'TimeoutError') return `no answer within ${timeoutMs / 1_000} s`;
  const cause = (error.cause ?? error) as Error & { code?: string };
  return cause.code === 'ECONNREFUSED'
    ? 'nothing is listening there'
    : `no answer (${cause.code ?? cause.message})`;
}
