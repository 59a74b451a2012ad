import type { Input } from './call.ts';
import type { Operation } from './document.ts';

/** The HTTP request of an operation, below the prefix of its API. */
export function requestOf(
  { method, path }: Pick<Operation, 'method' | 'path'>,
  { path: ids = {}, query = {}, body, idempotencyKey }: Input,
) {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined || value === null) continue;
    // Several values are separated by commas; the keys of an object stand in brackets.
    if (Array.isArray(value)) parameters.set(name, value.join(','));
    else if (typeof value !== 'object') parameters.set(name, String(value));
    else for (const [key, each] of Object.entries(value)) parameters.set(`${name}[${key}]`, each);
  }
  const isCsv = typeof body === 'string';
  const type = isCsv ? 'text/csv' : 'application/json';
  return {
    method,
    path:
      path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encodeURIComponent(ids[name]!)) +
      (parameters.size === 0 ? '' : `?${parameters.toString()}`),
    headers: {
      ...(body !== undefined && { 'content-type': type }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    },
    body: body === undefined || isCsv ? body : JSON.stringify(body),
  };
}
