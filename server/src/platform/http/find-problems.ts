import type { FastifyRequest, FastifySchemaValidationError } from 'fastify';
import { type DomainError, mostProblems, type Problem } from '../errors/errors.ts';
import { checksAllOf } from './schema-compilers.ts';
import { type Part, validationError } from './validation-message.ts';

/**
 * A larger body can break a rule in each of its bytes: then only the first problem is told, and those of its items that
 * are no larger.
 */
const largestBodyBytes = 32 * 1024;

/**
 * Checks a refused request once more, against all rules of its schemas.
 * @param refusal the first problem, which the fast check found
 * @returns up to 20 problems, the refusal first; none if there is only one problem
 */
export function findProblems(request: FastifyRequest, refusal: DomainError): Problem[] {
  if (refusal.param === undefined) return [];
  const { body, querystring } = request.routeOptions.schema ?? {};
  const parts = isSmall(request)
    ? [
        refusalsOf(body, request.body, 'body'),
        refusalsOf(querystring, request.query, 'querystring'),
      ]
    : [refusalsOfItems(body, request.body)];
  const problems = new Map([[refusal.param, refusal.message]]);
  for (const refusals of parts) {
    for (const { param, message } of refusals) {
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

interface ListSchema {
  properties?: { items?: { items?: object; maxItems?: number } };
}

/** Of a body whose `items` are many. */
function* refusalsOfItems(schema: unknown, body: unknown): Generator<DomainError> {
  const { items: item, maxItems = 0 } = (schema as ListSchema).properties?.items ?? {};
  const { items } = body as { items?: unknown };
  if (item === undefined || !Array.isArray(items) || items.length > maxItems) return;
  for (const [index, value] of items.entries()) {
    if (Buffer.byteLength(JSON.stringify(value)) <= largestBodyBytes)
      yield* refusalsOf(item, value, 'body', `/items/${index}`);
  }
}

/** @param place of the value in its part */
function* refusalsOf(
  schema: unknown,
  value: unknown,
  part: Part,
  place = '',
): Generator<DomainError> {
  if (schema === undefined) return;
  const check = checksAllOf(schema as object);
  if (check(value) === true) return;
  for (const error of (check.errors ?? []) as FastifySchemaValidationError[]) {
    // These only say that a rule inside them is broken, which is an error of its own.
    if (['if', 'anyOf', 'oneOf'].includes(error.keyword)) continue;
    yield validationError([{ ...error, instancePath: place + error.instancePath }], part);
  }
}
