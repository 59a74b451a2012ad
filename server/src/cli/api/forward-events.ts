import { setTimeout as delay } from 'node:timers/promises';
import { styleText } from 'node:util';
import { newWebhookSecret } from '../../integrations/webhooks/secrets.ts';
import { backoffMs } from '../../platform/jobs/backoff.ts';
import { type Connection, withGateway } from './connection.ts';
import { objectOf } from './event-object.ts';
import { Follower } from './follower.ts';
import { type ForwardAttempt, Forwarder } from './forwarder.ts';
import type { ListenOptions } from './listen.ts';

const intervalMs = 500;
const maxIntervalMs = 5_000;
/** The queue for a server that hangs must not fill the memory. */
const maxOpen = 1_000;

/** Forwards until Ctrl-C, or until the npx that started it has ended (bin/zimbo.js). */
export async function listen(options: ListenOptions): Promise<void> {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort());
  const secret = options.secret ?? newWebhookSecret();
  const tell = options.json ? printLine : (attempt: ForwardAttempt) => console.log(lineOf(attempt));
  const { signal } = ending;
  const forwarder = new Forwarder({ url: options.forwardTo, secret, signal, tell });
  await withGateway(async (connection) => {
    const { zimbo } = connection;
    const follower =
      options.sinceMs === undefined
        ? await Follower.fromNow(zimbo)
        : new Follower(zimbo, options.sinceMs);
    // With --json, stdout has one object on each line.
    const say = options.json ? console.error : console.log;
    say(greeting(connection, options, secret));
    const newestMs = await forward({ follower, forwarder, options, say, signal });
    const resumeMs = Math.min(
      newestMs,
      ...[...forwarder.open].map(({ createdAt }) => Date.parse(createdAt)),
    );
    if (Number.isFinite(resumeMs))
      say(`\nTo resume here: --since ${new Date(resumeMs).toISOString()}`);
  });
}

interface Forwarding {
  follower: Follower;
  forwarder: Forwarder;
  options: ListenOptions;
  say: (words: string) => void;
  signal: AbortSignal;
}

/** @returns the instant of the newest event received */
async function forward(dependencies: Forwarding): Promise<number> {
  const { follower, forwarder, options, say, signal } = dependencies;
  let newestMs = Number.POSITIVE_INFINITY;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const events = forwarder.open.size < maxOpen ? await follower.look({ signal }) : [];
      if (failures > 0) say('The gateway answers again.');
      failures = 0;
      for (const event of events) {
        if (!options.events || options.events.includes(event.type)) forwarder.take(event);
      }
      const newest = events.at(-1);
      if (newest) newestMs = Date.parse(newest.createdAt);
    } catch (error) {
      if (signal.aborted) break;
      if (!isPassing(error)) throw error;
      if (failures === 0) say('The gateway does not answer; retrying until it does.');
      failures += 1;
    }
    const waitMs = backoffMs(failures, intervalMs, maxIntervalMs);
    await delay(waitMs, undefined, { signal }).catch(() => {});
  }
  return newestMs;
}

/** Temporary errors, neither refusals nor bugs. */
function isPassing(error: unknown): boolean {
  const { name, code, status } = error as { name?: string; code?: string; status?: number | null };
  if (name !== 'ZimboError') return false;
  return (
    code === 'CONNECTION_FAILED' || code === 'TIMEOUT' || status === 429 || (status ?? 0) >= 500
  );
}

function greeting({ url, mode }: Connection, options: ListenOptions, secret: string): string {
  const what = options.events?.join(', ') ?? 'all events';
  return `Forwarding ${what} (${mode} mode) from ${url} to ${options.forwardTo}
Signing secret: ${styleText('bold', secret)}
Ctrl-C ends it.
`;
}

function lineOf({ event, outcome, durationMs, isDelivered, nextInMs }: ForwardAttempt): string {
  const time = new Date().toTimeString().slice(0, 8);
  const words = `${time}  ${event.type.padEnd(20)}  ${objectOf(event)}  `;
  const result = styleText(isDelivered ? 'green' : 'red', String(outcome));
  if (isDelivered) return `${words}${result}  ${durationMs} ms`;
  const then = nextInMs === undefined ? 'given up' : `again in ${nextInMs / 1_000} s`;
  return `${words}${result}  ${durationMs} ms, ${then}`;
}

/** For programs. */
function printLine({ event, outcome, durationMs, isDelivered, nextInMs }: ForwardAttempt): void {
  const answered = typeof outcome === 'number';
  const line = {
    eventId: event.id,
    type: event.type,
    objectId: objectOf(event),
    delivered: isDelivered,
    status: answered ? outcome : null,
    error: answered ? null : outcome,
    durationMs,
    nextInMs: nextInMs ?? null,
  };
  console.log(JSON.stringify(line));
}
