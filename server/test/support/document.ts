/** The OpenAPI document, to check requests and answers against. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { openApiDocument } from '../../scripts/openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: JSON schemas of all shapes.
export type Schema = any;

export interface Parameter {
  name: string;
  in: 'query' | 'path' | 'header';
  required?: boolean;
  schema: Schema;
}

export interface Operation {
  id: string;
  method: string;
  path: string;
  parameters: Parameter[];
  /** Undefined if the operation takes no body. */
  body: Schema;
  bodyIsRequired: boolean;
  responses: Record<string, { content?: Schema; headers?: Record<string, unknown> }>;
}

export interface Document {
  operations: Operation[];
  /** Whether a value conforms to a schema of the document. */
  check(schema: Schema): ValidateFunction;
  /** Values that a schema allows. */
  allowed(schema: Schema): fc.Arbitrary<unknown>;
}

const dateTime =
  /^\d{4}-(\d\d)-(\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d+)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/;

function isDateTime(text: string): boolean {
  const day = text.slice(0, 10);
  const ms = dateTime.test(text) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(day);
}

export async function readDocument(): Promise<Document> {
  const root = JSON.parse(await openApiDocument());
  const ajv = new Ajv2020({ strict: false, validateFormats: true });
  ajv.addFormat('date-time', isDateTime);
  ajv.addFormat('iri', (text: string) => URL.canParse(text));
  ajv.addFormat('phone', (text: string) => /^\+[1-9]\d{7,14}$/.test(text));
  ajv.addSchema({ $id: 'document', components: root.components });
  const absolute = (schema: Schema) =>
    JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'));
  const checks = new Map<string, ValidateFunction>();
  return {
    operations: Object.entries<Schema>(root.paths).flatMap(([path, operations]) =>
      Object.entries<Schema>(operations).map(([method, operation]) => ({
        id: operation.operationId,
        method: method.toUpperCase(),
        path,
        parameters: operation.parameters ?? [],
        body: operation.requestBody?.content['application/json'].schema,
        bodyIsRequired: operation.requestBody?.required ?? false,
        responses: operation.responses,
      })),
    ),
    check(schema) {
      const key = JSON.stringify(schema);
      const check = checks.get(key) ?? ajv.compile(absolute(schema));
      checks.set(key, check);
      return check;
    },
    allowed: (schema) => arbitraryOf(schema, root.components.schemas),
  };
}

const text = (schema: Schema) =>
  fc
    .string({
      unit: 'binary',
      minLength: schema.minLength ?? 0,
      maxLength: schema.maxLength ?? 300,
    })
    // What the document requires of every text.
    .filter((value) => !value.includes('\0'));

function stringOf(schema: Schema): fc.Arbitrary<string> {
  if (schema.format === 'iri') return fc.webUrl({ validSchemes: ['https', 'http'] });
  if (schema.format === 'date-time') {
    return fc
      .date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true })
      .map((date) => date.toISOString());
  }
  if (schema.pattern === undefined) return text(schema);
  const matching = fc.stringMatching(new RegExp(schema.pattern));
  return matching.filter((value) => Array.from(value).length <= (schema.maxLength ?? 1_000));
}

const valuesOf = ({ additionalProperties: values }: Schema, schemas: Record<string, Schema>) =>
  typeof values === 'object' ? arbitraryOf(values, schemas) : fc.jsonValue();

function objectOf(schema: Schema, schemas: Record<string, Schema>): fc.Arbitrary<unknown> {
  if (schema.properties === undefined) {
    return fc
      .dictionary(fc.string(), valuesOf(schema, schemas), { maxKeys: schema.maxProperties ?? 5 })
      .filter((value) => !JSON.stringify(value).includes('__proto__'));
  }
  const properties = Object.entries(schema.properties).map(([name, property]) => [
    name,
    arbitraryOf(property, schemas),
  ]);
  return fc.record(Object.fromEntries(properties), { requiredKeys: schema.required ?? [] });
}

function arbitraryOf(schema: Schema, schemas: Record<string, Schema>): fc.Arbitrary<unknown> {
  if (schema.$ref) return arbitraryOf(schemas[schema.$ref.split('/').at(-1)], schemas);
  if (schema.anyOf) {
    return fc.oneof(...schema.anyOf.map((one: Schema) => arbitraryOf(one, schemas)));
  }
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const ofType = (type: string): fc.Arbitrary<unknown> => {
    switch (type) {
      case 'null':
        return fc.constant(null);
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return fc.integer({ min: schema.minimum, max: Math.min(schema.maximum, 2 ** 31 - 1) });
      case 'string':
        return stringOf(schema);
      case 'array': {
        const { minItems: minLength = 0, items } = schema;
        return fc.array(arbitraryOf(items, schemas), { minLength, maxLength: minLength + 3 });
      }
      case 'object':
        return objectOf(schema, schemas);
      default:
        throw new Error(`no arbitrary for this schema: ${JSON.stringify(schema)}`);
    }
  };
  return fc.oneof(...[schema.type].flat().map(ofType));
}
