const header = (type: string, description: string, example: string | number) => ({
  description,
  schema: { type },
  example,
});

/** The headers of answers, by their names in `components.headers`. */
export const answerHeaders = {
  'X-Request-Id': header(
    'string',
    'Quote it when you report a problem. If the request had one, it is the same.',
    '6f1c6c1e-8a0f-4a43-9d0d-6f3a1c9e2b11',
  ),
  'RateLimit-Policy': header('string', 'The rate limit of the tenant.', '"default";q=5000;w=5'),
  RateLimit: header(
    'string',
    'How many requests are left, and when the full limit is available again.',
    '"default";r=4999;t=1',
  ),
  'Retry-After': header('integer', 'How many seconds to wait before trying again.', 1),
  'Idempotent-Replayed': header(
    'string',
    '"true" if this is the answer to an earlier request with the same key; absent otherwise.',
    'true',
  ),
  'WWW-Authenticate': header('string', 'How to authenticate.', 'Bearer'),
};

type HeaderName = keyof typeof answerHeaders;

/** Which headers the answers of a status have; `takesKey` says that the operation takes an idempotency key. */
export function headersOf(status: string, takesKey: boolean): Record<string, object> {
  const names: HeaderName[] = [
    'X-Request-Id',
    ...(status === '401' ? (['WWW-Authenticate'] as const) : limits),
    ...(['429', '500'].includes(status) ? (['Retry-After'] as const) : []),
    ...(status === '200' && takesKey ? (['Idempotent-Replayed'] as const) : []),
  ];
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

const limits = ['RateLimit-Policy', 'RateLimit'] as const;
