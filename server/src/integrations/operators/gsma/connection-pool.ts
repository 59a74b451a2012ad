import { Agent } from 'undici';
import type { OperatorSettings } from '../../../platform/config/operator-settings.ts';

/** Connections to an operator: as many as calls may be under way to it at once. */
export interface Line {
  agent: Agent;
  /** What is under way would keep an orderly stop waiting, and comes due again. */
  close(): Promise<void>;
}

const maxAnswerBytes = 256 * 1024;

/** A line of one's own. */
export function openLine({ maxCalls }: Pick<OperatorSettings, 'maxCalls'>): Line {
  const agent = new Agent({
    connections: maxCalls,
    pipelining: 1,
    allowH2: false,
    maxResponseSize: maxAnswerBytes,
    // The signal of each call is the only clock: these would restart with each byte.
    headersTimeout: 0,
    bodyTimeout: 0,
    // A name may come to mean another address.
    clientTtl: 60_000,
  });
  return { agent, close: () => agent.destroy() };
}

const joined = new WeakMap<OperatorSettings, { line: Line; users: number }>();

/**
 * The line of all who have these very settings: the cells of a process, which the operator takes for one caller. It is
 * closed when the last of them leaves.
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
