import type { Call, GsmaClient, Reply } from '../../src/integrations/operators/gsma/client.ts';
import type { OperatorName } from '../../src/integrations/operators/operator.ts';
import type { Random } from '../torture/random.ts';
import type { GatewayDials, OperatorDials } from './dials.ts';
import type { Answer } from './operator-records.ts';
import type { Provider } from './provider.ts';
import { between } from './random-values.ts';
import { type Actor, newActor, type Scheduler } from './scheduler.ts';
import type { Trace } from './trace.ts';

export interface NetworkDependencies {
  operator: OperatorName;
  dials: OperatorDials;
  gateway: GatewayDials;
  actor: Actor;
  scheduler: Scheduler;
  random: Random;
  trace: Trace;
  provider: Provider;
  /** A request begins; it must be allowed to begin at this instant. */
  onRequest(reference: string, kind: string): void;
  /** A gateway has received an operator's answer about one of our references. */
  onAnswer(call: Call, answer: Answer, about: string | undefined): void;
}

/** Carries calls to an operator and back in virtual time, and enforces each operation's timeout. */
export function simulatedClient(dependencies: NetworkDependencies): GsmaClient {
  /** An operation has one signal for all its calls. */
  const deadlines = new WeakMap<AbortSignal, number>();
  /** The reference of each operation. */
  const references = new WeakMap<AbortSignal, string>();
  return {
    call: (call, signal) => {
      const { scheduler, gateway, trace, actor, operator } = dependencies;
      let deadlineMs = deadlines.get(signal);
      if (deadlineMs === undefined) {
        deadlineMs = scheduler.nowMs + gateway.operatorTimeoutMs;
        deadlines.set(signal, deadlineMs);
      }
      const subject = subjectOf(call);
      trace.add(actor.name, `→ ${operator} ${call.method} ${trace.nameOf('?', subject)}`);
      const isDown = dependencies.provider.isDown;
      if (isDown || dependencies.random.chance(dependencies.dials.refusedConnections))
        return refused(dependencies, subject);
      if (call.method === 'POST') dependencies.onRequest(subject, kindOf(call));
      const about = references.get(signal) ?? referenceOf(dependencies, call);
      if (about !== undefined) references.set(signal, about);
      return travel(dependencies, call, deadlineMs, about);
    },
    close: async () => {},
  };
}

const network = newActor('the network');

/** The reference that a request carries, or that a query asks about. */
const subjectOf = ({ headers, path }: Call) =>
  headers?.['X-CorrelationID'] ?? path.slice(path.lastIndexOf('/') + 1);

/** Undefined if the call does not name our reference. */
function referenceOf({ provider }: NetworkDependencies, { headers, path }: Call) {
  const [, kind, id = ''] = /^\/(responses|requeststates)\/([^/]+)$/.exec(path) ?? [];
  if (kind === 'responses') return id;
  if (kind === 'requeststates') return provider.byCorrelation(id.toLowerCase())?.reference;
  return headers?.['X-CorrelationID'];
}

function kindOf({ path }: Call): string {
  if (path.endsWith('/merchantpay')) return 'DEBIT';
  return path.endsWith('/disbursement') ? 'PAYOUT' : 'BACK';
}

/** No connection opens, so the request has not left. */
function refused({ scheduler, actor, trace, operator }: NetworkDependencies, subject: string) {
  return new Promise<Reply>((resolve) => {
    scheduler.after(actor, 10, 'a refusal', () => {
      trace.add(actor.name, `← ${operator} ${trace.nameOf('?', subject)}: no connection`);
      resolve({ kind: 'unreachable', reason: 'ECONNREFUSED', begun: false });
    });
  });
}

function travel(
  dependencies: NetworkDependencies,
  call: Call,
  deadlineMs: number,
  about: string | undefined,
): Promise<Reply> {
  const { scheduler, random, dials, gateway, actor, provider, operator, trace } = dependencies;
  const isRequest = call.method === 'POST';
  const isSlow = random.chance(isRequest ? dials.slowAnswers : dials.slowQueries);
  const slowMs = between(random, -1_500, 1_000) + gateway.operatorTimeoutMs;
  // The delay may fall before or after the operator: a slow operator may not know the request until
  // the end.
  const [thereMs, backMs] =
    isSlow && random.chance(0.5)
      ? [slowMs, 5]
      : [between(random, 1, 50), isSlow ? slowMs : between(random, 5, 200)];
  const isLost = isRequest && random.chance(dials.lostRequests);
  const isAnswerLost = isRequest && random.chance(dials.lostAnswers);
  return new Promise((resolve) => {
    let isOver = false;
    const deliver = (reply: Reply, words: string) => {
      isOver = true;
      endOfTime();
      answered();
      trace.add(actor.name, `← ${operator} ${trace.nameOf('?', subjectOf(call))}: ${words}`);
      resolve(reply);
    };
    let answered = () => {};
    const endOfTime = scheduler.after(actor, deadlineMs - scheduler.nowMs, 'a time-out', () =>
      deliver({ kind: 'unreachable', reason: 'time-out', begun: true }, 'nothing'),
    );
    if (isLost) return;
    scheduler.after(network, thereMs, 'a call arrives', () =>
      provider.receive(call, (answer) => {
        if (isAnswerLost) return;
        answered = scheduler.after(actor, backMs, 'an answer', () => {
          if (isOver) return;
          const { status, body } = answer;
          dependencies.onAnswer(call, answer, about);
          deliver({ kind: 'answered', retryAfterMs: 0, status, body }, wordsOf(answer));
        });
      }),
    );
  });
}

function wordsOf({ status, body }: Answer): string {
  const fields = (body ?? {}) as Record<string, string | undefined>;
  const words = [
    fields.errorCode,
    fields.serverCorrelationId?.slice(-4),
    fields.transactionReference,
    fields.transactionStatus ?? fields.status,
    fields.amount,
    fields.link,
  ];
  return [status, ...words.filter((word) => word !== undefined)].join(' ');
}
