import type { FastifyReply, FastifyRequest } from 'fastify';
import { idempotentRequest } from './idempotency.ts';
import type { Act, KeepAnswer, RunAct } from './run-once.ts';

/** What a request asks for. */
export interface AskedAct<Answer> {
  route: string;
  /** The payment, session, endpoint or event that it is about. */
  subjectId: string;
  /** What else it says, with defaults filled in. */
  meaning?: object;
  /** Carries it out, and keeps its answer in the same transaction. */
  perform: (keep: KeepAnswer) => Promise<Answer>;
  /** Makes the answer from what was kept. */
  replay: (kept: object) => Promise<Answer> | Answer;
}

/** Carries out what a request asks for, once for its key, and says in the headers if that was done before. */
export async function answerAct<Answer>(
  runAct: RunAct,
  request: Pick<FastifyRequest, 'body' | 'headers' | 'principal'>,
  reply: FastifyReply,
  { route, subjectId, meaning, perform, replay }: AskedAct<Answer>,
): Promise<Answer> {
  const key = request.headers['idempotency-key'] as string | undefined;
  const asked = idempotentRequest(key, request.body, () => ({ ...meaning, subjectId }));
  const act: Act = { tenantId: request.principal.tenantId, route, subjectId, request: asked };
  const { answer, replayed } = await runAct(act, perform, replay);
  if (replayed) reply.header('Idempotent-Replayed', 'true');
  return answer;
}
