import type { FastifyRequest } from 'fastify';
import type { Language } from '../../../platform/text/language.ts';
import { type Locale, localeFor } from './locale.ts';

/** The query parameters of a page. */
export interface MerchantContext {
  words: Locale;
  /** Chosen on the page, and kept in its addresses. */
  lang: string | undefined;
  /** Proves that this browser made the attempt (../attempt-proofs.ts). */
  mine: string | undefined;
  /** The customer wants to change the number. */
  asksToChange: boolean;
  /** Present on a page in a frame, and kept in its addresses. */
  frame: '1' | undefined;
}

export interface VisitQuery {
  lang?: string;
  mine?: string;
  change?: string;
  frame?: string;
  /** The customer has paid, and goes where the shop wanted. */
  onward?: string;
}

export type Asked = Pick<FastifyRequest, 'query' | 'headers'>;

/** @param offered the shop's languages */
export function wordsFor({ query, headers }: Asked, offered?: readonly Language[]): Locale {
  return localeFor((query as VisitQuery).lang ?? null, headers['accept-language'], offered);
}

export function visitOf(request: Asked, offered?: readonly Language[]): MerchantContext {
  const { lang, mine, change, frame } = request.query as VisitQuery;
  const words = wordsFor(request, offered);
  return {
    words,
    lang: lang === undefined ? undefined : words.language,
    mine: typeof mine === 'string' ? mine : undefined,
    asksToChange: change !== undefined,
    frame: frame === undefined ? undefined : '1',
  };
}

const framing = ['iframe', 'frame', 'object', 'embed'];

/**
 * The address of the same page as a page in a frame, if a browser opens it in one without saying so in the address:
 * whoever frames it, customers must see what they pay. Undefined otherwise.
 */
export function addressInFrame({ query, headers }: Asked, token: string): string | undefined {
  if (!framing.includes(String(headers['sec-fetch-dest']))) return undefined;
  const { lang, mine, change, frame } = query as VisitQuery;
  return frame === undefined ? `${token}${queryOf({ lang, mine, change, frame: '1' })}` : undefined;
}

/** `?lang=en&mine=…`, or nothing: relative, so that it works behind a proxy that adds a path. */
export function queryOf(parts: Record<string, string | undefined>): string {
  const given = Object.entries(parts).filter(
    (part): part is [string, string] => part[1] !== undefined,
  );
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
