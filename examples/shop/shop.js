// The shop: its pages, its orders, and the handling of webhooks. Copy from this file.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifyWebhook, WebhookVerificationError } from '@zimbo/sdk';
import { bodyOf, pageHeaders, serve } from './http.js';
import { noticePage, orderPage, productsPage } from './pages.js';

/** Answers with a file of this folder. */
const fileRoute = (name, type) => {
  const body = readFileSync(join(import.meta.dirname, name));
  return () => ({ status: 200, headers: { 'content-type': type }, body });
};

/** A server that is not listening yet. `url` is its address for customers and the gateway. */
export function createShop({ zimbo, webhookSecret, url, gatewayUrl, products }) {
  /** By id. A real shop keeps these in its database. */
  const orders = new Map();
  /** How many of each product were sold. */
  const sold = new Map();
  const headers = pageHeaders(gatewayUrl);
  const page = (status, body) => ({ status, headers, body });
  const openSession = (request, order) => payWithNewSession({ zimbo, url, request }, order);

  /** Creates an order and its checkout session, and sends the customer to the gateway's page. */
  async function buy(request) {
    const form = new URLSearchParams((await bodyOf(request)).toString());
    // The form only names the product: a price in a form is a price that the customer chooses.
    const product = products.find(({ id }) => id === form.get('product'));
    if (!product) return page(404, noticePage('Não vendemos este artigo'));
    // Unguessable ids, because anybody with an id sees the order.
    const order = {
      id: randomUUID(),
      product,
      paidAt: undefined,
      /** How many checkout sessions it has had: each is a key of its own. */
      attempt: 0,
      session: undefined,
    };
    orders.set(order.id, order);
    return openSession(request, order);
  }

  /** "Pagar" on the page of the order: its session, or a new one if that has expired. */
  async function payAgain(request, id) {
    const order = orders.get(id);
    if (!order) return page(404, noticePage('Encomenda não encontrada'));
    if (!order.session) return openSession(request, order);
    const { status, url: address } = await zimbo.checkout.sessions.get(order.session.id);
    if (status === 'EXPIRED') return openSession(request, order);
    return leadTo(address, request, order);
  }

  /** The customer returns here. Anybody can open this address, so it changes nothing. */
  function showOrder(_request, id) {
    const order = orders.get(id);
    return order
      ? page(200, orderPage(order, gatewayUrl))
      : page(404, noticePage('Encomenda não encontrada'));
  }

  /** The only place where an order becomes paid. */
  function handle(event) {
    if (event.type !== 'checkout.completed') return;
    const order = orders.get(event.data.externalId);
    if (!isSessionOf(order, event.data)) return;
    // An event can arrive twice, but its effects must happen once, so a paid order stays unchanged.
    if (order.paidAt) return;
    order.paidAt = event.createdAt;
    sold.set(order.product, (sold.get(order.product) ?? 0) + 1);
    console.log(`Paid: ${order.product.name}, order ${order.id}`);
  }

  const routes = {
    'GET /': () => page(200, productsPage(products, sold, gatewayUrl)),
    'POST /orders': buy,
    'GET /orders/:id': showOrder,
    'POST /orders/:id': payAgain,
    'POST /webhooks': webhookReceiver(webhookSecret, handle),
    'GET /style.css': fileRoute('style.css', 'text/css'),
    'GET /dialog.js': fileRoute('dialog.js', 'text/javascript; charset=utf-8'),
    otherwise: () => page(404, noticePage('Página não encontrada')),
  };
  return serve(routes, () => page(502, noticePage('Algo correu mal do nosso lado')));
}

/** Creates a session for the order, and sends the customer to the gateway's page. */
async function payWithNewSession({ zimbo, url, request }, order) {
  const attempt = order.attempt + 1;
  const { product } = order;
  const session = await zimbo.checkout.sessions.create(
    {
      items: [{ name: product.name, quantity: 1, unitPrice: product.price }],
      returnUrl: url,
      completionUrl: `${url}/orders/${order.id}`,
      externalId: order.id,
    },
    // Retries of this attempt open the same session. The order's id alone would open the first
    // session for ever, also once it has expired.
    { idempotencyKey: `${order.id} ${attempt}` },
  );
  Object.assign(order, { attempt, session });
  return leadTo(session.url, request, order);
}

/** To the payment page: as its address for dialog.js, which opens it over the shop, otherwise by a redirect. */
function leadTo(address, { headers: { accept } }, { id }) {
  if (accept !== 'application/json') return { status: 303, headers: { location: address } };
  const body = JSON.stringify({ url: address, order: `/orders/${id}` });
  return { status: 200, headers: { 'content-type': accept }, body };
}

/** Another session may name our order: from another program with our key, or with a wrong price. */
function isSessionOf(order, { id, amount, currency }) {
  const { session } = order ?? {};
  if (session?.id === id && session.amount === amount && session.currency === currency) return true;
  console.error(`Does not match the order: checkout session ${id}`);
  return false;
}

/** Trusts only events that the gateway has signed. */
function webhookReceiver(secret, handle) {
  return async (request) => {
    const rawBody = await bodyOf(request);
    try {
      handle(await verifyWebhook(rawBody, request.headers, secret));
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      console.error(`Rejected a webhook: ${error.message}`);
      return { status: 400 };
    }
    // Answer after storing, because an answered event is not sent again.
    return { status: 200 };
  };
}
