import { Balances } from './resources/balance.ts';
import { Checkout } from './resources/checkout.ts';
import { Disbursements } from './resources/disbursements.ts';
import { Events } from './resources/events.ts';
import { Operators } from './resources/operators.ts';
import { PaymentLinks } from './resources/payment-links.ts';
import { Payments } from './resources/payments.ts';
import { Products } from './resources/products.ts';
import { Refunds } from './resources/refunds.ts';
import { Settlements } from './resources/settlements.ts';
import { WebhookEndpoints } from './resources/webhooks.ts';
import { type Answer, Transport } from './transport.ts';

export interface ZimboOptions {
  /** The URL of your gateway, such as `https://pay.example.cv`. May include a path before `/v1`. */
  baseUrl: string;
  /** The timeout of one attempt, in milliseconds; by default 30000. */
  timeoutMs?: number | undefined;
  /** How many attempts may follow the first; by default 3, and none with 0. */
  maxRetries?: number | undefined;
  /** Replaces the global `fetch`, for proxies, tracing and tests. */
  fetch?: typeof fetch | undefined;
  /** Sees every answer with its headers, such as `x-request-id`, before the call returns: for logs and limits. */
  onAnswer?: ((answer: Answer) => void) | undefined;
}

/**
 * A client of a Zimbo gateway. Amounts are as in the API: integers in centavos in requests, text in whole centavos in answers (contract, section 2), which `BigInt` reads. Each call may throw a {@link ZimboError}.
 *
 * The client retries with growing pauses after 429, following Retry-After. It also retries after a 5xx, a lost connection or a timeout if the call cannot take effect twice: reads, and calls with an idempotency key (all but updates and deletions).
 */
export class Zimbo {
  readonly payments: Payments;
  readonly refunds: Refunds;
  readonly disbursements: Disbursements;
  readonly checkout: Checkout;
  readonly paymentLinks: PaymentLinks;
  readonly products: Products;
  readonly settlements: Settlements;
  readonly balance: Balances;
  readonly webhooks: WebhookEndpoints;
  readonly events: Events;
  readonly operators: Operators;

  /**
   * @param apiKey `sk_test_…` or `sk_live_…`: it selects the merchant and the mode (contract, section 5). Keep it on your servers.
   * @throws {TypeError} if the key or `baseUrl` is malformed.
   */
  constructor(apiKey: string, options: ZimboOptions) {
    const transport = transportOf(apiKey, options);
    this.payments = new Payments(transport);
    this.refunds = new Refunds(transport);
    this.disbursements = new Disbursements(transport);
    this.checkout = new Checkout(transport);
    this.paymentLinks = new PaymentLinks(transport);
    this.products = new Products(transport);
    this.settlements = new Settlements(transport);
    this.balance = new Balances(transport);
    this.webhooks = new WebhookEndpoints(transport);
    this.events = new Events(transport);
    this.operators = new Operators(transport);
  }
}

/** Sends the operations of the API by their names, for programs that know them from its document. */
export const transportOf = (apiKey: string, options: ZimboOptions): Transport =>
  new Transport({
    apiKey: checkedKey(apiKey),
    baseUrl: checkedUrl(options?.baseUrl),
    timeoutMs: options.timeoutMs ?? 30_000,
    maxRetries: options.maxRetries ?? 3,
    // Some platforms reject a fetch that is called as a method of another object.
    fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
    onAnswer: options.onAnswer,
    random: Math.random,
    newIdempotencyKey: () => crypto.randomUUID(),
    wait,
  });

/** The message does not show the value, which may be most of a key. */
function checkedKey(apiKey: unknown): string {
  if (typeof apiKey === 'string' && /^sk_(live|test)_\w+$/.test(apiKey)) return apiKey;
  throw new TypeError('The API key must begin with sk_test_ or sk_live_: is it set?');
}

function checkedUrl(baseUrl: unknown): string {
  const given = String(baseUrl);
  if (!URL.canParse(given) || !/^https?:\/\/[^/\s\\@][^\s\\@]*$/i.test(given)) {
    throw new TypeError(`baseUrl must be the URL of your gateway, not ${given}`);
  }
  if (/[?#]/.test(given)) throw new TypeError(`baseUrl must end before ? and #, unlike ${given}`);
  const plain = given.replace(/\/+$/, '');
  if (plain.endsWith('/v1')) throw new TypeError(`baseUrl must end before /v1, unlike ${given}`);
  return plain;
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
