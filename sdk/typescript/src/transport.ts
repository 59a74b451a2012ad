import { errorOfAnswer, ZimboError } from './error.ts';
import { type Operations, routes } from './generated.ts';
import { List, type Page, type PageQuery } from './list.ts';
import { retryGapMs } from './retry.ts';
import { version } from './version.ts';

export interface CallOptions {
  /** Aborts the call with its retries, which then throws the signal's reason. */
  signal?: AbortSignal | undefined;
  /** The timeout of one attempt, in milliseconds. */
  timeoutMs?: number | undefined;
  /** How many attempts may follow the first. */
  maxRetries?: number | undefined;
}

export interface CreateOptions extends CallOptions {
  /**
   * 1 to 255 printable ASCII characters. The same key with the same body takes effect once and
   * always gets the same answer; for actions on existing objects, for 30 days. By default, each
   * call makes a new key and keeps it over its retries. Use your order number: then even a program
   * that crashes and restarts creates only once.
   */
  idempotencyKey?: string | undefined;
}

/** Of calls that send money: each debt has a key of its own. */
export interface KeyedOptions extends CreateOptions {
  /**
   * 1 to 255 printable ASCII characters: one for each debt, such as the number of a payslip, and the same for each
   * attempt. No key is made up, because a key that a crash of your program loses would pay the debt again.
   */
  idempotencyKey: string;
}

/** An answer as it arrived; its body has been read. */
export interface Answer {
  method: string;
  url: string;
  status: number;
  headers: Headers;
}

export interface TransportParts {
  apiKey: string;
  baseUrl: string;
  timeoutMs: number;
  maxRetries: number;
  fetch: typeof fetch;
  onAnswer?: ((answer: Answer) => void) | undefined;
  /** At least 0, below 1. */
  random: () => number;
  newIdempotencyKey: () => string;
  wait: (gapMs: number, signal: AbortSignal | undefined) => Promise<void>;
}

type OperationId = keyof Operations;
type AnswerOf<Id extends OperationId> = Operations[Id]['answer'];
type ListId = {
  [Id in OperationId]: AnswerOf<Id> extends Page<{ id: string }> ? Id : never;
}[OperationId];

interface Input {
  path?: Record<string, string>;
  query?: object;
  body?: object | null;
}

interface Request {
  url: string;
  init: RequestInit;
  isRepeatable: boolean;
  idempotencyKey: string | null;
}

/** Sends the API's operations, and retries where that is safe. */
export class Transport {
  readonly #parts: TransportParts;

  constructor(parts: TransportParts) {
    this.#parts = parts;
  }

  async call<Id extends OperationId>(
    id: Id,
    input: Omit<Operations[Id], 'answer'>,
    options: CreateOptions = {},
  ): Promise<AnswerOf<Id>> {
    const { random, wait, maxRetries } = this.#parts;
    const request = this.#requestOf(id, input, options.idempotencyKey);
    for (let failedBefore = 0; ; failedBefore++) {
      const outcome = await this.#attempt(request, options);
      if (!(outcome instanceof ZimboError)) return outcome as AnswerOf<Id>;
      if (failedBefore >= (options.maxRetries ?? maxRetries)) throw outcome;
      const { isRepeatable } = request;
      const gapMs = retryGapMs(outcome, { failedBefore, isRepeatable, random: random() });
      if (gapMs === undefined) throw outcome;
      await wait(gapMs, options.signal);
    }
  }

  list<Id extends ListId, Item extends { id: string } = AnswerOf<Id>['data'][number]>(
    id: Id,
    query: PageQuery,
    options?: CallOptions,
    path?: Record<string, string>,
  ): List<Item> {
    const fetchPage = (position: PageQuery) =>
      this.call(id, { path, query: { ...query, ...position } } as never, options);
    return new List(fetchPage as unknown as (position: PageQuery) => Promise<Page<Item>>, query);
  }

  #requestOf(id: OperationId, input: Input, givenKey: string | undefined): Request {
    const { apiKey, baseUrl, newIdempotencyKey } = this.#parts;
    const { method, path, takesKey } = routes[id];
    const headers = new Headers({
      authorization: `Bearer ${apiKey}`,
      accept: 'application/json',
      'user-agent': `zimbo-typescript/${version}`,
    });
    // Programs without types may also give null, or an empty text.
    if (takesKey === 'ALWAYS' && !givenKey) {
      throw new TypeError(
        `${id} needs an idempotencyKey: choose one for each debt, and keep it over all attempts`,
      );
    }
    const idempotencyKey = takesKey ? checkedKey(givenKey ?? newIdempotencyKey()) : null;
    if (idempotencyKey !== null) headers.set('idempotency-key', idempotencyKey);
    if (input.body !== undefined) headers.set('content-type', 'application/json');
    return {
      url: `${baseUrl}${pathOf(path, input.path ?? {})}${queryOf(input.query ?? {})}`,
      init: {
        method,
        headers,
        // A redirect would turn a POST into a GET, and carry the key to another address.
        redirect: 'manual',
        ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
      },
      isRepeatable: method === 'GET' || takesKey !== false,
      idempotencyKey,
    };
  }

  /**
   * Reads the body of the answer, or the reason why there is none; throws only the reason of the
   * caller's signal.
   */
  async #attempt(request: Request, options: CallOptions): Promise<unknown> {
    const { url, init, idempotencyKey } = request;
    const { signal, timeoutMs = this.#parts.timeoutMs } = options;
    signal?.throwIfAborted();
    const controller = new AbortController();
    const giveUp = () => controller.abort(signal?.reason);
    const timer = setTimeout(() => controller.abort(), timeoutMs);
    signal?.addEventListener('abort', giveUp);
    let answer: Response;
    let text: string;
    try {
      answer = await this.#parts.fetch(url, { ...init, signal: controller.signal });
      text = await answer.text();
    } catch (cause) {
      signal?.throwIfAborted();
      return controller.signal.aborted
        ? new ZimboError({
            code: 'TIMEOUT',
            message: `No answer within ${timeoutMs} ms.`,
            idempotencyKey,
            cause,
          })
        : new ZimboError({
            code: 'CONNECTION_FAILED',
            message: `No answer from ${new URL(url).origin}: is the gateway running, and baseUrl right?`,
            idempotencyKey,
            cause,
          });
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener('abort', giveUp);
    }
    const { status, headers } = answer;
    this.#parts.onAnswer?.({ method: init.method!, url, status, headers });
    return readAnswer(answer, text, idempotencyKey);
  }
}

function checkedKey(key: string): string {
  if (/^[\x20-\x7e]{1,255}$/.test(key)) return key;
  throw new TypeError('idempotencyKey must have 1 to 255 printable ASCII characters');
}

function readAnswer(answer: Response, text: string, idempotencyKey: string | null): unknown {
  if (!answer.ok) return errorOfAnswer(answer, text, idempotencyKey);
  if (answer.status === 204) return undefined;
  if (answer.headers.get('content-type')?.startsWith('text/csv')) return text;
  try {
    const value = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Reported below, like any other answer that is no object.
  }
  return errorOfAnswer(answer, text, idempotencyKey);
}

function pathOf(path: string, values: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const value = values[name];
    // An empty id or dots would change the path to another operation.
    if (typeof value !== 'string' || /^\.*$/.test(value)) {
      throw new TypeError(`${name} must be an id from the gateway, not ${JSON.stringify(value)}`);
    }
    return encodeURIComponent(value);
  });
}

/**
 * customerId becomes customer_id, as the API names its query parameters. Several values are
 * separated by commas, and the keys of an object stand in brackets.
 */
function queryOf(query: object): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
    if (value === undefined || value === null) continue;
    if (typeof value !== 'object' || Array.isArray(value)) parameters.set(snake, String(value));
    else
      for (const [key, each] of Object.entries(value))
        parameters.set(`${snake}[${key}]`, String(each));
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}
