import type { OperatorSettings } from '../../../platform/config/operator-settings.ts';
import type { Clock } from '../../../platform/process/clock.ts';
import type { Balance, Health } from '../adapter.ts';
import { createGsmaClient, type Reply } from './client.ts';
import { isGsmaError } from './errors.ts';

const timeoutMs = 10_000;

/** Checks whether an operator is available, and the balance of our account there. Moves no money. */
export async function probeOperator(settings: OperatorSettings, clock: Clock): Promise<Health> {
  const client = createGsmaClient(settings, clock);
  try {
    // One time-out for both, so that the caller waits no longer for an operator that hangs.
    const signal = AbortSignal.timeout(timeoutMs);
    const get = (path: string) => client.call({ method: 'GET', path }, signal);
    const { key, value } = settings.account;
    const startedMs = clock.nowMs();
    const heartbeat = await get('/heartbeat');
    const latencyMs = clock.nowMs() - startedMs;
    const balance = await get(`/accounts/${key}/${encodeURIComponent(value)}/balance`);
    return { ...serviceOf(heartbeat), latencyMs, balance: balanceOf(balance) };
  } finally {
    await client.close();
  }
}

function serviceOf(reply: Reply): Pick<Health, 'service' | 'problem'> {
  const service = 'unavailable';
  if (reply.kind === 'unreachable') return { service, problem: reply.reason };
  const { status, body } = reply;
  if (isGsmaError(body)) {
    return { service, problem: `${status} ${body.errorCategory}/${body.errorCode}` };
  }
  const reported = (body as { serviceStatus?: unknown } | undefined)?.serviceStatus;
  if (status !== 200 || typeof reported !== 'string') {
    return { service, problem: `${status}, and no heartbeat of the standard` };
  }
  if (reported === 'available' || reported === 'degraded')
    return { service: reported, problem: null };
  return { service, problem: 'the operator says so' };
}

function balanceOf(reply: Reply): Balance | null {
  if (reply.kind === 'unreachable' || reply.status !== 200) return null;
  const { availableBalance, currentBalance, currency } = (reply.body ?? {}) as Record<
    string,
    unknown
  >;
  const amount = availableBalance ?? currentBalance;
  if (typeof amount !== 'string') return null;
  return { amount, currency: typeof currency === 'string' ? currency : '' };
}
