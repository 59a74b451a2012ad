import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { type TestContext, test } from 'node:test';
import { Command } from 'commander';
import { runCommand } from '../../../test/support/command-line.ts';
import { addCommands } from '../commands.ts';
import { type ApiName, readApi } from './document.ts';
import { merchantResources } from './operations.ts';

/** A server that accepts everything, and notes what it was asked for. */
async function recorder(context: TestContext) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url!.split('?', 1)[0]}`);
    request.resume();
    const answer = { id: 'x_1', data: [], hasMore: false, count: 0, nextSince: null };
    response.setHeader(
      'content-type',
      request.url!.includes('.csv') ? 'text/csv' : 'application/json',
    );
    response.end(request.url!.includes('.csv') ? '' : JSON.stringify(answer));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  context.after(() => server.close());
  const { port } = server.address() as { port: number };
  const url = `http://127.0.0.1:${port}`;
  const environment = {
    ZIMBO_URL: url,
    ZIMBO_API_KEY: `sk_test_${'a'.repeat(32)}`,
    ZIMBO_ADMIN_URL: url,
    ZIMBO_ADMIN_KEY: 'ak_admin',
  };
  return { requests, environment };
}

/** Values that the options take, by their placeholders. */
const samples: Record<string, string> = {
  centavos: '100',
  number: '1',
  list: 'a',
  'true|false': 'true',
  'name=value': 'a=b',
  file: import.meta.filename,
  month: '2026-10',
  text: '2026-10',
};

/** The ways to call a command: with what it needs, and with each option that makes it another operation. */
function callsOf(command: Command, words: string[]): string[][] {
  const needed = command.options
    .filter(({ mandatory, description }) => mandatory || description.endsWith('required)'))
    .flatMap(({ long, flags }) => [long!, samples[/<(.+)>$/.exec(flags)![1]!] ?? 'x']);
  const args = command.registeredArguments.filter(({ required }) => required).map(() => 'we_1');
  const json = command.options.some(({ long }) => long === '--json') ? ['--json'] : [];
  const call = [...words, ...args, ...needed, ...json];
  if (words.at(-1) !== 'redeliver')
    return command.options.some(({ long }) => long === '--csv')
      ? [call, [...call, '--csv']]
      : [call];
  return [
    [...call, 'dl_1'],
    [...call, '--since', '2026-11-21T08:00:00Z'],
  ];
}

const leavesOf = (command: Command, words: string[]): string[][] =>
  command.commands.length === 0
    ? callsOf(command, words)
    : command.commands.flatMap((each) => leavesOf(each, [...words, each.name()]));

async function program(): Promise<Command> {
  const made = new Command('zimbo');
  await addCommands(made, undefined);
  return made;
}

/** The commands in its help, without those that leave an id open; the parts of one in quotes are one word. */
function examplesIn(command: Command): string[][] {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  return [...help.matchAll(/^ +\$ (?:npx )?zimbo ([^…\n]+)$/gm)].map(([, line]) =>
    line!
      .split(' > ')[0]!
      .match(/(?:"[^"]*"|[^ ])+/g)!
      .map((word) => word.replaceAll('"', '')),
  );
}

const allExamples = (command: Command): string[][] => [
  ...examplesIn(command),
  ...command.commands.flatMap(allExamples),
];

const template = (api: ApiName, request: string) =>
  readApi(api).operations.find(({ method, path }) => {
    const shape = `${readApi(api).prefix}${path}`
      .replaceAll('.', '\\.')
      .replaceAll(/\{\w+\}/g, '[^/]+');
    return new RegExp(`^${method} ${shape}$`).test(request);
  });

test('a command reaches every operation of both documents, and no other', async (context) => {
  const { requests, environment } = await recorder(context);
  const { commands } = await program();
  const resources = new Set([...merchantResources(), 'admin']);
  const add = async (made: Command, first: string) => addCommands(made, first);
  for (const command of commands.filter((each) => resources.has(each.name()))) {
    for (const call of leavesOf(command, [command.name()])) {
      const prepared = new Command().exitOverride();
      await add(prepared, command.name());
      const before = requests.length;
      const said = await runCommand(
        (made) => made.addCommand(prepared.commands[0]!),
        call,
        environment,
      );
      // Commands made by hand check ids before they send anything.
      if (requests.length === before)
        assert.match(said.stderr, /There is no settlement|review/, call.join(' '));
    }
  }
  for (const [api, prefix] of [
    ['merchant', '/v1'],
    ['staff', '/admin/v1'],
  ] as const) {
    const own = requests.filter((request) => request.split(' ')[1]!.startsWith(`${prefix}/`));
    const reached = own.map((request) => template(api, request)?.id ?? request);
    const documented = readApi(api).operations.map(({ id }) => id);
    assert.deepEqual([...new Set(reached)].sort(), documented.toSorted(), api);
  }
});

test('each example in the help of an operation sends a request', async (context) => {
  const { requests, environment } = await recorder(context);
  const { commands } = await program();
  const resources = new Set([...merchantResources(), 'admin']);
  for (const command of commands.filter((each) => resources.has(each.name()))) {
    const prepared = new Command().exitOverride();
    await addCommands(prepared, command.name());
    for (const words of allExamples(command)) {
      const example = words.map((word) => (word.startsWith('@') ? '{"items":[]}' : word));
      const before = requests.length;
      const said = await runCommand(
        (made) => made.addCommand(prepared.commands[0]!),
        example,
        environment,
      );
      assert.ok(requests.length > before, `${words.join(' ')}: ${said.stderr}`);
    }
  }
});
