import { type Asked, isOfAnother } from './correlation.ts';
import { isGsmaError } from './errors.ts';
import type { Answer } from './exchange.ts';

/** What the operator says of a request that it has accepted. */
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

/** Where a response leads to. */
export interface Link {
  kind: 'transactions' | 'requeststates';
  id: string;
}

/** Only the end of the link is used: an operator cannot send our credentials elsewhere. */
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

/** Only the operator's own words about what was asked count: a proxy answers 404 too. */
export const isUnknownThere = (reply: Answer | undefined, asked: Asked): boolean =>
  reply?.status === 404 &&
  isGsmaError(reply.body) &&
  reply.body.errorCategory.toLowerCase() === 'identification' &&
  !isOfAnother(reply.body, asked);
