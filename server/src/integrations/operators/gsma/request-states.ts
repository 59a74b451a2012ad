import { isOfAnother, type QuerySubject } from './correlation.ts';
import { isGsmaError } from './errors.ts';
import type { Answer } from './exchange.ts';

/** The operator's state of a request that it has accepted. */
export interface RequestState {
  serverCorrelationId: string;
  status: string;
  objectReference?: unknown;
  pollLimit?: unknown;
  error?: unknown;
}

/** Whether a body is a request state of the standard. */
export function isRequestState(body: unknown): body is RequestState {
  const { serverCorrelationId: id, status } = (body ?? {}) as Partial<RequestState>;
  return typeof id === 'string' && typeof status === 'string';
}

export const isFailed = ({ status }: RequestState): boolean => status.toLowerCase() === 'failed';

/** The target of a response's link. */
export interface Link {
  kind: 'transactions' | 'requeststates';
  id: string;
}

/** Only the end of the link is used: an operator cannot redirect our credentials. */
export function linkOf(response: Answer | undefined): Link | undefined {
  const link = (response?.body as { link?: unknown } | undefined)?.link;
  if (typeof link !== 'string') return undefined;
  const [, kind, id] = /\/?(transactions|requeststates)\/([^/?#]{1,256})\/?$/.exec(link) ?? [];
  if (kind === undefined || id === undefined) return undefined;
  return { kind: kind as Link['kind'], id: decoded(id) };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Only the operator's own answer about our request counts: a proxy answers 404 too. */
export const isNotFoundAnswer = (reply: Answer | undefined, asked: QuerySubject): boolean =>
  reply?.status === 404 &&
  isGsmaError(reply.body) &&
  reply.body.errorCategory.toLowerCase() === 'identification' &&
  !isOfAnother(reply.body, asked);
