/** Plays a story against a real gateway and notes each operation's request and answer, as examples for the reference. */
import assert from 'node:assert/strict';
import type { DomainError } from '../../src/platform/errors/errors.ts';
import { errorBody } from '../../src/platform/http/errors.ts';
import type { ErrorBody, RecordedExamples } from '../../src/platform/http/openapi-examples.ts';
import type { Answer } from '../support/gateway.ts';
import { requestId } from './stable.ts';

export interface StoryRequest {
  path?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** An object is sent as JSON; a text with the media type of the operation. */
  body?: unknown;
}

export interface StoryOperation {
  method: string;
  path: string;
  permission: string;
  /** The media types of its body. */
  takes: string[];
  queryNames: string[];
  takesKey: boolean;
  /** The codes of its documented errors. */
  codes: string[];
}

/** Sends one request of the story. */
export type Send = (
  operationId: string,
  request: { method: string; url: string; headers: Record<string, string>; body?: string },
) => Promise<Answer>;

export interface Story {
  operations: Record<string, StoryOperation>;
  told: RecordedExamples;
  direct: Send;
  /** Calls an operation for its example. */
  call(operationId: string, request?: StoryRequest): Promise<Answer['body']>;
  /** Calls an operation for the course of the story, not as an example. */
  ask(operationId: string, request: StoryRequest): Promise<Answer>;
  /** Notes an error that takes too much to provoke, as the gateway would answer it. */
  note(operationId: string, error: DomainError): void;
  /** Calls an operation so that it refuses, and notes the error. */
  refuse(operationId: string, request: StoryRequest, other?: { key?: string }): Promise<void>;
}

// biome-ignore lint/suspicious/noExplicitAny: a document of many shapes.
type Document = any;

/** The operations of an OpenAPI document, by their names. */
export function operationsOf({ paths }: Document): Record<string, StoryOperation> {
  const entries = Object.entries<Document>(paths).flatMap(([path, ofPath]) =>
    Object.entries<Document>(ofPath).map(([method, operation]): [string, StoryOperation] => {
      const parameters: { name: string; in: string }[] = operation.parameters ?? [];
      const responses = Object.values<Document>(operation.responses);
      return [
        operation.operationId,
        {
          method: method.toUpperCase(),
          path,
          permission: operation['x-permission'],
          takes: Object.keys(operation.requestBody?.content ?? {}),
          queryNames: parameters.filter((one) => one.in === 'query').map(({ name }) => name),
          takesKey: parameters.some(({ name }) => name === 'Idempotency-Key'),
          codes: responses.flatMap(({ content }) =>
            Object.keys(content?.['application/json']?.examples ?? {}),
          ),
        },
      ];
    }),
  );
  return Object.fromEntries(entries);
}

/** Sends the story's requests straight to the gateway. */
export const sendTo =
  (origin: string): Send =>
  async (_operationId, { url, ...init }) => {
    const answer = await fetch(origin + url, init);
    const text = await answer.text();
    const isJson = answer.headers.get('content-type')?.startsWith('application/json') === true;
    const body = isJson ? JSON.parse(text) : undefined;
    return { status: answer.status, body, text, headers: answer.headers };
  };

/**
 * @param send takes the requests of the examples; @param direct all others
 */
export function beginStory(
  document: Document,
  key: string,
  { send, direct }: { send: Send; direct: Send },
): Story {
  const operations = operationsOf(document);
  const told: RecordedExamples = { common: {}, operations: {} };
  const ask = (by: Send, operationId: string, request: StoryRequest, as: string) => {
    const operation = operations[operationId];
    assert.ok(operation, `there is no operation ${operationId}`);
    return by(operationId, httpOf(operation, request, as));
  };
  return {
    operations,
    told,
    direct,
    async call(operationId, request = {}) {
      assert.equal(told.operations[operationId], undefined, `${operationId} has its example`);
      const answer = await ask(send, operationId, request, key);
      assert.ok(answer.status < 300, `${operationId}: ${answer.status} ${answer.text}`);
      const said = answer.body ?? (answer.text === '' ? undefined : answer.text);
      told.operations[operationId] = {
        request,
        status: answer.status,
        ...(said !== undefined && { answer: said }),
        ...(typeof said === 'string' && { answerType: mediaTypeOf(answer) }),
        errors: {},
      };
      return answer.body ?? answer.text;
    },
    ask: (operationId, request) => ask(direct, operationId, request, key),
    note(operationId, error) {
      told.operations[operationId]!.errors[error.code] = JSON.parse(errorBody(error, requestId));
    },
    async refuse(operationId, request, other = {}) {
      const answer = await ask(direct, operationId, request, other.key ?? key);
      assert.ok(answer.status >= 400, `${operationId} was not refused: ${answer.text}`);
      const { code } = (answer.body as ErrorBody).error;
      const { codes } = operations[operationId]!;
      assert.ok(codes.includes(code), `${operationId} does not announce ${answer.text}`);
      const { errors } = told.operations[operationId]!;
      assert.equal(errors[code], undefined, `${operationId} ${code} is told: ${answer.text}`);
      errors[code] = answer.body;
    },
  };
}

const mediaTypeOf = ({ headers }: Answer) => headers.get('content-type')!.split(';')[0]!;

/** The request of an operation, as it is sent. */
export function httpOf(operation: StoryOperation, request: StoryRequest, key: string) {
  const { path = {}, query = {}, headers = {}, body } = request;
  const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    assert.ok(path[name], `${operation.path} needs ${name}`);
    return encodeURIComponent(path[name]);
  });
  const search = new URLSearchParams(query).toString();
  const type = typeof body === 'string' ? operation.takes.at(-1)! : 'application/json';
  return {
    method: operation.method,
    url: search === '' ? filled : `${filled}?${search}`,
    headers: {
      authorization: `Bearer ${key}`,
      ...(body !== undefined && { 'content-type': type }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  };
}
