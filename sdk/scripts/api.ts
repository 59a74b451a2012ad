import { indent, type NamedTypes, namedTypes, type Schema } from './types.ts';

interface Content {
  content?: Record<string, { schema: Schema }>;
}

interface Parameter {
  required?: boolean;
  in: string;
  name: string;
  description?: string;
  schema: Schema;
}

interface Operation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

export interface OpenApiDocument {
  components: { schemas: Record<string, Schema> };
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: { requestBody: Content } }>;
}

interface Route {
  method: string;
  path: string;
  operation: Operation;
}

/**
 * Returns the text of sdk/typescript/src/generated.ts. Types have the names of the document's schemas; the
 * query of `listPayments` is a `ListPaymentsQuery`.
 */
export function generatedModule(document: OpenApiDocument): string {
  const { paths, components, webhooks } = document;
  const routes = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation,
    })),
  );
  const types = namedTypes(components.schemas);
  for (const [name, schema] of Object.entries(components.schemas)) {
    // The SDK has its own errors.
    if (!name.startsWith('Error')) types.declare(name, schema);
  }
  const operations = routes.map((route) => operationType(route, types));
  return [
    '// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.',
    types.declarations(),
    `/** What each operation takes and answers. */\nexport interface Operations {\n${indent(operations.join('\n'))}\n}\n`,
    `export const routes = {\n${indent(routes.map(routeEntry).join('\n'))}\n} as const;\n`,
    eventTypes(webhooks, components.schemas, types),
    errorCodes(components.schemas),
  ].join('\n');
}

const nameOf = (schema: Schema | undefined) => schema?.$ref?.split('/').at(-1) ?? '';

const pascalOf = (name: string) => name.replace(/^./, (letter) => letter.toUpperCase());

/** The type of the successful answer; undefined stands for an answer without a body. */
const answersOf = ({ responses }: Operation) =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, response]) => (status === '204' ? undefined : schemaOf(response)));

const schemaOf = ({ content }: Content) =>
  (content?.['application/json'] ?? content?.['text/csv'])?.schema;

function operationType({ path, operation }: Route, types: NamedTypes): string {
  const pascal = pascalOf(operation.operationId);
  const named = (schema: Schema, suffix: string) => {
    if (schema.properties === undefined) return types.typeOf(schema);
    types.declare(`${pascal}${suffix}`, schema);
    return `${pascal}${suffix}`;
  };
  const pathNames = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`);
  const query = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const body = operation.requestBody && schemaOf(operation.requestBody);
  const answers = answersOf(operation).map((schema) =>
    schema ? named(schema, 'Answer') : 'undefined',
  );
  const parts = [
    ...(pathNames.length > 0 ? [`path: { ${pathNames.join('; ')} }`] : []),
    ...(query.length > 0 ? [`query: ${named(querySchema(query), 'Query')}`] : []),
    ...(body ? [`body: ${named(body, 'Body')}`] : []),
    `answer: ${answers.join(' | ')}`,
  ];
  return `${operation.operationId}: { ${parts.join('; ')} };`;
}

/** The API names its query parameters customer_id; a JavaScript client writes customerId everywhere. */
function querySchema(parameters: Parameter[]): Schema {
  const properties = parameters.map(({ name, schema, description }) => [
    name.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase()),
    { ...oneOrSeveral(schema), ...(description !== undefined && { description }) },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

/** A filter takes one value or an array. */
function oneOrSeveral(schema: Schema): Schema {
  if (schema.type !== 'array' || schema.items === undefined) return schema;
  return { anyOf: [schema.items, { ...schema, isReadonly: true }] };
}

function routeEntry({ method, path, operation }: Route): string {
  const key = (operation.parameters ?? []).find(({ name }) => name === 'Idempotency-Key');
  const takesKey = key === undefined ? 'false' : key.required ? `'ALWAYS'` : 'true';
  return `${operation.operationId}: { method: '${method}', path: '${path}', takesKey: ${takesKey} },`;
}

function eventTypes(
  webhooks: OpenApiDocument['webhooks'],
  schemas: Record<string, Schema>,
  types: NamedTypes,
): string {
  const data = Object.entries(webhooks).map(([type, { post }]) => {
    const event = schemas[nameOf(schemaOf(post.requestBody))];
    const schema = event?.properties?.data;
    return `'${type}': ${types.typeOf(schema ?? {})};`;
  });
  return `/** What the events of each type carry. */\nexport interface EventData {\n${indent(data.join('\n'))}\n}\n`;
}

function errorCodes(schemas: Record<string, Schema>): string {
  const codes = schemas.ErrorCode?.enum ?? [];
  const lines = codes.map((code) => `  '${code}',`);
  return `export const gatewayErrorCodes = [\n${lines.join('\n')}\n] as const;\n`;
}
