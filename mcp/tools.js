/**
 * The operations of the API as tools of the Model Context Protocol, with the names and schemas of its OpenAPI document.
 *
 * @typedef {object} Tool
 * @property {string} name of the operation, such as `createPayment`
 * @property {string} description
 * @property {object} inputSchema JSON Schema: fields of the path, the query and the body side by side
 * @property {boolean} isRead whether it changes nothing
 * @property {string} method
 * @property {string} path
 * @property {{path: string[], query: string[], body: string[]}} fields
 * @property {boolean} takesKey
 * @property {boolean} requiresKey whether the agent must choose the key
 */

/** Operations whose POST changes nothing. */
const reads = new Set(['predictOperator']);

/** @returns {Tool[]} */
export function toolsOf(document) {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) =>
      toolOf(document, { path, method: method.toUpperCase(), operation }),
    ),
  );
}

function toolOf(document, { path, method, operation }) {
  const { operationId, summary, description, parameters = [], requestBody } = operation;
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
  const query = parameters.filter((parameter) => parameter.in === 'query');
  const body = bodyOf(document, requestBody);
  const key = parameters.find(({ name }) => name === 'Idempotency-Key');
  const takesKey = key !== undefined;
  const requiresKey = key?.required === true;
  const properties = {
    ...Object.fromEntries(inPath.map((name) => [name, { type: 'string' }])),
    ...Object.fromEntries(
      query.map(({ name, schema, description: about }) => [
        name,
        { ...expanded(document, schema), description: about },
      ]),
    ),
    ...Object.fromEntries(
      Object.entries(body.properties ?? {}).map(([name, schema]) => [
        name,
        expanded(document, schema),
      ]),
    ),
    ...(takesKey && {
      idempotencyKey: {
        type: 'string',
        description: `${requiresKey ? 'One for each debt: the same request under another key pays again. ' : ''}Repeat a call under the same key, and it takes effect once.`,
      },
    }),
  };
  const required = [
    ...inPath,
    ...query.filter((parameter) => parameter.required).map(({ name }) => name),
    ...(body.required ?? []),
    // For money that leaves the balance, no key is made up: a key that gets lost would pay again.
    ...(requiresKey ? ['idempotencyKey'] : []),
  ];
  return {
    name: operationId,
    description: [summary, description].filter(Boolean).join('. '),
    inputSchema: { type: 'object', properties, required, additionalProperties: false },
    isRead: method === 'GET' || reads.has(operationId),
    method,
    path,
    fields: {
      path: inPath,
      query: query.map(({ name }) => name),
      body: Object.keys(body.properties ?? {}),
    },
    takesKey,
    requiresKey,
  };
}

function bodyOf(document, requestBody) {
  const schema = requestBody?.content?.['application/json']?.schema ?? {};
  const present = schema.anyOf?.find(({ type }) => type !== 'null') ?? schema;
  return resolved(document, present);
}

const resolved = (document, schema) =>
  schema.$ref === undefined
    ? schema
    : document.components.schemas[schema.$ref.replace('#/components/schemas/', '')];

/** Agents see no components, so each reference is replaced by its schema. */
function expanded(document, schema) {
  if (Array.isArray(schema)) return schema.map((each) => expanded(document, each));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...rest } = schema;
  const target = $ref === undefined ? {} : expanded(document, resolved(document, { $ref }));
  const own = Object.entries(rest).map(([name, value]) => [name, expanded(document, value)]);
  return { ...target, ...Object.fromEntries(own) };
}
