/**
 * Runs the code samples of the API reference against a real gateway: a language that is not on this machine is skipped.
 * Each sample must send the recorded request, and gets the gateway's answer to the same request in the course of the
 * story, in which ids and times are others.
 */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import type { CodeSample } from '../../src/platform/http/openapi-samples.ts';
import { listen } from '../support/webhook-receiver.ts';
import { tellOfShop } from './merchant-story.ts';
import { isThere, languages, startSamples } from './sample-programs.ts';
import { openShop, readRecorded, shopExamples } from './shop.ts';
import { beginStory, httpOf, type Send, type StoryOperation, sendTo } from './story.ts';

const recorded = readRecorded(shopExamples);

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
  { request }: Arrived,
  key: string,
): Promise<void> {
  const { request: expected } = recorded.operations[operationId]!;
  const { method, url, headers, body } = httpOf(operation, expected, key);
  assert.deepEqual([request.method, request.url], [method, url], operationId);
  for (const [name, value] of Object.entries(headers))
    assert.equal(request.headers[name], value, `${operationId} ${name}`);
  assert.deepEqual(jsonOf(await text(request)), jsonOf(body), operationId);
}

for (const [name, language] of Object.entries(languages)) {
  const skip = isThere(language) ? false : `${language.program} is not installed`;
  test(`the samples in ${name} do what the reference shows`, { skip }, async (context) => {
    const { gateway, document, key, ...shop } = await openShop(context);
    const { paths } = document as { paths: Record<string, Record<string, Sampled>> };
    const sampled = Object.values(paths).flatMap((ofPath) => Object.values(ofPath));
    const sources = Object.keys(recorded.operations).map((operationId) => {
      const { 'x-codeSamples': samples } = sampled.find((one) => one.operationId === operationId)!;
      return samples.find(({ label }) => label === name)!.source;
    });
    const { url, next } = await openPort(context);
    const running = startSamples(context, language, sources, {
      ZIMBO_URL: url,
      ZIMBO_API_KEY: key,
    });
    const died = running.ended.then((output) => {
      throw new Error(`it ended too early: ${output}`);
    });
    died.catch(() => {});
    const direct = sendTo(gateway.url);
    const ids: string[] = [];
    const send: Send = async (operationId, request) => {
      const arrived = await Promise.race([next(), died]);
      await assertRecorded(operationId, story.operations[operationId]!, arrived, key);
      const answer = await direct(operationId, request);
      if (answer.body?.id) ids.push(answer.body.id);
      arrived.response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'text/plain',
      });
      arrived.response.end(answer.text);
      return answer;
    };
    const story = beginStory(document, key, { send, direct });
    await tellOfShop(story, shop);
    const output = await running.ended;
    assert.ok(ids.length > 20);
    for (const id of ids) assert.ok(output.includes(id), `${id} is not in ${output}`);
  });
}

interface Sampled {
  operationId: string;
  'x-codeSamples': CodeSample[];
}
