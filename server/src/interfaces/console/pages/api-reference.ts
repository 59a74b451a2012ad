import { liveOperatorNames } from '../../../platform/config/operator-catalogue.ts';
import { type Html, html } from '../../../platform/text/html.ts';
import { issueKey } from '../../../tenants/merchants/keys.ts';
import type { ConsolePage, View } from '../page.ts';
import { code } from '../parts/code-block.ts';
import { button, form, hidden, notice } from '../parts/form.ts';
import { refusalOr } from '../parts/form-errors.ts';
import { facts } from '../parts/table.ts';
import type { MerchantContext, SentForm } from '../request-context.ts';
import { words as allWords } from './api-reference.words.ts';
import { madeBefore, madeKey } from './new-key.ts';

/** Working code samples for this merchant's API, ready to copy. */
export const referencePage: ConsolePage = {
  path: 'reference',
  permission: 'keys.read',
  async show(visit) {
    return view(visit, html`${intro(visit)}${samples(visit, placeholder(visit))}`);
  },
  actions: {
    create: { permission: 'keys.write', isSensitive: true, run: create },
  },
};

const view = ({ language }: MerchantContext, main: Html, status = 200): View => ({
  title: allWords[language].title,
  main,
  status,
  scripts: ['developers.css'],
});

const placeholder = ({ mode }: MerchantContext) => `sk_${mode}_…`;

async function create(visit: MerchantContext, sent: SentForm): Promise<View> {
  const words = allWords[visit.language];
  // Only in test mode, because samples are for trying.
  if (visit.mode !== 'test') return view(visit, notice(words.liveHint, 'bad'), 400);
  const { database, clock, ids, fourEyes } = visit.services;
  const order = {
    merchantId: visit.merchant.id,
    mode: 'test' as const,
    terms: { label: words.label },
    once: sent.text('once') || ids.next(visit.nowMs),
  };
  const issued = await refusalOr(
    issueKey({ database, clock, ids, fourEyes, ...visit.author }, order),
  );
  if (!('key' in issued)) return view(visit, madeBefore(visit), 409);
  return view(visit, html`${madeKey(visit, issued.key)}${samples(visit, issued.key)}`);
}

function intro(visit: MerchantContext): Html {
  const words = allWords[visit.language];
  const { publicUrl, docsUrl, ids } = visit.services;
  const once = hidden('once', ids.next(visit.nowMs));
  const creation =
    visit.mode === 'test'
      ? visit.can('keys.write') &&
        html`${form(visit, html`${once}${button('create', words.create)}`)}<p class="hint">${words.createHint}</p>`
      : html`<p>${words.liveHint}</p>`;
  return html`<section class="card">
${facts([
  [words.base, html`<code>${publicUrl}/v1</code>`],
  [words.authorization, html`<code>Authorization: Bearer ${placeholder(visit)}</code>`],
])}
<p>${words.authorizationText} ${words.modes}</p>
<p>${words.hashed} <code>${placeholder(visit)}</code>.</p>
${creation || undefined}
<p>${docsUrl === undefined ? words.noDocs : html`<a href="${docsUrl}">${words.docs}</a>`}</p>
</section>`;
}

function samples(visit: MerchantContext, key: string): Html {
  const words = allWords[visit.language];
  const { publicUrl } = visit.services;
  const operator = visit.mode === 'test' ? 'MOCK' : liveOperatorNames[0]!;
  const samples = [
    [words.setup, `export ZIMBO_URL='${publicUrl}'\nexport ZIMBO_API_KEY='${key}'`],
    [words.first, firstPayment(operator)],
    [
      words.see,
      `curl -sS "$ZIMBO_URL/v1/payments?limit=1" \\\n  -H "Authorization: Bearer $ZIMBO_API_KEY"`,
    ],
    [words.install, 'npm install @zimbo/sdk'],
    [words.sdk, withSdk(operator)],
  ] as const;
  return html`<div class="fields">${samples.map(([name, text]) => code(visit, name, text))}</div>
<p class="hint">${words.repeat}</p>`;
}

const firstPayment = (operator: string) => `curl -sS "$ZIMBO_URL/v1/payments" \\
  -H "Authorization: Bearer $ZIMBO_API_KEY" \\
  -H "Idempotency-Key: order-1" \\
  -H "Content-Type: application/json" \\
  -d '{"amount": 10000, "operator": "${operator}", "operatorPhone": "+2389912345", "externalId": "order-1"}'`;

const withSdk = (operator: string) => `import { Zimbo } from '@zimbo/sdk';

const zimbo = new Zimbo(process.env.ZIMBO_API_KEY, { baseUrl: process.env.ZIMBO_URL });

const payment = await zimbo.payments.create(
  { amount: 10_000, operator: '${operator}', operatorPhone: '+2389912345', externalId: 'order-1' },
  { idempotencyKey: 'order-1' },
);
console.log(payment.id, payment.status);`;
