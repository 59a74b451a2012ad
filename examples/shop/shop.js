// The shop: its pages, its orders, and what the gateway tells it. This is the file to copy from.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { verifyWebhook, WebhookVerificationError } from '@zimbo/sdk';
import { noticePage, orderPage, productsPage } from './pages.js';

const style = readFileSync(join(import.meta.dirname, 'style.css'));
const mostBytes = 1_000_000;

/** A server that is not listening yet. `url` is where customers and the gateway reach it. */
export function createShop({ zimbo, webhookSecret, url, gatewayUrl, products }) {
  /** By id. A real shop keeps them in its database. */
  const orders = new Map();
  /** How many of each product. */
  const sold = new Map();
  const headers = headersOf(gatewayUrl);

  const routes = {
    'GET /': showProducts,
    'POST /orders': buy,
    'GET /orders/:id': showOrder,
    'POST /webhooks': receiveWebhook,
    'GET /style.css': (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/css' }).end(style),
  };

  function showProducts(_request, response) {
    send(response, 200, productsPage(products, sold));
  }

  /** An order, a checkout session for it, and the customer is sent to the gateway's page. */
  async function buy(request, response) {
    const form = new URLSearchParams((await bodyOf(request)).toString());
    // Only the product comes from the form: a price in a form is a price that the customer chooses.
    const product = products.find(({ id }) => id === form.get('product'));
    if (!product) return send(response, 404, noticePage('Não vendemos este artigo'));
    // Ids that nobody can guess: whoever knows one sees the order.
    const order = { id: randomUUID(), product, paidAt: undefined, paymentUrl: '' };
    orders.set(order.id, order);
    const session = await zimbo.checkout.sessions.create(
      {
        items: [{ name: product.name, quantity: 1, unitPrice: product.price }],
        returnUrl: url,
        completionUrl: `${url}/orders/${order.id}`,
        metadata: { orderId: order.id },
      },
      // Whatever is tried again for this order opens the same session.
      { idempotencyKey: order.id },
    );
    order.paymentUrl = session.url;
    response.writeHead(303, { location: session.url }).end();
  }

  /** Where the customer comes back to. Anybody can open this address, so it changes nothing. */
  function showOrder(_request, response, id) {
    const order = orders.get(id);
    if (order) send(response, 200, orderPage(order));
    else send(response, 404, noticePage('Encomenda não encontrada'));
  }

  /** The only place where an order becomes paid. */
  async function receiveWebhook(request, response) {
    const rawBody = await bodyOf(request);
    try {
      handle(await verifyWebhook(rawBody, request.headers, webhookSecret));
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      console.error(`A webhook was refused: ${error.message}`);
      response.writeHead(400).end();
      return;
    }
    // Answered only now that it is written down: what was answered does not come again.
    response.writeHead(200).end();
  }

  function handle(event) {
    if (event.type !== 'checkout.completed') return;
    const order = orders.get(event.data.metadata?.orderId);
    // An event can come twice, and what follows from a payment must happen once: so an order that is paid stays as it is.
    if (!order || order.paidAt) return;
    order.paidAt = event.createdAt;
    sold.set(order.product, (sold.get(order.product) ?? 0) + 1);
    console.log(`Paid: ${order.product.name}, order ${order.id}`);
  }

  function send(response, status, page) {
    response.writeHead(status, headers).end(page);
  }

  return createServer(async (request, response) => {
    const [path] = request.url.split('?');
    const id = /^\/orders\/([\w-]+)$/.exec(path)?.[1];
    const route = routes[`${request.method} ${id ? '/orders/:id' : path}`];
    try {
      if (route) await route(request, response, id);
      else send(response, 404, noticePage('Página não encontrada'));
    } catch (error) {
      console.error(error);
      if (!response.headersSent) send(response, 502, noticePage('Algo correu mal do nosso lado'));
    }
  });
}

/** Nothing runs on our pages, and nothing is loaded but our own style. */
function headersOf(gatewayUrl) {
  const policy = [
    "default-src 'none'",
    "style-src 'self'",
    'img-src data:',
    // Browsers hold the redirect after a form against this, too: without the gateway nobody gets to its page.
    `form-action 'self' ${new URL(gatewayUrl).origin}`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  };
}

/** The bytes as they came: a signature covers exactly these. */
async function bodyOf(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new Error('The body is too large.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
