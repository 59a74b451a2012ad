/**
 * Runs the code samples of both API references against a real gateway: a language that is not on this machine is skipped.
 * Each sample must send the recorded request, and gets the gateway's answer to the same request in the course of the
 * story, in which ids and times are others.
 */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import type {
  RecordedExamples,
  RecordedOperation,
} from '../../src/platform/http/openapi-examples.ts';
import { type CodeSample, sampleFile } from '../../src/platform/http/openapi-samples.ts';
import { listen } from '../support/webhook-receiver.ts';
import { tellOfShop } from './merchant-story.ts';
import { isThere, languages, startSamples } from './sample-programs.ts';
import { openShop, readRecorded, shopExamples } from './shop.ts';
import { openOffice, staffExamples } from './staff.ts';
import { tellOfStaff } from './staff-story.ts';
import { beginStory, httpOf, type Send, type Story, type StoryOperation, sendTo } from './story.ts';

/** An API, and the story in whose course its samples run. */
interface Reference {
  recorded: RecordedExamples;
  variables: { url: string; key: string };
  open(context: TestContext): Promise<Told>;
}

interface Told {
  url: string;
  document: { paths: Record<string, Record<string, Sampled>> };
  key: string;
  tell(story: Story): Promise<void>;
}

interface Sampled {
  operationId: string;
  'x-codeSamples'?: CodeSample[];
}

const references: Record<string, Reference> = {
  merchants: {
    recorded: readRecorded(shopExamples),
    variables: { url: 'ZIMBO_URL', key: 'ZIMBO_API_KEY' },
    async open(context) {
      const { gateway, document, key, ...shop } = await openShop(context);
      const tell = (story: Story) => tellOfShop(story, shop);
      return { url: gateway.url, document, key, tell };
    },
  },
  staff: {
    recorded: readRecorded(staffExamples),
    variables: { url: 'ZIMBO_ADMIN_URL', key: 'ZIMBO_ADMIN_KEY' },
    async open(context) {
      const { gateway, document, key, office } = await openOffice(context);
      return { url: gateway.url, document, key, tell: (story) => tellOfStaff(story, office) };
    },
  },
};

interface Arrived {
  request: IncomingMessage;
  response: ServerResponse;
}

/** A queue of the requests that arrive at a port of this machine. */
async function openPort(context: TestContext) {
  const arrived: Arrived[] = [];
  let wake = () => {};
  const server = createServer((request, response) => {
    arrived.push({ request, response });
    wake();
  });
  const { port } = await listen(context, server);
  const next = async (): Promise<Arrived> => {
    while (arrived.length === 0) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    return arrived.shift()!;
  };
  return { url: `http://127.0.0.1:${port}`, next };
}

const jsonOf = (body: string | undefined) =>
  body === undefined || body === '' ? undefined : JSON.parse(body);

/** The sample sends the recorded request, whatever else its language adds to it. */
async function assertRecorded(
  operationId: string,
  operation: StoryOperation,
  expected: RecordedOperation['request'],
  { request }: Arrived,
  key: string,
): Promise<void> {
  const { method, url, headers, body } = httpOf(operation, expected, key);
  assert.deepEqual([request.method, request.url], [method, url], operationId);
  for (const [name, value] of Object.entries(headers))
    assert.equal(request.headers[name], value, `${operationId} ${name}`);
  const sent = await text(request);
  if (sampleFile(expected) !== undefined) assert.equal(sent, body, operationId);
  else assert.deepEqual(jsonOf(sent), jsonOf(body), operationId);
}

/** The samples of all recorded operations in one language, and the files that they send. */
function samplesIn(name: string, { recorded }: Reference, { document }: Told) {
  const sampled = Object.values(document.paths).flatMap((ofPath) => Object.values(ofPath));
  const sources = Object.keys(recorded.operations).map((operationId) => {
    const { 'x-codeSamples': samples = [] } = sampled.find(
      (one) => one.operationId === operationId,
    )!;
    const sample = samples.find(({ label }) => label === name);
    assert.ok(sample, `${operationId} has no sample in ${name}`);
    return sample.source;
  });
  const files: Record<string, string> = {};
  for (const { request } of Object.values(recorded.operations)) {
    const file = sampleFile(request);
    if (file !== undefined) files[file] = String(request.body);
  }
  return { sources, files };
}

for (const [who, reference] of Object.entries(references)) {
  for (const [name, language] of Object.entries(languages)) {
    const skip = isThere(language) ? false : `${language.program} is not installed`;
    test(`the samples for ${who} in ${name} do what the reference shows`, {
      skip,
    }, async (context) => {
      const told = await reference.open(context);
      const { document, key } = told;
      const { url, next } = await openPort(context);
      const { variables, recorded } = reference;
      const running = startSamples(context, language, {
        ...samplesIn(name, reference, told),
        environment: { [variables.url]: url, [variables.key]: key },
      });
      const died = running.ended.then((output) => {
        throw new Error(`it ended too early: ${output}`);
      });
      died.catch(() => {});
      const direct = sendTo(told.url);
      const ids: string[] = [];
      const send: Send = async (operationId, request) => {
        const arrived = await Promise.race([next(), died]);
        const { request: expected } = recorded.operations[operationId]!;
        await assertRecorded(operationId, story.operations[operationId]!, expected, arrived, key);
        const answer = await direct(operationId, request);
        if (answer.body?.id) ids.push(answer.body.id);
        const type = answer.headers.get('content-type') ?? 'text/plain';
        arrived.response.writeHead(answer.status, { 'content-type': type });
        arrived.response.end(answer.text);
        return answer;
      };
      const story = beginStory(document, key, { send, direct });
      await told.tell(story);
      const output = await running.ended;
      assert.ok(ids.length > 20);
      for (const id of ids) assert.ok(output.includes(id), `${id} is not in ${output}`);
    });
  }
}
