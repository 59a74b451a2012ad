import { readFileSync } from 'node:fs';
import Ajv from 'ajv-draft-04';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';
import type { Exchanged, SentCallback } from './provider.ts';

interface Reference {
  $ref: string;
}
interface Parameter {
  name: string;
  in: string;
}
interface Operation {
  parameters?: Reference[];
  requestBody?: Reference;
  responses: Record<string, { content?: { 'application/json': { schema: Reference } } }>;
}
type PathItem = Record<string, Operation> & { parameters?: Reference[] };
interface Document {
  paths: Record<string, PathItem>;
  // biome-ignore lint/suspicious/noExplicitAny: reached by references.
  components: any;
}

/** The GSMA Mobile Money API in the words of its own OpenAPI document. */
export interface Standard {
  /** Everything in a request and its answer that the standard does not allow. */
  problemsOf: (exchange: Exchanged) => string[];
  problemsOfCallback: (callback: SentCallback) => string[];
}

const callbackSchemas = ['responseTransaction', 'responseReversal', 'errorObject'];

/** @param file the OpenAPI document, in YAML */
export function openStandard(file: string): Standard {
  const document = parse(readFileSync(file, 'utf8')) as Document;
  // OpenAPI 3.0 writes exclusiveMinimum as draft 4 of JSON Schema does.
  const ajv = new Ajv.default({
    strict: false,
    allErrors: true,
    logger: false,
    unicodeRegExp: false,
  });
  addFormats.default(ajv);
  ajv.addSchema(document, 'gsma');
  const problems = (reference: string, value: unknown, what: string): string[] => {
    const validate = ajv.getSchema(`gsma${reference}`);
    if (!validate) throw new Error(`the standard has no ${reference}`);
    if (validate(value)) return [];
    return [`${what}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`];
  };
  const resolve = (reference: string) =>
    reference
      .slice(2)
      .split('/')
      // biome-ignore lint/suspicious/noExplicitAny: reached by references.
      .reduce<any>((value, name) => value[name], document);

  const problemsOf = (exchange: Exchanged): string[] => {
    const { method, path, requestHeaders, requestBody, status, body } = exchange;
    const what = `${method} ${path}`;
    const item = itemOf(document, path);
    const operation = item?.[method.toLowerCase()];
    if (!item || !operation) return [`${what}: the standard has no such operation`];
    const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])];
    const known = new Map(
      parameters.map(({ $ref }) => [(resolve($ref) as Parameter).name.toLowerCase(), $ref]),
    );
    const headers = Object.entries(requestHeaders).filter(([name]) => name.startsWith('x-'));
    const ofHeaders = headers.flatMap(([name, value]) => {
      const reference = known.get(name);
      if (!reference) return [`${what}: no header ${name}`];
      return problems(`${reference}/schema`, value, `${what}: ${name}`);
    });
    const bodyReference =
      operation.requestBody &&
      (resolve(operation.requestBody.$ref).content['application/json'].schema as Reference).$ref;
    const ofBody = bodyReference ? problems(bodyReference, requestBody, what) : [];
    const response = operation.responses[String(status)];
    if (!response) return [...ofHeaders, ...ofBody, `${what}: no status ${status}`];
    const schema = response.content?.['application/json'].schema.$ref;
    return [
      ...ofHeaders,
      ...ofBody,
      ...(schema ? problems(schema, body, `${what} ${status}`) : []),
    ];
  };
  return {
    problemsOf,
    problemsOfCallback({ body, status }) {
      const tries = callbackSchemas.map((name) =>
        problems(`#/components/schemas/${name}`, body, 'callback'),
      );
      const ofBody = tries.some((found) => found.length === 0) ? [] : tries.flat();
      // One that is on its way when the test ends has no answer.
      return [204, 0, -1].includes(status) ? ofBody : [...ofBody, `callback: answered ${status}`];
    },
  };
}

function itemOf(document: Document, path: string): PathItem | undefined {
  const literal = (text: string) => text.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
  const found = Object.entries(document.paths).find(([template]) =>
    new RegExp(`^${literal(template).replace(/\{[^}]+\}/g, '[^/]+')}$`).test(path),
  );
  return found?.[1];
}
