"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.Transport = void 0;
const error_ts_1 = require("./error.js");
const generated_ts_1 = require("./generated.js");
const list_ts_1 = require("./list.js");
const retry_ts_1 = require("./retry.js");
const version_ts_1 = require("./version.js");
/** Sends the API's operations, and retries where that is safe. */
class Transport {
    #parts;
    constructor(parts) {
        this.#parts = parts;
    }
    async call(id, input, options = {}) {
        const { random, wait, maxRetries } = this.#parts;
        const request = this.#requestOf(id, input, options.idempotencyKey);
        for (let failedBefore = 0;; failedBefore++) {
            const outcome = await this.#attempt(request, options);
            if (!(outcome instanceof error_ts_1.ZimboError))
                return outcome;
            if (failedBefore >= (options.maxRetries ?? maxRetries))
                throw outcome;
            const { isRepeatable } = request;
            const gapMs = (0, retry_ts_1.retryGapMs)(outcome, { failedBefore, isRepeatable, random: random() });
            if (gapMs === undefined)
                throw outcome;
            await wait(gapMs, options.signal);
        }
    }
    list(id, query, options, path) {
        const fetchPage = (position) => this.call(id, { path, query: { ...query, ...position } }, options);
        return new list_ts_1.List(fetchPage, query);
    }
    #requestOf(id, input, givenKey) {
        const { apiKey, baseUrl, newIdempotencyKey } = this.#parts;
        const { method, path, takesKey } = generated_ts_1.routes[id];
        const headers = new Headers({
            authorization: `Bearer ${apiKey}`,
            accept: 'application/json',
            'user-agent': `zimbo-typescript/${version_ts_1.version}`,
        });
        const idempotencyKey = takesKey ? checkedKey(givenKey ?? newIdempotencyKey()) : null;
        if (idempotencyKey !== null)
            headers.set('idempotency-key', idempotencyKey);
        if (input.body !== undefined)
            headers.set('content-type', 'application/json');
        return {
            url: `${baseUrl}${pathOf(path, input.path ?? {})}${queryOf(input.query ?? {})}`,
            init: {
                method,
                headers,
                // A redirect would turn a POST into a GET, and carry the key to another address.
                redirect: 'manual',
                ...(input.body !== undefined && { body: JSON.stringify(input.body) }),
            },
            isRepeatable: method === 'GET' || takesKey,
            idempotencyKey,
        };
    }
    /**
     * Reads the body of the answer, or the reason why there is none; throws only the reason of the
     * caller's signal.
     */
    async #attempt(request, options) {
        const { url, init, idempotencyKey } = request;
        const { signal, timeoutMs = this.#parts.timeoutMs } = options;
        signal?.throwIfAborted();
        const controller = new AbortController();
        const giveUp = () => controller.abort(signal?.reason);
        const timer = setTimeout(() => controller.abort(), timeoutMs);
        signal?.addEventListener('abort', giveUp);
        let answer;
        let text;
        try {
            answer = await this.#parts.fetch(url, { ...init, signal: controller.signal });
            text = await answer.text();
        }
        catch (cause) {
            signal?.throwIfAborted();
            return controller.signal.aborted
                ? new error_ts_1.ZimboError({
                    code: 'TIMEOUT',
                    message: `No answer within ${timeoutMs} ms.`,
                    idempotencyKey,
                    cause,
                })
                : new error_ts_1.ZimboError({
                    code: 'CONNECTION_FAILED',
                    message: `No answer from ${new URL(url).origin}: is the gateway running, and baseUrl right?`,
                    idempotencyKey,
                    cause,
                });
        }
        finally {
            clearTimeout(timer);
            signal?.removeEventListener('abort', giveUp);
        }
        const { status, headers } = answer;
        this.#parts.onAnswer?.({ method: init.method, url, status, headers });
        return readAnswer(answer, text, idempotencyKey);
    }
}
exports.Transport = Transport;
function checkedKey(key) {
    if (/^[\x20-\x7e]{1,255}$/.test(key))
        return key;
    throw new TypeError('idempotencyKey must have 1 to 255 printable ASCII characters');
}
function readAnswer(answer, text, idempotencyKey) {
    if (!answer.ok)
        return (0, error_ts_1.errorOfAnswer)(answer, text, idempotencyKey);
    if (answer.status === 204)
        return undefined;
    if (answer.headers.get('content-type')?.startsWith('text/csv'))
        return text;
    try {
        return JSON.parse(text);
    }
    catch {
        return (0, error_ts_1.errorOfAnswer)(answer, text, idempotencyKey);
    }
}
function pathOf(path, values) {
    return path.replaceAll(/\{(\w+)\}/g, (_all, name) => {
        const value = values[name];
        // An empty id or dots would change the path to another operation.
        if (typeof value !== 'string' || /^\.*$/.test(value)) {
            throw new TypeError(`${name} must be an id from the gateway, not ${JSON.stringify(value)}`);
        }
        return encodeURIComponent(value);
    });
}
/**
 * customerId becomes customer_id, as the API names its query parameters. Several values are
 * separated by commas, and the keys of an object stand in brackets.
 */
function queryOf(query) {
    const parameters = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) {
        const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
        if (value === undefined || value === null)
            continue;
        if (typeof value !== 'object' || Array.isArray(value))
            parameters.set(snake, String(value));
        else
            for (const [key, each] of Object.entries(value))
                parameters.set(`${snake}[${key}]`, String(each));
    }
    const text = parameters.toString();
    return text === '' ? '' : `?${text}`;
}
