import type { Fault } from './list.ts';

const flow = 'server/test/flows/strangers.test.ts';
const keys = 'server/src/merchants/authenticate.test.ts';
const links = 'server/src/checkout/page/authenticate.test.ts';

const lookUpFaults: Fault[] = [
  {
    name: 'strangers: a key that nobody knows is looked up whatever its address has done',
    file: 'server/src/merchants/authenticate.ts',
    find: '(trusted.has(key, nowMs) || admit())',
    replace: '(admit() || trusted.has(key, nowMs) || true)',
    test: flow,
    only: 'a thousand requests with unknown keys',
  },
  {
    name: 'strangers: one wrong key locks out all who work behind its address',
    file: 'server/src/merchants/authenticate.ts',
    find: '(trusted.has(key, nowMs) || admit())',
    replace: 'admit()',
    test: keys,
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
    file: 'server/src/platform/http/auth.ts',
    find: `      if (paid) failures.forgive(request);
      request.principal`,
    replace: '      request.principal',
    test: flow,
    only: 'keys that are used for the first time',
  },
  {
    name: 'strangers: each address of a /64 has a bucket of its own',
    file: 'server/src/platform/http/address.ts',
    find: "prefix.join(':')}::/64",
    replace: "groups.join(':')}",
    test: 'server/src/platform/http/address.test.ts',
  },
  {
    name: 'strangers: an unknown link is looked up before its bucket is asked',
    file: 'server/src/checkout/page/authenticate.ts',
    find: 'const paid = isOurs ? undefined',
    replace: 'await find(linked);\n    const paid = isOurs ? undefined',
    test: links,
  },
  {
    name: 'strangers: who tries links shuts out the customers behind the same address',
    file: 'server/src/checkout/page/authenticate.ts',
    find: 'linked !== undefined && linkSecrets.isOurs(linked)',
    replace: 'linked === undefined && linkSecrets.isOurs(linked!)',
    test: links,
  },
];

export const strangerFaults: Fault[] = [...lookUpFaults];
