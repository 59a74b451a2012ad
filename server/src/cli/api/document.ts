import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** JSON Schema, as far as commands need it. */
export interface Schema {
  $ref?: string;
  anyOf?: Schema[];
  type?: string | string[];
  enum?: (string | number | null)[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  description?: string;
  examples?: unknown[];
  default?: string | number | boolean | null;
  minimum?: number;
  maximum?: number;
  format?: string;
  pattern?: string;
}

/** A parameter of an operation, or a field of its body. */
export interface Field {
  name: string;
  place: 'path' | 'query' | 'header' | 'body';
  isRequired: boolean;
  description: string;
  /** Without references and null. */
  schema: Schema;
}

export interface Operation {
  id: string;
  method: string;
  /** Below the prefix: `/payments/{id}`. */
  path: string;
  tag: string;
  summary: string;
  description: string;
  fields: Field[];
  body: Schema | undefined;
  takesCsv: boolean;
  /** A body that the gateway accepts. */
  example: object;
  /** The response, or an item of the list. */
  shown: Schema;
  isList: boolean;
  /** The list comes in pages. */
  hasPages: boolean;
}

export interface Api {
  prefix: string;
  operations: Operation[];
  /** Descriptions of the tags. */
  tags: Map<string, string>;
}

interface Content {
  'application/json'?: { schema: Schema; example?: object };
  'text/csv'?: object;
}

interface Described {
  operationId: string;
  summary: string;
  description?: string;
  tags: [string];
  parameters?: {
    name: string;
    in: 'path' | 'query' | 'header';
    required?: boolean;
    description?: string;
    schema: Schema;
  }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}

interface Document {
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Described>>;
  components: { schemas: Record<string, Schema> };
}

const docs = join(import.meta.dirname, '..', '..', '..', '..', 'docs');
const apis = {
  merchant: { file: 'openapi.json', prefix: '/v1' },
  staff: { file: 'admin-openapi.json', prefix: '/admin/v1' },
};
export type ApiName = keyof typeof apis;

const read = new Map<ApiName, Api>();

/** The operations of /v1 or /admin/v1, from its OpenAPI document. */
export function readApi(name: ApiName): Api {
  const known = read.get(name);
  if (known) return known;
  const { file, prefix } = apis[name];
  const document = JSON.parse(readFileSync(join(docs, file), 'utf8')) as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      ...operationOf(document, described),
      method: method.toUpperCase(),
      path: path.slice(prefix.length),
    })),
  );
  const tags = new Map(document.tags.map((tag) => [tag.name, tag.description]));
  const api = { prefix, operations, tags };
  read.set(name, api);
  return api;
}

function operationOf(document: Document, given: Described): Omit<Operation, 'method' | 'path'> {
  const resolve = (schema: Schema | undefined) => withoutReferences(document, schema);
  const content = given.requestBody?.content ?? {};
  const json = content['application/json'];
  const body = json && resolve(json.schema);
  const response = resolve(given.responses['200']?.content?.['application/json']?.schema);
  const { data, hasMore } = response.properties ?? {};
  return {
    id: given.operationId,
    tag: given.tags[0],
    summary: given.summary,
    description: given.description ?? '',
    fields: [
      ...(given.parameters ?? []).map((parameter) => ({
        name: parameter.name,
        place: parameter.in,
        isRequired: parameter.required ?? false,
        ...described(resolve(parameter.schema), parameter.description),
      })),
      ...Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
        name,
        place: 'body' as const,
        isRequired: body?.required?.includes(name) ?? false,
        ...described(resolve(schema), schema.description),
      })),
    ],
    body,
    takesCsv: content['text/csv'] !== undefined,
    example: json?.example ?? {},
    shown: data ? resolve(data.items) : response,
    isList: hasMore !== undefined,
    hasPages: (given.parameters ?? []).some((parameter) => parameter.name === 'starting_after'),
  };
}

const described = (schema: Schema, description = schema.description ?? '') => ({
  schema,
  description,
});

/** The schema itself, and not null; its fields still refer to others. */
function withoutReferences(document: Document, given: Schema = {}): Schema {
  const { components } = document;
  const schema = given.anyOf?.find(({ type }) => type !== 'null') ?? given;
  const name = schema.$ref?.split('/').at(-1);
  const found = name === undefined ? schema : (components.schemas[name] ?? {});
  return found.items ? { ...found, items: withoutReferences(document, found.items) } : found;
}

/** The type of a value that is not null. */
export const typeOf = ({ type, properties }: Schema): string =>
  [type ?? (properties ? 'object' : 'string')].flat().find((one) => one !== 'null') ?? 'string';
