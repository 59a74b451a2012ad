import type { RequestListener } from 'node:http';
import type { onRequestHookHandler } from 'fastify';

/** What stands before a listener. */
export interface Front {
  /** Hears of each request first: it answers by itself, or leaves that to the listener. */
  before(own: RequestListener): RequestListener;
  /** Refuses in the routes what could not be answered before them. */
  onRequest: onRequestHookHandler;
}
