import { Balances } from './resources/balance.ts';
import { Checkout } from './resources/checkout.ts';
import { Events } from './resources/events.ts';
import { PaymentLinks } from './resources/payment-links.ts';
import { Payments } from './resources/payments.ts';
import { Products } from './resources/products.ts';
import { Refunds } from './resources/refunds.ts';
import { Settlements } from './resources/settlements.ts';
import { WebhookEndpoints } from './resources/webhooks.ts';
import { Transport } from './transport.ts';

export interface ZimboOptions {
  /** Where your gateway answers, as `https://pay.example.cv`. A path before `/v1` belongs to it. */
  baseUrl: string;
  /** How long one attempt may take, in milliseconds: 30000 if left out. */
  timeoutMs?: number | undefined;
  /** How many attempts may follow the first: 3 if left out, none with 0. */
  maxRetries?: number | undefined;
  /** Used in place of the global `fetch`, for proxies, tracing and tests. */
  fetch?: typeof fetch | undefined;
}

/**
 * A client of a Zimbo gateway. Amounts are those of the API: integers of centavos in requests, text of whole centavos in
 * answers (contract, section 2), which `BigInt` takes. Each call may throw a {@link ZimboError}.
 *
 * It tries again, with growing pauses, after 429 (whenever Retry-After says so) and, where nothing can happen twice (reading,
 * and whatever has an idempotency key: all but updates and deletions), after 5xx, a lost connection and a time-out.
 */
export class Zimbo {
  readonly payments: Payments;
  readonly refunds: Refunds;
  readonly checkout: Checkout;
  readonly paymentLinks: PaymentLinks;
  readonly products: Products;
  readonly settlements: Settlements;
  readonly balance: Balances;
  readonly webhooks: WebhookEndpoints;
  readonly events: Events;

  /**
   * @param apiKey `sk_test_…` or `sk_live_…`: it selects the merchant and the mode (contract, section 5). Keep it on your servers.
   * @throws {TypeError} when the key or `baseUrl` cannot be one.
   */
  constructor(apiKey: string, options: ZimboOptions) {
    const transport = new Transport({
      apiKey: checkedKey(apiKey),
      baseUrl: checkedUrl(options?.baseUrl),
      timeoutMs: options.timeoutMs ?? 30_000,
      maxRetries: options.maxRetries ?? 3,
      // Some platforms refuse a fetch that is called as the method of another object.
      fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
      random: Math.random,
      newIdempotencyKey: () => crypto.randomUUID(),
      wait,
    });
    this.payments = new Payments(transport);
    this.refunds = new Refunds(transport);
    this.checkout = new Checkout(transport);
    this.paymentLinks = new PaymentLinks(transport);
    this.products = new Products(transport);
    this.settlements = new Settlements(transport);
    this.balance = new Balances(transport);
    this.webhooks = new WebhookEndpoints(transport);
    this.events = new Events(transport);
  }
}

/** The message does not show what was given: it may be most of a key. */
function checkedKey(apiKey: unknown): string {
  if (typeof apiKey === 'string' && /^sk_(live|test)_\w+$/.test(apiKey)) return apiKey;
  throw new TypeError('The API key must begin with sk_test_ or sk_live_: is it set?');
}

function checkedUrl(baseUrl: unknown): string {
  const given = String(baseUrl);
  if (!URL.canParse(given) || !/^https?:/i.test(given)) {
    throw new TypeError(`baseUrl must be the URL of your gateway, not ${given}`);
  }
  return given.replace(/\/+$/, '');
}

async function wait(gapMs: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const giveUp = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', giveUp);
      resolve();
    }, gapMs);
    signal?.addEventListener('abort', giveUp, { once: true });
  });
}
