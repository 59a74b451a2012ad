import { type ApiName, type Operation, readApi } from './document.ts';
import { terms } from './table.ts';

const verbs: Record<string, string> = {
  'GET /': 'list',
  'POST /': 'create',
  'GET /{}': 'get',
  'PATCH /{}': 'update',
  'DELETE /{}': 'delete',
};

/** The words of an operation's command: those of the table, else as its path says. */
export function wordsOf(api: ApiName, operation: Operation): string[] {
  const prefix = api === 'staff' ? ['admin'] : [];
  const named = terms(api, operation.id).name;
  return named === undefined
    ? [...prefix, ...wordsOfPath(operation)]
    : [...prefix, ...named.split(' ')];
}

/** `POST /payments/{id}/cancel` is `payments cancel`; words have hyphens, as those of options. */
function wordsOfPath({ method, path, isList }: Operation): string[] {
  const [resource, ...rest] = path.slice(1).replaceAll('_', '-').split('/') as [
    string,
    ...string[],
  ];
  const literals = rest.filter((part) => !part.startsWith('{'));
  if (literals.length > 0) {
    const changes = method === 'PUT' || method === 'PATCH';
    return [resource, `${changes ? 'set-' : ''}${literals.join('-')}`];
  }
  const verb = verbs[`${method} /${rest.length > 0 ? '{}' : ''}`]!;
  return [resource, verb === 'list' && !isList ? 'get' : verb];
}

/** The operation that gives the same as CSV: `--csv` of its command. */
export const csvOf = (api: ApiName, { path, method }: Operation): Operation | undefined =>
  readApi(api).operations.find((other) => other.method === method && other.path === `${path}.csv`);
