import type { HttpScope } from '../../platform/http/server.ts';
import type { TakeCallback } from './take.ts';

interface Callback {
  Params: { operator: string; token: string };
}

const maxBodyBytes = 64 * 1024;

/** Where operators tell of outcomes, outside `/v1`: the token in the address is the only credential. */
export function callbackRoutes(app: HttpScope, takeCallback: TakeCallback): void {
  const options = { schema: { hide: true }, bodyLimit: maxBodyBytes };
  app.put<Callback>('/operators/:operator/callbacks/:token', options, async (request, reply) => {
    const { operator, token } = request.params;
    await takeCallback(operator, token, request.body);
    return reply.code(204).send();
  });
}
