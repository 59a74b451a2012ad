import { createHash } from 'node:crypto';
import { Html, html } from './html.ts';

const style = `
*{box-sizing:border-box}
body{margin:0;font:1rem/1.5 system-ui,sans-serif;color:#1b1f24;background:#f3f5f7}
main{max-width:26rem;margin:0 auto;padding:1.5rem 1rem;background:#fff;min-height:100vh;overflow-wrap:anywhere}
h1{font-size:1.1rem;font-weight:600;margin:0}
h2{font-size:1.1rem;margin:1rem 0 .25rem}
.total{font-size:2rem;font-weight:700;margin:.25rem 0 1rem}
.items{list-style:none;margin:0 0 1rem;padding:0;border-top:1px solid #d9dee3}
.items li{display:flex;justify-content:space-between;gap:1rem;padding:.5rem 0;border-bottom:1px solid #d9dee3}
.sum{white-space:nowrap}
label{display:block;font-weight:600;margin:1rem 0 .25rem}
select,input,button,.button{display:block;width:100%;font:inherit;padding:.75rem;border-radius:.5rem;border:1px solid #6b7682}
button,.button{margin-top:1.5rem;border:0;background:#0b5d44;color:#fff;font-weight:600;text-align:center;text-decoration:none;cursor:pointer}
a{color:#0b5d44}
:focus-visible{outline:3px solid #1668c7;outline-offset:2px}
.failure,.error{color:#a3161a}
.error{margin:.25rem 0 0}
.test{margin:0;padding:.25rem 1rem;background:#ffd75e;text-align:center;font-size:.875rem}
`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** Nothing runs and nothing is loaded but our own style; no other site may frame the page. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

const styleElement = new Html(`<style>${style}</style>`);

/** A whole page. */
export function document(page: {
  title: string;
  content: Html;
  head?: Html | undefined;
  test?: boolean;
}): string {
  const banner = page.test ? html`<p class="test">Modo de teste: nada é cobrado</p>` : undefined;
  return html`<!doctype html>
<html lang="pt-PT">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${page.title}</title>
<link rel="icon" href="data:,">
${page.head}
${styleElement}
</head>
<body>${banner}<main>${page.content}</main></body>
</html>
`.text;
}

/** A page that says what went wrong and what to do. */
export function errorPage(title: string, advice: string): string {
  return document({ title, content: html`<h1>${title}</h1><p>${advice}</p>` });
}
