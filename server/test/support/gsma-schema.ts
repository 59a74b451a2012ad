import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse } from 'yaml';

/** A request with its answer. */
export interface Exchanged {
  method: string;
  /** Below the base URL, with its query. */
  path: string;
  requestHeaders: Record<string, unknown>;
  requestBody?: unknown;
  status: number;
  /** Omit headers to skip checking them. */
  headers?: Headers;
  body?: unknown;
}

/** Checks traffic against the standard's own OpenAPI document; each function returns the problems in words. */
export interface Standard {
  problemsOf: (exchanged: Exchanged) => string[];
  problemsOfCallback: (callback: { body: unknown }) => string[];
}

// biome-ignore lint/suspicious/noExplicitAny: the document is what its authors wrote.
type Json = any;
type Problems = (what: string, pointer: string, value: unknown) => string[];

const name = 'gsma';
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;
const formats = {
  'date-time': (text: string) => instant.test(text),
  uri: (text: string) => URL.canParse(text),
  int32: true,
  int64: true,
} as const;

/** @param file the OpenAPI document, in YAML */
export function openStandard(file: string): Standard {
  const document: Json = parse(readFileSync(file, 'utf8'));
  const ajv = new Ajv({ strict: false, allErrors: true, formats, unicodeRegExp: false });
  ajv.addSchema(asJsonSchema(document), name, false, false);
  const validators = new Map<string, ValidateFunction>();
  const problems: Problems = (what, pointer, value) => {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `${name}#${pointer}` });
    validators.set(pointer, validate);
    if (validate(value)) return [];
    return [`${what}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`];
  };
  return {
    problemsOf: (exchanged) => problemsOf(document, problems, exchanged),
    problemsOfCallback({ body }) {
      const { errorCode, type } = body as { errorCode?: unknown; type?: unknown };
      const good = type === 'reversal' ? 'responseReversal' : 'responseTransaction';
      const schema = errorCode === undefined ? good : 'errorObject';
      return problems('callback', `/components/schemas/${schema}`, body);
    },
  };
}

function problemsOf(document: Json, problems: Problems, exchanged: Exchanged): string[] {
  const { method, requestBody, status, body } = exchanged;
  const [path = '', query] = exchanged.path.split('?');
  const line = `${method} ${path}`;
  const template = templateOf(document, path);
  const operation = template && document.paths[template][method.toLowerCase()];
  if (!operation) return [`${line}: the standard has no such operation`];
  const response = operation.responses[status];
  if (!response) return [`${line}: the standard has no answer ${status}`];
  const at = `/paths/${template.replaceAll('/', '~1')}/${method.toLowerCase()}`;
  const parameters = [document.paths[template], operation].flatMap((one) => one.parameters ?? []);
  const asked = operation.requestBody?.$ref.slice(1);
  const ofBody = (what: string, owner: string, value: unknown) =>
    problems(`${line} ${what}`, `${owner}/content/application~1json/schema`, value);
  return [
    ...parameters.flatMap(({ $ref }: { $ref: string }) => {
      const { in: place, name, schema } = document.components.parameters[$ref.split('/').at(-1)!];
      const given = place === 'header' ? exchanged.requestHeaders[name.toLowerCase()] : undefined;
      const value = place === 'query' ? new URLSearchParams(query).get(name) : given;
      return problemsOfText(problems, { what: `${line} ${name}`, $ref, schema, value });
    }),
    ...Object.entries<Json>(response.headers ?? {}).flatMap(([name, { $ref }]) => {
      if (!exchanged.headers) return [];
      const value = exchanged.headers.get(name);
      if (value === null) return [`${line} answer ${status} has no ${name}`];
      const { schema } = document.components.headers[$ref.split('/').at(-1)!];
      return problemsOfText(problems, { what: `${line} ${name}`, $ref, schema, value });
    }),
    ...(asked === undefined ? [] : ofBody('request', asked, requestBody)),
    ...ofBody(`answer ${status}`, `${at}/responses/${status}`, body),
  ];
}

/** A header or query parameter is text, whatever its type. */
function problemsOfText(
  problems: Problems,
  { what, $ref, schema, value }: { what: string; $ref: string; schema: Json; value: unknown },
): string[] {
  if (value === undefined || value === null) return [];
  const isNumber = schema.type === 'integer' && typeof value === 'string' && /^-?\d+$/.test(value);
  return problems(what, `${$ref.slice(1)}/schema`, isNumber ? Number(value) : value);
}

/** The document's path that matches, preferring paths with fewer parameters. */
function templateOf(document: Json, path: string): string | undefined {
  const segments = path.split('/');
  const fits = Object.keys(document.paths).filter((template) => {
    const dependencies = template.split('/');
    const fit = (part: string, index: number) => part.startsWith('{') || part === segments[index];
    return dependencies.length === segments.length && dependencies.every(fit);
  });
  return fits.sort((one, other) => one.split('{').length - other.split('{').length)[0];
}

/** Converts OpenAPI 3.0's exclusive minimum, which follows an old draft of JSON Schema. */
function asJsonSchema(value: Json): Json {
  if (Array.isArray(value)) return value.map(asJsonSchema);
  if (typeof value !== 'object' || value === null) return value;
  const { exclusiveMinimum, minimum, ...others } = value;
  const copy = exclusiveMinimum === true ? { ...others, exclusiveMinimum: minimum } : value;
  return Object.fromEntries(Object.entries(copy).map(([key, one]) => [key, asJsonSchema(one)]));
}
