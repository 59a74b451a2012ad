import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { cleanUp } from '../support/cleanup.ts';
import { type Order, signatureHeader } from './messages.ts';

type Kept = Order & { notify: string; suffix: string };
type Body = Pick<Kept, 'ref' | 'kind' | 'of' | 'cents' | 'currency' | 'notify'> & {
  msisdn: string;
};
interface Answer {
  status: number;
  body: unknown;
}

const refusals: Record<string, string> = {
  '019': 'OVER_LIMIT',
  '029': 'NO_WALLET',
  '039': 'SAID_NO',
  '049': 'NO_FUNDS',
  '099': 'WRONG_PIN',
};

/** Of a payout. */
const payoutRefusals: Record<string, string> = {
  '019': 'OVER_LIMIT',
  '029': 'NO_WALLET',
  '039': 'NOT_ALLOWED',
};

/** The other side: a wallet on loopback. The last three digits of the phone choose the customer's behaviour. */
export class Wallet {
  url = '';
  readonly callbackSecret = 'what the wallet signs with';
  orders = new Map<string, Kept>();
  /** The traffic, in order: `POST /orders`, `callback 204` … */
  said: string[] = [];
  /** Accepts the request, and breaks the connection before answering. */
  losesAnswers = false;
  /** The real target of callbacks, as behind a proxy of PUBLIC_URL. */
  callbackOrigin: string | undefined;
  #timers = new Set<NodeJS.Timeout>();

  done(kind: Order['kind']): Kept[] {
    return [...this.orders.values()].filter((each) => each.kind === kind && each.state === 'DONE');
  }

  calls(pattern: RegExp): string[] {
    return this.said.filter((each) => pattern.test(each));
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  async serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const { method = '', url = '', headers } = request;
    this.said.push(`${method} ${url}`);
    const isAllowed = headers.authorization === 'Wallet secret';
    const order = text === '' ? undefined : (JSON.parse(text) as Body);
    const { status, body } = isAllowed
      ? this.#answer(url, order)
      : { status: 401, body: { problem: 'WHO_ARE_YOU' } };
    const isLost = order?.kind === 'payout' && order.msisdn.endsWith('159');
    if (isLost || (this.losesAnswers && method === 'POST')) {
      request.socket.destroy();
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  }

  #answer(url: string, body: Body | undefined): Answer {
    if (body) return this.#place(body);
    if (url === '/balance') return { status: 200, body: { cents: 125_050, currency: 'CVE' } };
    if (url.startsWith('/orders?')) {
      return { status: 200, body: [...this.orders.values()].map(shown) };
    }
    const holder = /^\/holders\/(\d+)$/.exec(url)?.[1];
    if (holder !== undefined) {
      return holder.endsWith('029')
        ? { status: 404, body: { problem: 'NO_SUCH_HOLDER' } }
        : { status: 200, body: { name: 'Ana Lopes' } };
    }
    const known = this.orders.get(url.slice('/orders/'.length));
    if (!known) return { status: 404, body: { problem: 'NO_SUCH_ORDER' } };
    return { status: 200, body: shown(known) };
  }

  /** The same reference again means the same order. */
  #place({ ref, kind, of, cents, currency, notify, msisdn }: Body): Answer {
    const known = this.orders.get(ref);
    if (known) return { status: 200, body: shown(known) };
    const collected = [...this.orders.values()].find(({ id }) => id === of);
    if (kind === 'return' && !collected) return { status: 422, body: { problem: 'REFUSED' } };
    const suffix = (collected?.suffix ?? msisdn).slice(-3);
    const id = `W${this.orders.size + 1}-${ref.slice(-6)}`;
    const at = new Date().toISOString();
    const order = { id, ref, kind, ...(of !== undefined && { of }), cents, currency, at };
    this.orders.set(ref, { ...order, state: 'WAITING', notify, suffix });
    const isSilent = suffix === '109' && kind === 'collect';
    if (!isSilent) this.#later(() => void this.decide(ref));
    return { status: 202, body: shown(this.orders.get(ref)!) };
  }

  #later(run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, 20);
    this.#timers.add(timer);
  }

  /** The customer answers now; returns the response to the callback. */
  decide(ref: string): Promise<number> {
    const order = this.orders.get(ref)!;
    const reasons = { collect: refusals, return: {}, payout: payoutRefusals };
    const why = (reasons[order.kind] as Record<string, string>)[order.suffix];
    const isRefused = why !== undefined || (order.kind === 'return' && order.suffix === '119');
    order.state = isRefused ? 'REFUSED' : 'DONE';
    if (why !== undefined) order.why = why;
    return this.callBack(order.notify, shown(order));
  }

  async callBack(
    notify: string,
    body: unknown,
    { signature = '', ...by }: { method?: 'PUT'; signature?: string } = {},
  ): Promise<number> {
    const url = this.callbackOrigin ? this.callbackOrigin + new URL(notify).pathname : notify;
    const text = JSON.stringify(body);
    const header =
      signature || signatureHeader(this.callbackSecret, Math.floor(Date.now() / 1_000), text);
    const headers = { 'content-type': 'application/json', 'wallet-signature': header };
    const sent = fetch(url, { method: 'POST', headers, body: text, ...by });
    const { status } = await sent.catch(() => ({ status: -1 }));
    this.said.push(`callback ${status}`);
    return status;
  }
}

function shown({ notify: _notify, suffix: _suffix, ...order }: Kept): Order {
  return order;
}

/** A wallet that listens, and stops when the test ends. */
export async function startWallet(context: Pick<TestContext, 'after'>): Promise<Wallet> {
  const wallet = new Wallet();
  const server = createServer((request, response) => void wallet.serve(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  wallet.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  cleanUp(context, () => {
    wallet.stop();
    server.closeAllConnections();
    server.close();
  });
  return wallet;
}
