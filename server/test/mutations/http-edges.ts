import type { Mutation } from './list.ts';

const docs = 'server/src/http/openapi.test.ts';
const receivers = 'server/test/flows/local-receivers.test.ts';

const secretMutations: Mutation[] = [
  {
    name: 'secrets: any page may ask for the key of the demo',
    file: 'server/src/http/own-page.ts',
    find: "headers['sec-fetch-site'] === 'same-origin' &&",
    replace: "headers['sec-fetch-site'] !== '' &&",
    test: docs,
    only: 'no script holds the key of the demo',
  },
  {
    name: 'secrets: the key of the demo goes through a proxy',
    file: 'server/src/http/own-page.ts',
    find: '!isProxied(headers)',
    replace: 'isProxied !== undefined',
    test: docs,
    only: 'no script holds the key of the demo',
  },
  {
    name: 'secrets: whoever is signed in sees the key of the demo',
    file: 'server/src/app/compose/demo-key.ts',
    find: "role === 'OWNER',",
    replace: 'role !== undefined,',
    test: 'server/test/browser/demo-key.test.ts',
  },
  {
    name: 'secrets: a page of another site may include answers',
    file: 'server/src/http/server.ts',
    find: "'cross-origin-resource-policy', 'same-origin'",
    replace: "'cross-origin-resource-policy', 'cross-origin'",
    test: docs,
    only: 'no script holds the key of the demo',
  },
  {
    name: 'receivers: what one on this machine answers is shown',
    file: 'server/src/webhooks/send.ts',
    find: 'if (agents === open) attempt.hideAnswerIf',
    replace: 'if (agents === guarded) attempt.hideAnswerIf',
    test: receivers,
    only: 'a receiver on this machine gets webhooks',
  },
  {
    name: 'receivers: a webhook reaches the gateway itself',
    file: 'server/src/webhooks/local-targets.ts',
    find: ' || this.#isOwnPort(port)',
    replace: ' || this.#isOwnPort(-port)',
    test: receivers,
    only: 'no webhook of a test key reaches',
  },
  {
    name: 'receivers: a webhook reaches the network of the machine',
    file: 'server/src/webhooks/local-targets.ts',
    find: '!isLoopback(address) ||',
    replace: 'isLoopback === undefined ||',
    test: receivers,
    only: 'no webhook of a test key reaches',
  },
];

const ended = 'server/src/people/ended-sessions.test.ts';

const sessionMutations: Mutation[] = [
  {
    name: 'sessions: a stolen passkey that is removed leaves its sessions open',
    file: 'server/src/people/passkeys.ts',
    find: '    await markEnded(transaction, { personId, but: session.id }, dependencies.clock.nowMs());\n',
    replace: '',
    test: 'server/src/people/passkeys.test.ts',
    only: 'a passkey that is removed takes its sessions along',
  },
  {
    name: 'sessions: who is removed from a team stays signed in',
    file: 'server/src/people/team.ts',
    find: `    await signOut(transaction, dependencies, member, keeping);
    await writeAuditRecord(transaction, dependencies, {
      ...about(member.personId),
      action: 'person.removed',`,
    replace: `    await writeAuditRecord(transaction, dependencies, {
      ...about(member.personId),
      action: 'person.removed',`,
    test: ended,
    only: 'whoever is removed from a merchant',
  },
];

const bodyMutations: Mutation[] = [
  {
    name: 'bodies: of two amounts in a body the last one counts',
    file: 'server/src/http/body.ts',
    find: 'countMembers(value) !== colons',
    replace: 'countMembers(value) > colons',
    test: 'server/src/http/look-through.test.ts',
  },
];

const logoMutations: Mutation[] = [
  {
    name: 'logos: a style may call any function',
    file: 'server/src/merchants/logo.ts',
    find: 'if (!functions.has(name!.toLowerCase())) refuse',
    replace: 'if (functions.size === 0) refuse',
    test: 'server/src/merchants/logo.test.ts',
  },
];

export const httpEdgeMutations: Mutation[] = [
  ...secretMutations,
  ...sessionMutations,
  ...bodyMutations,
  ...logoMutations,
];
