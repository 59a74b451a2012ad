import type { FastifySchema, RouteOptions } from 'fastify';
import type { ErrorCode } from '../errors/errors.ts';
import { version } from '../process/version.ts';
import { type ErrorStatus, statusOf } from './errors.ts';
import { Components } from './openapi-components.ts';
import {
  describeParameter,
  type Parameter,
  sampleOf,
  withFieldDescriptions,
} from './openapi-descriptions.ts';
import { documentOf } from './openapi-document.ts';
import { errorSchema } from './openapi-error.ts';
import { answerHeaders, headersOf } from './openapi-headers.ts';
import type { SampleVariables } from './openapi-samples.ts';
import { emptyBody } from './route-rules.ts';
import type { HttpScope } from './server.ts';
import { once } from './static-response.ts';

export interface OpenApiOptions {
  publicUrl: string;
  /** The routes that it documents; by default those under `/v1`. */
  prefix?: string;
  title?: string;
  description?: string;
  /** The description of its API keys. */
  key?: string;
  /** The tags in the order in which they are shown. */
  tags?: { name: string; description: string }[];
  /** Path items of OpenAPI 3.1 by event type: the webhooks that clients receive. */
  webhooks?: Record<string, object>;
  /** Schemas with more detail than those of the routes, by title. */
  schemas?: Record<string, object>;
  /** Rules that a route checks by itself, as keywords to add to the schema of this title. */
  rules?: Record<string, object>;
  /** The file with recorded requests and answers of its operations. */
  recorded?: URL;
  /** The variables of the code that sends an operation's recorded request. Without them, none is shown. */
  samples?: SampleVariables;
}

/** For an operation without a recording. */
const exampleOf: Record<ErrorCode, string> = {
  VALIDATION_ERROR: 'amount must be between 1 and 100000000',
  UNAUTHORIZED: 'This API key is unknown or was revoked.',
  FORBIDDEN: 'This API key lacks the permission payments:write.',
  ADDRESS_NOT_ALLOWED: 'This API key may not be used from this address.',
  KEY_LIMIT_EXCEEDED: 'This API key may make payments of at most 50000.',
  NOT_FOUND: 'No such payment.',
  INVALID_STATE: 'The payment is SETTLED and can no longer be cancelled.',
  REFUND_EXCEEDS_PAYMENT: 'The refund is larger than what is left of the payment.',
  INSUFFICIENT_BALANCE:
    '9800 centavos (CVE) are available, and this disbursement needs 10100, of which 100 are the fee.',
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was used before with another request body.',
  LIMIT_REACHED: 'You have 100 webhook endpoints; no more are allowed.',
  RATE_LIMITED: 'Too many requests. Try again in 1 s.',
  UNAVAILABLE: 'The service is not available at the moment.',
  INTERNAL_ERROR: 'Something went wrong on our side.',
};

const descriptionOf: Record<ErrorStatus, string> = {
  400: 'The request is invalid. The message names the field.',
  401: 'The API key is missing or invalid.',
  403: 'The API key lacks the permission, exceeds its limit, or must not be used from this address.',
  404: 'The resource does not exist.',
  409: 'The request conflicts with the state of the resource.',
  429: 'Too many requests; Retry-After says when to try again.',
  500: 'An error in the gateway; the answer contains only the request id. Or, with UNAVAILABLE, it cannot write at the moment; Retry-After says when to try again.',
};

const codesKey = 'x-error-codes';
const keyHeader = 'Idempotency-Key';

const isOf = (prefix: string, url: string) => url.startsWith(`${prefix}/`);

const description = `Zimbo takes mobile-money payments in Cape Verde and Angola. This is version 1 of its API; the gateway that shows it runs Zimbo ${version}.

**Begin.** You need a key: \`sk_test_…\` moves no money and needs no operator; \`sk_live_…\` moves real money. Send it with each request as \`Authorization: Bearer sk_test_…\`; enter it here under *Authentication*, and *Test Request* uses it. The code samples read the gateway's address and the key from the environment: \`ZIMBO_URL\` and \`ZIMBO_API_KEY\`. \`POST /v1/payments\` then asks the customer for a PIN on the phone: with a test key, the simulator answers for \`+2389912345\` and operator \`MOCK\`.

**Learn what happened.** A payment begins as \`CREATED\` and changes while the customer decides. Make a [webhook](#tag/webhooks) and Zimbo tells you of each change, signed; or ask with \`GET /v1/payments/{id}\`. To let Zimbo show the page on which the customer pays, make a [checkout session](#tag/checkout).

**Amounts** are integers in centavos: 10000 is 100.00 CVE. **Times** are in UTC. **Repeating** a request is safe with the header \`Idempotency-Key\`. **Errors** have one form, \`{"error": {"code", "message"}}\`; programs go by the code.

Texts in requests must not contain the NUL character or half of a surrogate pair, and a double must be able to represent each number exactly.`;

/**
 * Returns a function that makes the OpenAPI 3.1 document of `/v1`, or of another API, from the routes
 * registered afterwards.
 */
export function observeOpenApi(app: HttpScope, options: OpenApiOptions): () => Promise<object> {
  const { prefix = '/v1' } = options;
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    if (isOf(prefix, route.url) && route.method !== 'HEAD') routes.push(route);
  });
  const make = documentOf(routes, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: options.title ?? 'Zimbo',
        version: '1.0.0',
        description: options.description ?? description,
        license: { name: 'Apache 2.0', identifier: 'Apache-2.0' },
        contact: { name: 'The operator of this gateway', url: options.publicUrl },
      },
      servers: [{ url: options.publicUrl }],
      tags: options.tags ?? [],
      components: {
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: options.key ?? 'An API key: sk_live_… or sk_test_…',
          },
        },
      },
      ...(options.webhooks !== undefined && { webhooks: options.webhooks }),
    },
    // The path of a public URL must stay in front of the paths of the routes.
    stripBasePath: false,
    transform: ({ schema, url, route }) => ({
      schema: describe(schema, url, route),
      url,
    }),
    transformObject: (document) => {
      const { openapiObject } = document as { openapiObject: OpenApiDocument };
      for (const path of Object.values(openapiObject.paths)) {
        for (const operation of Object.values(path)) finish(operation);
      }
      return withComponents(openapiObject, options) as never;
    },
  });
  const { recorded, samples } = options;
  if (recorded === undefined) return make;
  return once(async () => {
    const { readExamples, withExamples } = await import('./openapi-examples.ts');
    return withExamples((await make()) as OpenApiDocument, await readExamples(recorded), samples);
  });
}

type BodySchema = {
  anyOf?: { type?: string }[];
  required?: string[];
  properties?: Record<string, { default?: unknown }>;
};

interface Operation {
  description?: string;
  /** Also in the description: readers do not see extensions. */
  'x-permission'?: string;
  parameters?: (Parameter & {
    required?: boolean;
    schema?: { type?: unknown; default?: unknown };
  })[];
  requestBody?: {
    required?: boolean;
    content: {
      'application/json'?: { schema: BodySchema; example?: object };
    };
  };
  responses: Record<string, { description?: string; content?: object; headers?: object }>;
  [codesKey]?: ErrorCode[];
}

interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: object;
  components: object;
}

/** Moves the objects, enums and headers of the document to named components. */
function withComponents(
  document: OpenApiDocument,
  { schemas: more = {}, rules = {} }: Pick<OpenApiOptions, 'schemas' | 'rules'>,
): OpenApiDocument {
  const components = new Components();
  const paths = components.refer(document.paths) as OpenApiDocument['paths'];
  const webhooks = components.refer(document.webhooks) as object | undefined;
  components.refer(errorSchema);
  const schemas = { ...components.schemas, ...more };
  return {
    ...document,
    components: {
      ...document.components,
      headers: answerHeaders,
      schemas: Object.fromEntries(
        Object.entries(schemas)
          .sort(([one], [other]) => (one < other ? -1 : 1))
          .map(([name, schema]) => [
            name,
            { ...withFieldDescriptions(schema as Record<string, unknown>), ...rules[name] },
          ]),
      ),
    },
    paths,
    ...(webhooks !== undefined && { webhooks }),
  };
}

/** Only routes of `/v1` are documented: these are the routes that name a permission. */
function describe(schema: FastifySchema | undefined, url: string, route: RouteOptions) {
  const permission = route.config?.permission;
  if (permission === undefined) return { hide: true };
  const { body, ...rest } = schema ?? {};
  const hasBody = body !== undefined && body !== emptyBody;
  const codes: ErrorCode[] = [
    // A request that needs no body can still have an invalid one.
    'VALIDATION_ERROR',
    'UNAUTHORIZED',
    'FORBIDDEN',
    'ADDRESS_NOT_ALLOWED',
    ...(url.includes(':') ? (['NOT_FOUND'] as const) : []),
    'RATE_LIMITED',
    'UNAVAILABLE',
    'INTERNAL_ERROR',
    ...(route.config?.errors ?? []),
  ];
  return {
    ...rest,
    ...(hasBody && { body }),
    security: [{ apiKey: [] }],
    'x-permission': permission,
    [codesKey]: codes,
  };
}

function finish(operation: Operation): void {
  const permission = `Requires the permission \`${operation['x-permission']}\`.`;
  operation.description = [operation.description, permission].filter(Boolean).join(' ');
  for (const parameter of operation.parameters ?? []) {
    // A value with a default is always present for a handler, but clients may omit it.
    if (parameter.schema?.default !== undefined) parameter.required = false;
    if (parameter.name === keyHeader.toLowerCase()) parameter.name = keyHeader;
    describeParameter(parameter);
    nameStyle(parameter);
  }
  const body = operation.requestBody;
  const json = body?.content['application/json'];
  const alternatives = json?.schema.anyOf ?? [];
  if (json) json.schema = withoutDefaultsRequired(json.schema);
  const sample = sampleOf(json?.schema);
  if (json && sample) json.example = sample;
  if (body && alternatives.some(({ type }) => type === 'null')) body.required = false;
  for (const response of Object.values(operation.responses)) {
    if (response.description === 'Default Response') response.description = 'Success.';
  }
  addErrors(operation);
  const takesKey = operation.parameters?.some(({ name }) => name === keyHeader) ?? false;
  for (const [status, response] of Object.entries(operation.responses)) {
    response.headers = headersOf(status, takesKey);
  }
}

/** Several values of a filter are separated by commas; the keys of an object stand in brackets. */
function nameStyle(parameter: NonNullable<Operation['parameters']>[number]): void {
  const { type } = parameter.schema ?? {};
  if (type === 'array') {
    const description = parameter.description?.replace(/\.$/, ', or one of several.');
    Object.assign(parameter, { description, style: 'form', explode: false });
  }
  if (type === 'object') Object.assign(parameter, { style: 'deepObject', explode: true });
}

/** In the same order: a component must not differ from its other uses. */
function withoutDefaultsRequired(schema: BodySchema): BodySchema {
  const { required = [], properties = {} } = schema;
  const left = required.filter((name) => properties[name]?.default === undefined);
  return { ...schema, ...(left.length < required.length && { required: left }) };
}

function addErrors(operation: Operation): void {
  const codes = operation[codesKey];
  if (codes === undefined) return;
  delete operation[codesKey];
  for (const [status, ofStatus] of Object.entries(
    Object.groupBy(codes, (code) => statusOf[code]),
  )) {
    operation.responses[status] = {
      description: descriptionOf[Number(status) as ErrorStatus],
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/Error' },
          examples: Object.fromEntries(
            ofStatus.map((code) => [
              code,
              { value: { error: { message: exampleOf[code], code } } },
            ]),
          ),
        },
      },
    };
  }
}
