import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import { banner } from './banner.ts';
import { asTyped, calledAs } from './command-name.ts';

const inContainer = 'docker compose exec gateway zimbo';

test('shows the command as typed here: with npx, installed, or in a container', () => {
  const cases = [
    [{}, '/home/ana/zimbo/node_modules/.bin/zimbo', 'npx zimbo'],
    [{}, 'C:\\zimbo\\node_modules\\@zimbo\\server\\bin\\zimbo.js', 'npx zimbo'],
    [{}, '/home/ana/zimbo/server/bin/zimbo.js', 'npx zimbo'],
    [{}, '/usr/local/bin/zimbo', 'zimbo'],
    [{ ZIMBO_COMMAND: inContainer }, '/opt/zimbo/server/bin/zimbo.js', inContainer],
  ] as const;
  for (const [env, path, expected] of cases) assert.equal(calledAs(env, path), expected, path);
});

test('shows usage and examples of help texts as typed here', () => {
  const help = `Usage: zimbo keys [options] [command]

Settings of zimbo start hold for all.

Examples:
  $ zimbo keys create --merchant me_…
  $ PORT=8080 zimbo start
`;
  assert.equal(
    asTyped(help, inContainer),
    help.replace('Usage: zimbo', `Usage: ${inContainer}`).replace('$ zimbo', `$ ${inContainer}`),
  );
});

const facts = {
  version: '1.2.3',
  url: 'http://127.0.0.1:3000',
  demoKey: undefined,
  databaseLocation: undefined,
};
const config = {
  dataDir: '/var/lib/zimbo',
  databaseUrl: 'postgres://zimbo:hunter2@db/zimbo',
  role: 'all' as const,
  processes: 1,
  operators: {},
};
const told = (change: Partial<Parameters<typeof banner>[0]>, operators: readonly string[] = []) => {
  const named = Object.fromEntries(operators.map((name) => [name, {}])) as never;
  const all = { ...facts, hasMerchants: false, config: { ...config, operators: named }, ...change };
  return stripVTControlCharacters(banner(all, false, inContainer));
};

test('suggests creating a merchant only if there is none, with the right command name', () => {
  const empty = told({});
  assert.match(empty, /^docker compose exec gateway zimbo merchants create --name "My shop"$/m);
  const used = told({ hasMerchants: true });
  assert.doesNotMatch(used, /merchants create|npx/);
  assert.match(used, /^docker compose exec gateway zimbo doctor$/m);
});

test('names the configured operators in the banner, or says that there are none', () => {
  assert.match(told({}, ['CVMOVEL', 'UNITEL_TMAIS']), /^ +Operators +CVMOVEL, UNITEL_TMAIS$/m);
  assert.match(told({}), /^ +Operators +none, so there are no live payments yet$/m);
  const onLaptop = told({ config: { ...config, databaseUrl: undefined } });
  assert.doesNotMatch(onLaptop, /Operators/);
});
