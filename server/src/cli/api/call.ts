import { StartError } from '../../platform/errors/start-error.ts';
import type { Operation } from './document.ts';

/** A value, several, or those of the keys of an object. */
type QueryValue = string | number | boolean | readonly string[] | Record<string, string>;

export interface Input {
  path?: Record<string, string>;
  query?: Record<string, QueryValue | null | undefined> | undefined;
  /** An object as JSON, or a CSV file. */
  body?: unknown;
  idempotencyKey?: string | undefined;
}

/** Sends the request of an operation. @returns the JSON of the response, text, or undefined if it is empty */
export type Call = (
  operation: Pick<Operation, 'id' | 'method' | 'path'>,
  input: Input,
) => Promise<unknown>;

/** Gets a list page by page, newest first; of more than that many, those next to the place where it begins. */
export async function firstItems<Item extends { id: string }>(
  call: Call,
  operation: Operation,
  input: Input,
  count = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const items: Item[] = [];
  const { maximum = 100 } = operation.fields.find(({ name }) => name === 'limit')?.schema ?? {};
  const paging = operation.hasPages && { limit: Math.min(count, maximum) };
  for (let query: NonNullable<Input['query']> = { ...input.query, ...paging }; ; ) {
    const { data, hasMore } = (await call(operation, { ...input, query })) as {
      data: Item[];
      hasMore: boolean;
    };
    const cursor = input.query?.ending_before === undefined ? 'starting_after' : 'ending_before';
    const isUpward = cursor === 'ending_before';
    const next = data.at(isUpward ? 0 : -1)?.id;
    if (isUpward) items.unshift(...data);
    else items.push(...data);
    if (!hasMore || items.length >= count)
      return isUpward ? items.slice(-count) : items.slice(0, count);
    if (next === undefined || next === query[cursor])
      throw incomplete(operation.path, items.length);
    query = { ...query, [cursor]: next };
  }
}

const incomplete = (path: string, found: number) =>
  new StartError(
    `The list of ${path} is incomplete: after ${found} the gateway says that more follow, but returns nothing new.`,
    'Try again. If this happens again, something between here and the gateway changes its responses.',
  );
