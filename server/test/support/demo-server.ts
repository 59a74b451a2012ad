import type { Writable } from 'node:stream';
import pino from 'pino';
import { forbidden } from '../../src/platform/errors/errors.ts';
import type { RateLimits } from '../../src/platform/http/auth.ts';
import { idempotencyHeaders } from '../../src/platform/http/idempotency-key.ts';
import { listOf, listQuery, pageOf, pathId, sendPage } from '../../src/platform/http/lists.ts';
import { checkMetadata, metadataSchema } from '../../src/platform/http/metadata.ts';
import type { Principal } from '../../src/platform/http/principal.ts';
import { nullable, optional } from '../../src/platform/http/schema.ts';
import { sendJson } from '../../src/platform/http/send-json.ts';
import {
  buildHttpServer,
  type HttpScope,
  type HttpServerOptions,
  type HttpTimeouts,
} from '../../src/platform/http/server.ts';
import { Type } from '../../src/platform/http/type.ts';
import { networkMatcher } from '../../src/platform/network/networks.ts';
import { systemClock } from '../../src/platform/process/clock.ts';
import { standardTerms } from '../../src/platform/values/merchant-terms.ts';

/** A small application on the real server, for the tests of the HTTP server. */
export const fullKey = `sk_test_${'a'.repeat(32)}`;
export const readKey = `sk_live_${'b'.repeat(32)}`;
export const unknownKey = `sk_test_${'c'.repeat(32)}`;
/** Expires at the instant 2,000,000, and only works from this machine. */
export const shortKey = `sk_test_${'e'.repeat(32)}`;
/** Does not work from this machine. */
export const elsewhereKey = `sk_test_${'f'.repeat(32)}`;
/** The lookup of this key fails, as if the database were down. */
export const brokenKey = `sk_test_${'d'.repeat(32)}`;

/** The lookup of this key works, but the check of its networks fails. */
export const faultyKey = `sk_test_${'g'.repeat(32)}`;

const demoPrincipalKey = {
  id: '0199c2d1-0000-7000-8000-000000000001',
  expiresAtMs: null,
  allowsAddress: null,
  maxPaymentMinor: null,
  maxRefundedPerDayMinor: null,
  maxDisbursementMinor: null,
  maxDisbursedPerDayMinor: null,
};

const principals: Record<string, Principal> = {
  [fullKey]: {
    tenantId: 'tenant-a',
    merchantId: 'merchant-a',
    mode: 'test',
    permissions: new Set(['payments:read', 'payments:write']),
    terms: standardTerms,
    key: demoPrincipalKey,
  },
  [shortKey]: {
    tenantId: 'tenant-c',
    merchantId: 'merchant-c',
    mode: 'test',
    permissions: new Set(['payments:read']),
    terms: standardTerms,
    key: {
      ...demoPrincipalKey,
      expiresAtMs: 2_000_000,
      allowsAddress: networkMatcher(['127.0.0.0/8', '::1']),
    },
  },
  [elsewhereKey]: {
    tenantId: 'tenant-a',
    merchantId: 'merchant-a',
    mode: 'test',
    permissions: new Set(['payments:read']),
    terms: standardTerms,
    key: { ...demoPrincipalKey, allowsAddress: networkMatcher(['192.0.2.0/24', '2001:db8::/48']) },
  },
  [faultyKey]: {
    tenantId: 'tenant-a',
    merchantId: 'merchant-a',
    mode: 'test',
    permissions: new Set(['payments:read']),
    terms: standardTerms,
    key: {
      ...demoPrincipalKey,
      allowsAddress() {
        throw new Error('secret detail of an address');
      },
    },
  },
  [readKey]: {
    tenantId: 'tenant-b',
    merchantId: 'merchant-b',
    mode: 'live',
    permissions: new Set(['payments:read']),
    terms: standardTerms,
    key: demoPrincipalKey,
  },
};

const Order = Type.Object({
  id: Type.String(),
  amount: Type.String(),
  note: nullable(Type.String()),
  metadata: nullable(metadataSchema),
});

const orderBody = Type.Object(
  {
    amount: Type.Integer({ minimum: 1, maximum: 100_000_000 }),
    currency: optional(Type.Enum(['CVE', 'AOA'])),
    note: optional(Type.String({ minLength: 1, maxLength: 10 })),
    items: optional(
      Type.Array(
        Type.Object(
          { name: Type.String({ minLength: 1 }), quantity: Type.Integer() },
          { additionalProperties: false },
        ),
        { minItems: 1 },
      ),
    ),
    metadata: optional(metadataSchema),
  },
  { additionalProperties: false },
);

export interface DemoOptions {
  rateLimits?: RateLimits | 'off';
  timeouts?: Partial<HttpTimeouts>;
  log?: Writable;
  nowMs?: () => number;
  openApi?: Partial<HttpServerOptions['openApi']>;
  demoKey?: HttpServerOptions['demoKey'];
  /** Holds back the answer of `POST /v1/slow` until it resolves. */
  slow?: () => Promise<void>;
  more?: (scope: HttpScope) => void;
}

/** How often each key was looked up. */
export const lookUps = new Map<string, number>();

export function demoServer(options: DemoOptions = {}): HttpScope {
  const { log, nowMs, rateLimits, timeouts } = options;
  return buildHttpServer({
    logger: log === undefined ? pino({ level: 'silent' }) : pino({ level: 'debug' }, log),
    clock: nowMs === undefined ? systemClock : { nowMs },
    authenticate: async (key, admit) => {
      if (!(key in principals) && admit?.() === false) return undefined;
      lookUps.set(key, (lookUps.get(key) ?? 0) + 1);
      if (key === brokenKey) throw new Error('secret detail of the database');
      return principals[key];
    },
    ...(rateLimits !== undefined && { rateLimits }),
    ...(timeouts !== undefined && { timeouts }),
    openApi: { publicUrl: 'https://pay.example/gateway', ...options.openApi },
    demoKey: options.demoKey,
    v1: (scope) => {
      registerDemo(scope, options);
      options.more?.(scope);
    },
  });
}

const read = { permission: 'payments:read' };
const write = { permission: 'payments:write' };

function registerDemo(scope: HttpScope, { slow }: DemoOptions): void {
  scope.post(
    '/orders',
    {
      config: { ...write, errors: ['INVALID_STATE'] },
      schema: {
        body: orderBody,
        headers: idempotencyHeaders,
        response: { 200: Order },
      },
    },
    (request, reply) => {
      const { amount, note, metadata } = request.body;
      if (metadata) checkMetadata(metadata);
      const order = {
        id: 'pi_1',
        amount: String(amount),
        note: note ?? null,
        metadata: metadata ?? null,
      };
      sendJson(reply, JSON.stringify(order));
    },
  );
  scope.get(
    '/orders',
    {
      config: read,
      schema: {
        querystring: listQuery('pi', { status: Type.Optional(Type.Enum(['OPEN', 'DONE'])) }),
        response: { 200: listOf(Type.Object({ id: Type.String() })) },
      },
    },
    ({ query }, reply) => {
      pageOf('pi', query);
      const rows = Array.from({ length: query.limit + 1 }, (_, index) => index);
      sendPage(reply, rows, query, (row) => JSON.stringify({ id: `pi_${row}` }));
    },
  );
  const kept = { kept: { too: true } };
  scope.get<{ Params: { id: string } }>(
    '/orders/:id',
    {
      config: read,
      schema: { response: { 200: Type.Object({ id: Type.String(), metadata: Type.Object({}) }) } },
    },
    ({ params }) => ({ id: pathId('pi', params.id, 'order'), metadata: kept }),
  );
  scope.post('/orders/:id/cancel', { config: write }, () => ({ cancelled: true }));
  scope.delete('/orders/:id', { config: write }, (_request, reply) => reply.code(204).send());
  scope.get('/broken', { config: read }, () => {
    throw new Error('secret detail of the handler');
  });
  scope.get('/refused', { config: read }, () => {
    throw forbidden('Not with a live key.');
  });
  scope.post('/slow', { config: write }, async () => {
    await slow?.();
    return { done: true };
  });
}
