import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { RequestFault } from './faults.ts';
import type { Answer } from './provider.ts';
import { answer, basePath, type Request, type RouteDependencies } from './routes.ts';

export interface ServeDependencies extends RouteDependencies {
  log: Logger;
  /** The delay of an answer without a fault. */
  answerMs: number;
  /** The delay of a slow answer. */
  slowMs: number;
  /** The client's timeout, and how close to it a borderline answer comes. */
  clientTimeoutMs: number;
  edgeMs: number;
  /** How long an unanswered request keeps its connection. */
  silenceMs: number;
}

const maxBodyBytes = 256 * 1024;
const page = '<html><body><h1>This is not the answer that you expect</h1></body></html>\n';

/** The HTTP server, which applies the faults; not listening yet. */
export function simulatorServer(dependencies: ServeDependencies): Server {
  return createServer((request, response) => {
    serve(dependencies, request, response).catch((error: unknown) => {
      dependencies.log.error({ error }, 'the simulator failed');
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
}

async function serve(
  dependencies: ServeDependencies,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const request = await read(incoming);
  if (!request) {
    response.writeHead(413, { connection: 'close' }).end();
    return;
  }
  const isStandard = request.url.pathname.startsWith(`${basePath}/`);
  const fault = isStandard ? dependencies.faults.ofRequest() : undefined;
  const given = isStandard
    ? await meet(dependencies, fault, request, response)
    : await answer(dependencies, request);
  const { method, url, headers } = request;
  const reference = headers['x-correlationid'];
  const facts = { method, path: url.pathname, reference, status: given?.status, fault };
  dependencies.log.info(facts, 'simulated answer');
  if (given?.isLost) setTimeout(() => response.destroy(), dependencies.silenceMs).unref();
  else if (given && !response.destroyed) send(dependencies, response, given);
}

/** The answer to a request. @returns undefined if it gets no answer */
async function meet(
  dependencies: ServeDependencies,
  fault: RequestFault | undefined,
  request: Request,
  response: ServerResponse,
): Promise<Answer | undefined> {
  const canBeBefore = fault !== undefined && beforeOrAfter.includes(fault);
  const isBefore = fault === 'lost-request' || (canBeBefore && dependencies.faults.isBefore());
  const given = isBefore ? undefined : await answer(dependencies, request);
  switch (fault) {
    case 'lost-request':
    case 'answer-lost':
      setTimeout(() => response.destroy(), dependencies.silenceMs).unref();
      return undefined;
    case 'reset':
      response.socket?.resetAndDestroy();
      return undefined;
    case 'error-5xx':
      return dependencies.faults.isBefore()
        ? unavailable(dependencies.nowMs())
        : { status: 500, body: page };
    case 'wrong-content-type':
      return { status: given!.status, body: page };
    case 'slow':
    case 'just-in-time':
    case 'just-too-late':
    case undefined:
      await pause(durationOf(dependencies, fault));
      return given ?? answer(dependencies, request);
  }
}

const beforeOrAfter: RequestFault[] = ['error-5xx', 'reset', 'just-in-time', 'just-too-late'];

/** Skips the event loop if there is nothing to wait for. */
const pause = (ms: number) => (ms > 0 ? delay(ms, undefined, { ref: false }) : undefined);

/** The delay of an answer, in milliseconds. */
function durationOf(dependencies: ServeDependencies, fault: RequestFault | undefined): number {
  const { answerMs, slowMs, clientTimeoutMs, edgeMs } = dependencies;
  if (fault === 'slow') return slowMs;
  if (fault === 'just-in-time') return Math.max(clientTimeoutMs - edgeMs, 0);
  return fault === 'just-too-late' ? clientTimeoutMs + edgeMs : answerMs;
}

function unavailable(nowMs: number): Answer {
  const error = { errorCategory: 'serviceUnavailable', errorCode: 'genericError' };
  return { status: 503, body: { ...error, errorDateTime: new Date(nowMs).toISOString() } };
}

function send({ nowMs }: ServeDependencies, response: ServerResponse, given: Answer): void {
  const { status, body, headers } = given;
  const isPage = typeof body === 'string';
  response.writeHead(status, {
    'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json',
    server: 'zimbo-operator-simulator',
    'x-date': new Date(nowMs()).toISOString(),
    ...headers,
  });
  response.end(isPage ? body : JSON.stringify(body));
}

async function read(incoming: IncomingMessage): Promise<Request | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) return undefined;
    chunks.push(chunk);
  }
  const { method = 'GET', headers, url = '/' } = incoming;
  const at = URL.parse(url, 'http://simulator') ?? new URL('http://simulator/');
  return { method, url: at, headers, text: Buffer.concat(chunks).toString() };
}
