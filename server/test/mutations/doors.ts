import type { Mutation } from './list.ts';

const doorsTest = 'server/test/flows/console-doors.test.ts';
const accountTest = 'server/test/flows/console-account.test.ts';
const next = 'server/src/console/doors/next.ts';
const nextTest = 'server/src/console/doors/next.test.ts';

/** Faults of the ways into the console and out of it. */
export const doorsMutations: Mutation[] = [
  {
    name: 'doors: sign-in leads on to another site',
    file: next,
    find: 'if (origin !== anywhere || ',
    replace: 'if (',
    test: nextTest,
  },
  {
    name: 'doors: sign-out leaves the session open',
    file: 'server/src/console/doors/sign-out.ts',
    find: 'await endSession({',
    replace: 'if (session.id === "") await endSession({',
    test: doorsTest,
    only: 'a stolen cookie',
  },
  {
    name: 'doors: forms of another session are taken',
    file: 'server/src/console/doors/routes.ts',
    find: 'if (caller.who !== undefined) requireOwnToken',
    replace: "if (caller.csrfToken === '') requireOwnToken",
    test: doorsTest,
    only: 'what another site',
  },
  {
    name: 'doors: forms of another site are taken',
    file: 'server/src/console/forms.ts',
    find: 'requireOwnOrigin(request, address);',
    replace: 'void address;',
    test: doorsTest,
    only: 'what another site',
  },
  {
    name: 'doors: a proxy on this machine brings strangers in by the first link',
    file: 'server/src/console/doors/welcome.ts',
    find: '? visitor.address : socketAddress',
    replace: '? socketAddress : socketAddress',
    test: doorsTest,
    only: 'through a proxy',
  },
  {
    name: 'doors: credentials change without proof',
    file: 'server/src/console/doors/account.ts',
    find: 'caller.who.isFresh\n',
    replace: 'caller.who.isFresh !== undefined\n',
    test: accountTest,
    only: 'how somebody signs in',
  },
  {
    name: 'doors: in test mode the team changes without proof',
    file: 'server/src/console/routes.ts',
    find: "action.isSensitive === 'ALWAYS'",
    replace: 'false',
    test: accountTest,
    only: 'in test mode too',
  },
  {
    name: 'doors: the device of a person is forgotten',
    file: 'server/src/console/doors/routes.ts',
    find: 'device: deviceOf(request, address),',
    replace: 'device: deviceOf(request, address)?.slice(1),',
    test: doorsTest,
    only: 'from a device of theirs',
  },
];
