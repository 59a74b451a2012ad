import type { Allowance, RateLimit } from '../../platform/http/rate-limit.ts';
import type { MetricJson } from '../../platform/observability/aggregate-metrics.ts';
import type { OpenPage } from '../../storefront/checkout/page/open-pages.ts';
import type { RunningGateway } from '../run.ts';

/** What a worker knows of the gateway once it answers requests. */
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

/** What a worker asks the primary, and what it answers. */
export interface Questions {
  /** For `count` requests. */
  TOKENS: { asked: Tokens; answer: Lot };
  /** Whether one more page may be open; `id` tells of it when it is closed. */
  PAGE: { asked: OpenPage & { id: number }; answer: boolean };
  /** Those of the asker, for those of all others. */
  METRICS: { asked: MetricJson[]; answer: MetricJson[][] };
}

export type Topic = keyof Questions;

/** What a worker says to the primary. */
export type FromWorker =
  | { type: 'HELLO'; version: string }
  | { type: 'READY'; gateway: Told }
  /** It cannot start, in words for whoever started the program. */
  | { type: 'FAILED'; message: string; hint: string | undefined }
  | { type: 'ASK'; id: number; topic: Topic; asked: Questions[Topic]['asked'] }
  /** Taken whether the bucket has them or not; fewer than none: put back. */
  | { type: 'CHARGE'; tokens: Tokens }
  | { type: 'PAGE_CLOSED'; id: number }
  | { type: 'METRICS'; id: number; metrics: MetricJson[] };

/** What the primary says to a worker. */
export type ToWorker =
  | { type: 'BEGIN'; storageUrl: string; slot: number; isFirst: boolean }
  /** End, with the work that is under way done: at once, or when those who are connected have gone elsewhere. */
  | { type: 'STOP' }
  | { type: 'LEAVE' }
  | { type: 'ANSWER'; id: number; answer: Questions[Topic]['answer'] }
  | { type: 'METRICS'; id: number };
