import { randomUUID } from 'node:crypto';
import { DomainError, type ErrorCode } from '../../platform/errors/errors.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { inEachCell, resultsOf, whereItIs } from '../cells/each.ts';
import { chosenCell } from '../cells/option.ts';
import type { Workspace } from '../workspace.ts';

/** A connection to `/admin/v1` of a running gateway. */
export interface AdminConnection {
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** All pages of a list. */
  all<T extends { id: string }>(path: string, query?: Record<string, string>): Promise<T[]>;
}

const timeoutMs = 60_000;
const pageSize = '100';

/**
 * Runs a command about one object at the gateway if ZIMBO_ADMIN_KEY is set, otherwise in the gateway's own database, in
 * the cell that has the object. @throws StartError the gateway does not answer @throws DomainError the gateway refuses,
 * as the use case would here
 */
export async function atGateway<T>(
  remote: (admin: AdminConnection) => Promise<T>,
  local: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const admin = connectionOfSettings();
  return admin ? remote(admin) : whereItIs(local);
}

/** The same for a list, which combines the lists of all cells. */
export async function listAtGateway<T>(
  remote: (admin: AdminConnection) => Promise<T[]>,
  local: (workspace: Workspace, cell: string) => Promise<T[]>,
): Promise<T[]> {
  const admin = connectionOfSettings();
  if (admin) return remote(admin);
  return resultsOf(await inEachCell(local)).flatMap(({ result }) => result);
}

function connectionOfSettings(): AdminConnection | undefined {
  const { ZIMBO_ADMIN_KEY: key, ZIMBO_ADMIN_URL: own, ZIMBO_URL: shared } = process.env;
  if (!key) return undefined;
  const url = own || shared;
  if (url) return connectionTo(`${url.replace(/\/+$/, '')}/admin/v1`, key, chosenCell());
  throw new StartError(
    'ZIMBO_ADMIN_KEY is set, but the address of a gateway is not.',
    'Set ZIMBO_ADMIN_URL to the address of OPERATIONS_PORT, or ZIMBO_URL if that port is not set.',
  );
}

/** @param cell of --cell; without it, the gateway finds the cell of an object, and lists the objects of all cells */
function connectionTo(root: string, key: string, cell: string | undefined): AdminConnection {
  const call = <T>(method: string, path: string, body?: unknown) =>
    request<T>(root + path, { method, key, cell, body });
  return {
    call,
    async all<T extends { id: string }>(path: string, query: Record<string, string> = {}) {
      const items: T[] = [];
      for (let after: string | undefined; ; after = items.at(-1)?.id) {
        const asked = new URLSearchParams({ ...query, limit: pageSize });
        if (after !== undefined) asked.set('starting_after', after);
        const page = await call<Page<T>>('GET', `${path}?${asked.toString()}`);
        items.push(...page.data);
        if (page.hasMore && page.data.length > 0 && page.data.at(-1)!.id !== after) continue;
        if (page.hasMore) throw incomplete(path, items.length);
        return items;
      }
    },
  };
}

interface Page<T> {
  data: T[];
  hasMore: boolean;
}

const incomplete = (path: string, found: number) =>
  new StartError(
    `The list of ${path} is incomplete: after ${found} the gateway says that more follow, but returns nothing new.`,
    'Try again. If this happens again, something between here and the gateway changes its responses.',
  );

async function request<T>(
  url: string,
  {
    method,
    key,
    cell,
    body,
  }: { method: string; key: string; cell: string | undefined; body: unknown },
): Promise<T> {
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(url, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        authorization: `Bearer ${key}`,
        ...(cell !== undefined && { 'zimbo-cell': cell }),
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    text = await answer.text();
  } catch (error) {
    const { origin } = new URL(url);
    const hint =
      'Is it running ("zimbo start")? The address comes from ZIMBO_ADMIN_URL or ZIMBO_URL.';
    throw new StartError(`The gateway at ${origin} does not answer.`, hint, { cause: error });
  }
  const said = parsed(text) as { error?: { code: ErrorCode; message: string } } | undefined;
  if (answer.ok && said !== undefined) return said as T;
  if (said?.error) throw new DomainError(said.error.code, said.error.message);
  const hint = 'Is it a gateway with /admin/v1?';
  throw new StartError(
    `${new URL(url).origin} answered ${answer.status}, but not like a gateway.`,
    hint,
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
