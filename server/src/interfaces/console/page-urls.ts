import type { AddressQuery, RequestContext } from './request-context.ts';

/** Builds the addresses of pages below a path. */
export const addressesBelow =
  (base: string): RequestContext['to'] =>
  (page, query) =>
    `${base}${page === '' ? '' : `/${page}`}${queryText(query)}`;

function queryText(query: AddressQuery = {}): string {
  const given = Object.entries(query)
    .flatMap(([name, values = []]) =>
      [values].flat().map((value): [string, string] => [name, value]),
    )
    .filter(([, value]) => value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
}
