import type { FastifyReply, FastifyRequest } from 'fastify';
import type { OperatorName } from '../../operators/operator.ts';
import { normalizePhone } from '../../payments/payment.ts';
import { findPayment } from '../../payments/store.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { notFound } from '../../platform/errors.ts';
import { publicError, statusOf } from '../../platform/http/errors.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import type { AttemptPayment } from '../attempt.ts';
import { isSecretOf, parseToken } from '../link.ts';
import type { CheckoutSession } from '../session.ts';
import { findSession, findShop, type Shop } from '../store.ts';
import { contentSecurityPolicy, errorPage } from './layout.ts';
import { type Entry, offered, type PaymentPage, paymentPage } from './page.ts';
import { internationalPhone } from './words.ts';

export interface PageRouteParts {
  database: Database;
  clock: Clock;
  attemptPayment: AttemptPayment;
  /** @throws VALIDATION_ERROR when a live payment cannot be made with this operator and currency */
  checkOperator(mode: Shop['mode'], operator: OperatorName, currency: string): void;
}

interface Link {
  /** The token of the link. */
  Params: { '*': string };
}

const formBytes = 4096;

/** The hosted payment page, outside `/v1`: its link is the only credential. */
export function paymentPageRoutes(app: HttpScope, parts: PageRouteParts): void {
  app.register((scope: HttpScope, _options, done) => {
    scope.removeAllContentTypeParsers();
    const options = { parseAs: 'string' as const, bodyLimit: formBytes };
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      options,
      (_request, text: string, parsed) => parsed(null, new URLSearchParams(text)),
    );
    scope.setErrorHandler(sendErrorPage);
    scope.addHook('onRequest', (_request, reply, next) => {
      protect(reply);
      next();
    });
    const schema = { hide: true };
    // A wildcard: the router refuses long parameters itself, in JSON, which no customer can read.
    scope.get<Link>('/pay/*', { schema }, async (request, reply) =>
      reply.send(paymentPage(await load(parts, request.params['*']))),
    );
    scope.post<Link>('/pay/*', { schema }, async (request, reply) => {
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      await pay(parts, request.params['*'], form, reply);
      return reply;
    });
    done();
  });
}

function protect(reply: FastifyReply): void {
  reply.headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy,
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  });
}

/** @throws NOT_FOUND where the link is wrong in any part */
async function load(parts: PageRouteParts, token: string): Promise<PaymentPage> {
  const { database, clock } = parts;
  const session = await findLinked(database, token);
  const shop = await findShop(database, session.tenantId);
  const { tenantId, latestPaymentId } = session;
  const payment = latestPaymentId
    ? await findPayment(database, tenantId, latestPaymentId)
    : undefined;
  const operators = offered((operator) => {
    try {
      parts.checkOperator(shop.mode, operator, session.currency);
      return true;
    } catch {
      return false;
    }
  });
  return { session, shop, payment, operators, nowMs: clock.nowMs() };
}

async function findLinked(database: Database, token: string): Promise<CheckoutSession> {
  const linked = parseToken(token);
  const session = linked && (await findSession(database, linked.tenantId, linked.id));
  if (!session || !isSecretOf(session, linked.linkSecret)) throw notFound('payment page');
  return session;
}

/** Post, redirect, get: whatever became of the attempt, the page shows the session as it is then. */
async function pay(
  parts: PageRouteParts,
  token: string,
  form: URLSearchParams,
  reply: FastifyReply,
): Promise<void> {
  const page = await load(parts, token);
  const entry: Entry = { phone: form.get('phone') ?? '', operator: form.get('operator') ?? '' };
  const phone = normalizePhone(internationalPhone(entry.phone));
  const operator = page.operators.find((name) => name === entry.operator);
  if (phone === undefined || operator === undefined) {
    if (phone === undefined) {
      entry.phoneError = 'Escreva o número com o indicativo do país, por exemplo +238 991 23 45.';
    }
    if (operator === undefined) entry.operatorError = 'Escolha um operador da lista.';
    reply.code(400).send(paymentPage(page, entry));
    return;
  }
  await parts.attemptPayment(page.session, page.shop.mode, { operator, phone });
  // Relative, so that it holds behind a proxy that adds a path.
  reply.code(303).header('location', token).send('');
}

function sendErrorPage(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  protect(reply);
  const { code } = publicError(error);
  reply.code(statusOf[code]);
  if (code === 'NOT_FOUND') {
    const advice = 'Verifique se a ligação está completa, ou peça uma nova à loja.';
    reply.send(errorPage('Página de pagamento não encontrada', advice));
  } else if (code === 'INTERNAL_ERROR') {
    request.log.error({ err: error, requestId: request.id }, 'the payment page failed');
    const advice = `Volte a abrir a página dentro de momentos, antes de tentar pagar outra vez. Referência: ${request.id}`;
    reply.send(errorPage('Algo correu mal do nosso lado', advice));
  } else {
    const advice = 'Volte à página anterior e tente de novo.';
    reply.send(errorPage('Não foi possível ler o pedido', advice));
  }
}
