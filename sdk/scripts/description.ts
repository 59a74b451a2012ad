import type { OpenApiDocument } from './api.ts';
import { methods } from './methods.ts';
import type { Schema } from './types.ts';

/** The API as the libraries of other languages see it, read from its OpenAPI document. */
export interface Description {
  enums: EnumType[];
  /** What answers hold. */
  models: Model[];
  /** Objects within the bodies of requests. */
  inputs: Model[];
  resources: Resource[];
  /** The model that the events of each type carry. */
  events: { type: string; model: string }[];
}

export interface EnumType {
  name: string;
  values: string[];
}

export interface Model {
  name: string;
  description: string;
  fields: Field[];
}

export interface Field {
  /** As in JSON or in the query. */
  name: string;
  type: FieldType;
  isNullable: boolean;
  isRequired: boolean;
  description: string;
}

/** `money` is an integer of centavos, in JSON a text; `instant` a date and time in UTC. */
export type FieldType =
  | { kind: 'string' | 'integer' | 'boolean' | 'money' | 'instant' | 'object' }
  | { kind: 'enum' | 'model'; name: string }
  | { kind: 'list'; of: FieldType };

export interface Resource {
  /** `payments`, or `checkout.sessions` */
  path: string;
  operations: Operation[];
}

export interface Operation {
  id: string;
  method: string;
  httpMethod: string;
  path: string;
  pathNames: string[];
  query: Field[];
  body: Field[];
  hasBody: boolean;
  takesKey: boolean;
  /** The caller must choose the key, one for each debt: a library that makes up a key would pay again after a crash. */
  requiresKey: boolean;
  answer: Answer;
  description: string;
}

export type Answer =
  | { kind: 'model' | 'list' | 'page'; name: string }
  | { kind: 'event' | 'eventPage' | 'csv' | 'none' };

type Schemas = Record<string, Schema>;

/** @throws Error for an operation without a method, or a schema that no library can express */
export function descriptionOf(document: OpenApiDocument): Description {
  const schemas = document.components.schemas;
  const operations = Object.entries(document.paths).flatMap(([path, methodsOfPath]) =>
    Object.entries(methodsOfPath).map(([httpMethod, operation]) =>
      operationOf({ path, httpMethod, operation, schemas }),
    ),
  );
  const named = Object.entries(schemas);
  const inputs = new Set(
    operations.flatMap(({ body }) => body.flatMap(({ type }) => modelsIn(type))),
  );
  // A body is a list of parameters, unless it is also a part of another body, as the rows of a batch are.
  const objects = named.filter(
    ([name]) => inputs.has(name) || !/^Error|Body$|Event$|List$/.test(name),
  );
  const modelOf = ([name, schema]: [string, Schema]): Model => ({
    name,
    description: textOf(schema.description),
    fields: fieldsOf(schema, schemas),
  });
  const models = objects.filter(([, { properties }]) => properties !== undefined).map(modelOf);
  return {
    enums: named.flatMap(([name, schema]) => enumOf(name, schema)),
    models: models.filter(({ name }) => !inputs.has(name)),
    inputs: models.filter(({ name }) => inputs.has(name)),
    resources: withParents(resourcesOf(operations)),
    events: eventsOf(document),
  };
}

function resourcesOf(operations: (Operation & { resource: string })[]): Resource[] {
  const paths = [...new Set(operations.map(({ resource }) => resource))];
  return paths.map((path) => ({
    path,
    operations: operations.filter(({ resource }) => resource === path),
  }));
}

/** Adds a resource for a path that only leads to others, such as `checkout`. */
function withParents(resources: Resource[]): Resource[] {
  const parents = resources.flatMap(({ path }) => path.split('.').slice(0, -1).join('.') || []);
  const missing = [...new Set(parents)].filter(
    (path) => !resources.some((each) => each.path === path),
  );
  return [...resources, ...missing.map((path) => ({ path, operations: [] }))];
}

/** Whether an answer is read page by page. */
export const isPages = ({ kind }: Answer): boolean => kind === 'page' || kind === 'eventPage';

/** The model of an answer, or of the items of a list. */
export const itemOf = (answer: Answer): string => ('name' in answer ? answer.name : 'Event');

function enumOf(name: string, schema: Schema): EnumType[] {
  const values = (schema.enum ?? []).filter((value) => typeof value === 'string');
  return values.length > 1 ? [{ name, values }] : [];
}

function eventsOf({ webhooks, components }: OpenApiDocument) {
  return Object.entries(webhooks).map(([type, { post }]) => {
    const name = nameOf(schemaIn(post.requestBody.content));
    const data = components.schemas[name]?.properties?.data;
    return { type, model: nameOf(data) };
  });
}

type Route = {
  path: string;
  httpMethod: string;
  operation: OpenApiDocument['paths'][string][string] & { description?: string; summary?: string };
  schemas: Schemas;
};

function operationOf({ path, httpMethod, operation, schemas }: Route) {
  const { operationId, parameters = [], requestBody } = operation;
  const place = methods[operationId];
  if (place === undefined) throw new Error(`${operationId} has no place in sdk/scripts/methods.ts`);
  const [, resource, method] = /^(.*)\.(\w+)$/.exec(place)!;
  const body = requestBody && resolve(schemaIn(requestBody.content), schemas);
  const query = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema, description, ...rest }) => ({
      ...fieldOf(name, schema, schemas),
      isRequired: (rest as { required?: boolean }).required === true,
      description: textOf(description),
    }));
  return {
    resource: resource!,
    id: operationId,
    method: method!,
    httpMethod: httpMethod.toUpperCase(),
    path,
    pathNames: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!),
    query,
    body: body ? fieldsOf(body, schemas) : [],
    hasBody: body !== undefined,
    takesKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
    requiresKey: parameters.some(({ name, required }) => name === 'Idempotency-Key' && required),
    answer: answerOf(operation.responses),
    description: textOf([operation.summary, operation.description].filter(Boolean).join('. ')),
  };
}

function answerOf(responses: Route['operation']['responses']): Answer {
  const [status, response] = Object.entries(responses).find(([code]) => code.startsWith('2'))!;
  if (status === '204') return { kind: 'none' };
  if (response.content?.['text/csv']) return { kind: 'csv' };
  const name = nameOf(schemaIn(response.content));
  if (name === 'Event') return { kind: 'event' };
  if (name === 'EventList') return { kind: 'eventPage' };
  if (name === 'OperatorDetailsList') return { kind: 'list', name: 'OperatorDetails' };
  const [, item] = /^(\w+)List$/.exec(name) ?? [];
  return item === undefined ? { kind: 'model', name } : { kind: 'page', name: item };
}

const schemaIn = (content: Record<string, { schema: Schema }> | undefined): Schema =>
  content?.['application/json']?.schema ?? {};

const nameOf = (schema: Schema | undefined) => schema?.$ref?.split('/').at(-1) ?? '';

/** The schema itself; of one that may also be null, the other. */
function resolve(schema: Schema, schemas: Schemas): Schema {
  const present = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  return schemas[nameOf(present)] ?? present;
}

/** Required ones first, as languages want their parameters. */
function fieldsOf({ properties = {}, required = [] }: Schema, schemas: Schemas): Field[] {
  const fields = Object.entries(properties).map(([name, schema]) => ({
    ...fieldOf(name, schema, schemas),
    isRequired: required.includes(name),
  }));
  return fields.toSorted((a, b) => Number(b.isRequired) - Number(a.isRequired));
}

function fieldOf(name: string, schema: Schema, schemas: Schemas): Field {
  const alternatives = schema.anyOf ?? [];
  const present = alternatives.filter(({ type }) => type !== 'null');
  const isNullable = present.length < alternatives.length || [schema.type].flat().includes('null');
  const meant = present.length === 1 ? { ...schema, ...present[0]!, anyOf: [] } : schema;
  const description = textOf(schema.description ?? present[0]?.description);
  return { name, type: typeOf(meant, schemas), isNullable, isRequired: false, description };
}

function typeOf(schema: Schema, schemas: Schemas): FieldType {
  const name = nameOf(schema);
  if (name !== '') {
    const target = schemas[name]!;
    if (target.enum) return { kind: 'enum', name };
    return target.properties ? { kind: 'model', name } : typeOf(target, schemas);
  }
  const { format } = schema as { format?: string };
  const [type] = [schema.type].flat().filter((each) => each !== 'null');
  if (type === 'string' && format === 'date-time') return { kind: 'instant' };
  if (type === 'string' && /in centavos/.test(schema.description ?? '')) return { kind: 'money' };
  if (type === 'array') return { kind: 'list', of: typeOf(schema.items ?? {}, schemas) };
  if (type === 'integer' || type === 'number') return { kind: 'integer' };
  if (type === 'string' || type === 'boolean') return { kind: type };
  return { kind: 'object' };
}

const modelsIn = (type: FieldType): string[] => {
  if (type.kind === 'list') return modelsIn(type.of);
  return type.kind === 'model' ? [type.name] : [];
};

const textOf = (text: string | undefined) => (text ?? '').replace(/\s+/g, ' ').trim();
