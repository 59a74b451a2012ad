import { randomUUID } from 'node:crypto';
import { baseUrl, type Kind, text } from '../../platform/config/kinds.ts';
import { DomainError, type ErrorCode } from '../../platform/errors/errors.ts';
import { StartError } from '../../platform/errors/start-error.ts';
import { type Call, firstItems, type Input } from '../api/call.ts';
import { type Operation, readApi } from '../api/document.ts';
import { requestOf } from '../api/request.ts';
import { inEachCell, resultsOf, whereItIs } from '../cells/each.ts';
import { chosenCell } from '../cells/option.ts';
import { wordsOfProblems } from '../failure.ts';
import type { Workspace } from '../workspace.ts';

/** `/admin/v1` of a running gateway, or of this process. */
export interface Staff {
  call: Call;
  /** Sends the request of an operation of the document. */
  send: <T>(operationId: string, input?: Input) => Promise<T>;
  /** All pages of a list. */
  all: <T extends { id: string }>(operationId: string, query?: Input['query']) => Promise<T[]>;
}

const timeoutMs = 60_000;

/**
 * Runs a command about one object at the gateway if ZIMBO_ADMIN_KEY is set, otherwise over the same routes in this
 * process, in the cell that has the object. @throws StartError the gateway does not answer @throws DomainError a refusal
 */
export async function atGateway<T>(run: (staff: Staff) => Promise<T>): Promise<T> {
  const remote = callOfSettings();
  return remote ? run(staffOf(remote)) : whereItIs((workspace) => inThisProcess(workspace, run));
}

/**
 * The same for a list, which combines the lists of all cells.
 * @param run cell: undefined at a gateway
 * @param isNextPage whether it follows another page: without a gateway, only the list of one cell has pages
 */
export async function listAtGateway<T>(
  run: (staff: Staff, cell?: string) => Promise<T[]>,
  isNextPage = false,
): Promise<T[]> {
  const remote = callOfSettings();
  if (remote) return run(staffOf(remote));
  const inCell = (workspace: Workspace, cell: string, isOnly: boolean) => {
    if (isNextPage && !isOnly) throw pagesNeedCell();
    return inThisProcess(workspace, (staff) => run(staff, cell));
  };
  return resultsOf(await inEachCell(inCell)).flatMap(({ result }) => result);
}

const pagesNeedCell = () =>
  new StartError(
    'Without a gateway, the lists of several cells have no common pages: --starting-after needs --cell.',
    '"zimbo cells list" shows the names. At a gateway (ZIMBO_ADMIN_KEY), pages cover all cells.',
  );

async function inThisProcess<T>(workspace: Workspace, run: (staff: Staff) => Promise<T>) {
  const { withLocalAdmin } = await import('./local.ts');
  return withLocalAdmin(workspace, (call) => run(staffOf(call)));
}

const operationNamed = (id: string): Operation =>
  readApi('staff').operations.find((operation) => operation.id === id)!;

const staffOf = (call: Call): Staff => ({
  call,
  send: <T>(id: string, input: Input = {}) => call(operationNamed(id), input) as Promise<T>,
  all: (id, query = {}) => firstItems(call, operationNamed(id), { query }),
});

function callOfSettings(): Call | undefined {
  const { ZIMBO_ADMIN_KEY: key, ZIMBO_ADMIN_URL: own, ZIMBO_URL: shared } = process.env;
  if (!key) return undefined;
  expectValid('ZIMBO_ADMIN_KEY', key, text);
  const url = own || shared;
  if (!url) {
    throw new StartError(
      'ZIMBO_ADMIN_KEY is set, but the address of a gateway is not.',
      'Set ZIMBO_ADMIN_URL to the address of OPERATIONS_PORT, or ZIMBO_URL if that port is not set.',
    );
  }
  const root = expectValid(own ? 'ZIMBO_ADMIN_URL' : 'ZIMBO_URL', url, baseUrl);
  return callTo(`${root}/admin/v1`, key);
}

function expectValid(name: string, given: string, kind: Kind<string>): string {
  const value = kind.parse(given);
  if (value === undefined) throw new StartError(`${name} must be ${kind.rule}.`, examples[name]);
  return value;
}

const examples: Record<string, string> = {
  ZIMBO_ADMIN_KEY: '"zimbo admin-keys create" prints one.',
  ZIMBO_ADMIN_URL: 'For example: ZIMBO_ADMIN_URL=http://localhost:3001',
  ZIMBO_URL: 'For example: ZIMBO_URL=http://localhost:3000',
};

/** With --cell, in that cell; without it, the gateway finds the cell of an object, and lists the objects of all cells. */
function callTo(root: string, key: string): Call {
  const cell = chosenCell();
  return async (operation, input) => {
    const idempotencyKey = operation.method === 'POST' ? randomUUID() : undefined;
    const { method, path, headers, body } = requestOf(operation, {
      ...input,
      idempotencyKey: input.idempotencyKey ?? idempotencyKey,
    });
    const fetched = await fetchText(root + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(cell !== undefined && { 'zimbo-cell': cell }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    return readAnswer(fetched.answer, fetched.text);
  };
}

async function fetchText(url: string, init: RequestInit) {
  try {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) });
    return { answer, text: await answer.text() };
  } catch (error) {
    const { origin } = new URL(url);
    const hint =
      'Is it running ("zimbo start")? The address comes from ZIMBO_ADMIN_URL or ZIMBO_URL.';
    throw new StartError(`The gateway at ${origin} does not answer.`, hint, { cause: error });
  }
}

type Refusal = { code: ErrorCode; message: string; details?: { message: string }[] };

function readAnswer(answer: Response, text: string): unknown {
  if (answer.status === 204) return undefined;
  const type = answer.headers.get('content-type') ?? '';
  if (answer.ok && /^(text\/csv|application\/x-ndjson)/.test(type)) return text;
  const said = parsed(text) as { error?: Refusal } | undefined;
  if (answer.ok && said !== undefined) return said;
  if (said?.error) throw new DomainError(said.error.code, wordsOfProblems(said.error));
  const hint = 'Is it a gateway with /admin/v1?';
  const { origin } = new URL(answer.url);
  throw new StartError(`${origin} answered ${answer.status}, but not like a gateway.`, hint);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
