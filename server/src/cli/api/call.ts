import { StartError } from '../../platform/errors/start-error.ts';
import type { Operation } from './document.ts';

export interface Input {
  path?: Record<string, string>;
  query?: Record<string, string | number | boolean | null | undefined> | undefined;
  /** An object as JSON, or a CSV file. */
  body?: unknown;
  idempotencyKey?: string | undefined;
}

/** Sends the request of an operation. @returns the JSON of the response, text, or undefined if it is empty */
export type Call = (
  operation: Pick<Operation, 'id' | 'method' | 'path'>,
  input: Input,
) => Promise<unknown>;

/** Gets a list page by page. */
export async function firstItems<Item extends { id: string }>(
  call: Call,
  operation: Operation,
  input: Input,
  count = Number.POSITIVE_INFINITY,
): Promise<Item[]> {
  const items: Item[] = [];
  const { maximum = 100 } = operation.fields.find(({ name }) => name === 'limit')?.schema ?? {};
  const paging = operation.hasPages && { limit: Math.min(count, maximum) };
  for (let query = { ...input.query, ...paging }; ; ) {
    const { data, hasMore } = (await call(operation, { ...input, query })) as {
      data: Item[];
      hasMore: boolean;
    };
    const before = (query as { starting_after?: string }).starting_after;
    const last = data.at(-1)?.id;
    items.push(...data);
    if (!hasMore || items.length >= count) return items.slice(0, count);
    if (last === undefined || last === before) throw incomplete(operation.path, items.length);
    query = { ...query, starting_after: last } as typeof query;
  }
}

const incomplete = (path: string, found: number) =>
  new StartError(
    `The list of ${path} is incomplete: after ${found} the gateway says that more follow, but returns nothing new.`,
    'Try again. If this happens again, something between here and the gateway changes its responses.',
  );
