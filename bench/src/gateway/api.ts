import type { BenchGateway } from './gateway.ts';

/** One request to the API. @throws unless the answer is a success */
export async function callApi(
  { url, key }: Pick<BenchGateway, 'url' | 'key'>,
  method: string,
  path: string,
  body?: unknown,
  moreHeaders: Record<string, string> = {},
): Promise<Response> {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body !== undefined && { 'content-type': 'application/json' }),
    ...moreHeaders,
  };
  const text = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(url + path, { method, headers, ...text });
  if (!answer.ok) throw new Error(`${method} ${path}: ${await answer.text()}`);
  return answer;
}

/** Registers a webhook endpoint for payment.debited; returns its id. */
export async function registerEndpoint(gateway: BenchGateway, url: string): Promise<string> {
  const body = { url, events: ['payment.debited'] };
  const answer = await callApi(gateway, 'POST', '/v1/webhooks', body);
  return ((await answer.json()) as { id: string }).id;
}
