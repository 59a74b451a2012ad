// The customers' pages. They work without scripts too; these open the payment page over the shop.
import { html } from './html.js';

/** A customer who returns before the webhook sees the order become paid. */
const refresh = html`<noscript><meta http-equiv="refresh" content="5"></noscript>`;
const tick = 'm5 12.5 4.5 4.5L19 7.5';

export function productsPage(products, sold, gatewayUrl) {
  const cards = products.map(
    (product) => html`<li class="card">${drawing(product.drawing)}
      <h2><bdi>${product.name}</bdi></h2>
      <p>${product.about}</p>
      <p class="price">${money(product.price)}</p>
      <form method="post" action="/orders">
        <input type="hidden" name="product" value="${product.id}">
        <button>Comprar<span class="unseen"> ${product.name}</span></button>
      </form>
      <p class="sold">${soldLine(sold.get(product) ?? 0)}</p></li>`,
  );
  return page(
    'Loja da Praia',
    html`<main><h1>Das ilhas, para a sua casa</h1><ul>${cards}</ul></main>`,
    scripts(gatewayUrl),
  );
}

export function orderPage({ id, product, paidAt }, gatewayUrl) {
  const item = html`<p class="item"><bdi>${product.name}</bdi> <b>${money(product.price)}</b></p>`;
  const main = paidAt
    ? html`<main class="order">${drawing(tick)}<h1>Encomenda paga</h1>
        <p>Obrigado. Recebemos o seu pagamento e vamos preparar a encomenda.</p>${item}
        <p><a href="/">Voltar à loja</a></p></main>`
    : html`<main class="order"><div class="ring"></div><h1>A aguardar o pagamento</h1>
        <p>Esta página atualiza-se sozinha. Se ainda não pagou, pode fazê-lo agora.</p>${item}
        <form method="post" action="/orders/${id}"><button>Pagar ${money(product.price)}</button></form>
        <p><a href="/">Voltar à loja</a></p></main>`;
  return page(
    paidAt ? 'Encomenda paga' : 'A aguardar o pagamento',
    main,
    paidAt ? undefined : html`${refresh}${scripts(gatewayUrl)}`,
  );
}

export function noticePage(title) {
  const advice = 'Volte à loja e tente de novo.';
  const main = html`<main class="order"><h1>${title}</h1><p>${advice}</p><p><a href="/">Voltar à loja</a></p></main>`;
  return page(title, main);
}

function page(title, main, head) {
  return html`<!doctype html>
<html lang="pt-PT">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/style.css">
${head}
</head>
<body>
<header><a href="/">Loja da Praia</a></header>
${main}
<footer>Uma loja de exemplo: nada é cobrado e nada é enviado.</footer>
</body>
</html>
`.text;
}

const scripts = (gatewayUrl) =>
  html`<script src="${gatewayUrl}/pay/checkout.js" defer></script><script src="/dialog.js" defer></script>`;

const drawing = (path) =>
  html`<svg class="drawing" viewBox="0 0 24 24" aria-hidden="true"><path d="${path}"/></svg>`;

function soldLine(count) {
  if (count === 0) return 'Seja o primeiro a comprar';
  return count === 1 ? '1 vendido' : `${count} vendidos`;
}

/** Centavos in local notation: 4.200$00 CVE */
function money(centavos) {
  const digits = String(centavos).padStart(3, '0');
  const whole = digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, '.');
  return `${whole}$${digits.slice(-2)} CVE`;
}
