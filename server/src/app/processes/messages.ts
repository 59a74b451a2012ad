import type { Allowance, RateLimit } from '../../platform/http/rate-limit.ts';
import type { MetricJson } from '../../platform/observability/aggregate-metrics.ts';
import type { OpenPage } from '../../storefront/checkout/page/open-pages.ts';
import type { RunningGateway } from '../run.ts';

/** The gateway's addresses, reported by a ready worker. */
export type Told = Pick<
  RunningGateway,
  'url' | 'operationsUrl' | 'demoKey' | 'firstLink' | 'hasMerchants'
>;

/** The buckets of one limit. */
export interface NamedLimit {
  name: string;
  limit: RateLimit;
}

/** Tokens of one bucket. */
export interface Tokens extends NamedLimit {
  key: string;
  count: number;
}

/** The first token, and how many more came with it. */
export interface Lot {
  first: Allowance;
  more: number;
}

/** The requests of a worker to the primary, and their responses. */
export interface Questions {
  /** For `count` requests. */
  TOKENS: { asked: Tokens; answer: Lot };
  /** Whether one more page may be open; `id` identifies it when it closes. */
  PAGE: { asked: OpenPage & { id: number }; answer: boolean };
  /** The metrics of the requester, in exchange for those of all others. */
  METRICS: { asked: MetricJson[]; answer: MetricJson[][] };
}

export type Topic = keyof Questions;

/** Messages from a worker to the primary. */
export type FromWorker =
  | { type: 'HELLO'; version: string }
  | { type: 'READY'; gateway: Told }
  /** The worker cannot start; the message is for the person who started the program. */
  | { type: 'FAILED'; message: string; hint: string | undefined }
  | { type: 'ASK'; id: number; topic: Topic; asked: Questions[Topic]['asked'] }
  /** Tokens taken even if the bucket lacks them; negative: returned. */
  | { type: 'CHARGE'; tokens: Tokens }
  | { type: 'PAGE_CLOSED'; id: number }
  | { type: 'METRICS'; id: number; metrics: MetricJson[] };

/** Messages from the primary to a worker. */
export type ToWorker =
  | { type: 'BEGIN'; storageUrl: string; slot: number; isFirst: boolean }
  /** Stop after finishing work in progress: at once, or after the connected clients have moved to other processes. */
  | { type: 'STOP' }
  | { type: 'LEAVE' }
  | { type: 'ANSWER'; id: number; answer: Questions[Topic]['answer'] }
  | { type: 'METRICS'; id: number };
