/** The texts of strangers and colleagues on the objects of a world. */
export interface Texts {
  shop: string;
  person: string;
  description: string;
  order: string;
  customer: string;
  reason: string;
  product: string;
  label: string;
  endpoint: string;
  /** The operator's text about a failed payment. */
  operatorError: string;
  /** The answer of a merchant's server to a webhook. */
  answer: string;
  userAgent: string;
  metadata: Record<string, unknown>;
  logo: { bytes: Buffer; type: 'image/svg+xml' | 'image/png' };
}

const picture = (content: string) =>
  Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="14" fill="#0b5d44"/><path d="M14 40c6-16 12-16 18 0s12 16 18 0" fill="none" stroke="#fff" stroke-width="6"/>${content}</svg>`,
  );

export const plainTexts: Texts = {
  shop: 'Mercearia Morabeza',
  person: 'Maria Lopes',
  description: 'Encomenda de sábado: cachupa para seis',
  order: 'ENC-2026-0417',
  customer: 'cliente-88',
  reason: 'O cliente devolveu o artigo',
  product: 'Cachupa rica',
  label: 'Caixa da Achada',
  endpoint: 'Loja na Internet',
  operatorError: 'The subscriber has not enough balance for this transaction (code 2051).',
  answer: '{"received":true}',
  userAgent: 'Mozilla/5.0 (Linux; Android 14; SM-A155F) Chrome/131.0 Mobile Safari/537.36',
  metadata: { order: 'ENC-2026-0417', delivery: { island: 'Santiago', fragile: true } },
  logo: { bytes: picture(''), type: 'image/svg+xml' },
};

/** Text that reveals itself if it runs: in the page's title, by a dialog, or by a request to a strange host. */
export const strangeHost = 'http://strange.invalid';
const alarm = `document.title='owned';alert(1);fetch('${strangeHost}/run')`;
const markup = `"'></script></title></textarea></pre><script>${alarm}</script><img src=x onerror="${alarm}"><style>@import "${strangeHost}/css"</style><b>`;
const turned = '\u202etxt.exe\u2066\u2067\u200f\u200b\ufeff\u00ad';
const longWord = 'W'.repeat(10_000);

/** @param start the beginning of a formula for spreadsheets */
const hostile = (start: string, most = 255) =>
  `${start}1+1${turned}${markup}${longWord}`.slice(0, most);

export const hostileTexts: Texts = {
  shop: hostile('='),
  person: hostile('+', 100),
  description: hostile('=HYPERLINK("http://strange.invalid";"x")'),
  order: hostile('@'),
  customer: hostile('-'),
  reason: hostile('\t='),
  product: hostile('='),
  label: hostile('=', 100),
  endpoint: hostile('+'),
  operatorError: hostile('=', 2_000),
  answer: `${markup}${turned}${'A'.repeat(1_000_000)}`,
  userAgent: `Mozilla ${markup}${'U'.repeat(300)}`,
  metadata: {
    order: hostile('='),
    [`${turned}${markup}`]: markup,
    word: longWord,
    deep: { list: [turned, longWord, 12345678901, null, true] },
  },
  logo: {
    bytes: picture(
      `<script>${alarm}</script><image href="${strangeHost}/image" onerror="${alarm}"/>`,
    ),
    type: 'image/svg+xml',
  },
};
