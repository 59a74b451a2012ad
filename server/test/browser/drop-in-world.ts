/** A shop on a site of its own that opens the payment page over its page, and sites that mean harm. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Frame, Page } from 'playwright-core';
import type { CheckoutSession } from '../../../sdk/typescript/src/index.ts';
import { html } from '../../src/platform/text/html.ts';
import { addressOf, type Shop } from './pages.ts';

/** What a page of a site consists of, by path. */
type Files = Record<string, { type?: string; body: string; policy?: string }>;

export interface Site {
  origin: string;
  /** Files by path; more can be added at any time. */
  files: Files;
}

/** A site under a name of its own, which browsers find on this machine. */
export async function openSite(
  context: { after(undo: () => unknown): void },
  name: string,
  answer: (url: URL) => Promise<string> | undefined = () => undefined,
): Promise<Site> {
  const files: Files = {};
  const server: Server = createServer(async (request, response) => {
    const url = new URL(request.url!, 'http://site');
    const file = files[url.pathname];
    const body = await (answer(url) ?? file?.body);
    if (body === undefined) return response.writeHead(404).end();
    response.setHeader('content-type', `${file?.type ?? 'text/html'}; charset=utf-8`);
    if (file?.policy) response.setHeader('content-security-policy', file.policy);
    return response.end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  const { port } = server.address() as AddressInfo;
  return { origin: `http://${name}.localhost:${port}`, files };
}

const script = (body: string) => ({ type: 'text/javascript', body });
export const page = (body: string) => ({ body: `<!doctype html><title>x</title>${body}` });

/** What the shop's own script writes down as it hears it from checkout.js. */
const shopScript = `
const told = document.getElementById('told');
const tell = (text) => { told.textContent += text + '\\n'; };
const buy = document.getElementById('buy');
buy.addEventListener('click', () => Zimbo.open(buy.dataset.session, {
  async onComplete({ sessionId, status }) {
    tell('complete: ' + status);
    tell('our server: ' + await (await fetch('/state?session=' + sessionId)).text());
  },
  onClose: ({ status }) => tell('closed: ' + status),
}));`;

export interface DropInWorld {
  shop: Shop;
  /** The shop's site, which the merchant lets frame the payment page. */
  site: Site;
  /** The shop's page that sells a session. */
  sell(session: Pick<CheckoutSession, 'url'>, more?: { language?: string; path?: string }): string;
}

/** Under a policy that allows nothing but what docs/checkout.md names. */
const policyOf = (gatewayUrl: string, frames = gatewayUrl) =>
  `default-src 'none'; script-src 'self' ${gatewayUrl}; connect-src 'self'; frame-src ${frames}; style-src 'self'`;

export async function openDropInShop(
  context: { after(undo: () => unknown): void },
  shop: Shop,
): Promise<DropInWorld> {
  const { gateway } = shop;
  const site = await openSite(context, 'shop', (url) =>
    url.pathname === '/state'
      ? gateway.zimbo.checkout.sessions
          .get(url.searchParams.get('session')!)
          .then(({ status }) => status)
      : undefined,
  );
  await gateway.zimbo.checkout.settings.update({ frameOrigins: [site.origin] });
  site.files['/shop.js'] = script(shopScript);
  site.files['/shop.css'] = {
    type: 'text/css',
    body: 'body { font: 1rem/1.5 system-ui; margin: 2rem; color-scheme: light dark; background: Canvas; color: CanvasText }',
  };
  let pages = 0;
  return {
    shop,
    site,
    sell(session, { language = 'pt', path = `/${++pages}` } = {}) {
      const address = addressOf(gateway, session);
      const { text } =
        html`<!doctype html><html lang="${language}"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Loja</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/shop.css">
<script src="${gateway.url}/pay/checkout.js" defer></script><script src="/shop.js" defer></script>
<header>Loja</header><main><h1>Cachupa rica</h1><p><button id="buy" data-session="${address}">Comprar</button></p>
<p><zimbo-button session="${address}" label="Pagar já"></zimbo-button></p>
<p><a href="/">Outra página</a></p><pre id="told"></pre></main>`;
      site.files[path] = { body: text, policy: policyOf(gateway.url) };
      return `${site.origin}${path}`;
    },
  };
}

/** The payment page in the dialog, once the customer sees it. */
export async function frameIn(shopPage: Page): Promise<Frame> {
  await shopPage.locator('dialog.shown').waitFor();
  const handle = await shopPage.locator('dialog iframe').elementHandle();
  return (await handle!.contentFrame())!;
}

/** Waits until the shop has heard this. */
export const hears = (shopPage: Page, text: string) =>
  shopPage.locator('#told').getByText(text).waitFor();

export const toldTo = (shopPage: Page) => shopPage.locator('#told').innerText();

export async function payIn(frame: Frame, suffix = '345'): Promise<void> {
  await frame.locator('#phone').fill(`9912${suffix}`);
  await frame.locator('input[value=MOCK]').check();
  await frame.locator('#pay button').click();
}
