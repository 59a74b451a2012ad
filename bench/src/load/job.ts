/** One request of the load. */
export interface LoadRequest {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  key: string;
  body?: string;
  idempotencyKey?: string;
  /**
   * A regular expression whose first group, in the answer, is a path to open without the key, like
   * a customer who follows a link. The request is complete when that page is answered.
   */
  opens?: string;
}

/** The work of a load. */
export interface LoadJob {
  address: string;
  /** Sent in turn, repeatedly. */
  requests: LoadRequest[];
  connections: number;
  seconds: number;
  /** If set: one of this many requests repeats an earlier one to the byte (see Requests). */
  repeatEvery?: number;
  /** If set: an open loop at this rate; otherwise a closed loop. */
  ratePerSecond?: number;
  /**
   * How many webhook endpoints the load registers for payment.debited. With any, a request is
   * complete when each of them has its event; with none, when it is answered.
   */
  endpoints: number;
}

/** Latencies in milliseconds, after the warm-up. */
export interface Latencies {
  p50Ms: number;
  p99Ms: number;
}

export interface LoadResult {
  /** Completed requests per second. */
  perSecond: number;
  count: number;
  /** How many requests ended in the measured window, and share its CPU time. */
  ended: number;
  done: Latencies;
  answer: Latencies;
  /** Webhooks received per second. */
  deliveriesPerSecond: number;
  /** For an open loop with endpoints: each event id, and its arrival in milliseconds since 1970. */
  arrivals: [eventId: string, atMs: number][];
  /** Requests whose webhooks did not arrive within the limit. */
  unfinished: number;
  /** The load's own CPU use: 1 is a whole core. */
  cores: number;
}
