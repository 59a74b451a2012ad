import type { Mutation } from './list.ts';

const flow = 'server/test/flows/shop.long.test.ts';
const browser = 'server/test/browser/shop.test.ts';

/** Faults of the shop that people copy. */
export const shopMutations: Mutation[] = [
  {
    name: 'shop: a webhook is believed unverified',
    file: 'examples/shop/shop.js',
    find: 'handle(await verifyWebhook(rawBody, request.headers, secret));',
    replace: 'handle(JSON.parse(rawBody));',
    test: flow,
  },
  {
    name: 'shop: an event that comes twice counts twice',
    file: 'examples/shop/shop.js',
    find: '    if (order.paidAt) return;\n',
    replace: '',
    test: flow,
  },
  {
    name: 'shop: coming back makes an order paid',
    file: 'examples/shop/shop.js',
    find: '    return order ? page(200',
    replace: '    if (order) order.paidAt = true;\n    return order ? page(200',
    test: flow,
  },
  {
    name: 'shop: names are not escaped',
    file: 'examples/shop/html.js',
    find: '.replace(/[&<>"\']/g, (character) => entities[character])',
    replace: '',
    test: flow,
  },
  {
    name: 'shop: its form may not lead to the payment page',
    file: 'examples/shop/http.js',
    find: 'new URL(gatewayUrl).origin',
    replace: "''",
    test: browser,
  },
  {
    name: 'shop: the endpoint is registered at each start',
    file: 'examples/shop/endpoint.js',
    find: 'if (id && (await isUpdated(zimbo, id, wanted))) return secret;',
    replace: '',
    test: browser,
  },
];
