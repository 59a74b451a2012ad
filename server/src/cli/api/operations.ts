import { Argument, type Command, Option } from 'commander';
import { calledAs } from '../command-name.ts';
import { dataArgument, dataHelp } from './data.ts';
import { type ApiName, type Field, type Operation, readApi } from './document.ts';
import { examples } from './examples.ts';
import {
  type FieldOption,
  idArgument,
  kebab,
  lowerFirst,
  nonEmpty,
  optionFor,
  sentenceOf,
  wholeNumber,
} from './fields.ts';
import { csvOf, wordsOf } from './names.ts';
import { addRedeliver } from './redeliver.ts';
import type { Given } from './run-operation.ts';
import { type CommandTerms, terms } from './table.ts';

/** Adds a command for each operation of an API, or for those of one resource. */
export function addOperations(program: Command, api: ApiName, resource?: string): void {
  for (const operation of readApi(api).operations) {
    const own = terms(api, operation.id);
    const words = wordsOf(api, operation);
    if (own.isHandMade || operation.path.endsWith('.csv')) continue;
    if (resource !== undefined && words[0] !== resource) continue;
    addOperation(groupFor(program, api, operation, words.slice(0, -1)), words.at(-1)!, {
      api,
      operation,
      own,
    });
  }
}

/** The first words of the commands of /v1. */
export const merchantResources = (): string[] => [
  ...new Set(readApi('merchant').operations.map((operation) => wordsOf('merchant', operation)[0]!)),
];

export const addAdminCommands = (program: Command): void => addOperations(program, 'staff');

/** Adds the commands of a merchant's resource. */
export const addResource =
  (name: string) =>
  (program: Command): void => {
    addOperations(program, 'merchant', name);
    const webhooks = program.commands.find((command) => command.name() === 'webhooks');
    if (name === 'webhooks') addRedeliver(webhooks!);
  };

const adminAbout = 'every operation of /admin/v1, the API for staff';

/** The command of a resource, which it makes if there is none. */
function groupFor(program: Command, api: ApiName, { tag }: Operation, words: string[]): Command {
  return words.reduce((parent, word) => {
    const found = parent.commands.find((command) => command.name() === word);
    if (found) return found;
    const about = word === 'admin' ? adminAbout : readApi(api).tags.get(tag)!;
    return parent.command(word).description(lowerFirst(about).replace(/\.$/, ''));
  }, program);
}

interface Entry {
  api: ApiName;
  operation: Operation;
  own: CommandTerms;
}

function addOperation(parent: Command, name: string, { api, operation, own }: Entry): void {
  const { fields, summary, description } = operation;
  const args = [
    ...fields.filter(({ place }) => place === 'path'),
    ...fields.filter(({ name: field, place }) => place !== 'path' && own.args?.[field]),
  ];
  const options = fields
    .filter((field) => !args.includes(field) && !(operation.hasPages && field.name === 'limit'))
    .flatMap((field) => optionFor(field, own.options?.[field.name]) ?? [])
    .sort((one, other) => rankOf(one) - rankOf(other));
  const words = wordsOf(api, operation);
  const command = parent
    .command(name)
    .summary(lowerFirst(summary))
    .description([`${summary}.`, description].join(' ').trim())
    .showHelpAfterError(`See: ${calledAs()} ${words.join(' ')} --help`);
  const named = args.map((field) => ({
    words: own.args?.[field.name] ?? argumentWords(api, operation, field),
    field,
  }));
  for (const {
    words: [arg, about],
    field,
  } of named) {
    const isId = about.endsWith('_…)') || (api === 'merchant' && !own.args?.[field.name]);
    command.addArgument(new Argument(`<${arg}>`, about).argParser(isId ? idArgument : nonEmpty));
  }
  for (const { option } of options) command.addOption(option);
  if (operation.body)
    command.addOption(new Option('-d, --data <field=value>', dataHelp).argParser(dataArgument));
  if (operation.takesCsv)
    command.requiredOption('--file <file>', 'the CSV file; - is standard input');
  if (operation.hasPages)
    command.option('--limit <number>', 'the maximum number', (text) => wholeNumber(text, 1), 20);
  const csv = csvOf(api, operation);
  if (csv) command.option('--csv', lowerFirst(csv.summary));
  command.option('--json', operation.isList ? 'print an array' : 'print the API’s response');
  const ids = named.map(({ words: [, about] }) => /\((\w+_)…\)$/.exec(about)?.[1]);
  command.addHelpText('after', examplesOf(operation, { own, options, words, ids }));
  command.action(async (...given: unknown[]) => {
    const { runOperation } = await import('./run-operation.ts');
    const values = Object.fromEntries(args.map(({ name: arg }, index) => [arg, given[index]]));
    await runOperation({ api, operation, own, csv }, readOptions(command, options, values));
  });
}

/** Required ones first, the idempotency key last. */
const rankOf = ({ field }: FieldOption) =>
  (field.isRequired ? 0 : 1) + (field.place === 'header' ? 1 : 0);

/** The name of an argument, and the prefix of the ids that its list has. */
function argumentWords(api: ApiName, { path: whole }: Operation, field: Field): [string, string] {
  const name = kebab(field.name).replace(/(.)-id$/, '$1');
  const base = whole.split(`/{${field.name}}`, 1)[0];
  const list = readApi(api).operations.find(
    ({ method, path }) => method === 'GET' && path === base,
  );
  const pattern = list?.fields.find((each) => each.name === 'starting_after')?.schema.pattern;
  const prefix = /^\^([a-z]+)_/.exec(pattern ?? '')?.[1];
  return [name, prefix === undefined ? sentenceOf(field) : `the id (${prefix}_…)`];
}

/** Takes the fields out of the options. @throws CommanderError a required one is missing */
function readOptions(
  command: Command,
  options: FieldOption[],
  args: Record<string, unknown>,
): Given {
  const given = command.opts<Record<string, unknown>>();
  const fromData = (given.data ?? {}) as Record<string, unknown>;
  const values: Record<string, unknown> = { ...fromData, ...args };
  for (const { field, option } of options) {
    const value = given[option.attributeName()];
    if (value !== undefined) values[field.name] = value;
    if (field.isRequired && values[field.name] === undefined)
      command.error(`error: required option '${option.flags}' not specified`);
  }
  return { values, output: given as Given['output'] };
}

const exampleId = '01m7yhp3gfe04vkhm96w446fdf';

/** Those of the table, else what the document shows as an example, if that is all that the command needs. */
function examplesOf(
  { example }: Operation,
  {
    own,
    options,
    words,
    ids,
  }: {
    own: CommandTerms;
    options: FieldOption[];
    words: string[];
    /** The prefixes of the ids that it takes as arguments; undefined: another argument. */
    ids: (string | undefined)[];
  },
): string {
  const flags = options.flatMap(({ field, option }) => {
    const value = (example as Record<string, unknown>)[field.name];
    return field.place === 'body' && ['string', 'number'].includes(typeof value)
      ? `${option.long} ${shellWord(String(value))}`
      : [];
  });
  const args = ids.flatMap((prefix) => (prefix === undefined ? [] : `${prefix}${exampleId}`));
  const needed = options.filter(({ field }) => field.isRequired);
  const isWhole =
    args.length === ids.length &&
    needed.every(({ option }) => flags.some((flag) => flag.startsWith(`${option.long} `)));
  const made = isWhole && flags.length > 0 ? [[...words, ...args, ...flags].join(' ')] : [];
  return examples(...(own.examples ?? made).map((line) => `zimbo ${line}`));
}

const shellWord = (text: string) => (/^[\w+./:@-]+$/.test(text) ? text : JSON.stringify(text));
