import type { Mutation } from './list.ts';

const proofs = 'server/test/operators/callback-proofs.test.ts';
const settings = 'server/src/config/callbacks.test.ts';
const authenticate = 'server/src/callbacks/authenticate.test.ts';
const believe = 'server/src/callbacks/believe.test.ts';

const settingMutations: Mutation[] = [
  {
    name: 'callbacks: an operator that cannot be asked needs no proof',
    file: 'server/src/config/callbacks.ts',
    find: 'if (!provingSettings.some(isGiven)) {',
    replace: 'if (provingSettings.length === 0) {',
    test: settings,
  },
  {
    name: 'callbacks: an operator that cannot be asked may be polled',
    file: 'server/src/config/callbacks.ts',
    find: "if (of('MODE') === 'polling') {",
    replace: "if (of('MODE') === 'pull') {",
    test: settings,
  },
  {
    name: 'callbacks: a certificate needs no proxy',
    file: 'server/src/config/callbacks.ts',
    find: "isGiven('CALLBACK_CERTIFICATE') && trustProxy.length === 0",
    replace: "isGiven('CALLBACK_CERTIFICATE') && trustProxy.length < 0",
    test: settings,
  },
  {
    name: 'callbacks: an address that anybody may claim is a proof',
    file: 'server/src/config/callbacks.ts',
    find: 'if (claimable.length === 0 || !trustsEverybody(trustProxy)) return [];',
    replace: 'if (claimable.length >= 0) return [];',
    test: settings,
  },
  {
    name: 'callbacks: settings of an operator without its URL pass silently',
    file: 'server/src/config/operator-settings.ts',
    find: 'if (others.length > 0) require(',
    replace: 'if (others.length > 99) require(',
    test: 'server/src/config/operator-settings.test.ts',
  },
];

const proofMutations: Mutation[] = [
  {
    name: 'callbacks: the address of the proxy counts as that of the operator',
    file: 'server/src/callbacks/authenticate.ts',
    find: '({ ip }) => isKnown(ip)',
    replace: '({ peer }) => isKnown(peer)',
    test: authenticate,
  },
  {
    name: 'callbacks: anybody may tell of a certificate',
    file: 'server/src/callbacks/authenticate.ts',
    find: 'isProxy(peer) && isNamed(',
    replace: 'isNamed(',
    test: proofs,
    only: 'a certificate is believed from a trusted proxy',
  },
  {
    name: 'callbacks: one proof of several is enough',
    file: 'server/src/callbacks/authenticate.ts',
    find: 'return lacking.length === 0',
    replace: 'return lacking.length < checks.length',
    test: authenticate,
  },
  {
    name: 'callbacks: one with a name that cannot be stored is refused',
    file: 'server/src/http/body.ts',
    find: 'return parse(readable(withoutMark(bytes)).text, parsed);',
    replace: 'return parsed && parseJson(bytes);',
    test: 'server/test/operators/callbacks.test.ts',
    only: 'a callback with a name that cannot be booked',
  },
  {
    name: 'callbacks: a signature is held against what was parsed, not against what was sent',
    file: 'server/src/callbacks/routes.ts',
    find: 'authenticity(request, bytes);',
    replace:
      'authenticity(request, Buffer.from(JSON.stringify(readAnyJson(request, bytes, parseExactly))));',
    test: proofs,
    only: 'a signed callback is taken byte for byte',
  },
  {
    name: 'callbacks: one that is refused is kept all the same',
    file: 'server/src/callbacks/routes.ts',
    find: 'throw unproved;',
    replace: 'return false;',
    test: proofs,
    only: 'a signed callback is taken byte for byte',
  },
  {
    name: 'callbacks: each refusal is logged',
    file: 'server/src/callbacks/routes.ts',
    find: 'if (!limiter.take(operator, clock.nowMs()).allowed) {',
    replace: 'if (!limiter.take(reference, 0)) {',
    test: proofs,
    only: 'refusals are logged a few times',
  },
  {
    name: 'callbacks: what was kept without proof stays so when it is proved',
    file: 'server/src/callbacks/store.ts',
    find: 'WHERE excluded.authenticated AND NOT c.authenticated',
    replace: 'WHERE false',
    test: proofs,
    only: 'what was kept before it was proved',
  },
  {
    name: 'callbacks: a leaked address fills the table',
    file: 'server/src/callbacks/store.ts',
    find: `FROM told WHERE (has_outcome OR count <`,
    replace: 'FROM told WHERE (count >= 0 OR count <',
    test: proofs,
    only: 'of one reference eight callbacks',
  },
  {
    name: 'callbacks: what finds no room is forgotten',
    file: 'server/src/callbacks/take.ts',
    find: '    parts.worker.wake(await askOnceMore(parts.database, address, nowMs));\n',
    replace: '',
    test: 'server/test/operators/excess-callbacks.test.ts',
    only: 'a success that is told after ten other words',
  },
  {
    name: 'callbacks: what comes in the same millisecond as a question leads to no other',
    file: 'server/src/callbacks/excess.ts',
    find: "GREATEST(excluded.received_at, c.received_at + interval '1 millisecond')",
    replace: 'excluded.received_at',
    test: 'server/test/operators/excess-callbacks.test.ts',
    only: 'a word that comes while',
  },
  {
    name: 'callbacks: strangers take the room of what is proved',
    file: 'server/src/callbacks/store.ts',
    find: ` FILTER (WHERE authenticated OR NOT \${given.authenticated})`,
    replace: '',
    test: proofs,
    only: 'unproven callbacks take no room from proven ones',
  },
  {
    name: 'callbacks: guessing addresses is free',
    file: 'server/src/callbacks/routes.ts',
    find: 'done(allowance?.allowed === false ? tooMany(reply, allowance) : unknownAddress),',
    replace: 'done(unknownAddress),',
    test: proofs,
    only: 'who guesses addresses',
  },
  {
    name: 'callbacks: strangers use up what the operator may say',
    file: 'server/src/callbacks/routes.ts',
    find: '    const authenticated = authenticity(request, bytes);',
    replace: `    told?.take(request.callbackAddress.reference, clock.nowMs());
    const authenticated = authenticity(request, bytes);`,
    test: proofs,
    only: 'an address that leaked takes some',
  },
  {
    name: 'callbacks: addresses that were given out are forgotten by an upgrade',
    file: 'server/src/operators/callback-token.ts',
    find: "'zimbo operator callbacks'",
    replace: "'zimbo callbacks of operators'",
    test: 'server/src/operators/callback-token.test.ts',
  },
];

const beliefMutations: Mutation[] = [
  {
    name: 'callbacks: a transaction that names no reference is believed',
    file: 'server/src/callbacks/believe.ts',
    find: 'reference: named,',
    replace: 'reference: named = subject.reference,',
    test: believe,
  },
  {
    name: 'callbacks: a transaction of another amount is believed',
    file: 'server/src/callbacks/believe.ts',
    find: "  if (amountMinor !== subject.amountMinor) return 'OTHER_AMOUNT';\n",
    replace: '',
    test: believe,
  },
  {
    name: 'callbacks: a signed refusal fails any payment that it is sent to',
    file: 'server/src/callbacks/believe.ts',
    find: "told.bySender && subject.kind === 'DEBIT'",
    replace: "subject.kind === 'DEBIT'",
    test: believe,
  },
  {
    name: 'callbacks: a refusal that names nothing frees a refund to be made again',
    file: 'server/src/callbacks/believe.ts',
    find: "told.bySender && subject.kind === 'DEBIT'",
    replace: 'told.bySender',
    test: believe,
  },
  {
    name: 'callbacks: one that proved nothing is believed',
    file: 'server/src/callbacks/believe.ts',
    find: "  if (!told.authenticated) return 'NOT_AUTHENTICATED';\n",
    replace: '',
    test: believe,
  },
  {
    name: 'callbacks: a failure takes back a success that names no reference',
    file: 'server/src/callbacks/believe.ts',
    find: "return answer?.kind !== 'failed';",
    replace: "return answer?.kind === 'unknown';",
    test: 'server/test/operators/believed-callbacks.test.ts',
    only: 'a failure takes back no success',
  },
];

export const callbackMutations: Mutation[] = [
  ...settingMutations,
  ...proofMutations,
  ...beliefMutations,
];
