import { readFile } from 'node:fs/promises';
import type { ErrorCode } from '../errors/errors.ts';
import { internalError, unavailable } from './errors.ts';
import { type CodeSample, type SampleVariables, samplesOf } from './openapi-samples.ts';

/** The body of an error, as it was answered. */
export interface ErrorBody {
  error: { message: string; code: ErrorCode; requestId?: string };
}

/** What a story against a real gateway asked and was answered: `npm run examples` records it. */
export interface RecordedExamples {
  /** Errors that are the same for all operations. */
  common: Partial<Record<ErrorCode, ErrorBody>>;
  /** By `operationId`, in the order of the story. */
  operations: Record<string, RecordedOperation>;
}

export interface RecordedOperation {
  request: {
    path?: Record<string, string>;
    query?: Record<string, string>;
    headers?: Record<string, string>;
    /** A text is a file. */
    body?: unknown;
  };
  status: number;
  /** None for 204; a text is a file. */
  answer?: unknown;
  /** The media type of a file. */
  answerType?: string;
  errors: Partial<Record<ErrorCode, ErrorBody>>;
}

interface Parameter {
  name: string;
  in: string;
  example?: unknown;
}

interface Content {
  example?: unknown;
  examples?: Record<string, object>;
}

interface DocumentedOperation {
  operationId: string;
  'x-codeSamples'?: CodeSample[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, { content?: Record<string, Content> }>;
}

interface Document {
  components: object;
  paths: Record<string, Record<string, object>>;
}

export const readExamples = async (file: URL): Promise<RecordedExamples> =>
  JSON.parse(await readFile(file, 'utf8'));

/** No story can provoke them at will, and they do not depend on the operation. */
const always = { UNAVAILABLE: unavailable, INTERNAL_ERROR: internalError };

/**
 * The document with the request, the answer and the errors that were recorded for each operation. An operation without
 * a recording stays as it is.
 * @param samples the variables of the code in five languages that each also shows; none, unless given
 */
export function withExamples<T extends Document>(
  document: T,
  recorded: RecordedExamples,
  samples?: SampleVariables,
): T {
  const constant = Object.entries(always).map(([code, { message }]) => [
    code,
    { error: { message, code, requestId } },
  ]);
  const common: Partial<Record<string, ErrorBody>> = {
    ...recorded.common,
    ...Object.fromEntries(constant),
  };
  for (const { method, path, operation } of operationsIn(document)) {
    const example = recorded.operations[operation.operationId];
    if (example === undefined) continue;
    illustrate(operation, example, common);
    if (samples) operation['x-codeSamples'] = samplesOf({ method, path }, example, samples);
  }
  const examples = Object.entries(common).map(([code, value]) => [code, { value }]);
  const components = { ...document.components, examples: Object.fromEntries(examples) };
  return { ...document, components };
}

const requestId = '6f1c6c1e-8a0f-4a43-9d0d-6f3a1c9e2b11';

const operationsIn = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, ofPath]) =>
    Object.entries(ofPath).map(([method, operation]) => ({
      method,
      path,
      operation: operation as DocumentedOperation,
    })),
  );

function illustrate(
  operation: DocumentedOperation,
  { request, status, answer, answerType, errors }: RecordedOperation,
  common: Partial<Record<string, ErrorBody>>,
): void {
  // Not the Idempotency-Key: with it, a reader who tries a second request would get the answer to the first.
  const given: Record<string, string> = { ...request.path, ...request.query };
  for (const parameter of operation.parameters ?? []) {
    const value = given[parameter.name];
    if (value !== undefined) parameter.example = typedAs(parameter, value);
  }
  const { body } = request;
  for (const [type, content] of Object.entries(operation.requestBody?.content ?? {})) {
    const isOfType = typeof body !== 'string' || type === 'text/csv';
    if (body !== undefined && isOfType) content.example = body;
  }
  for (const [code, response] of Object.entries(operation.responses)) {
    for (const [type, content] of Object.entries(response.content ?? {})) {
      const isOfType = answerType === undefined || answerType === type;
      if (code === String(status) && answer !== undefined && isOfType) content.example = answer;
      if (content.examples !== undefined) content.examples = errorsOf(content.examples);
    }
  }

  function errorsOf(documented: Record<string, object>): Record<string, object> {
    const shown = Object.keys(documented).map((code) => {
      const own = errors[code as ErrorCode];
      if (own !== undefined) return [code, { value: own }];
      return [code, code in common ? { $ref: `#/components/examples/${code}` } : documented[code]];
    });
    return Object.fromEntries(shown);
  }
}

function typedAs(parameter: Parameter & { schema?: { type?: string } }, value: string): unknown {
  const { type } = parameter.schema ?? {};
  if (type === 'integer') return Number(value);
  if (type === 'array') return value.split(',');
  return type === 'boolean' ? value === 'true' : value;
}
