/** The refusals that every operation has in common, each with a request that provokes it. */
import assert from 'node:assert/strict';
import type { ErrorBody } from '../../src/platform/http/openapi-examples.ts';
import { eventually } from '../support/eventually.ts';
import type { Send, Story, StoryOperation, StoryRequest } from './story.ts';
import { unknownId } from './story-parts.ts';

export interface Keys {
  unknown: string;
  /** Not allowed from this machine. */
  elsewhere: string;
  /** With every permission but this one. */
  without(permission: string): Promise<string>;
}

/**
 * @param limited a gateway with a low rate limit
 * @param invalid values that an operation refuses, where `{}` is no wrong body and an unknown parameter no good example
 */
export async function tellRefusals(
  story: Story,
  keys: Keys,
  limited: Send,
  invalid: Record<string, StoryRequest>,
): Promise<void> {
  const { operations } = story.told;
  for (const [operationId, { request, errors }] of Object.entries(operations)) {
    const { permission, codes } = story.operations[operationId]!;
    await story.refuse(operationId, request, { key: await keys.without(permission) });
    if (codes.includes('NOT_FOUND') && errors.NOT_FOUND === undefined) {
      await story.refuse(operationId, withUnknownId(request));
    }
    const wrong = {
      ...request,
      ...(invalid[operationId] ?? wrongOf(story.operations[operationId]!)),
    };
    await story.refuse(operationId, wrong);
  }
  const [first] = Object.keys(operations);
  await tellCommon(story, keys, limited, first!);
}

/** Another id in the path; in a list without one, another merchant. */
function withUnknownId(request: StoryRequest): StoryRequest {
  const { path, query } = request;
  if (!path) {
    const { merchant_id: id } = query ?? {};
    assert.ok(id, 'the story has a line of its own for anything else that is unknown');
    return { ...request, query: { ...query, merchant_id: unknownId(id) } };
  }
  const [[name, id]] = Object.entries(path).slice(-1) as [[string, string]];
  return { ...request, path: { ...path, [name]: unknownId(id) } };
}

function wrongOf({ method, queryNames, takes }: StoryOperation): StoryRequest {
  if (queryNames.includes('limit')) return { query: { limit: '101' } };
  if (method !== 'GET' && method !== 'DELETE') {
    return { body: takes.length > 0 ? {} : { colour: 'red' } };
  }
  return { query: { colour: 'red' } };
}

/** These do not depend on the operation (authorization.test.ts tries every one). */
async function tellCommon(story: Story, keys: Keys, limited: Send, operationId: string) {
  const { method, path } = Object.values(story.operations).find(
    (one) => one.method === 'GET' && !one.path.includes('{'),
  )!;
  const { common } = story.told;
  const ask = async (send: Send, key: string) => {
    const headers = { authorization: `Bearer ${key}` };
    const { status, body } = await send(operationId, { method, url: path, headers });
    return status >= 400 ? (body as ErrorBody) : undefined;
  };
  for (const key of [keys.unknown, keys.elsewhere]) {
    const refused = (await ask(story.direct, key))!;
    common[refused.error.code] = refused;
  }
  const key = await keys.without('none');
  common.RATE_LIMITED = await eventually('it is too much', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(limited, key)));
    return answers.find((answer) => answer?.error.code === 'RATE_LIMITED');
  });
}
