import { notFound } from '../../platform/errors/errors.ts';
import type { HttpScope } from '../../platform/http/server.ts';
import type { Database } from '../../platform/postgres/database.ts';
import { parseToken } from '../checkout/link.ts';
import { makeOpener, type OpenerDependencies } from '../checkout/page/authenticate.ts';
import { wordsFor } from '../checkout/page/query-parameters.ts';
import { pageScope, sendAsset, sendLogo } from '../checkout/page/routes.ts';
import type { ReceiptLinks } from '../checkout/receipt-link.ts';
import { loadReceipt, type Receipt } from './load.ts';
import { receiptAssets, receiptPage } from './page.ts';
import { receiptWords } from './page.words.ts';

export interface ReceiptRouteDependencies
  extends Pick<OpenerDependencies<Receipt>, 'clock' | 'unknownLinks' | 'makeBuckets'> {
  database: Database;
  receiptLinks: ReceiptLinks;
}

interface Link {
  /** The token of the link, and the requested part. */
  Params: { '*': string };
}

/** The receipts of payments, outside `/v1`: their links are the only credential. */
export function receiptRoutes(app: HttpScope, dependencies: ReceiptRouteDependencies): void {
  const { database, receiptLinks } = dependencies;
  const open = makeOpener<Receipt>({
    ...dependencies,
    noun: 'receipt',
    parse: parseToken,
    isOurs: (linked) => receiptLinks.isOurs(linked),
    // A link is not stored, so the key alone decides whether it is right.
    find: async (linked) =>
      (await receiptLinks.isOurs(linked)) ? loadReceipt(database, linked) : undefined,
  });
  const notFoundIn: Parameters<typeof pageScope>[1]['notFoundIn'] = ({ language }) =>
    receiptWords[language].notFound;
  const schema = { hide: true };
  pageScope(app, { assets: receiptAssets, notFoundIn }, (scope) => {
    scope.get<Link>('/receipt/assets/*', { schema }, (request, reply) =>
      sendAsset(receiptAssets, request.params['*'], request, reply),
    );
    scope.get<Link>('/receipt/*', { schema }, async (request, reply) => {
      const [, token, part] = /^([^/]*)(.*)$/s.exec(request.params['*'])!;
      const receipt = await open(request, reply, token!);
      if (part === '/logo') return sendLogo(dependencies, receipt.payment, reply);
      if (part !== '') throw notFound('receipt');
      return reply.send(
        receiptPage(receipt, wordsFor(request, receipt.shop.pageLanguages), token!),
      );
    });
  });
}
