import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { RequestFault } from './faults.ts';
import type { Answer } from './provider.ts';
import { answer, basePath, type Request, type RouteParts } from './routes.ts';

export interface ServeParts extends RouteParts {
  log: Logger;
  /** How long a slow answer takes. */
  slowMs: number;
  /** How long a request that gets no answer keeps its connection. */
  silenceMs: number;
}

const maxBodyBytes = 256 * 1024;
const page = '<html><body><h1>This is not the answer that you expect</h1></body></html>\n';

/** The HTTP side, where faults are played; not listening yet. */
export function simulatorServer(parts: ServeParts): Server {
  return createServer((request, response) => {
    serve(parts, request, response).catch((error: unknown) => {
      parts.log.error({ error }, 'the simulator stumbled');
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });
}

async function serve(
  parts: ServeParts,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const request = await read(incoming);
  if (!request) {
    response.writeHead(413, { connection: 'close' }).end();
    return;
  }
  const isStandard = request.url.pathname.startsWith(`${basePath}/`);
  const fault = isStandard ? parts.faults.ofRequest() : undefined;
  const given = await meet(parts, fault, request, response);
  const { method, url, headers } = request;
  const reference = headers['x-correlationid'];
  const facts = { method, path: url.pathname, reference, status: given?.status, fault };
  parts.log.info(facts, 'simulated answer');
  if (given && !response.destroyed) send(parts, response, given);
}

/** What becomes of a request. @returns undefined where it gets no answer */
async function meet(
  parts: ServeParts,
  fault: RequestFault | undefined,
  request: Request,
  response: ServerResponse,
): Promise<Answer | undefined> {
  const canBeBefore = fault === 'error-5xx' || fault === 'reset';
  const isBefore = fault === 'lost-request' || (canBeBefore && parts.faults.isBefore());
  const given = isBefore ? undefined : await answer(parts, request);
  switch (fault) {
    case 'lost-request':
    case 'answer-lost':
      setTimeout(() => response.destroy(), parts.silenceMs).unref();
      return undefined;
    case 'reset':
      response.socket?.resetAndDestroy();
      return undefined;
    case 'error-5xx':
      return parts.faults.isBefore() ? unavailable(parts.nowMs()) : { status: 500, body: page };
    case 'wrong-content-type':
      return { status: given!.status, body: page };
    case 'slow':
      await delay(parts.slowMs, undefined, { ref: false });
      return given;
    case undefined:
      return given;
  }
}

function unavailable(nowMs: number): Answer {
  const error = { errorCategory: 'serviceUnavailable', errorCode: 'genericError' };
  return { status: 503, body: { ...error, errorDateTime: new Date(nowMs).toISOString() } };
}

function send({ nowMs }: ServeParts, response: ServerResponse, { status, body }: Answer): void {
  const isPage = typeof body === 'string';
  response.writeHead(status, {
    'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json',
    server: 'zimbo-operator-simulator',
    'x-date': new Date(nowMs()).toISOString(),
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
