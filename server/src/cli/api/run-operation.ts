import { readFileSync } from 'node:fs';
import { DomainError } from '../../platform/errors/errors.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { expectWritten, type Output, printJson } from '../output.ts';
import { type Call, firstItems, type Input } from './call.ts';
import { type ApiName, type Operation, readApi } from './document.ts';
import { wordsOf } from './names.ts';
import { columnsOf, printItem, printItems } from './print-items.ts';
import type { CommandTerms } from './table.ts';

export interface Given {
  /** Of the parameters and the body, by name. */
  values: Record<string, unknown>;
  output: Output & { limit?: number; csv?: true; file?: string };
}

interface Command {
  api: ApiName;
  operation: Operation;
  own: CommandTerms;
  csv: Operation | undefined;
}

/** Sends the request, and prints the response. */
export async function runOperation(command: Command, { values, output }: Given): Promise<void> {
  const { api, operation, own, csv } = command;
  const run = <T>(work: (call: Call) => Promise<T>) =>
    withApi(api, work).catch((error: Error) => {
      throw withAdvice(command, error);
    });
  const input = inputOf(operation, values, output.file);
  if (output.csv && csv) {
    process.stdout.write(String(await run((call) => call(csv, input))));
  } else if (operation.isList) {
    await printList(command, output, async (limit) => {
      const list = (call: Call) => firstItems(call, operation, input, limit);
      const isUpward = values.ending_before !== undefined;
      if (!isOfAllCells(command)) return { items: await run(list), isOfSeveral: false, isUpward };
      return inAllCells(list, values.starting_after !== undefined);
    });
  } else {
    const answer = await run((call) => call(operation, input));
    await printAnswer(command, answer, { values, output });
    if (own.lost)
      await expectWritten(own.lost((answer as { id?: string }).id ?? String(values.id)));
  }
}

const withApi = async <T>(api: ApiName, work: (call: Call) => Promise<T>): Promise<T> =>
  api === 'merchant'
    ? (await import('./connection.ts')).withGateway(({ call }) => work(call))
    : (await import('../admin/connection.ts')).atGateway(({ call }) => work(call));

/** A list of staff that is not about one object: without a gateway, the lists of all cells make it. */
const isOfAllCells = ({ api, operation: { path, hasPages } }: Command) =>
  api === 'staff' && hasPages && !path.includes('{');

interface Listed {
  items: { id: string }[];
  /** The lists of several cells, one after the other: the last id is the end of one of them only. */
  isOfSeveral: boolean;
  /** Of more items, the oldest are shown: those before a given one. */
  isUpward?: boolean;
}

async function inAllCells(
  work: (call: Call) => Promise<Listed['items']>,
  isNextPage: boolean,
): Promise<Listed> {
  const { listAtGateway } = await import('../admin/connection.ts');
  const cells = new Set<string>();
  const items = await listAtGateway(({ call }, cell) => {
    if (cell !== undefined) cells.add(cell);
    return work(call);
  }, isNextPage);
  return { items, isOfSeveral: cells.size > 1 };
}

/** Of an id that does not exist: the command that lists those that do. */
function withAdvice({ api, operation }: Command, error: Error): Error {
  const { code } = (error instanceof DomainError ? error : (error.cause ?? {})) as {
    code?: string;
  };
  const list = readApi(api).operations.find(
    ({ path, isList }) => isList && operation.path.startsWith(`${path}/{`),
  );
  if (code !== 'NOT_FOUND' || !list) return error;
  const hint = `"zimbo ${wordsOf(api, list).join(' ')}" shows them all.`;
  return new StartError(error.message, hint, { cause: error });
}

function inputOf(operation: Operation, values: Record<string, unknown>, file?: string): Input {
  const places = new Map(operation.fields.map(({ name, place }) => [name, place]));
  const of = (place: string) =>
    Object.fromEntries(
      Object.entries(values).filter(([name]) => (places.get(name) ?? 'body') === place),
    );
  return {
    path: of('path') as Record<string, string>,
    query: of('query') as Input['query'],
    idempotencyKey: of('header')['Idempotency-Key'] as string | undefined,
    body: file === undefined ? operation.body && of('body') : contentOf(file),
  };
}

function contentOf(path: string): string {
  try {
    return readFileSync(path === '-' ? 0 : path, 'utf8');
  } catch (error) {
    throw new StartError(`The file ${path} cannot be read: ${(error as Error).message}.`);
  }
}

async function printList(
  { operation, own }: Command,
  { json, limit = Number.POSITIVE_INFINITY }: Given['output'],
  get: (limit: number) => Promise<Listed>,
): Promise<void> {
  // One item more shows whether there is another page.
  const { items, isOfSeveral, isUpward } = await get(limit + 1);
  const shown = isUpward ? items.slice(-limit) : items.slice(0, limit);
  if (json) printJson(shown);
  else if (shown.length === 0) console.log(own.nothing ?? 'There are none.');
  else printItems(shown, columnsOf(operation.shown, own.columns));
  const [first] = shown;
  if (!first || items.length <= limit) return;
  const cursor = isUpward ? `--ending-before ${first.id}` : `--starting-after ${shown.at(-1)!.id}`;
  const next = isOfSeveral ? 'a larger --limit, or --cell' : cursor;
  const more = `There are more: ${next}`;
  // Programs get only the rows.
  if (json) console.error(more);
  else console.log(`\n${more}`);
}

async function printAnswer(
  { operation, own }: Command,
  answer: unknown,
  given: Given,
): Promise<void> {
  const { values, output } = given;
  if (typeof answer === 'string') process.stdout.write(answer);
  else if (operation.method === 'DELETE') {
    if (output.json) printJson({ id: values.id, deleted: true });
    else console.log(`${String(values.id)} is deleted.`);
  } else if (output.json) printJson(answer ?? null);
  else if (own.print && answer) (await import('./print-responses.ts'))[own.print](answer as never);
  else printForPeople(operation, own, answer as object | undefined);
}

function printForPeople(operation: Operation, own: CommandTerms, answer: object | undefined): void {
  const { data } = (answer ?? {}) as { data?: object[] };
  if (!answer || data?.length === 0) console.log(own.nothing ?? 'There is nothing.');
  else if (Array.isArray(data)) printItems(data, columnsOf(operation.shown, own.columns));
  else printItem(answer, {});
}
