import type { Mutation } from './list.ts';

const amount = 'server/src/amount-text.ts';
const amountTest = 'server/src/console/parts/amount.test.ts';
const charge = 'server/src/console/pages/charge.ts';
const chargeTest = 'server/test/flows/console-charge.test.ts';
const linksTest = 'server/test/flows/console-links.test.ts';
const till = 'server/src/console/assets/till.js';
const browserTest = 'server/test/browser/console-till.test.ts';

/** Faults of charging, payment links and products in the console. */
export const tillMutations: Mutation[] = [
  {
    name: 'till: 1.500 is one and a half',
    file: amount,
    find: String.raw`(\d{0,2}))?$/s`,
    replace: String.raw`(\d{0,3}))?$/s`,
    test: amountTest,
  },
  {
    name: 'till: an amount that could mean two things is guessed',
    file: amount,
    find: 'group === undefined || group === decimal',
    replace: 'group === undefined',
    test: amountTest,
  },
  {
    name: 'till: the same form sent twice charges twice',
    file: 'server/src/console/parts/form-key.ts',
    find: 'return idempotentRequest(key, asked, () => asked)!;',
    replace: `return idempotentRequest(\`\${key} \${Math.random()}\`, asked, () => asked)!;`,
    test: chargeTest,
  },
  {
    name: 'till: a form without a key is taken',
    file: 'server/src/console/parts/form-key.ts',
    find: "if (key === undefined) throw invalid('key', 'must be that of the form');",
    replace: "if (key === undefined) return { key: 'none', meaning: '', asSent: {} };",
    test: chargeTest,
    only: 'what has to be put right',
  },
  {
    name: 'till: a form that was put right has another key',
    file: 'server/src/console/parts/form-key.ts',
    find: '(sent && keyIn(sent)) ?? services.ids.next(nowMs)',
    replace: 'sent === undefined ? services.ids.next(nowMs) : services.ids.next(nowMs + 1)',
    test: chargeTest,
    only: 'what has to be put right',
  },
  {
    name: 'till: who charged is not in the audit log',
    file: 'server/src/payments/create.ts',
    find: 'if (!inserted.ids.has(id)) return inserted;',
    replace: 'return inserted;',
    test: chargeTest,
    only: 'a customer is charged',
  },
  {
    name: 'till: a search for products charges the customer',
    file: charge,
    find: 'if (sale.isSearch) return view(visit, { sale, payer, sent });\n  const sum',
    replace: 'const sum',
    test: chargeTest,
    only: 'a shop with more products',
  },
  {
    name: 'till: what was chosen is lost with a search',
    file: 'server/src/products/store.ts',
    find: '(id = ANY ($4::uuid[]) OR position(',
    replace: '(position(',
    test: chargeTest,
    only: 'a shop with more products',
  },
  {
    name: 'till: products are found with their accents only',
    file: 'server/src/products/store.ts',
    find: "'aaaaaeeeeiiiiooooouuuuc'.repeat(2)",
    replace: 'accented',
    test: chargeTest,
    only: 'a shop with more products',
  },
  {
    name: 'till: who comes back does not see what was charged',
    file: charge,
    find: 'createdAtMs < visit.nowMs - latestMs',
    replace: 'createdAtMs < visit.nowMs',
    test: 'server/test/browser/console-once.test.ts',
    only: 'back from the payment',
  },
  {
    name: 'till: a second tap sends the form again',
    file: 'server/src/console/parts/form-key.ts',
    find: '?? services.ids.next(nowMs));',
    replace: "?? '');",
    test: 'server/test/browser/console-once.test.ts',
    only: 'two taps',
  },
  {
    name: 'links: a poster needs two sheets',
    file: 'server/src/console/assets/till.css',
    find: 'height: calc(297mm - 32mm)',
    replace: 'min-height: calc(297mm + 30mm)',
    test: browserTest,
    only: 'a poster is one sheet',
  },
  {
    name: 'till: a payment is made although nobody could keep who asked for it',
    file: 'server/src/payments/create.ts',
    find: 'dependencies.database.transaction(async (transaction) => {\n    const inserted',
    replace:
      'Promise.resolve(dependencies.database).then(async (transaction) => {\n    const inserted',
    test: chargeTest,
    only: 'who asked is kept with the payment',
  },
  {
    name: 'till: the amount and the products may disagree',
    file: 'server/src/console/parts/sale.ts',
    find: 'typed !== undefined && typed !== ofItems',
    replace: 'typed === 0n && typed !== ofItems',
    test: chargeTest,
    only: 'products are charged',
  },
  {
    name: 'till: a phone of another currency is charged',
    file: 'server/src/console/parts/payer.ts',
    find: 'phone !== undefined && currencyOfPhone(phone) !== currency',
    replace: 'phone === undefined && currencyOfPhone(typed.phone) !== currency',
    test: chargeTest,
    only: 'what has to be put right',
  },
  {
    name: 'till: trying again shows the whole phone to everybody',
    file: charge,
    find: "visit.can('phones.read') ? operatorPhone : ''",
    replace: 'operatorPhone',
    test: chargeTest,
    only: 'a payment that failed',
  },
  {
    name: 'till: on a bad line the form is sent once',
    file: till,
    find: 'while (!answer) {',
    replace: 'if (!answer) {',
    test: browserTest,
    only: 'an answer that never arrives',
  },
  {
    name: 'links: a link that is paid just now is said to be cancelled',
    file: 'server/src/console/pages/link.ts',
    find: "if ((await linkIn(visit)).status === 'EXPIRED')",
    replace: "if ((await linkIn(visit)).status !== 'EXPIRED')",
    test: linksTest,
    only: 'a link is cancelled',
  },
  {
    name: 'links: who pays is shown whole to everybody',
    file: 'server/src/console/pages/link.ts',
    find: 'phone(shownPhone(visit, row))',
    replace: 'phone(row.operatorPhone)',
    test: linksTest,
    only: 'a payment link is made once',
  },
  {
    name: 'links: the payments of a link are those of the shop',
    file: 'server/src/payments/list.ts',
    find: "asked.where('checkout_session_id = ?', filter.checkoutSessionId);",
    replace: '',
    test: linksTest,
    only: 'a link shows its own payments',
  },
  {
    name: 'products: what is off sale is sold at the till',
    file: 'server/src/products/store.ts',
    find: 'deleted_at IS NULL AND active AND currency',
    replace: 'deleted_at IS NULL AND currency',
    test: linksTest,
    only: 'a product is created once',
  },
];
