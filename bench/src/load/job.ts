/** One request of the load. */
export interface LoadRequest {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  key: string;
  body?: string;
  idempotencyKey?: string;
  /**
   * A regular expression whose first group, in the answer, is a path that is then opened without the key, as
   * a customer opens a link. The request is answered when that is.
   */
  opens?: string;
}

/** What the load is to do. */
export interface LoadJob {
  address: string;
  /** Sent in turn, again and again. */
  requests: LoadRequest[];
  connections: number;
  seconds: number;
  /** Given: of so many requests, one repeats an earlier one to the byte (see Requests). */
  repeatEvery?: number;
  /** Given: an open loop at this rate. Absent: a closed loop. */
  ratePerSecond?: number;
  /**
   * How many webhook endpoints the load registers for payment.debited, all of them its own. With any, a
   * request is done when its event has arrived at each of them; with none, when it is answered.
   */
  endpoints: number;
}

/** Latencies in milliseconds, of what was done after the warm-up. */
export interface Latencies {
  p50Ms: number;
  p99Ms: number;
}

export interface LoadResult {
  /** Requests done, per second. */
  perSecond: number;
  count: number;
  /** How many ended in the time that counts: what was used of the processor meanwhile is theirs. */
  ended: number;
  done: Latencies;
  answer: Latencies;
  /** Webhooks that arrived, per second. */
  deliveriesPerSecond: number;
  /** Of an open loop with endpoints: event id, and its arrival in milliseconds since 1970. */
  arrivals: [eventId: string, atMs: number][];
  /** Requests whose webhooks did not come within the limit. */
  unfinished: number;
  /** How much processor the load itself took: 1 is a whole core. */
  cores: number;
}
