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
   * @returns {Promise<{ok: boolean, status: number, body: unknown, advice?: string}>}
   */
  async call({ method, path, fields, takesKey, requiresKey }, input) {
    check({ fields, takesKey, requiresKey }, input);
    /** @type {string | undefined} */
    const key = takesKey ? (input.idempotencyKey ?? randomUUID()) : undefined;
    const url = new URL(this.#url + pathOf(path, input));
    for (const name of fields.query) {
      for (const [key, value] of parametersOf(name, input[name])) url.searchParams.set(key, value);
    }
    const given = fields.body.filter((name) => input[name] !== undefined);
    const body = Object.fromEntries(given.map((name) => [name, input[name]]));
    const hasBody = fields.body.length > 0;
    const request = {
      method,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        authorization: `Bearer ${this.#key}`,
        accept: 'application/json',
        'user-agent': 'zimbo-mcp',
        ...(hasBody && { 'content-type': 'application/json' }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      ...(hasBody && { body: JSON.stringify(body) }),
    };
    // The agent may not have chosen the key: under another one, the same call takes effect twice.
    const advice =
      key === undefined
        ? undefined
        : `It may have taken effect. Repeat it with idempotencyKey ${key}.`;
    try {
      const answer = await fetch(url, request);
      const { ok, status } = answer;
      const text = await answer.text();
      return { ok, status, body: parsed(text), ...(status >= 500 && { advice }) };
    } catch (error) {
      throw advice === undefined ? error : new Error(`${error.message}. ${advice}`);
    }
  }

  /** Whether the key lacks at least one permission to read: a key for everything is none to give to an agent. */
  async isRestricted() {
    const paths = ['payments', 'refunds', 'checkout/sessions', 'events', 'webhooks', 'settlements'];
    const answers = await Promise.all(
      paths.map((path) =>
        this.call(
          { method: 'GET', path: `/v1/${path}`, fields: { path: [], query: [], body: [] } },
          {},
        ),
      ),
    );
    return answers.some(({ status }) => status === 403);
  }
}

/** Refuses what the gateway could not: it would never see a misspelt field, and without an amount a refund is whole. */
function check({ fields, takesKey, requiresKey }, { idempotencyKey, ...input }) {
  const unknown = Object.keys(input).filter((name) => !Object.values(fields).flat().includes(name));
  if (!takesKey && idempotencyKey !== undefined) unknown.push('idempotencyKey');
  if (unknown.length > 0) {
    throw new TypeError(`there is no argument ${unknown.join(', ')}, so nothing was sent`);
  }
  if (requiresKey && !idempotencyKey) {
    throw new TypeError('no idempotencyKey, so nothing was sent. Choose one for each debt.');
  }
  const isKey = typeof idempotencyKey === 'string' && /^[ -~]{1,255}$/.test(idempotencyKey);
  if (idempotencyKey !== undefined && !isKey) {
    throw new TypeError(
      'idempotencyKey must be 1 to 255 printable ASCII characters, so nothing was sent',
    );
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
