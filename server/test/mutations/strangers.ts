import type { Mutation } from './list.ts';

const flow = 'server/test/flows/strangers.test.ts';
const keys = 'server/src/merchants/authenticate.test.ts';
const links = 'server/src/checkout/page/authenticate.test.ts';

const lookUpMutations: Mutation[] = [
  {
    name: 'strangers: a key that nobody knows is looked up whatever its address has done',
    file: 'server/src/merchants/authenticate.ts',
    find: 'known.has(hash, nowMs) || admit();',
    replace: 'admit() || true;',
    test: flow,
    only: 'a thousand requests with unknown keys',
  },
  {
    name: 'strangers: one wrong key locks out all who work behind its address',
    file: 'server/src/merchants/authenticate.ts',
    find: 'known.has(hash, nowMs) || admit();',
    replace: 'admit();',
    test: keys,
  },
  {
    name: 'strangers: after a restart, one wrong key locks out all who work behind its address',
    file: 'server/src/app/compose/base.ts',
    find: '  await base.knownKeys.load(base.database, now);\n',
    replace: '',
    test: flow,
    only: 'nor after a restart',
  },
  {
    name: 'strangers: the database is asked about a wrong key each time',
    file: 'server/src/merchants/authenticate.ts',
    find: '      unknown.add(key, askedAtMs);\n',
    replace: '',
    test: keys,
  },
  {
    name: 'strangers: a key that is used for the first time counts as a failure',
    file: 'server/src/http/auth.ts',
    find: `      if (paid) failures.forgive(request);
      onUse?.(holder);`,
    replace: '      onUse?.(holder);',
    test: flow,
    only: 'keys that are used for the first time',
  },
  {
    name: 'strangers: each address of a /64 has a bucket of its own',
    file: 'server/src/http/address.ts',
    find: "prefix.join(':')}::/64",
    replace: "groups.join(':')}",
    test: 'server/src/http/address.test.ts',
  },
  {
    name: 'strangers: an unknown link is looked up before its bucket is asked',
    file: 'server/src/checkout/page/authenticate.ts',
    find: 'const paid = isOurs ? undefined',
    replace: 'await dependencies.find(linked!);\n    const paid = isOurs ? undefined',
    test: links,
  },
  {
    name: 'strangers: a link opens without end',
    file: 'server/src/checkout/page/authenticate.ts',
    find: 'if (opened?.allowed === false)',
    replace: 'if (opened?.left === -1)',
    test: 'server/src/checkout/page/authenticate.test.ts',
  },
  {
    name: 'strangers: the payment page reads all items of a session',
    file: 'server/src/checkout/store.ts',
    find: 'const headLength = 32 * 1024;',
    replace: 'const headLength = 32 * 1024 * 1024;',
    test: 'server/test/flows/payment-page.test.ts',
  },
  {
    name: 'strangers: who tries links shuts out the customers behind the same address',
    file: 'server/src/checkout/page/authenticate.ts',
    find: 'linked !== undefined && (await dependencies.isOurs(linked))',
    replace: 'linked === undefined && (await dependencies.isOurs(linked!))',
    test: links,
  },
];

const phones = 'server/src/phones/prompts.test.ts';
const prompts = 'server/test/operators/prompts.test.ts';
const recipes = 'server/test/recipes.long.test.ts';

const promptMutations: Mutation[] = [
  {
    name: 'prompts: a phone is asked while it is being asked',
    file: 'server/src/phones/store.ts',
    find: 'WHEN is_open THEN',
    replace: 'WHEN is_open AND is_blocked THEN',
    test: phones,
  },
  {
    name: 'prompts: there are no pauses',
    file: 'server/src/phones/store.ts',
    find: 'WHEN is_pause AND NOT is_answered',
    replace: 'WHEN is_pause AND is_blocked',
    test: phones,
  },
  {
    name: 'prompts: a merchant may ask a phone as often as all together',
    file: 'server/src/phones/store.ts',
    find: ">= $6 THEN 'PAYER_LIMIT_REACHED'",
    replace: ">= $6 + $7 THEN 'PAYER_LIMIT_REACHED'",
    test: phones,
  },
  {
    name: 'prompts: many merchants at once ask a phone more often than they may',
    file: 'server/src/phones/store.ts',
    find: 'WHERE total.day_ends_at <= $4 OR total.unanswered + excluded.unanswered <= $7',
    replace: 'WHERE total.unanswered + $7 > 0',
    test: phones,
  },
  {
    name: 'prompts: a payment that the limit over all refused is kept as asked',
    file: 'server/src/phones/store.ts',
    find: 'FROM judged JOIN counted USING (phone_digest)',
    replace: 'FROM judged WHERE refusal IS NULL AND NOT is_taken AND $6 IS NOT NULL',
    test: phones,
    only: 'the limit over all holds',
  },
  {
    name: 'prompts: a merchant who races himself uses up what others may',
    file: 'server/src/phones/store.ts',
    find: 'if (inVain.length > 0) {',
    replace: 'if (inVain.length < 0) {',
    test: phones,
    only: 'a merchant who races himself',
  },
  {
    name: 'prompts: two payments at once both ask the phone',
    file: 'server/src/phones/store.ts',
    find: 'WHERE prompt.version = excluded.version - 1',
    replace: 'WHERE prompt.version > 0',
    test: phones,
    only: 'of two payments at once',
  },
  {
    name: 'prompts: who pays is limited like who does not',
    file: 'server/src/phones/store.ts',
    find: 'CASE WHEN is_answered AND unanswered > 0 THEN 1 ELSE 0 END AS credit',
    replace: 'CASE WHEN is_answered AND unanswered > 0 THEN 0 ELSE 0 END AS credit',
    test: phones,
  },
  {
    name: 'prompts: a phone that is blocked is asked',
    file: 'server/src/phones/store.ts',
    find: "WHEN is_blocked THEN 'PAYER_NOT_ALLOWED'",
    replace: 'WHEN is_blocked THEN NULL',
    test: phones,
  },
  {
    name: 'prompts: payments of the API know no limit',
    file: 'server/src/payments/record-answer.ts',
    find: 'return account === null ? undefined : dependencies.takePrompt(payment);',
    replace:
      'return account === null || payment.checkoutSessionId === null ? undefined : dependencies.takePrompt(payment);',
    test: prompts,
    only: 'a live payment of a phone',
  },
  {
    name: 'prompts: payments in test mode are limited',
    file: 'server/src/payments/record-answer.ts',
    find: 'return account === null ? undefined : dependencies.takePrompt(payment);',
    replace: 'return account === undefined ? undefined : dependencies.takePrompt(payment);',
    test: prompts,
    only: 'payments in test mode',
  },
  {
    name: 'prompts: a new secret key forgets which phones are blocked',
    file: 'server/src/cli/secrets.ts',
    find: 'if (!(await reencryptDigestKey(workspace.database, secrets))) {',
    replace: 'if (reencryptDigestKey.length === 0) {',
    test: 'server/src/cli/phones.test.ts',
    only: 'a phone stays blocked',
  },
];

const recipeMutations: Mutation[] = [
  {
    name: 'recipes: the shell takes a signature for a pattern',
    file: 'docs/webhooks.md',
    find: '"$(hmac "$secret" <<< "$expected")" == "$(hmac "$secret" <<< "$signature")" ]]',
    replace: '"$expected" == $signature ]]',
    test: recipes,
    only: 'the recipe for curl and openssl distinguishes a real delivery of the log from a forged one',
  },
  {
    name: 'recipes: the shell calls a delivery genuine where openssl is missing',
    file: 'docs/webhooks.md',
    find: '#expected} == 64 &&',
    replace: '#expected} != 1 &&',
    test: recipes,
    only: 'where openssl is missing',
  },
  {
    name: 'recipes: the shell shows the key to everybody on the machine',
    file: 'docs/webhooks.md',
    find: '-H @<(authorization)',
    replace: '-H "$(authorization)"',
    test: recipes,
    only: 'shows no secret',
  },
];

const proxies = 'server/src/http/proxies.test.ts';

const proxyMutations: Mutation[] = [
  {
    name: 'proxies: nobody is told of one that is not trusted',
    file: 'server/src/http/proxies.ts',
    find: 'if (hasUntrusted) watch.onUntrusted(peer);',
    replace: '',
    test: proxies,
  },
  {
    name: 'proxies: a trusted one is told of, too',
    file: 'server/src/http/proxies.ts',
    find: 'hasUntrusted = !isTrusted(peer);',
    replace: "hasUntrusted = !isTrusted('');",
    test: proxies,
  },
  {
    name: 'proxies: behind one, test keys reach private addresses',
    file: 'server/src/app/compose/http.ts',
    find: '      allowPrivate.test = false;\n',
    replace: '',
    test: flow,
    only: 'a gateway that a proxy turns out',
  },
  {
    name: 'proxies: a process that shares its work reaches private addresses',
    file: 'server/src/config/config.ts',
    find: "DATABASE_URL === undefined && role === 'all'",
    replace: "DATABASE_URL !== 'all' || role === 'all'",
    test: flow,
    only: 'gateways that share a database',
  },
  {
    name: 'proxies: all customers of deploy/ share one bucket',
    file: 'deploy/compose.yaml',
    find: 'TRUST_PROXY:-172.31.250.1,172.31.250.2}',
    replace: 'TRUST_PROXY:-false}',
    test: 'server/test/compose.test.ts',
    only: 'Caddy of compose.yaml reaches the gateway',
  },
];

const changes = 'server/test/flows/webhook-changes.test.ts';
const shop = 'server/test/flows/shop.long.test.ts';

const hygieneMutations: Mutation[] = [
  {
    name: 'hygiene: a repeated creation shows a secret that was replaced',
    file: 'server/src/webhooks/rotate-secret.ts',
    find: '  answer_box = NULL,\n',
    replace: '',
    test: changes,
    only: 'a repeated creation shows no secret',
  },
  {
    name: 'hygiene: a repeated creation shows an endpoint that was deleted',
    file: 'server/src/webhooks/create-endpoint.ts',
    find: 'if (earlier?.deleted) throw',
    replace: "if (earlier?.id === '') throw",
    test: changes,
    only: 'a repeated creation shows no secret',
  },
  {
    name: 'hygiene: any session that names the order pays it',
    file: 'examples/shop/shop.js',
    find: 'session?.id === id &&',
    replace: 'session &&',
    test: shop,
    only: 'a session that only names the order',
  },
  {
    name: 'hygiene: a session of another sum pays the order',
    file: 'examples/shop/shop.js',
    find: ' && session.amount === amount',
    replace: '',
    test: shop,
    only: 'a session that only names the order',
  },
  {
    name: 'hygiene: the example receiver buffers whatever comes',
    file: 'examples/receiver.js',
    find: 'if (bytes <= maxBytes) chunks.push(chunk);',
    replace: 'if (bytes > 0) chunks.push(chunk);',
    test: 'server/test/docs.test.ts',
    only: 'the example receiver refuses',
  },
  {
    name: 'hygiene: a gateway is ready before its start has ended',
    file: 'server/src/app/operational-routes.ts',
    find: 'dependencies.isStarted?.() === false',
    replace: 'dependencies.isStarted === null',
    test: 'server/src/app/operational-routes.test.ts',
  },
  {
    name: 'hygiene: the embedded database trusts whoever reaches its socket',
    file: 'server/src/postgres/embedded/server.ts',
    find: 'if (asked !== text) await writeFile(path, asked);',
    replace: "if (asked === '') await writeFile(path, asked);",
    test: 'server/src/postgres/embedded/embedded.long.test.ts',
    only: 'whoever reaches the socket',
  },
  {
    name: 'hygiene: nobody is told of a database in clear text',
    file: 'server/src/postgres/unencrypted.ts',
    find: "return isSaid || sslModes.includes(process.env.PGSSLMODE ?? '') ? undefined : host;",
    replace: 'return isSaid || host ? undefined : host;',
    test: 'server/src/postgres/unencrypted.test.ts',
  },
];

const edgeMutations: Mutation[] = [
  {
    name: 'phones: what stands for an erased one is taken for one',
    file: 'server/src/phone.ts',
    find: '/^\\+[1-9]\\d{7,14}$/',
    replace: '/^\\+\\d{8,15}$/',
    test: 'server/src/payments/payment.test.ts',
  },
  {
    name: 'phones: a zero makes another phone, which is asked as often again',
    file: 'server/src/phones/digest.ts',
    find: "phone.replace(/^\\+(238|244)0+/, '+$1')",
    replace: 'phone',
    test: 'server/src/phones/prompts.test.ts',
    only: 'a phone is the same',
  },
  {
    name: 'paths: one that ends early is taken for that of something that is not there',
    file: 'server/src/http/lists.ts',
    find: "  if (value === '') throw noSuchRoute();\n",
    replace: '',
    test: 'server/test/flows/payments.test.ts',
    only: 'a path that ends early is answered as not found',
  },
  {
    name: 'log: an error of the database tells what stands in the row',
    file: 'server/src/observability/log.ts',
    find: "['detail', 'where', 'internalQuery']",
    replace: "['where', 'internalQuery']",
    test: 'server/src/observability/log.test.ts',
  },
];

export const strangerMutations: Mutation[] = [
  ...lookUpMutations,
  ...promptMutations,
  ...recipeMutations,
  ...proxyMutations,
  ...hygieneMutations,
  ...edgeMutations,
];
