import type { Agent, Dispatcher } from 'undici';
import packageJson from '../../../../package.json' with { type: 'json' };
import type { OperatorSettings } from '../../../platform/config/operator-settings.ts';
import { retryAfterMs } from '../../../platform/formats/retry-after.ts';
import type { Clock } from '../../../platform/process/clock.ts';
import { parseExactly } from '../amount.ts';
import { type Line, openLine } from './connection-pool.ts';
import { type Credentials, createCredentials } from './credentials.ts';

export interface Call {
  method: 'GET' | 'POST';
  /** Relative to the base URL; parameters in it are encoded. */
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
  /** Our own reference of the request that the call is about; absent: none. */
  reference?: string;
}

/** The result of a call. `body` is parsed JSON, or undefined if it was not JSON. */
export type Reply =
  | {
      kind: 'answered';
      status: number;
      body: unknown;
      /** By their names in lower case. */
      headers?: Record<string, unknown>;
      retryAfterMs: number;
      /** The call was sent twice: the operator refused our credentials at first. */
      wasRepeated?: true;
    }
  /** `begun`: the request may have left; otherwise the operator cannot have received it. */
  | { kind: 'unreachable'; reason: string; begun: boolean };

/** The HTTP side of one operator: connections, credentials, time-outs, limits. */
export interface GsmaClient {
  /** Never throws: an unreachable operator is one of the replies. */
  call(call: Call, signal: AbortSignal): Promise<Reply>;
  close(): Promise<void>;
}

const userAgent = `Zimbo/${packageJson.version}`;
const longestRetryAfterMs = 300_000;

/** @param line closed together with this client */
export function createGsmaClient(
  settings: OperatorSettings,
  clock: Clock,
  line: Line = openLine(settings),
): GsmaClient {
  const { agent } = line;
  const telling = agent.compose(tellsOfBegin);
  const credentials = createCredentials(settings, clock, (url, headers, form, signal) =>
    fetchToken(agent, url, headers, form, signal),
  );
  return {
    call: (call, signal) => send({ agent: telling, credentials, settings, clock }, call, signal),
    close: () => line.close(),
  };
}

/** Runs when a request begins to be written to its connection. */
type Begin = { onBegin?: () => void };

const tellsOfBegin: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) => {
  const { onBegin } = options as Begin;
  if (!onBegin) return dispatch(options, handler);
  return dispatch(options, {
    onRequestStart: (...args) => {
      onBegin();
      handler.onRequestStart?.(...args);
    },
    onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
    onResponseStart: (...args) => handler.onResponseStart?.(...args),
    onResponseData: (...args) => handler.onResponseData?.(...args),
    onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
    onResponseError: (...args) => handler.onResponseError?.(...args),
  });
};

interface Dependencies {
  agent: Dispatcher;
  credentials: Credentials;
  settings: OperatorSettings;
  clock: Clock;
}

async function send(dependencies: Dependencies, call: Call, signal: AbortSignal): Promise<Reply> {
  let begun = false;
  const onBegin = () => {
    begun = true;
  };
  try {
    const reply = await sendOnce(dependencies, call, signal, onBegin);
    const hasOthers = reply.status === 401 && dependencies.credentials.refused();
    // A query may be repeated; a request only if that does no harm.
    const mayRepeat = call.method === 'GET' || dependencies.settings.deduplicates;
    if (!hasOthers || !mayRepeat) return reply;
    return { ...(await sendOnce(dependencies, call, signal, onBegin)), wasRepeated: true };
  } catch (error) {
    return { kind: 'unreachable', reason: signal.aborted ? 'time-out' : reasonOf(error), begun };
  }
}

async function sendOnce(
  { agent, credentials, settings, clock }: Dependencies,
  { method, path, headers, body }: Call,
  signal: AbortSignal,
  onBegin: () => void,
): Promise<Reply & { kind: 'answered' }> {
  const proof = await credentials.headers(signal);
  const url = new URL(settings.url + path);
  const options: Dispatcher.RequestOptions & Begin = {
    origin: url.origin,
    path: url.pathname + url.search,
    method,
    onBegin,
    headers: {
      Accept: 'application/json',
      'User-Agent': userAgent,
      'X-Date': new Date(clock.nowMs()).toISOString(),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
      ...proof,
    },
    body: body === undefined ? null : JSON.stringify(body),
    signal,
  };
  const response = await agent.request(options);
  const text = await response.body.text();
  const waitMs = retryAfterMs(response.headers['retry-after'], clock.nowMs()) ?? 0;
  return {
    kind: 'answered',
    status: response.statusCode,
    body: parsed(text),
    headers: response.headers,
    retryAfterMs: Math.min(waitMs, longestRetryAfterMs),
  };
}

async function fetchToken(
  agent: Agent,
  tokenUrl: string,
  headers: Record<string, string>,
  form: string,
  signal: AbortSignal,
): Promise<unknown> {
  const url = new URL(tokenUrl);
  const response = await agent.request({
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: form,
    signal,
  });
  const text = await response.body.text();
  if (response.statusCode === 200) return parsed(text);
  throw new Error(`the token URL answered ${response.statusCode}`);
}

function parsed(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

/** After several addresses, the error holds one error for each, and no message. */
function reasonOf(error: unknown): string {
  const first = error instanceof AggregateError ? error.errors[0] : error;
  return first instanceof Error ? first.message : 'unknown';
}
