import type { Mutation } from './list.ts';

const files = 'server/src/config/secret-files.ts';
const ofFiles = 'server/src/config/secret-files.test.ts';
const compose = 'server/test/compose.test.ts';
const systemd = 'server/test/systemd.test.ts';
const called = 'server/src/cli/called-as.test.ts';

/** Faults of installing: secrets in files, compose, systemd, the banner, the API reference. */
export const installMutations: readonly Mutation[] = [
  {
    name: 'installs: a secret given twice is not told of',
    file: files,
    find: 'if (given[name]) {',
    replace: "if (given[name] === '') {",
    test: ofFiles,
    only: 'a file and a value at once',
  },
  {
    name: 'installs: an empty file is an empty secret',
    file: files,
    find: "if (content === '') throw",
    replace: "if (content === '-') throw",
    test: ofFiles,
    only: 'a file that cannot be read',
  },
  {
    name: 'installs: a secret from a file is told with what is wrong with it',
    file: 'server/src/config/config.ts',
    find: 'isFile ? fileProblemOf(name, variable) : problemOf(name, variable, text)',
    replace:
      'isFile ? `${fileProblemOf(name, variable)} ${text}` : problemOf(name, variable, text)',
    test: ofFiles,
    only: 'what a file holds is never told',
  },
  {
    name: 'installs: anybody on the machine may enter the secrets of compose.yaml',
    file: 'deploy/prepare.sh',
    find: 'chmod 0700 secrets',
    replace: 'chmod 0755 secrets',
    test: compose,
    only: 'prepare.sh makes secrets',
  },
  {
    name: 'installs: prepare.sh makes new secrets each time',
    file: 'deploy/prepare.sh',
    find: '[ -s "secrets/$1" ] ||',
    replace: 'rm -f "secrets/$1";',
    test: compose,
    only: 'prepare.sh makes secrets',
  },
  {
    name: 'installs: compose.yaml hides a setting of .env',
    file: 'deploy/compose.yaml',
    find: '      OPERATIONS_PORT: 3001',
    replace: '      OPERATIONS_PORT: 3001\n      LOG_LEVEL: info',
    test: compose,
    only: 'the gateway of compose.yaml gets every setting',
  },
  {
    name: 'installs: others may enter the data folder of the image',
    file: 'deploy/Containerfile',
    find: 'install -d -m 0700',
    replace: 'install -d -m 0755',
    test: compose,
    only: 'containers restart',
  },
  {
    name: 'installs: the service of the backup gets another secret',
    file: 'deploy/systemd/zimbo-backup.service',
    find: 'LoadCredential=database-url:/etc/zimbo/secrets/database-url',
    replace: 'LoadCredential=database-url:/etc/zimbo/database-url',
    test: systemd,
    only: 'both services have the same settings',
  },
  {
    name: 'installs: a container is told to use npx',
    file: 'server/src/cli/called-as.ts',
    find: 'if (env.ZIMBO_COMMAND) return env.ZIMBO_COMMAND;',
    replace: '',
    test: called,
    only: 'a person is told what to type',
  },
  {
    name: 'installs: the banner asks for a merchant where there are some',
    file: 'server/src/cli/banner.ts',
    find: '  hasMerchants\n    ?',
    replace: '  hasMerchants === null\n    ?',
    test: called,
    only: 'the banner asks for a merchant only where there is none',
  },
  {
    name: 'installs: the key of the demo is told to pages of elsewhere',
    file: 'server/src/http/docs.ts',
    find: 'isLoopback(ip) && isLoopback(hostname)',
    replace: 'isLoopback(ip) && hostname !== undefined',
    test: 'server/src/http/openapi.test.ts',
    only: 'the key of the demo',
  },
  {
    name: 'installs: uploads lie in the memory of /tmp',
    file: 'deploy/Containerfile',
    find: ' TMPDIR=/var/lib/zimbo',
    replace: '',
    test: compose,
    only: 'write only where volumes are',
  },
  {
    name: 'installs: what a killed process left stays for ever',
    file: 'server/src/scratch.ts',
    find: 'nowMs - mtimeMs > forgottenAfterMs',
    replace: 'nowMs - mtimeMs > forgottenAfterMs * 24',
    test: 'server/src/scratch.test.ts',
  },
  {
    name: 'installs: a command looks for files where the caller is not',
    file: 'deploy/systemd/zimbo',
    find: '$as_zimbo test -x "$PWD" || cd /',
    replace: 'cd /',
    test: systemd,
    only: 'commands get the settings',
  },
];
