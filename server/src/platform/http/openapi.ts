import swagger from '@fastify/swagger';
import type { FastifySchema, RouteOptions } from 'fastify';
import type { TSchema } from 'typebox';
import type { ErrorCode } from '../errors.ts';
import { type ErrorStatus, statusOf } from './errors.ts';
import { emptyBody } from './route-rules.ts';
import type { HttpScope } from './server.ts';

export interface OpenApiOptions {
  publicUrl: string;
  /** The tags in the order in which they are shown. */
  tags?: { name: string; description: string }[];
  /** Path items of OpenAPI 3.1 by event type: what is sent to the clients' own servers. */
  webhooks?: Record<string, object>;
}

const exampleOf: Record<ErrorCode, string> = {
  VALIDATION_ERROR: 'amount must be between 1 and 100000000',
  UNAUTHORIZED: 'This API key is unknown or was revoked.',
  FORBIDDEN: 'This API key lacks the permission payments:write.',
  ADDRESS_NOT_ALLOWED: 'This API key may not be used from this address.',
  KEY_LIMIT_EXCEEDED: 'This API key may make payments of at most 50000.',
  NOT_FOUND: 'No such payment.',
  INVALID_STATE: 'The payment is SETTLED and can no longer be cancelled.',
  REFUND_EXCEEDS_PAYMENT: 'The refund is larger than what is left of the payment.',
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was used before with another request body.',
  RATE_LIMITED: 'Too many requests. Try again in 1 s.',
  INTERNAL_ERROR: 'Something went wrong on our side.',
};

const descriptionOf: Record<ErrorStatus, string> = {
  400: 'The request is not valid; the message names the field.',
  401: 'The API key is missing or not valid.',
  403: 'The API key lacks the permission, or may not do this much or from here.',
  404: 'There is no such resource.',
  409: 'The request conflicts with the state of the resource.',
  429: 'Too many requests; Retry-After says when to try again.',
  500: 'An error of the gateway; nothing is told but its request id.',
};

const errorSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['message', 'code'],
      properties: {
        message: { type: 'string', description: 'For people.' },
        code: { type: 'string', description: 'For programs.', enum: Object.keys(statusOf) },
      },
    },
  },
};

const codesKey = 'x-error-codes';

/** Serves the OpenAPI 3.1 document of `/v1` at `/openapi.json`. */
export function registerOpenApi(app: HttpScope, options: OpenApiOptions): void {
  app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Zimbo',
        version: '1.0.0',
        description: 'A mobile-money payment gateway for Cape Verde and Angola.',
      },
      servers: [{ url: options.publicUrl }],
      tags: options.tags ?? [],
      components: {
        schemas: { Error: errorSchema as object },
        securitySchemes: {
          apiKey: {
            type: 'http',
            scheme: 'bearer',
            description: 'An API key: sk_live_… or sk_test_…',
          },
        },
      },
      ...(options.webhooks !== undefined && { webhooks: options.webhooks }),
    },
    // A public URL with a path must not be cut off from the paths of the routes.
    stripBasePath: false,
    transform: ({ schema, url, route }) => ({ schema: describe(schema, url, route), url }),
    transformObject: (document) => {
      const { openapiObject } = document as { openapiObject: OpenApiDocument };
      for (const path of Object.values(openapiObject.paths)) {
        for (const operation of Object.values(path)) finish(operation);
      }
      return openapiObject as never;
    },
  });
  app.register((scope: HttpScope, _options, done) => {
    scope.get('/openapi.json', { schema: { hide: true } }, () => app.swagger());
    done();
  });
}

interface Operation {
  parameters?: { required?: boolean; schema?: { default?: unknown } }[];
  responses: Record<string, { description?: string; content?: object }>;
  [codesKey]?: ErrorCode[];
}

interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
}

/** Only routes of `/v1` are documented: they are those that name a permission. */
function describe(schema: FastifySchema | undefined, url: string, route: RouteOptions) {
  const permission = route.config?.permission;
  if (permission === undefined || route.method === 'HEAD') return { hide: true };
  const { body, ...rest } = schema ?? {};
  const hasBody = body !== undefined && body !== emptyBody;
  const input = hasBody || hasProperties(schema?.querystring) || schema?.headers;
  const codes: ErrorCode[] = [
    ...(input ? (['VALIDATION_ERROR'] as const) : []),
    'UNAUTHORIZED',
    'FORBIDDEN',
    'ADDRESS_NOT_ALLOWED',
    ...(url.includes(':') ? (['NOT_FOUND'] as const) : []),
    'RATE_LIMITED',
    'INTERNAL_ERROR',
    ...(route.config?.errors ?? []),
  ];
  return {
    ...rest,
    ...(hasBody && { body }),
    security: [{ apiKey: [permission] }],
    [codesKey]: codes,
  };
}

function hasProperties(schema: unknown): boolean {
  return Object.keys((schema as TSchema & { properties?: object })?.properties ?? {}).length > 0;
}

function finish(operation: Operation): void {
  for (const parameter of operation.parameters ?? []) {
    // What has a default is always there for a handler, but may be left out by a client.
    if (parameter.schema?.default !== undefined) parameter.required = false;
  }
  for (const response of Object.values(operation.responses)) {
    if (response.description === 'Default Response') response.description = 'Success.';
  }
  addErrors(operation);
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
