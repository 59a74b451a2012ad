import { AsyncLocalStorage } from 'node:async_hooks';
import * as otel from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, type SpanExporter, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Logger } from 'pino';
import type {
  Attributes,
  OpenSpan,
  Span,
  SpanOptions,
  Tracing,
  TracingDependencies,
  TracingSetting,
} from './tracing.ts';

/** Spans beyond the limit are dropped: a slow or missing collector costs neither memory nor time. */
const maxQueuedSpans = 8_192;
const sendTimeoutMs = 10_000;
/** The minimum number of remembered payments in progress; the oldest are forgotten first. */
const minCarried = 10_000;

const { CLIENT, INTERNAL, SERVER } = otel.SpanKind;

/** Replaces the spans of a trace that is not recorded. */
const untraced = otel.ROOT_CONTEXT.setValue(otel.createContextKey('untraced'), true);

/** Sends spans as JSON over HTTP, in the background and in batches. */
export class OtlpTracing implements Tracing {
  #provider: TracerProvider;
  #tracer: otel.Tracer;
  #active = new AsyncLocalStorage<otel.Context>();
  #carried = new Map<string, otel.Context>();
  #carriedBefore = new Map<string, otel.Context>();
  #isChosen: () => boolean;
  #nothing: OpenSpan;

  constructor(
    { endpoint, serviceName, share }: TracingSetting,
    { log, version, random }: TracingDependencies,
  ) {
    this.#isChosen = () => random() < share;
    this.#nothing = {
      set: () => undefined,
      fail: () => undefined,
      within: (work) => this.#active.run(untraced, work),
      end: () => undefined,
    };
    const url = `${endpoint}/v1/traces`;
    const exporter = reported(new OTLPTraceExporter({ url, timeoutMillis: sendTimeoutMs }), log);
    const processor = new BatchSpanProcessor({
      exporter,
      maxQueueSize: maxQueuedSpans,
      scheduledDelayMillis: 1_000,
      exportTimeoutMillis: sendTimeoutMs,
    });
    this.#provider = new TracerProvider({
      resource: resourceFromAttributes({ 'service.name': serviceName, 'service.version': version }),
      spanProcessors: [processor],
    });
    this.#tracer = this.#provider.getTracer('zimbo', version);
  }

  active(): boolean {
    const context = this.#active.getStore();
    return context !== undefined && context !== untraced;
  }

  open(name: string, attributes: Attributes, { kind, of }: SpanOptions = {}): OpenSpan {
    const parent = this.#parent(of);
    if (parent === untraced) return this.#nothing;
    const spanKind = kind === 'server' ? SERVER : kind === 'client' ? CLIENT : INTERNAL;
    const span = this.#tracer.startSpan(name, { kind: spanKind, attributes }, parent);
    const context = otel.trace.setSpan(parent, span);
    return {
      set: (more) => void span.setAttributes(more),
      fail: (failure) => {
        span.setStatus({ code: otel.SpanStatusCode.ERROR });
        span.setAttribute('error.type', failure);
      },
      within: (work) => this.#active.run(context, work),
      end: () => span.end(),
    };
  }

  async trace<T>(
    name: string,
    attributes: Attributes,
    work: (span: Span) => Promise<T>,
    options?: SpanOptions,
  ): Promise<T> {
    const span = this.open(name, attributes, options);
    try {
      return await span.within(() => work(span));
    } catch (error) {
      span.fail(kindOf(error));
      throw error;
    } finally {
      span.end();
    }
  }

  carry(id: string): void {
    const context = this.#active.getStore();
    if (context === undefined) return;
    // A whole generation is forgotten at once: to find the oldest of one map takes longer with each removal.
    if (this.#carried.size >= minCarried) {
      this.#carriedBefore = this.#carried;
      this.#carried = new Map();
    }
    this.#carried.set(id, context);
  }

  async stop(): Promise<void> {
    // A failure to send has been logged already.
    await this.#provider.shutdown().catch(() => undefined);
  }

  #parent(of: string | null | undefined): otel.Context {
    const found = of === undefined ? this.#active.getStore() : of && this.#carriedAs(of);
    return found || (this.#isChosen() ? otel.ROOT_CONTEXT : untraced);
  }

  #carriedAs(id: string): otel.Context | undefined {
    return this.#carried.get(id) ?? this.#carriedBefore.get(id);
  }
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  const { code } = error as { code?: unknown };
  return typeof code === 'string' ? code : error.name;
}

/** One line when sending begins to fail, and one when it works again. */
function reported(exporter: SpanExporter, log: Logger): SpanExporter {
  let failing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const failed = result.code !== 0;
        if (failed && !failing) {
          log.warn({ err: result.error }, 'traces cannot be sent, and are lost until they can be');
        } else if (failing && !failed) log.info('traces are sent again');
        failing = failed;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}
