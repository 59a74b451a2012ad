import { indent, type NamedTypes, namedTypes, type Schema } from './types.ts';

interface Content {
  content?: { 'application/json': { schema: Schema } };
}

interface Parameter {
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
 * The text of sdk/src/generated.ts. Types are named after operations: what `getPayment` answers is a `Payment`,
 * wherever it comes; what else `createPayment` takes and answers is `CreatePaymentBody`, `CreatePaymentAnswer`.
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
  nameResources(routes, types);
  const operations = routes.map((route) => operationType(route, types));
  return [
    '// Written by "npm run docs" from docs/openapi.json; the texts are in the schemas of the gateway.',
    types.declarations(),
    `/** What each operation takes and answers. */\nexport interface Operations {\n${indent(operations.join('\n'))}\n}\n`,
    `export const routes = {\n${indent(routes.map(routeEntry).join('\n'))}\n} as const;\n`,
    eventTypes(webhooks, types),
    errorCodes(components.schemas),
  ].join('\n');
}

function nameResources(routes: Route[], types: NamedTypes): void {
  for (const { operation } of routes) {
    const [, name] = /^get([A-Z]\w*)$/.exec(operation.operationId) ?? [];
    const [schema] = answersOf(operation);
    if (name === undefined || !schema) continue;
    nameEnums(name, schema, types);
    types.declare(name, schema);
  }
}

/** A status or type is called after its resource; what else has fixed values is the same in all of them. */
function nameEnums(resource: string, { properties = {} }: Schema, types: NamedTypes): void {
  for (const [property, schema] of Object.entries(properties)) {
    const prefix = ['status', 'type'].includes(property) ? resource : '';
    if (schema.enum) types.declare(`${prefix}${pascalOf(property)}`, schema);
  }
}

const pascalOf = (name: string) => name.replace(/^./, (letter) => letter.toUpperCase());

/** What the operation answers when it went well; undefined stands for an answer without a body. */
const answersOf = ({ responses }: Operation) =>
  Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, response]) => (status === '204' ? undefined : schemaOf(response)));

const schemaOf = ({ content }: Content) => content?.['application/json'].schema;

function operationType({ path, operation }: Route, types: NamedTypes): string {
  const pascal = pascalOf(operation.operationId);
  const named = (schema: Schema, suffix: string) => {
    types.declare(`${pascal}${suffix}`, schema);
    return types.typeOf(schema);
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

/** The API writes its query parameters customer_id; a client of JavaScript writes customerId everywhere. */
function querySchema(parameters: Parameter[]): Schema {
  const properties = parameters.map(({ name, schema, description }) => [
    name.replaceAll(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase()),
    { ...schema, ...(description !== undefined && { description }) },
  ]);
  return { type: 'object', properties: Object.fromEntries(properties) };
}

function routeEntry({ method, path, operation }: Route): string {
  const takesKey = (operation.parameters ?? []).some(({ name }) => name === 'idempotency-key');
  return `${operation.operationId}: { method: '${method}', path: '${path}', takesKey: ${takesKey} },`;
}

function eventTypes(webhooks: OpenApiDocument['webhooks'], types: NamedTypes): string {
  const data = Object.entries(webhooks).map(([type, { post }]) => {
    const schema = schemaOf(post.requestBody)?.properties?.data;
    return `'${type}': ${types.typeOf(schema ?? {})};`;
  });
  return `/** What the events of each type carry. */\nexport interface EventData {\n${indent(data.join('\n'))}\n}\n`;
}

function errorCodes(schemas: Record<string, Schema>): string {
  const codes = schemas.Error?.properties?.error?.properties?.code?.enum ?? [];
  const lines = codes.map((code) => `  '${code}',`);
  return `export const gatewayErrorCodes = [\n${lines.join('\n')}\n] as const;\n`;
}
