import { Agent } from 'undici';
import type { OperatorSettings } from '../../../platform/config/operator-settings.ts';

/** Connections to an operator: as many as calls may be under way to it at once. */
export interface Line {
  agent: Agent;
  /** Requests in flight would delay an orderly stop, and come due again. */
  close(): Promise<void>;
}

const maxAnswerBytes = 256 * 1024;

/** A separate connection pool. */
export function openLine({ maxCalls }: Pick<OperatorSettings, 'maxCalls'>): Line {
  const agent = new Agent({
    connections: maxCalls,
    pipelining: 1,
    allowH2: false,
    maxResponseSize: maxAnswerBytes,
    // The signal of each call is the only clock: undici's time-outs would restart with each byte.
    headersTimeout: 0,
    bodyTimeout: 0,
    // A host name may come to mean another address.
    clientTtl: 60_000,
  });
  return { agent, close: () => agent.destroy() };
}

const joined = new WeakMap<OperatorSettings, { line: Line; users: number }>();

/**
 * The connection pool shared by all users of these very settings: the cells of a process, which the operator sees as
 * one caller. It is closed when the last of them leaves.
 */
export function joinLine(settings: OperatorSettings): Line {
  const shared = joined.get(settings) ?? { line: openLine(settings), users: 0 };
  joined.set(settings, shared);
  shared.users += 1;
  return {
    agent: shared.line.agent,
    async close() {
      shared.users -= 1;
      if (shared.users > 0) return;
      joined.delete(settings);
      await shared.line.close();
    },
  };
}
