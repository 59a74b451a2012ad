import { randomUUID } from 'node:crypto';
import { DomainError, type ErrorCode } from '../../errors.ts';
import { StartError } from '../../start-error.ts';
import { type Workspace, withWorkspace } from '../workspace.ts';

/** A way to `/admin/v1` of a gateway that runs. */
export interface AdminConnection {
  call<T>(method: string, path: string, body?: unknown): Promise<T>;
  /** All pages of a list. */
  all<T extends { id: string }>(path: string, query?: Record<string, string>): Promise<T[]>;
}

const timeoutMs = 60_000;
const pageSize = '100';

/**
 * Runs a command at the gateway of ZIMBO_ADMIN_KEY, where that is set, else in the gateway's own database.
 * @throws StartError the gateway does not answer
 * @throws DomainError what it refuses, as the use case would here
 */
export async function atGateway<T>(
  remote: (admin: AdminConnection) => Promise<T>,
  local: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const key = process.env.ZIMBO_ADMIN_KEY;
  if (!key) return withWorkspace(local);
  const { ZIMBO_ADMIN_URL: own, ZIMBO_URL: shared } = process.env;
  const url = own || shared;
  if (!url) {
    const hint =
      'Set ZIMBO_ADMIN_URL to the address of the listener for operations, or ZIMBO_URL where there is none.';
    throw new StartError('ZIMBO_ADMIN_KEY is set, but no address of a gateway is.', hint);
  }
  return remote(connectionTo(`${url.replace(/\/+$/, '')}/admin/v1`, key));
}

function connectionTo(root: string, key: string): AdminConnection {
  const call = <T>(method: string, path: string, body?: unknown) =>
    request<T>(root + path, { method, key, body });
  return {
    call,
    async all<T extends { id: string }>(path: string, query: Record<string, string> = {}) {
      const items: T[] = [];
      for (let after: string | undefined; ; after = items.at(-1)?.id) {
        const asked = new URLSearchParams({ ...query, limit: pageSize });
        if (after !== undefined) asked.set('starting_after', after);
        const page = await call<{ data: T[]; hasMore: boolean }>(
          'GET',
          `${path}?${asked.toString()}`,
        );
        items.push(...page.data);
        if (!page.hasMore || page.data.length === 0) return items;
      }
    },
  };
}

async function request<T>(
  url: string,
  { method, key, body }: { method: string; key: string; body: unknown },
): Promise<T> {
  let answer: Response;
  let text: string;
  try {
    answer = await fetch(url, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        authorization: `Bearer ${key}`,
        ...(method === 'POST' && { 'idempotency-key': randomUUID() }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    text = await answer.text();
  } catch (error) {
    const { origin } = new URL(url);
    const hint =
      'Does it run ("zimbo start")? The address is that of ZIMBO_ADMIN_URL or ZIMBO_URL.';
    throw new StartError(`The gateway at ${origin} does not answer.`, hint, { cause: error });
  }
  const said = parsed(text) as { error?: { code: ErrorCode; message: string } } | undefined;
  if (answer.ok && said !== undefined) return said as T;
  if (said?.error) throw new DomainError(said.error.code, said.error.message);
  const hint = 'Is it a gateway, and one that has /admin/v1?';
  throw new StartError(
    `${new URL(url).origin} answered ${answer.status}, and not as a gateway.`,
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
