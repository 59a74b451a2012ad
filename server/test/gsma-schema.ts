import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import { parse } from 'yaml';

/** A request with its answer, or a callback with what it was answered. */
export interface Exchanged {
  method: string;
  /** Below the base URL. */
  path: string;
  requestHeaders: Record<string, unknown>;
  requestBody?: unknown;
  status: number;
  body?: unknown;
}

/** Holds what goes over the line against the standard's own OpenAPI file; each gives what is wrong, in words. */
export interface GsmaStandard {
  wrongExchange(exchanged: Exchanged): string[];
  wrongCallback(kind: 'merchantpay' | 'reversal', body: unknown): string[];
}

/** Why the checks are skipped, or false. */
export const skipsStandard = process.env.GSMA_OPENAPI
  ? false
  : 'GSMA_OPENAPI does not name the OpenAPI file of the GSMA Mobile Money API 1.2 for merchant payments';

// biome-ignore lint/suspicious/noExplicitAny: the document is what its authors wrote.
type Json = any;

const name = 'gsma';
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

export function gsmaStandard(): GsmaStandard {
  const document: Json = parse(readFileSync(process.env.GSMA_OPENAPI!, 'utf8'));
  const formats = {
    'date-time': (text: string) => instant.test(text),
    uri: (text: string) => URL.canParse(text),
    int32: true,
    int64: true,
  } as const;
  const ajv = new Ajv({ strict: false, allErrors: true, formats, validateSchema: false });
  ajv.addSchema(asJsonSchema(document), name);
  const validators = new Map<string, ValidateFunction>();
  const wrong = (what: string, pointer: string, value: unknown): string[] => {
    const validate = validators.get(pointer) ?? ajv.compile({ $ref: `${name}#${pointer}` });
    validators.set(pointer, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message }) => `${what}: ${instancePath} ${message}`,
    );
  };
  return {
    wrongExchange: (exchanged) => wrongExchange(document, wrong, exchanged),
    wrongCallback(kind, body) {
      const isError = typeof body === 'object' && body !== null && 'errorCode' in body;
      const good = kind === 'merchantpay' ? 'responseTransaction' : 'responseReversal';
      const schema = isError ? 'errorObject' : good;
      return wrong(`callback of a ${kind}`, `/components/schemas/${schema}`, body);
    },
  };
}

type Wrong = (what: string, pointer: string, value: unknown) => string[];

function wrongExchange(document: Json, wrong: Wrong, exchanged: Exchanged): string[] {
  const { method, path, requestHeaders, requestBody, status, body } = exchanged;
  const line = `${method} ${path}`;
  const template = templateOf(document, path);
  const operation = template && document.paths[template][method.toLowerCase()];
  if (!operation) return [`${line}: the standard has no such operation`];
  const at = `/paths/${template.replaceAll('/', '~1')}/${method.toLowerCase()}`;
  const parameters = [...(document.paths[template].parameters ?? []), ...operation.parameters];
  const response = operation.responses[status];
  if (!response) return [`${line}: the standard has no answer ${status}`];
  const asked = operation.requestBody?.$ref as string | undefined;
  const wrongBody = (what: string, owner: string, value: unknown) =>
    wrong(`${line} ${what}`, `${owner}/content/application~1json/schema`, value);
  return [
    ...parameters.flatMap(({ $ref }: { $ref: string }) => {
      const pointer = $ref.slice(1);
      const found = document.components.parameters[pointer.split('/').at(-1)!];
      const value = found.in === 'header' ? requestHeaders[found.name.toLowerCase()] : undefined;
      return value === undefined
        ? []
        : wrong(`${line} ${found.name}`, `${pointer}/schema`, String(value));
    }),
    ...(asked === undefined ? [] : wrongBody('request', asked.slice(1), requestBody)),
    ...(response.content ? wrongBody(`answer ${status}`, `${at}/responses/${status}`, body) : []),
  ];
}

/** The path of the document that fits, one with fewer names in it first. */
function templateOf(document: Json, path: string): string | undefined {
  const segments = path.split('?')[0]!.split('/');
  const fits = Object.keys(document.paths).filter((template) => {
    const parts = template.split('/');
    return (
      parts.length === segments.length &&
      parts.every((part, index) => part.startsWith('{') || part === segments[index])
    );
  });
  return fits.sort((one, other) => one.split('{').length - other.split('{').length)[0];
}

/** OpenAPI 3.0 writes an exclusive minimum as JSON Schema did before its sixth draft. */
function asJsonSchema(value: Json): Json {
  if (Array.isArray(value)) return value.map(asJsonSchema);
  if (typeof value !== 'object' || value === null) return value;
  const copy = Object.fromEntries(
    Object.entries(value).map(([key, child]) => [key, asJsonSchema(child)]),
  );
  if (copy.exclusiveMinimum === true) {
    copy.exclusiveMinimum = copy.minimum;
    delete copy.minimum;
  }
  return copy;
}
