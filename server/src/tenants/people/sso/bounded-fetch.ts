const timeoutMs = 4_000;
const longestAnswer = 256 * 1024;
const withoutBody = [101, 204, 205, 304];

/** The provider does not answer, or gives an unusable answer: the person's state is unknown. */
export class ProviderDown extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(`The provider of single sign-on cannot be reached: ${reason}`, options);
  }
}

interface Request {
  method?: string;
  headers?: RequestInit['headers'];
  body?: RequestInit['body'];
  signal?: AbortSignal | null | undefined;
}

/**
 * Queries the provider: no answer takes longer than four seconds, exceeds 256 KiB, or redirects.
 * @throws ProviderDown
 */
export async function boundedFetch(
  url: string,
  { method, headers, body, signal }: Request,
): Promise<Response> {
  const time = AbortSignal.timeout(timeoutMs);
  const stop = signal ? AbortSignal.any([signal, time]) : time;
  let answer: Response;
  let bytes: Buffer<ArrayBuffer>;
  try {
    answer = await fetch(url, {
      method: method ?? 'GET',
      headers: headers ?? {},
      body: body ?? null,
      redirect: 'manual',
      signal: stop,
    });
    bytes = await bytesOf(answer);
  } catch (error) {
    if (error instanceof ProviderDown) throw error;
    throw new ProviderDown(error instanceof Error ? error.message : 'unknown', { cause: error });
  }
  const { status, statusText } = answer;
  if (status >= 500 || status === 429) throw new ProviderDown(`it answered ${status}`);
  const shown = withoutBody.includes(status) ? null : bytes;
  return new Response(shown, { status, statusText, headers: answer.headers });
}

async function bytesOf({ body }: Response): Promise<Buffer<ArrayBuffer>> {
  const parts: Uint8Array[] = [];
  let length = 0;
  for await (const part of body ?? []) {
    length += part.length;
    if (length > longestAnswer) throw new ProviderDown('its answer is too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
