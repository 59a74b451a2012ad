import { StringDecoder } from 'node:string_decoder';
import type { Dispatcher } from 'undici';
import { retryAfterMs } from '../../platform/formats/retry-after.ts';
import type { Clock } from '../../platform/process/clock.ts';
import { describeFailure } from './failure.ts';

const snippetBytes = 1024;

export interface SendResult {
  /** The target answered 2xx, and the answer was read to its end or to the limit. */
  delivered: boolean;
  /** Null when no answer came. */
  statusCode: number | null;
  /** A few words for the merchant; null when delivered. */
  error: string | null;
  retryAfterMs: number | null;
  durationMs: number;
  /** The first KiB of the answer's body as text; null when it was empty, or is not shown. */
  responseSnippet: string | null;
}

export interface AttemptHandlerOptions {
  timeoutMs: number;
  maxResponseBytes: number;
  clock: Clock;
  settle: (result: SendResult) => void;
}

/** Follows one request: reads no more of the answer than the limit, and settles exactly once, in time. */
export class AttemptHandler implements Dispatcher.DispatchHandler {
  readonly #options: AttemptHandlerOptions;
  readonly #startedMs = performance.now();
  readonly #timer: NodeJS.Timeout;
  #controller: Dispatcher.DispatchController | null = null;
  #settled = false;
  #statusCode: number | null = null;
  #retryAfter: string | string[] | undefined;
  #receivedBytes = 0;
  #head: Buffer | undefined;
  #isHidden: (() => boolean) | undefined;

  constructor(options: AttemptHandlerOptions) {
    this.#options = options;
    this.#timer = setTimeout(() => {
      this.fail(`timed out after ${options.timeoutMs / 1000} s`);
      this.#controller?.abort(new Error('timed out'));
    }, options.timeoutMs);
  }

  /** The body of an answer stays hidden if this returns so at the end. */
  hideAnswerIf(isHidden: () => boolean): void {
    this.#isHidden = isHidden;
  }

  /** Settles as failed; does nothing once settled. */
  fail(error: string): void {
    this.#settle(error);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The time may be up while the request still waits for its connection.
    if (this.#settled) controller.abort(new Error('timed out'));
    this.#controller = controller;
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    if (statusCode < 200) return;
    this.#statusCode = statusCode;
    this.#retryAfter = headers['retry-after'];
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const missing = snippetBytes - this.#receivedBytes;
    if (missing > 0) this.#keep(chunk.subarray(0, missing));
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes <= this.#options.maxResponseBytes) return;
    this.#settle(null);
    controller.abort(new Error('the answer is too large'));
  }

  /** Copied, since a chunk is a view of the whole read buffer. */
  #keep(chunk: Buffer): void {
    this.#head = this.#head ? Buffer.concat([this.#head, chunk]) : Buffer.from(chunk);
  }

  onResponseEnd(): void {
    this.#settle(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#settle(describeFailure(error));
  }

  #settle(failure: string | null): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#timer);
    const error = failure ?? refusalOf(this.#statusCode);
    const delivered = error === null;
    this.#options.settle({
      delivered,
      statusCode: this.#statusCode,
      error,
      retryAfterMs: delivered ? null : retryAfterMs(this.#retryAfter, this.#options.clock.nowMs()),
      durationMs: Math.round(performance.now() - this.#startedMs),
      responseSnippet: this.#head && !this.#isHidden?.() ? textOf(this.#head) : null,
    });
  }
}

function refusalOf(statusCode: number | null): string | null {
  if (statusCode === null) return 'no answer';
  if (statusCode < 300) return null;
  return statusCode < 400
    ? `answered ${statusCode}; redirects are not followed`
    : `answered ${statusCode}`;
}

/** Without a character that the cut may have split, and without NUL, which a text column cannot store. */
function textOf(bytes: Buffer): string {
  return new StringDecoder('utf8').write(bytes).replaceAll('\0', '\ufffd');
}
