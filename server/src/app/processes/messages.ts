import type { RunningGateway } from '../run.ts';

/** What a worker says to the primary. */
export type FromWorker =
  | { type: 'HELLO'; version: string }
  | { type: 'READY'; gateway: Told }
  /** It cannot start, in words for whoever started the program. */
  | { type: 'FAILED'; message: string; hint: string | undefined };

/** What the primary says to a worker. */
export type ToWorker =
  | { type: 'BEGIN'; storageUrl: string; slot: number; isFirst: boolean }
  /** End, with the work that is under way done: at once, or when those who are connected have gone elsewhere. */
  | { type: 'STOP' }
  | { type: 'LEAVE' };

/** What a worker knows of the gateway once it answers requests. */
export type Told = Pick<RunningGateway, 'url' | 'operationsUrl' | 'demoKey' | 'firstLink'>;
