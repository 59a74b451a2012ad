import type { Mutation } from './list.ts';

const wrongNumber = 'server/test/flows/wrong-number.test.ts';
const pay = 'server/src/checkout/page/pay.ts';
const contact = 'server/test/flows/shop-contact.test.ts';
const links = 'server/test/flows/payment-links.test.ts';
const consoleLinks = 'server/test/flows/console-reusable-links.test.ts';
const browser = 'server/test/browser/payment-page.test.ts';

/** Faults of what the customer sees and does. */
export const customerMutations: Mutation[] = [
  {
    name: 'customer: a form of another attempt takes the latest back',
    file: pay,
    find: 'if (isOfLatest(page, form)) await takeBack',
    replace: 'await takeBack',
    test: wrongNumber,
  },
  {
    name: 'customer: a changed number is a failure where the debit came first',
    file: pay,
    find: '.catch(unlessEnded)',
    replace: '',
    test: wrongNumber,
  },
  {
    name: 'customer: the last attempt is taken back, and nothing can follow',
    file: 'server/src/checkout/page/state.ts',
    find: 'session.attemptInFlight && hasAttemptsLeft(session) &&',
    replace: 'session.attemptInFlight &&',
    test: wrongNumber,
  },
  {
    name: 'customer: an attempt is taken back when the time of its session is over',
    file: 'server/src/checkout/page/state.ts',
    find: 'hasAttemptsLeft(session) && session.expiresAtMs > nowMs',
    replace: 'hasAttemptsLeft(session)',
    test: wrongNumber,
  },
  {
    name: 'customer: what was taken back is not watched',
    file: 'server/src/payments/cancel.ts',
    find: "const change = { to: 'CANCELLED', dueAtMs } as const;",
    replace: "const change = { to: 'CANCELLED', dueAtMs: null } as const;",
    test: wrongNumber,
  },
  {
    name: 'customer: a late debit of the first number stays with the merchant',
    file: 'server/src/payments/decide.ts',
    find: "return { dueAtMs: null, reverse: { ...debitOf(answer), reason: 'LATE_DEBIT' } };",
    replace: 'return { dueAtMs: null };',
    test: wrongNumber,
  },
  {
    name: 'customer: whoever has the link sees the whole number',
    file: 'server/src/checkout/page/load.ts',
    find: 'mine: isMine ? claimed : undefined',
    replace: "mine: claimed ?? 'A'",
    test: wrongNumber,
  },
  {
    name: 'customer: another site takes an attempt back',
    file: pay,
    find: '    refuseForeignForm(request);\n',
    replace: '',
    test: wrongNumber,
  },
  {
    name: 'customer: a page that asks about the number goes away while it is read',
    file: 'server/src/checkout/page/outcome.ts',
    find: '  asksToChange\n    ? undefined\n    : html`<noscript><meta',
    replace: '  asksToChange && false\n    ? undefined\n    : html`<noscript><meta',
    test: wrongNumber,
  },
  {
    name: 'customer: a script is the address of a shop',
    file: 'server/src/merchants/contact.ts',
    find: 'if (\n    url &&\n    isWeb &&',
    replace: 'if (\n    url &&',
    test: contact,
  },
  {
    name: 'customer: the picture of a link names the link',
    file: 'server/src/checkout/page/preview.ts',
    find: '/pay/picture/${tenantId}/${proof}.png?v=${logoVersion}`',
    replace: '/pay/picture/${tenantId}/${proof}.png?v=${logoVersion}&of=${arguments[1].id}`',
    test: contact,
  },
  {
    name: 'customer: any picture opens',
    file: 'server/src/checkout/page/preview.ts',
    find: 'return attemptProofs.isOf({ tenantId, id: tenantId }, proof!) ? tenantId : undefined;',
    replace: 'return tenantId;',
    test: contact,
  },
  {
    name: 'customer: a session in escudos takes any phone that is not Angolan',
    file: 'server/src/checkout/page/phone.ts',
    find: 'phone.startsWith(`+${callingCode}`) && phone.length',
    replace: '!phone.startsWith(`+244`) || phone.length',
    test: 'server/test/flows/payments-of-sessions.test.ts',
  },
  {
    name: 'links: a link is used more often than it allows',
    file: 'server/src/payment-links/store.ts',
    find: 'AND active AND (max_uses IS NULL OR uses < max_uses)',
    replace: 'AND active',
    test: links,
  },
  {
    name: 'links: a customer pays less than the least',
    file: 'server/src/payment-links/use.ts',
    find: 'amountMinor !== undefined && amountMinor >= minAmountMinor',
    replace: 'amountMinor !== undefined && amountMinor > 0n',
    test: links,
  },
  {
    name: 'links: strangers fill the database',
    file: 'server/src/payment-links/page/routes.ts',
    find: '      if (retryInMs !== undefined) throw tooMany(reply, { retryInMs });\n',
    replace: '',
    test: links,
  },
  {
    name: 'links: another site uses a link',
    file: 'server/src/payment-links/page/routes.ts',
    find: '      refuseForeignForm(request);\n',
    replace: '',
    test: links,
  },
  {
    name: 'customer: the tick of success has the colour of the shop',
    file: 'server/src/checkout/page/style.css',
    find: '  background: var(--good);',
    replace: '  background: var(--accent);',
    test: browser,
    only: 'the tick of success is green, whatever the colour of the shop',
  },
  {
    name: 'customer: an error stays after it was put right',
    file: 'server/src/checkout/page/live.js',
    find: '  document.getElementById(error)?.remove();\n',
    replace: '',
    test: browser,
    only: 'what is wrong is red until it is put right',
  },
  {
    name: 'customer: a link whose payment was refunded says that it is paid',
    file: 'server/src/checkout/page/outcome.ts',
    find: "if (payment?.status === 'REFUNDED') return words.refunded;",
    replace: '',
    test: 'server/test/flows/payment-page.test.ts',
    only: 'a link whose payment was refunded says so',
  },
  {
    name: 'customer: escudos have a comma',
    file: 'server/src/checkout/page/money.ts',
    find: "language === 'pt' && currency === 'CVE'",
    replace: "language === 'pt' && currency === 'ECV'",
    test: 'server/src/checkout/page/money.test.ts',
  },
  {
    name: 'customer: a receipt keeps quiet about a late debit',
    file: 'server/src/receipts/page.ts',
    find: 'reversals.filter(isGoingBack)',
    replace: 'reversals.filter(() => false)',
    test: 'server/test/flows/receipts.test.ts',
  },
  {
    name: 'links: a link made on the console ends when its last day begins',
    file: 'server/src/console/pages/reusable-link-form.ts',
    find: 'const endMs = dayEndMs(text, timeZone);',
    replace: 'const endMs = Date.parse(text);',
    test: consoleLinks,
  },
  {
    name: 'links: the console sells a product in another currency',
    file: 'server/src/console/pages/reusable-link-form.ts',
    find: 'currency: found.currency,',
    replace: "currency: 'CVE' as const,",
    test: consoleLinks,
  },
];
