import type { HttpScope } from '../../../platform/http/server.ts';
import { crockfordDigits } from '../../../platform/values/ids.ts';
import { Recent } from '../../../tenants/merchants/expiring-set.ts';
import { pageAssets } from '../../checkout/page/assets.ts';
import { makeOpener } from '../../checkout/page/authenticate.ts';
import { queryOf, visitOf } from '../../checkout/page/query-parameters.ts';
import { pageScope, sendAsset } from '../../checkout/page/routes.ts';
import type { LinkPageDependencies } from '../page/routes.ts';
import type { PaymentLink } from '../payment-link.ts';
import { findLinkOfCode, parseCode } from '../short-links.ts';

interface Short {
  Params: { '*': string };
}

/** How long a code is known to be right after it was found. */
const knownMs = 3_600_000;
const mostKnown = 10_000;

/**
 * Short addresses lead to the page of their link. A code proves nothing by itself, so looking for one that this process
 * has not found lately counts against the client's address until it is found.
 */
export function shortLinkRoutes(
  app: HttpScope,
  dependencies: Pick<
    LinkPageDependencies,
    'database' | 'paymentLinks' | 'clock' | 'unknownLinks' | 'makeBuckets'
  >,
): void {
  const { database, paymentLinks, clock } = dependencies;
  const known = new Recent({ ttlMs: knownMs, maxEntries: mostKnown });
  const open = makeOpener<Pick<PaymentLink, 'tenantId' | 'id'>, string>({
    ...dependencies,
    noun: 'short link',
    isShared: true,
    parse: parseCode,
    isOurs: async (code) => known.has(code, clock.nowMs()),
    async find(code) {
      const link = await findLinkOfCode(database, code);
      if (link) known.add(code, clock.nowMs());
      return link;
    },
  });
  pageScope(app, { assets: pageAssets, notFoundIn: (words) => words.notFound }, (scope) => {
    const schema = { hide: true };
    // For the page that says that there is no such link.
    scope.get<Short>('/l/assets/*', { schema }, (request, reply) =>
      sendAsset(pageAssets, request.params['*'], request, reply),
    );
    scope.get<Short>('/l/*', { schema }, async (request, reply) => {
      const link = await open(request, reply, crockfordDigits(request.params['*']));
      const token = await paymentLinks.tokenOf(link);
      if (token === undefined)
        throw new Error('the key that payment links are made with does not open');
      const { lang, frame } = visitOf(request);
      // Relative, so that it works behind a proxy that adds a path.
      const to = `../pay/link/${token}${queryOf({ lang, frame })}`;
      return reply.code(302).header('location', to).send('');
    });
  });
}
