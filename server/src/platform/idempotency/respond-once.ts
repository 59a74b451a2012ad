import type { FastifyReply, FastifyRequest } from 'fastify';
import { idempotentRequest } from './idempotency.ts';
import type { Act, KeepAnswer, RunAct } from './run-once.ts';

/** The requested action. */
export interface AskedAct<Answer> {
  route: string;
  /** The payment, session, endpoint or event that it is about. */
  subjectId: string;
  /** The other parameters, with defaults filled in. */
  meaning?: object;
  /** Performs the action, and stores its response in the same transaction. */
  perform: (keep: KeepAnswer) => Promise<Answer>;
  /** Makes the response from the stored data. */
  replay: (kept: object) => Promise<Answer> | Answer;
}

/** Performs the requested action once for its key; the headers tell if it was a repetition. */
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
