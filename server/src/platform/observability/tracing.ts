import type { Logger } from 'pino';

/** The collector, and the service name. */
export interface TracingSetting {
  /** Of an OpenTelemetry collector that speaks OTLP over HTTP, for example `http://localhost:4318`. */
  endpoint: string;
  serviceName: string;
  /** From 0 to 1: the share of recorded traces, each complete or not at all. */
  share: number;
}

/** Ids, names and numbers only: no customer data, no credentials. */
export type Attributes = Record<string, string | number | boolean>;

export interface Span {
  set(attributes: Attributes): void;
  /** Only the kind of an error is recorded: its message may contain customer data. */
  fail(kind: string): void;
}

export interface OpenSpan extends Span {
  /** Spans that `work` starts become children of this one. */
  within<T>(work: () => T): T;
  end(): void;
}

export interface SpanOptions {
  /** A request that came in, or one that goes out; otherwise something inside. */
  kind?: 'server' | 'client';
  /**
   * The parent of the span: if omitted, the active span; if null, the span is the root of a new trace; otherwise the
   * trace remembered under this id, or a new one.
   */
  of?: string | null;
}

/** Spans for OpenTelemetry. Where no endpoint is configured there is no such object, and nothing of it is loaded. */
export interface Tracing {
  /** Whether there is an active span. */
  active(): boolean;
  open(name: string, attributes: Attributes, options?: SpanOptions): OpenSpan;
  /** Runs work within a span, which records exceptions. */
  trace<T>(
    name: string,
    attributes: Attributes,
    work: (span: Span) => Promise<T>,
    options?: SpanOptions,
  ): Promise<T>;
  /** Work for this id belongs to the active trace from now on, as long as this process remembers it. */
  carry(id: string): void;
  /** Sends what is left, for ten seconds at most. */
  stop(): Promise<void>;
}

export interface TracingDependencies {
  log: Logger;
  version: string;
  /** From 0 to 1, for which traces are made. */
  random: () => number;
}

export async function openTracing(
  setting: TracingSetting | undefined,
  dependencies: TracingDependencies,
): Promise<Tracing | undefined> {
  if (setting === undefined) return undefined;
  const { OtlpTracing } = await import('./otlp-tracing.ts');
  return new OtlpTracing(setting, dependencies);
}
