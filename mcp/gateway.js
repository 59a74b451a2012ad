import { randomUUID } from 'node:crypto';

const timeoutMs = 30_000;

/** Sends the calls of tools to a gateway. */
export class Gateway {
  #url;
  #key;

  /** @param {{url: string, key: string}} settings */
  constructor({ url, key }) {
    this.#url = url.replace(/\/+$/, '');
    this.#key = key;
  }

  /**
   * @param {import('./tools.js').Tool} tool
   * @param {Record<string, unknown>} input
   * @returns {Promise<{ok: boolean, status: number, body: unknown}>}
   */
  async call({ method, path, fields, takesKey, requiresKey }, input) {
    if (requiresKey && !input.idempotencyKey) {
      throw new TypeError('no idempotencyKey, so nothing was sent. Choose one for each debt.');
    }
    const url = new URL(this.#url + pathOf(path, input));
    for (const name of fields.query) {
      for (const [key, value] of parametersOf(name, input[name])) url.searchParams.set(key, value);
    }
    const given = fields.body.filter((name) => input[name] !== undefined);
    const body = Object.fromEntries(given.map((name) => [name, input[name]]));
    const hasBody = fields.body.length > 0;
    const answer = await fetch(url, {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        authorization: `Bearer ${this.#key}`,
        accept: 'application/json',
        'user-agent': 'zimbo-mcp',
        ...(hasBody && { 'content-type': 'application/json' }),
        ...(takesKey && { 'idempotency-key': input.idempotencyKey ?? randomUUID() }),
      },
      ...(hasBody && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { ok: answer.ok, status: answer.status, body: parsed(text) };
  }

  /** Whether the key lacks at least one permission to read: a key for everything is none to give to an agent. */
  async isRestricted() {
    const paths = ['payments', 'refunds', 'checkout/sessions', 'events', 'webhooks', 'settlements'];
    const answers = await Promise.all(
      paths.map((path) =>
        this.call({ method: 'GET', path: `/v1/${path}`, fields: { query: [], body: [] } }, {}),
      ),
    );
    return answers.some(({ status }) => status === 403);
  }
}

/** Several values stand between commas, and the keys of an object in brackets. */
function parametersOf(name, value) {
  if (value === undefined || value === null) return [];
  if (typeof value !== 'object' || Array.isArray(value)) return [[name, String(value)]];
  return Object.entries(value).map(([key, each]) => [`${name}[${key}]`, String(each)]);
}

function pathOf(path, input) {
  return path.replaceAll(/\{(\w+)\}/g, (_all, name) => {
    const value = input[name];
    // An empty id or dots would lead to another operation.
    if (typeof value !== 'string' || /^\.*$/.test(value)) {
      throw new TypeError(`${name} must be an id from the gateway`);
    }
    return encodeURIComponent(value);
  });
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
