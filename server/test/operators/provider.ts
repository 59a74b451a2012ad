import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { cleanUp } from '../support/cleanup.ts';

/** One request and its answer, as both sides saw it. */
export interface Exchanged {
  method: string;
  /** Without the base path. */
  path: string;
  requestHeaders: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of all shapes.
  requestBody: any;
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of all shapes.
  body: any;
}

export interface SentCallback {
  url: string;
  headers: Record<string, string>;
  body: unknown;
  status: number;
}

/** Replaces the behaviour of an honest provider for a request. */
export type Fault =
  | 'hang'
  | 'break'
  | 'break after'
  | 'hang after'
  | { status: number; body: unknown; headers?: Record<string, string> };

interface Entry {
  kind: 'merchantpay' | 'reversal' | 'disbursement';
  requestId: string;
  transaction: Record<string, unknown> & {
    transactionReference: string;
    transactionStatus: string;
  };
  error?: { errorCategory: string; errorCode: string };
  polls: number;
  callbackUrl: string | undefined;
  suffix: string;
}

const errors: Record<string, [string, string]> = {
  '019': ['businessRule', 'dailyValueLimitExceeded'],
  '029': ['identification', 'identifierError'],
  '039': ['authorisation', 'requestDeclined'],
  '049': ['businessRule', 'insufficientFunds'],
  '069': ['internal', 'genericError'],
  '079': ['serviceUnavailable', 'genericError'],
  '099': ['authorisation', 'requestingPartyAuthorisationError'],
};

/** Of disbursements. */
const payeeErrors: Record<string, [string, string]> = {
  '019': ['businessRule', 'dailyValueLimitExceeded'],
  '029': ['identification', 'identifierError'],
  '039': ['businessRule', 'idDocumentNotSupported'],
};

const basePath = '/v1.2/mm';

/** A provider of the GSMA Mobile Money API on loopback; the last three digits of the phone choose its behaviour. */
export class Provider {
  url = '';
  exchanges: Exchanged[] = [];
  callbacks: SentCallback[] = [];
  entries = new Map<string, Entry>();
  delayMs = 20;
  pollLimit = 100;
  /** Answers 201 with the transaction at once, instead of 202. */
  isSynchronous = false;
  fault: (request: Exchanged) => Fault | undefined = () => undefined;
  isAllowed: (headers: IncomingHttpHeaders) => boolean = ({ 'x-api-key': key }) => key === 'secret';
  /** The real target of callbacks, as behind a proxy of PUBLIC_URL. */
  callbackOrigin: string | undefined;
  tokensGiven = 0;
  tokenLifeSeconds = 3_600;
  #timers = new Set<NodeJS.Timeout>();
  #hanging: IncomingMessage[] = [];

  /** Makes it honest again, and breaks the connections that hang. */
  recover(): void {
    this.fault = () => undefined;
    for (const { socket } of this.#hanging) socket.destroy();
  }

  /** All debits and returns, for comparison with the ledger. */
  completed(kind: Entry['kind']): Entry['transaction'][] {
    return [...this.entries.values()]
      .filter((entry) => entry.kind === kind && entry.transaction.transactionStatus === 'completed')
      .map(({ transaction }) => transaction);
  }

  calls(pattern: RegExp): Exchanged[] {
    return this.exchanges.filter(({ method, path }) => pattern.test(`${method} ${path}`));
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { method = '', headers, url = '' } = request;
    const path = url.startsWith(basePath) ? url.slice(basePath.length) : url;
    const isForm = headers['content-type']?.includes('form') ?? false;
    const exchanged: Exchanged = {
      method,
      path,
      requestHeaders: headers,
      requestBody: text === '' ? undefined : isForm ? text : JSON.parse(text),
      status: 0,
      body: undefined,
    };
    this.exchanges.push(exchanged);
    const fault = this.fault(exchanged);
    if (fault === 'hang') {
      this.#hanging.push(request);
      return;
    }
    if (fault === 'break') {
      request.socket.destroy();
      return;
    }
    const answer = typeof fault === 'object' ? fault : this.#answer(exchanged);
    if (fault === 'hang after') {
      this.#hanging.push(request);
      return;
    }
    if (fault === 'break after' || isAnswerLost(exchanged)) {
      request.socket.destroy();
      return;
    }
    exchanged.status = answer.status;
    exchanged.body = answer.body;
    const extra = ('headers' in answer && answer.headers) || {};
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      'x-date': new Date().toISOString(),
      ...extra,
    });
    response.end(typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body));
  }

  #answer(request: Exchanged): { status: number; body: unknown } {
    const { method, path, requestHeaders: headers } = request;
    if (path === '/oauth/token') {
      this.tokensGiven += 1;
      const body = {
        access_token: `token-${this.tokensGiven}`,
        token_type: 'Bearer',
        expires_in: this.tokenLifeSeconds,
      };
      return { status: 200, body };
    }
    if (!this.isAllowed(headers)) return failure(401, 'authorisation', 'clientAuthorisationError');
    if (path === '/heartbeat') return { status: 200, body: { serviceStatus: 'available' } };
    if (/^\/accounts\/\w+\/[^/]+\/balance$/.test(path)) {
      return {
        status: 200,
        body: { accountStatus: 'available', currentBalance: '1250.5', currency: 'CVE' },
      };
    }
    if (method === 'POST') return this.#create(request);
    const [, collection, id = ''] =
      /^\/(transactions|requeststates|responses)\/(.+)$/.exec(path) ?? [];
    if (collection === 'transactions') return this.#transaction(decodeURIComponent(id));
    if (collection === 'requeststates') return this.#state(id);
    if (collection === 'responses') return this.#response(id);
    return failure(404, 'identification', 'genericError');
  }

  #create({ path, requestHeaders: headers, requestBody: body }: Exchanged) {
    const reference = String(headers['x-correlationid']);
    if (this.entries.has(reference)) return failure(400, 'businessRule', 'duplicateRequest');
    const [, original] = /^\/transactions\/([^/]+)\/reversals$/.exec(path) ?? [];
    const debit = original === undefined ? undefined : this.#find(decodeURIComponent(original));
    if (original !== undefined && !debit) return failure(404, 'identification', 'identifierError');
    const paysOut = path.endsWith('/disbursement');
    const kind = original ? 'reversal' : paysOut ? 'disbursement' : 'merchantpay';
    const customer = paysOut ? body.creditParty : body.debitParty;
    const suffix = debit ? debit.suffix : String(customer[0].value).slice(-3);
    const entry: Entry = {
      kind,
      requestId: randomUUID(),
      transaction: {
        transactionReference: `TX/${this.entries.size + 1}-${reference.slice(-6)}`,
        transactionStatus: 'pending',
        ...(debit && { originalTransactionReference: debit.transaction.transactionReference }),
        requestingOrganisationTransactionReference: reference,
        type: kind,
        amount: body.amount,
        currency: body.currency,
        debitParty: body.debitParty ?? debit?.transaction.creditParty,
        creditParty: body.creditParty ?? debit?.transaction.debitParty,
      },
      polls: 0,
      callbackUrl: headers['x-callback-url'] as string | undefined,
      suffix,
    };
    this.entries.set(reference, entry);
    if (suffix === '109' && kind === 'merchantpay') return this.#accepted(entry);
    if (this.isSynchronous) {
      this.#decide(entry);
      return entry.error
        ? failure(
            statusOf(entry.error.errorCategory),
            entry.error.errorCategory,
            entry.error.errorCode,
          )
        : { status: 201, body: entry.transaction };
    }
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      this.decide(reference);
    }, this.delayMs);
    this.#timers.add(timer);
    return this.#accepted(entry);
  }

  #accepted(entry: Entry) {
    return { status: 202, body: this.#stateOf(entry) };
  }

  /** The customer answers now, and the callbacks go out. */
  decide(reference: string): void {
    const entry = this.entries.get(reference)!;
    this.#decide(entry);
    const { callbackUrl, suffix } = entry;
    if (callbackUrl === undefined || suffix === '129') return;
    for (let sent = 0; sent < (suffix === '149' ? 2 : 1); sent++) {
      void this.callBack(callbackUrl, entry.error ? errorOf(entry.error) : entry.transaction);
    }
  }

  /** Adds a debit that nobody here has requested, as after a restore. */
  remember(reference: string, transaction: Entry['transaction']): void {
    const told = { requestingOrganisationTransactionReference: reference, type: 'merchantpay' };
    this.entries.set(reference, {
      kind: 'merchantpay',
      requestId: randomUUID(),
      transaction: { ...told, ...transaction },
      polls: 0,
      callbackUrl: undefined,
      suffix: '345',
    });
  }

  /** Lets the customer answer now without a callback: only a query finds the outcome. */
  settle(reference: string): void {
    this.#decide(this.entries.get(reference)!);
  }

  async callBack(callbackUrl: string, body: unknown): Promise<number> {
    const url = this.callbackOrigin
      ? this.callbackOrigin + new URL(callbackUrl).pathname
      : callbackUrl;
    const headers = { 'content-type': 'application/json', 'x-date': new Date().toISOString() };
    const callback: SentCallback = { url, headers, body, status: 0 };
    this.callbacks.push(callback);
    try {
      const answer = await fetch(url, { method: 'PUT', headers, body: JSON.stringify(body) });
      callback.status = answer.status;
      await answer.arrayBuffer();
    } catch {
      callback.status = -1;
    }
    return callback.status;
  }

  #decide(entry: Entry): void {
    const isRefusedRefund = entry.kind === 'reversal' && entry.suffix === '119';
    const ofPhone = entry.kind === 'disbursement' ? payeeErrors : errors;
    const error = isRefusedRefund ? ['businessRule', 'incorrectState'] : ofPhone[entry.suffix];
    const [errorCategory, errorCode] = error ?? [];
    if (errorCategory === undefined || (entry.kind === 'reversal' && !isRefusedRefund)) {
      entry.transaction.transactionStatus = 'completed';
    } else {
      entry.transaction.transactionStatus = 'failed';
      entry.error = { errorCategory, errorCode: errorCode! };
    }
  }

  #find(transactionReference: string): Entry | undefined {
    return [...this.entries.values()].find(
      ({ transaction }) => transaction.transactionReference === transactionReference,
    );
  }

  #transaction(id: string) {
    const entry = this.#find(id);
    if (!entry) return failure(404, 'identification', 'identifierError');
    return { status: 200, body: entry.transaction };
  }

  #state(id: string) {
    const entry = [...this.entries.values()].find(({ requestId }) => requestId === id);
    if (!entry) return failure(404, 'identification', 'identifierError');
    entry.polls += 1;
    if (entry.polls > this.pollLimit) return failure(400, 'businessRule', 'rateLimitError');
    return { status: 200, body: this.#stateOf(entry) };
  }

  #stateOf({ requestId, transaction, error, callbackUrl }: Entry) {
    const { transactionStatus: status, transactionReference } = transaction;
    return {
      serverCorrelationId: requestId,
      status,
      notificationMethod: callbackUrl === undefined ? 'polling' : 'callback',
      pollLimit: this.pollLimit,
      ...(status === 'completed' && { objectReference: transactionReference }),
      ...(error && { error: errorOf(error) }),
    };
  }

  #response(reference: string) {
    const entry = this.entries.get(reference);
    if (!entry) return failure(404, 'identification', 'identifierError');
    const { transactionStatus, transactionReference } = entry.transaction;
    const link =
      transactionStatus === 'completed'
        ? `/transactions/${encodeURIComponent(transactionReference)}`
        : `/requeststates/${entry.requestId}`;
    return { status: 200, body: { link } };
  }
}

/** A disbursement to such a phone is carried out, but not answered. */
const isAnswerLost = ({ method, path, requestBody }: Exchanged) =>
  method === 'POST' &&
  path.endsWith('/disbursement') &&
  String(requestBody.creditParty[0].value).endsWith('159');

/** @param status of the answer */
export function failure(status: number, errorCategory: string, errorCode: string) {
  return { status, body: errorOf({ errorCategory, errorCode }) };
}

const errorOf = (error: { errorCategory: string; errorCode: string }) => ({
  ...error,
  errorDateTime: new Date().toISOString(),
});

const statusOf = (category: string) =>
  ({ authorisation: 401, identification: 404, internal: 500, serviceUnavailable: 503 })[category] ??
  400;

/** A provider that listens, and stops when the test ends. */
export async function startProvider(context: Pick<TestContext, 'after'>): Promise<Provider> {
  const provider = new Provider();
  const server = createServer((request, response) => void provider.serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  provider.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`;
  cleanUp(context, () => {
    provider.stop();
    server.closeAllConnections();
    server.close();
  });
  return provider;
}
