import { type Command, InvalidArgumentError, type Option } from 'commander';
import { expectWritten, type Output, printJson } from '../output.ts';
import { type List, withGateway, type Zimbo } from './connection.ts';
import { type Columns, printItem, printItems } from './print-items.ts';

interface Listing {
  /** Without: list. */
  name?: string;
  about: string;
  /** The parent resource of the items. */
  of?: string;
  columns: Columns;
  filters?: Option[];
  list: (zimbo: Zimbo, query: object, ofId: string) => List<{ id: string }>;
}

interface ListOptions extends Output {
  limit: number;
  startingAfter?: string;
}

const largestPage = 100;

/** The command that lists a resource; options are the query of the API, in camel case as in the SDK. */
export function addList(parent: Command, listing: Listing): void {
  const { name = 'list', about, of, columns, filters = [], list } = listing;
  const command = parent.command(name).description(about);
  if (of) command.argument('<id>', of, idArgument);
  for (const filter of filters) command.addOption(filter);
  command
    .option('--limit <number>', 'the maximum number', positive, 20)
    .option('--starting-after <id>', 'continue after this one', idArgument)
    .option('--json', 'print an array');
  const show = async (id: string, { json, limit, ...query }: ListOptions) => {
    const items = await withGateway(({ zimbo }) => {
      // One item more shows whether there is another page.
      const page = { ...query, limit: Math.min(limit + 1, largestPage) };
      return firstOf(list(zimbo, page, id), limit + 1);
    });
    const shown = items.slice(0, limit);
    if (json) printJson(shown);
    else if (shown.length === 0) console.log('There are none.');
    else printItems(shown, columns);
    const last = shown.at(-1);
    if (!last || items.length <= limit) return;
    const more = `There are more: --starting-after ${last.id}`;
    // Programs get only the rows.
    if (json) console.error(more);
    else console.log(`\n${more}`);
  };
  command.action(
    of ? show : (options: Omit<ListOptions, 'json'> & Output) => show('', options as ListOptions),
  );
}

async function firstOf<Item extends { id: string }>(
  list: List<Item>,
  limit: number,
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of list) if (items.push(item) === limit) break;
  return items;
}

/** A command that takes an id and prints the response. */
export function addForId(
  parent: Command,
  name: string,
  { about, id: idAbout }: { about: string; id: string },
  call: (zimbo: Zimbo, id: string) => Promise<object>,
): void {
  withJson(parent.command(name).description(about).argument('<id>', idAbout, idArgument)).action(
    (id: string, output: Output) => show(output, (zimbo) => call(zimbo, id)),
  );
}

/** A command that takes an id and prints nothing. */
export function addDelete(
  parent: Command,
  { about, id: idAbout }: { about: string; id: string },
  call: (zimbo: Zimbo, id: string) => Promise<void>,
): void {
  withJson(
    parent.command('delete').description(about).argument('<id>', idAbout, idArgument),
  ).action(async (id: string, { json }: Output) => {
    await withGateway(({ zimbo }) => call(zimbo, id));
    if (json) printJson({ id, deleted: true });
    else console.log(`${id} is deleted.`);
  });
}

/** Prints the response of a call. */
export async function show(output: Output, call: (zimbo: Zimbo) => Promise<object>): Promise<void> {
  printItem(await withGateway(({ zimbo }) => call(zimbo)), output);
}

/**
 * The same for a response with a secret that no later response contains. @param instead the advice if the secret could
 * not be printed
 */
export async function showOnce<T extends object>(
  output: Output,
  call: (zimbo: Zimbo) => Promise<T>,
  instead: (shown: T) => string,
): Promise<void> {
  const shown = await withGateway(({ zimbo }) => call(zimbo));
  printItem(shown, output);
  await expectWritten(instead(shown));
}

export const withJson = (command: Command) => command.option('--json', 'print the API’s response');

export function examples(...lines: string[]): string {
  const [first] = lines;
  const heading = lines.length === 1 ? 'Example' : 'Examples';
  return first === undefined
    ? ''
    : `\n${heading}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`;
}

/** Accepts any id: the gateway itself refuses the id of another resource. */
export function idArgument(text: string): string {
  if (/^[a-z]{2,3}_\w+$/.test(text)) return text;
  throw new InvalidArgumentError('An id looks like pi_01m7yhp3gfe04vkhm96w446fdc.');
}

/** Parses an amount in the API's format. */
export function centavos(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('Amounts are whole centavos: 10000 is 100.00.');
}

export function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError('It must be a whole number.');
}

export function positive(text: string): number {
  const number = wholeNumber(text);
  if (number > 0) return number;
  throw new InvalidArgumentError('It must be at least 1.');
}

export function names(text: string): string[] {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Collects repeated `name=value` options in one object. */
export function metadata(
  text: string,
  before: Record<string, string> = {},
): Record<string, string> {
  const [, name, value] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (name === undefined) throw new InvalidArgumentError('It must look like name=value.');
  return { ...before, [name]: value ?? '' };
}
