import type { RequestListener } from 'node:http';
import type { onRequestHookHandler } from 'fastify';

/** A handler in front of the routes of a listener. */
export interface Front {
  /** Sees each request first: answers it, or leaves it to the routes. */
  before(own: RequestListener): RequestListener;
  /** Refuses, in the routes, requests that could not be answered earlier. */
  onRequest: onRequestHookHandler;
}
