import type { Logger } from 'pino';

/** Where spans are sent to, and under which name. */
export interface TracingSetting {
  /** Of an OpenTelemetry collector that speaks OTLP over HTTP, for example `http://localhost:4318`. */
  endpoint: string;
  serviceName: string;
  /** From 0 to 1: how many of the traces are made and sent, each whole or not at all. */
  share: number;
}

/** Ids, names and numbers only: nothing that belongs to a customer or opens a door. */
export type Attributes = Record<string, string | number | boolean>;

export interface Span {
  set(attributes: Attributes): void;
  /** Of an error only its kind is told: its message may hold what belongs to a customer. */
  fail(kind: string): void;
}

export interface OpenSpan extends Span {
  /** Spans that `work` begins stand below this one. */
  within<T>(work: () => T): T;
  end(): void;
}

export interface SpanOptions {
  /** A request that came in, or one that goes out; otherwise something inside. */
  kind?: 'server' | 'client';
  /**
   * If the span stands: below the active one where this is left out; at the beginning of a trace
   * where it is null; else in the trace that was carried under this id, or in a new one.
   */
  of?: string | null;
}

/** Spans for OpenTelemetry. Where no endpoint is configured there is no such object, and nothing of it is loaded. */
export interface Tracing {
  /** Whether there is a span that others can stand below. */
  active(): boolean;
  open(name: string, attributes: Attributes, options?: SpanOptions): OpenSpan;
  /** Does work within a span, which tells whether it threw. */
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
