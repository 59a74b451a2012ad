import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../../../platform/errors/errors.ts';
import type { HttpScope } from '../../../platform/http/server.ts';
import type { Database } from '../../../platform/postgres/database.ts';
import { parseAmount } from '../../../platform/text/amount-text.ts';
import { parseToken, tokenOf } from '../../checkout/link.ts';
import { pageAssets } from '../../checkout/page/assets.ts';
import {
  CustomerLimiter,
  makeOpener,
  type OpenerDependencies,
  tooMany,
} from '../../checkout/page/authenticate.ts';
import { type PayDependencies, refuseForeignForm } from '../../checkout/page/pay.ts';
import { addressInFrame, queryOf, visitOf } from '../../checkout/page/query-parameters.ts';
import { allowFrames, pageScope, sendLogo } from '../../checkout/page/routes.ts';
import type { ReceiptLinks } from '../../checkout/receipt-link.ts';
import { findShop } from '../../checkout/store.ts';
import { findProducts } from '../../products/store.ts';
import { isWithin, type UseLink } from '../create-session.ts';
import type { PaymentLink } from '../payment-link.ts';
import { findLink } from '../store.ts';
import { canUse, type LinkPage, linkPage } from './page.ts';

export interface LinkPageDependencies
  extends Pick<OpenerDependencies<PaymentLink>, 'clock' | 'unknownLinks' | 'makeBuckets'>,
    Pick<PayDependencies, 'attemptsPerAddress'> {
  database: Database;
  paymentLinks: ReceiptLinks;
  useLink: UseLink;
}

interface Link {
  Params: { '*': string };
}

/** The pages of payment links, outside `/v1`: opening one stores nothing, using it makes a session. */
export function paymentLinkPageRoutes(app: HttpScope, dependencies: LinkPageDependencies): void {
  const { database, paymentLinks, clock, useLink } = dependencies;
  const open = makeOpener<PaymentLink>({
    ...dependencies,
    noun: 'payment link',
    parse: parseToken,
    isShared: true,
    isOurs: (linked) => paymentLinks.isOurs(linked),
    // A link's secret is not stored, so the key alone decides whether it is right.
    find: async (linked) =>
      (await paymentLinks.isOurs(linked))
        ? findLink(database, linked.tenantId, linked.id)
        : undefined,
  });
  const limiters = makeLimiters(dependencies);
  const load = makeLoad(dependencies);
  const schema = { hide: true };
  pageScope(app, { assets: pageAssets, notFoundIn: (words) => words.notFound }, (scope) => {
    scope.get<Link>('/pay/link/*', { schema }, async (request, reply) => {
      const [, token, part] = /^([^/]*)(.*)$/s.exec(request.params['*'])!;
      const link = await open(request, reply, token!);
      if (part === '/logo') return sendLogo(dependencies, link, reply);
      if (part !== '') throw notFound('payment link');
      const page = await load(link, token!, request, reply);
      const inFrame = addressInFrame(request, token!);
      if (inFrame !== undefined) return reply.redirect(inFrame, 303);
      return reply.send(linkPage(page));
    });
    scope.post<Link>('/pay/link/*', { schema }, async (request, reply) => {
      const token = request.params['*'];
      const link = await open(request, reply, token);
      refuseForeignForm(request);
      const page = await load(link, token, request, reply);
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
      const amount = form.get('amount') ?? '';
      const amountMinor = parseAmount(amount);
      const wrongAmount = () => reply.code(400).send(linkPage(page, { amount }));
      const closed = async () => {
        // It may have been paused since the page was opened.
        const now = (await findLink(database, link.tenantId, link.id)) ?? link;
        return reply.code(409).send(linkPage({ ...page, link: now, isClosed: true }));
      };
      // Requests that make no session do not count.
      if (!canUse(page)) return closed();
      if (!isWithin(link, amountMinor)) return wrongAmount();
      const limiter = limiters[page.shop.mode];
      const refusal = await limiter.refusal(request.ip, link.tenantId, clock.nowMs());
      if (refusal) throw tooMany(reply, refusal);
      const made = await useLink(link, page.shop.terms, amountMinor);
      if (made === 'WRONG_AMOUNT' || made === 'CLOSED') {
        limiter.giveBack(request.ip, link.tenantId, clock.nowMs());
        return made === 'CLOSED' ? closed() : wrongAmount();
      }
      // Relative, so that it works behind a proxy that adds a path.
      const to = `../${tokenOf(made)}${queryOf({ lang: visitOf(request).lang, frame: page.frame })}`;
      return reply.code(303).header('location', to).send('');
    });
  });
}

/** The page of a link as it is now, which the sites of its merchant may frame. */
function makeLoad({ database, clock }: Pick<LinkPageDependencies, 'database' | 'clock'>) {
  return async (
    link: PaymentLink,
    token: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<LinkPage> => {
    const { productId, tenantId } = link;
    const [shop, [product]] = await Promise.all([
      findShop(database, tenantId),
      productId === null ? [] : findProducts(database, tenantId, [productId]),
    ]);
    allowFrames(reply, shop);
    const { words, frame } = visitOf(request, shop.pageLanguages);
    return { token, link, shop, product, nowMs: clock.nowMs(), words, frame };
  };
}

/** Strangers cannot fill the database: the limit of attempts for each address also limits its sessions. */
const makeLimiters = ({ attemptsPerAddress, makeBuckets }: LinkPageDependencies) => ({
  live: new CustomerLimiter('live sessions of links', attemptsPerAddress.live, makeBuckets),
  test: new CustomerLimiter('test sessions of links', attemptsPerAddress.test, makeBuckets),
});
