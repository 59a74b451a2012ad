import type { FastifySchemaValidationError } from 'fastify';
import { DomainError, invalid, invalidBody } from '../errors/errors.ts';
import { phoneFormat, phoneRule } from '../values/phone.ts';
import { ruleOfPattern } from './schema.ts';

/** An error of Ajv in its verbose form. */
interface SchemaError extends FastifySchemaValidationError {
  data?: unknown;
  params: { missingProperty?: string; additionalProperty?: string; type?: string | string[] };
  parentSchema?: Rules;
}

interface Rules {
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  enum?: (string | number | null)[];
  const?: unknown;
  format?: string;
  pattern?: string;
  description?: string;
}

export type Part = 'body' | 'querystring' | 'params' | 'headers';

const longestName = 100;

/** A name as the caller wrote it, shortened so that a hostile name cannot fill the response. */
export function shortened(name: string): string {
  return name.length <= longestName ? name : `${name.slice(0, longestName)}…`;
}

/** Explains to people why a request does not match its schema. */
export function validationError(errors: FastifySchemaValidationError[], part: Part): DomainError {
  const error = errors[0] as SchemaError;
  const condition = error.parentSchema?.description;
  if (/^#\/(then|else)\//.test(error.schemaPath) && condition !== undefined) {
    return new DomainError('VALIDATION_ERROR', condition);
  }
  // One of several values: the caller wrote no index.
  const place = part === 'querystring' ? error.instancePath.replace(/\/\d+$/, '') : undefined;
  const path = fieldOf(place ?? error.instancePath);
  const field = part === 'headers' ? headerName(path) : path;
  if (field === '' && part === 'body') {
    const fault = bodyFault(error);
    if (fault !== undefined) return new DomainError('VALIDATION_ERROR', fault);
  }
  if (error.keyword === 'required') {
    const missing = within(field, error.params.missingProperty ?? '');
    return invalid(part === 'headers' ? headerName(missing) : missing, 'is required');
  }
  if (error.keyword === 'additionalProperties') {
    const name = shortened(within(field, error.params.additionalProperty ?? ''));
    const kind = part === 'querystring' ? 'query parameter' : 'field';
    return new DomainError('VALIDATION_ERROR', `unknown ${kind} ${JSON.stringify(name)}`, name);
  }
  if (part === 'querystring' && Array.isArray(error.data)) {
    return invalid(field, 'must be given only once');
  }
  return field === '' ? invalidBody(ruleOf(error)) : invalid(field, ruleOf(error));
}

function bodyFault({ data, keyword, parentSchema }: SchemaError): string | undefined {
  if (parentSchema?.maxProperties === 0) return 'This request takes no body.';
  if (keyword !== 'type') return undefined;
  return data === null
    ? 'A JSON body is required, with Content-Type: application/json.'
    : 'The request body must be a JSON object.';
}

/** `/items/0/name` is shown as `items[0].name`. */
function fieldOf(instancePath: string): string {
  let field = '';
  for (const part of instancePath.split('/').slice(1)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    field = /^\d+$/.test(name) ? `${field}[${name}]` : within(field, name);
  }
  return shortened(field);
}

/** Fastify has header names only in lower case; messages show their usual spelling. */
const headerName = (name: string) => name.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

const within = (path: string, name: string) => (path === '' ? name : `${path}.${name}`);

function ruleOf(error: SchemaError): string {
  const schema = error.parentSchema ?? {};
  switch (error.keyword) {
    case 'type':
      return `must be ${typeName(error.params.type)}`;
    case 'minimum':
    case 'maximum':
      return `must be ${range(schema.minimum, schema.maximum)}`;
    case 'minLength':
    case 'maxLength':
      return lengthRule(schema.minLength, schema.maxLength);
    case 'minItems':
      return `must have at least ${counted(schema.minItems, 'item')}`;
    case 'maxItems':
      return `must not have more than ${counted(schema.maxItems, 'item')}`;
    case 'minProperties':
      return `must have at least ${counted(schema.minProperties, 'key')}`;
    case 'maxProperties':
      return `must not have more than ${counted(schema.maxProperties, 'key')}`;
    case 'uniqueItems':
      return 'must not contain the same value twice';
    case 'enum':
      return `must be one of ${listed(schema.enum)}`;
    case 'const':
      return `must be ${JSON.stringify(schema.const)}`;
    case 'format':
      return formatRule(schema.format);
    case 'pattern':
      return ruleOfPattern(schema.pattern);
    default:
      return error.message ?? 'is not valid';
  }
}

const typeNames: Record<string, string> = {
  integer: 'an integer',
  number: 'a number',
  string: 'a string',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  null: 'null',
};

function typeName(type: string | string[] = []): string {
  const types = [type].flat().flatMap((names) => names.split(','));
  // The hint that null is accepted does not help a caller who sent a value.
  const named = types.length > 1 ? types.filter((name) => name !== 'null') : types;
  return named.map((name) => typeNames[name] ?? name).join(' or ');
}

function range(minimum?: number, maximum?: number): string {
  if (maximum === undefined) return `at least ${minimum}`;
  if (minimum === undefined) return `at most ${maximum}`;
  return `between ${minimum} and ${maximum}`;
}

function lengthRule(minimum?: number, maximum?: number): string {
  if (maximum === undefined) {
    return minimum === 1 ? 'must not be empty' : `must have ${minimum} characters or more`;
  }
  if (minimum === undefined) return `must not be longer than ${counted(maximum, 'character')}`;
  return `must be ${minimum} to ${counted(maximum, 'character')} long`;
}

function formatRule(format = 'value'): string {
  if (format === 'date-time') return 'must be a date and time such as 2026-01-31T12:00:00Z';
  if (format === phoneFormat) return phoneRule;
  if (format === 'iri') return 'must be an absolute URL';
  return `must be a valid ${format}`;
}

const counted = (count: number | undefined, noun: string) =>
  `${count} ${noun}${count === 1 ? '' : 's'}`;

const listed = (values: Rules['enum'] = []) => values.filter((value) => value !== null).join(', ');
