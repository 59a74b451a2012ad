import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { cleanUp } from './cleanup.ts';

export interface CollectedSpan {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId: string | undefined;
  failed: boolean;
  attributes: Record<string, string>;
}

export interface Collector {
  endpoint: string;
  spans: CollectedSpan[];
  /** All received requests, raw. */
  raw: string[];
  /** The status of the answers; 0 sends no answer. */
  status: number;
  find(name: string): CollectedSpan | undefined;
}

// biome-ignore lint/suspicious/noExplicitAny: the wire format is read where it is needed.
type Wire = any;

/** An OpenTelemetry collector that takes OTLP over HTTP, as JSON. */
export async function testCollector(context: Pick<TestContext, 'after'>): Promise<Collector> {
  const collector: Collector = {
    endpoint: '',
    spans: [],
    raw: [],
    status: 200,
    find: (name) => collector.spans.find((span) => span.name === name),
  };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      if (request.url !== '/v1/traces') return response.writeHead(404).end();
      const text = Buffer.concat(chunks).toString();
      collector.raw.push(text);
      if (collector.status === 200) collector.spans.push(...spansOf(JSON.parse(text)));
      if (collector.status !== 0) response.writeHead(collector.status).end('{}');
      return undefined;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  collector.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  cleanUp(context, () => {
    server.closeAllConnections();
    server.close();
  });
  return collector;
}

function spansOf(body: Wire): CollectedSpan[] {
  return body.resourceSpans
    .flatMap(({ scopeSpans }: Wire) => scopeSpans.flatMap(({ spans }: Wire) => spans))
    .map((span: Wire) => ({
      name: span.name,
      traceId: span.traceId,
      spanId: span.spanId,
      parentSpanId: span.parentSpanId || undefined,
      failed: span.status?.code === 2,
      attributes: Object.fromEntries(
        span.attributes.map(({ key, value }: Wire) => [key, String(Object.values(value)[0])]),
      ),
    }));
}
