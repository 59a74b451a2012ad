import { invalid, notFound } from '../../platform/errors/errors.ts';
import { authorOf } from '../../platform/http/author.ts';
import { idempotencyHeaders } from '../../platform/http/idempotency-key.ts';
import { metadataOf, rangedPageOf } from '../../platform/http/list-range.ts';
import { readInTime } from '../../platform/http/list-time.ts';
import { listOf, pathId, sendPage } from '../../platform/http/lists.ts';
import { checkMetadata } from '../../platform/http/metadata.ts';
import type { Principal } from '../../platform/http/principal.ts';
import { sendJson } from '../../platform/http/send-json.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import { Type } from '../../platform/http/type.ts';
import { idempotentRequest } from '../../platform/idempotency/idempotency.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { parseId } from '../../platform/values/ids.ts';
import type { ChangeLink } from './change.ts';
import { type CreateLink, requireOneWay } from './create.ts';
import type { LinkUrls } from './link-urls.ts';
import { type PaymentLink, paymentLinkView } from './payment-link.ts';
import {
  type CreateLinkBody,
  createLinkBody,
  linkSchema,
  listLinksQuery,
  updateLinkBody,
} from './schemas.ts';
import { findLink, findLinksByMetadata, listLinks, type PaymentLinkFilter } from './store.ts';

export interface LinkRouteDependencies {
  database: Database;
  linkUrls: LinkUrls;
  createLink: CreateLink;
  changeLink: ChangeLink;
}

const tags = ['Payment links'];
const params = Type.Object({ id: Type.String() });
const response = { 200: linkSchema };
const read = { permission: 'checkout:read' };
const write = { permission: 'checkout:write' };
const noun = 'payment link';
/** The session has one field more: the link's id. */
const mostKeys = 49;

export function paymentLinkRoutes(scope: HttpScope, dependencies: LinkRouteDependencies): void {
  createRoute(scope, dependencies);
  readRoutes(scope, dependencies);
  updateRoute(scope, dependencies);
}

const viewOf = async ({ linkUrls }: Pick<LinkRouteDependencies, 'linkUrls'>, link: PaymentLink) =>
  paymentLinkView(link, await linkUrls.of(link));

function createRoute(scope: HttpScope, { createLink }: LinkRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'createPaymentLink',
    summary: 'Create a payment link',
    description:
      'A link that can be paid again and again. Each use makes a checkout session, whose metadata names the link in paymentLinkId.',
    headers: idempotencyHeaders,
    body: createLinkBody,
    response,
  };
  const errors = ['NOT_FOUND', 'KEY_LIMIT_EXCEEDED', 'IDEMPOTENCY_KEY_REUSED'] as const;
  const config = { ...write, errors: [...errors] };
  scope.post('/payment-links', { config, schema }, async (request, reply) => {
    const { body, headers, principal } = request;
    const author = authorOf(request);
    const key = headers['idempotency-key'];
    const created = await createLink({ ...inputOf(principal, body, key), author });
    if (created.replayed) reply.header('Idempotent-Replayed', 'true');
    sendJson(reply, created.json);
    return reply;
  });
}

function inputOf(
  { tenantId, terms, key: apiKey }: Principal,
  body: CreateLinkBody,
  key: string | undefined,
) {
  const { productId, amount, minAmount, maxAmount, metadata } = body;
  // Before the product is looked for.
  requireOneWay(productId, amount, minAmount, maxAmount);
  if (metadata && Object.keys(metadata).length > mostKeys) {
    throw invalid('metadata', `must have at most ${mostKeys} keys`);
  }
  const currency = body.currency ?? ('CVE' as const);
  return {
    tenantId,
    description: body.description,
    productId: productId == null ? null : productOf(productId),
    amountMinor: minorOf(amount),
    minAmountMinor: minorOf(minAmount),
    maxAmountMinor: minorOf(maxAmount),
    currency,
    returnUrl: body.returnUrl ?? null,
    completionUrl: body.completionUrl ?? null,
    metadata: metadata ? checkMetadata(metadata) : null,
    active: true,
    maxUses: body.maxUses ?? null,
    expiresAtMs: body.expiresAt == null ? null : Date.parse(body.expiresAt),
    apiKey,
    terms,
    idempotency: idempotentRequest(key, body, () => ({ ...body, currency })),
  };
}

const minorOf = (amount: number | null | undefined) => (amount == null ? null : BigInt(amount));

function productOf(text: string): string {
  const id = parseId('pr', text);
  if (id === undefined) throw notFound('product');
  return id;
}

function readRoutes(scope: HttpScope, dependencies: LinkRouteDependencies): void {
  const { database } = dependencies;
  const list = {
    tags,
    operationId: 'listPaymentLinks',
    summary: 'List payment links, newest first',
    querystring: listLinksQuery,
    response: { 200: listOf(linkSchema) },
  };
  scope.get(
    '/payment-links',
    { config: read, schema: list },
    async ({ query, principal }, reply) => {
      const page = rangedPageOf('pl', query);
      const { tenantId } = principal;
      const filter: PaymentLinkFilter = { active: query.active };
      const metadata = metadataOf(query, page);
      if (metadata)
        filter.ids = await findLinksByMetadata(database, tenantId, filter, page, metadata);
      const rows = await readInTime(database, query, ['active'], (queryable) =>
        listLinks(queryable, tenantId, filter, page),
      );
      const urls = await dependencies.linkUrls.ofAll(rows);
      return sendPage(reply, rows, page, (row) =>
        JSON.stringify(paymentLinkView(row, urls.get(row.id)!)),
      );
    },
  );
  const get = {
    tags,
    operationId: 'getPaymentLink',
    summary: 'Get a payment link',
    params,
    response,
  };
  scope.get(
    '/payment-links/:id',
    { config: read, schema: get },
    async ({ params: given, principal }) => {
      const link = await findLink(database, principal.tenantId, pathId('pl', given.id, noun));
      if (!link) throw notFound(noun);
      return viewOf(dependencies, link);
    },
  );
}

function updateRoute(scope: HttpScope, dependencies: LinkRouteDependencies): void {
  const schema = {
    tags,
    operationId: 'updatePaymentLink',
    summary: 'Change a payment link',
    description:
      'Fields that you omit stay as they are; null clears maxUses and expiresAt. Sessions that it has made do not change.',
    params,
    body: updateLinkBody,
    response,
  };
  scope.patch('/payment-links/:id', { config: write, schema }, async (request) => {
    const { body, principal } = request;
    const { expiresAt, ...rest } = body;
    const id = pathId('pl', request.params.id, noun);
    const change = {
      ...rest,
      expiresAtMs: typeof expiresAt === 'string' ? Date.parse(expiresAt) : expiresAt,
    };
    const key = { tenantId: principal.tenantId, id };
    return viewOf(dependencies, await dependencies.changeLink(key, change, authorOf(request)));
  });
}
