import type { Mutation } from './list.ts';

const loaded = 'server/test/loaded-modules.test.ts';

/** Faults of starts and commands: what is loaded, and what is made later than before. */
export const startMutations: readonly Mutation[] = [
  {
    name: 'starts: every command loads all commands',
    file: 'server/src/cli/commands.ts',
    find: 'if (known) {',
    replace: "if (known && first === 'start') {",
    test: loaded,
    only: 'a command of the API loads itself and the SDK, and nothing of the gateway',
  },
  {
    name: 'starts: help loads the driver of mail',
    file: 'server/src/cli/main.ts',
    find: "import { version } from '../version.ts';",
    replace: "import { version } from '../version.ts';\nimport 'nodemailer';",
    test: loaded,
    only: 'help loads the commands, and little of what they do',
  },
  {
    name: 'starts: a gateway loads the console before anybody visits it',
    file: 'server/src/app/compose.ts',
    find: "import { composeHttp } from './compose/http.ts';",
    replace: "import { composeHttp } from './compose/http.ts';\nimport '../console/routes.ts';",
    test: loaded,
    only: 'a gateway is ready without what it may never need',
  },
  {
    name: 'starts: a gateway loads the compiler of schemas before it checks anything',
    file: 'server/src/http/compilers.ts',
    find: '  return (route) => {\n',
    replace: '  ajvOnce();\n  return (route) => {\n',
    test: loaded,
    only: 'a gateway is ready without what it may never need',
  },
  {
    name: 'starts: a schema that cannot be compiled is found by its first request',
    file: 'server/src/products/schemas.ts',
    find: 'const active = Type.Boolean({ description:',
    replace: 'const active = Type.Boolean({ descripton:',
    test: 'server/src/http/schemas.test.ts',
  },
  {
    name: 'starts: what an object needs is forgotten',
    file: 'server/src/http/type.ts',
    find: '!optional.has(properties[name]!)',
    replace: 'optional.has(properties[name]!)',
    test: 'server/src/http/type.test.ts',
  },
  {
    name: 'starts: what breaks a rule is answered as an error of ours',
    file: 'server/src/http/compilers.ts',
    find: 'validate.errors = check.errors ?? null;',
    replace: 'validate.errors = null;',
    test: 'server/src/http/answers.test.ts',
    only: 'bodies that break a rule are refused with the name of the field',
  },
  {
    name: 'starts: the console answers for whatever begins with its letters',
    file: 'server/src/http/annex.ts',
    find: "url.startsWith(path) && (url.length === path.length || '/?'.includes(url[path.length]!))",
    replace: 'url.startsWith(path)',
    test: 'server/src/http/annex.test.ts',
  },
  {
    name: 'starts: an app that could not be made is never tried again',
    file: 'server/src/http/prepared.ts',
    find: '      made = undefined;\n',
    replace: '',
    test: 'server/src/http/annex.test.ts',
  },
  {
    name: 'starts: a gateway that is killed keeps nothing that it compiled',
    file: 'server/src/cli/start.ts',
    find: '  flushCompileCache();\n',
    replace: '',
    test: loaded,
    only: 'what a gateway compiled is kept while it runs, for the start after it is killed',
  },
];
