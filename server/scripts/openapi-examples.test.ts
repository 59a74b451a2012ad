import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { adminOpenApiDocument, openApiDocument } from './openapi.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes.
type Part = any;

interface Example {
  at: string;
  schema: Part;
  value: Part;
}

const documents = {
  merchants: JSON.parse(await openApiDocument()),
  staff: JSON.parse(await adminOpenApiDocument()),
};

/** All examples of an operation, with the schemas that they should match. */
function examplesOf(root: Part, { operationId, parameters = [], requestBody, responses }: Part) {
  const found: Example[] = [];
  const add = (at: string, schema: Part, value: Part) => {
    found.push({ at: `${operationId} ${at}`, schema, value });
  };
  for (const { name, schema, example } of parameters)
    if (example !== undefined) add(name, schema, example);
  for (const [type, { schema, example }] of Object.entries<Part>(requestBody?.content ?? {}))
    if (example !== undefined) add(`body ${type}`, schema, example);
  for (const [status, { content = {} }] of Object.entries<Part>(responses)) {
    for (const { schema, example, examples = {} } of Object.values<Part>(content)) {
      if (example !== undefined) add(status, schema, example);
      for (const [code, given] of Object.entries<Part>(examples)) {
        const { value } = given.$ref ? root.components.examples[code] : given;
        add(`${status} ${code}`, schema, value);
      }
    }
  }
  return found;
}

for (const [who, root] of Object.entries(documents)) {
  const operations: Part[] = Object.values<Part>(root.paths).flatMap((each) => Object.values(each));

  test(`shows ${who} an example of every request and every answer`, () => {
    const lacking: string[] = [];
    for (const { operationId, parameters = [], requestBody, responses } of operations) {
      const need = (at: string, content: Part) => {
        if (Object.values<Part>(content).every(({ example }) => example === undefined))
          lacking.push(`${operationId} ${at}`);
      };
      for (const parameter of parameters)
        if (parameter.in === 'path') need(parameter.name, { parameter });
      if (requestBody?.required) need('body', requestBody.content);
      for (const [status, { content }] of Object.entries<Part>(responses))
        if (content && status.startsWith('2')) need(status, content);
    }
    assert.deepEqual(lacking, []);
  });

  test(`shows ${who} only examples that the schemas allow`, () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: 'document', components: root.components });
    const absolute = (schema: Part) =>
      JSON.parse(JSON.stringify(schema).replaceAll('"#/components', '"document#/components'));
    for (const operation of operations) {
      for (const { at, schema, value } of examplesOf(root, operation)) {
        const check = ajv.compile(absolute(schema));
        assert.ok(check(value), `${at}: ${JSON.stringify(check.errors)}`);
      }
    }
  });

  test(`names in each error that ${who} see its own code and the id of the request`, () => {
    for (const operation of operations) {
      for (const { at, value } of examplesOf(root, operation)) {
        const [, status = '', code] = at.split(' ');
        if (!/^[45]/.test(status)) continue;
        assert.equal(value.error.code, code, at);
        assert.ok(value.error.requestId, at);
      }
    }
  });
}

test('shows the payment that the example request creates', () => {
  const { post } = documents.merchants.paths['/v1/payments'];
  const { example: asked } = post.requestBody.content['application/json'];
  const { example: made } = post.responses['200'].content['application/json'];
  assert.deepEqual(
    [made.status, made.failureCode, made.amount, made.operatorPhone, made.externalId],
    ['CREATED', null, String(asked.amount), asked.operatorPhone, asked.externalId],
  );
});
