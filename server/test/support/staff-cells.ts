import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { formatId, randomIds } from '../../src/platform/values/ids.ts';
import { type TestCellsOptions, testCells } from './cells.ts';
import { staffAt } from './console.ts';
import { freePort } from './free-port.ts';
import type { Api } from './gateway.ts';

export const payment = { amount: 10_000, operator: 'MOCK', operatorPhone: '+2389912345' } as const;

export async function staffCells(context: TestContext, options: TestCellsOptions = {}) {
  const port = await freePort();
  const origin = `http://localhost:${port}`;
  const environment = { CONSOLE_URL: origin, ...options.environment };
  const world = await testCells(context, ['north', 'south'], { ...options, port, environment });
  const merchants: Record<string, string> = {};
  for (const [cell, database] of Object.entries(world.databases)) {
    const text = 'SELECT id FROM merchants';
    merchants[cell] = formatId('me', (await database.query<{ id: string }>({ text }))[0]!.id);
    await database.query({ text: 'UPDATE merchants SET name = $1' }, [`Loja ${cell}`]);
  }
  const admin = await staffAt(origin, world.databases.home!, 'ADMIN');
  return { ...world, origin, merchants, admin };
}

export type World = Awaited<ReturnType<typeof staffCells>>;

/** The cells in turn, for objects created one after the other. */
export const turns = ['home', 'north', 'south', 'south', 'home', 'north', 'north', 'home', 'south'];

/** Objects that wait for a decision, in turn across cells, oldest first. @returns their ids */
export async function addReviews({ databases }: World, count: number): Promise<string[]> {
  const ids = randomIds();
  const startMs = Date.now() - 3_600_000;
  const added: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const cell = turns[index % turns.length]!;
    const atMs = startMs + Math.floor(index / 2);
    const id = ids.next(atMs);
    const text = `
INSERT INTO review_items (tenant_id, id, kind, subject_kind, subject_id, operator, detail, created_at)
SELECT id, $1, 'CONTRADICTION', 'PAYMENT', gen_random_uuid(), 'CVMOVEL', '{}', $2 FROM tenants WHERE mode = 'live'`;
    await databases[cell]!.query({ text }, [id, new Date(atMs).toISOString()]);
    added.push(`${cell} ${formatId('ri', id)}`);
  }
  return added;
}

/** The contents of every page of a list, from the first page on. */
export async function overPages(
  { admin }: Pick<World, 'admin'>,
  first: string,
  each: RegExp,
): Promise<string[]> {
  const found: string[] = [];
  let next: string | undefined = first;
  while (next !== undefined) {
    const { status, text } = await admin.get(next);
    assert.equal(status, 200, next);
    found.push(...[...text.matchAll(each)].map((match) => match.slice(1).join(' ')));
    next = /href="([^"]+)" rel="next"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  return found;
}

/** The same for `/admin/v1`. */
export async function overLists(api: Api, path: string, limit: number): Promise<Item[]> {
  const found: Item[] = [];
  const separator = path.includes('?') ? '&' : '?';
  for (let after = ''; ; ) {
    const { status, body } = await api('GET', `${path}${separator}limit=${limit}${after}`);
    assert.equal(status, 200, JSON.stringify(body));
    const { data, hasMore } = body as { data: Item[]; hasMore: boolean };
    found.push(...data);
    if (!hasMore) return found;
    assert.equal(data.length, limit);
    after = `&starting_after=${data.at(-1)!.id}`;
  }
}

export interface Item {
  id: string;
  cell: string;
  [name: string]: unknown;
}
