import type { FastifyRequest, FastifySchemaValidationError } from 'fastify';
import type { DomainError } from '../errors/errors.ts';
import { checksAllOf } from './schema-compilers.ts';
import { type Part, validationError } from './validation-message.ts';

/** A rule that a request breaks. */
export interface Problem {
  /** The field, parameter or header, as the caller wrote it: `items[0].quantity`. */
  param: string;
  message: string;
}

const mostProblems = 20;
/** A larger body can break a rule in each of its bytes: then only the first problem is told. */
const largestBodyBytes = 32 * 1024;

/**
 * Checks a refused request once more, against all rules of its schemas.
 * @param refusal the first problem, which the fast check found
 * @returns up to 20 problems, the refusal first; none if there is only one problem
 */
export function findProblems(request: FastifyRequest, refusal: DomainError): Problem[] {
  if (refusal.param === undefined || !isSmall(request)) return [];
  const { body, querystring } = request.routeOptions.schema ?? {};
  const parts: [Part, unknown, unknown][] = [
    ['body', body, request.body],
    ['querystring', querystring, request.query],
  ];
  const problems = new Map([[refusal.param, refusal.message]]);
  for (const [part, schema, value] of parts) {
    if (schema === undefined) continue;
    for (const { param, message } of refusalsOf(schema, value, part)) {
      if (param !== undefined && !problems.has(param)) problems.set(param, message);
      if (problems.size === mostProblems) break;
    }
  }
  if (problems.size === 1) return [];
  return Array.from(problems, ([param, message]) => ({ param, message }));
}

/** Also the query is short: a request line has at most 16 KiB. */
function isSmall({ headers, body }: FastifyRequest): boolean {
  return body === undefined || Number(headers['content-length']) <= largestBodyBytes;
}

function* refusalsOf(schema: unknown, value: unknown, part: Part): Generator<DomainError> {
  const check = checksAllOf(schema as object);
  if (check(value) === true) return;
  for (const error of (check.errors ?? []) as FastifySchemaValidationError[]) {
    // These only say that a rule inside them is broken, which is an error of its own.
    if (['if', 'anyOf', 'oneOf'].includes(error.keyword)) continue;
    yield validationError([error], part);
  }
}
