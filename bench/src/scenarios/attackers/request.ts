import type { BenchGateway } from '../../gateway/gateway.ts';

/** How often each answer came. */
export type Counts = Record<string, number>;

export function count(counts: Counts, answer: string): void {
  counts[answer] = (counts[answer] ?? 0) + 1;
}

/** Sends a request and reads its whole answer. */
export async function request(
  { url }: BenchGateway,
  key: string,
  method: string,
  path: string,
  body?: string,
): Promise<{ status: number; text: string }> {
  const headers = {
    authorization: `Bearer ${key}`,
    ...(body && { 'content-type': 'application/json' }),
  };
  const answer = await fetch(url + path, { method, headers, ...(body && { body }) });
  // Converting 8 MiB to text would cost the bench more than the gateway.
  const bytes = await answer.arrayBuffer();
  return { status: answer.status, text: Buffer.from(bytes.slice(0, 4096)).toString() };
}
