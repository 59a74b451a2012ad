import { invalidState, notFound } from '../../../platform/errors/errors.ts';
import { adminAuthorOf } from '../../../platform/http/author.ts';
import { actHeaders } from '../../../platform/http/idempotency-key.ts';
import { pathId } from '../../../platform/http/lists.ts';
import type { HttpScope } from '../../../platform/http/server.ts';
import { idempotentRequest } from '../../../platform/idempotency/idempotency.ts';
import { keepNothing } from '../../../platform/idempotency/run-once.ts';
import { forgetField } from '../../../platform/idempotency/store.ts';
import type { Queryable } from '../../../platform/postgres/database.ts';
import { formatId } from '../../../platform/values/ids.ts';
import { idOfOrder, keyView } from '../../../tenants/merchants/keys.ts';
import { type RolledKey, rollKey } from '../../../tenants/merchants/roll-key.ts';
import { type ApiKey, findKey } from '../../../tenants/merchants/store.ts';
import { may } from '../route-permission.ts';
import { params } from '../schemas.ts';
import type { AdminServices } from '../services.ts';
import { rolledKeySchema, rollKeyBody } from './schemas.ts';

/** The stored part of an answer; the new key is encrypted, and kept until that key is rolled itself. */
interface Kept {
  /** In the answer's order, which JSON in the database does not keep. */
  viewText: string;
  keyBox?: string;
}

const route = 'admin/keys/roll';
const contextOf = (id: string) => `rolled API key ${id}`;

export function rollRoute(scope: HttpScope, services: AdminServices): void {
  const schema = {
    tags: ['API keys'],
    operationId: 'rollKey',
    summary: 'Create a key that replaces another',
    description:
      'Repeating an Idempotency-Key shows the new key again, until that key is itself rolled or revoked: then the answer is 409.',
    headers: actHeaders,
    params,
    body: rollKeyBody,
    response: { 200: rolledKeySchema },
  };
  const config = may('api_keys.write', 'INVALID_STATE', 'IDEMPOTENCY_KEY_REUSED');
  scope.post('/keys/:id/roll', { config, schema }, async (request, reply) => {
    const { overlapHours, expiresAt } = request.body;
    const id = pathId('ak', request.params.id, 'key');
    const old = await findKey(services.database, id);
    if (!old) throw notFound('key');
    const given = request.headers['idempotency-key'];
    const once = given === undefined ? undefined : `roll ${request.adminKey.key.id} ${given}`;
    const asked = idempotentRequest(once, request.body, () => ({ ...request.body, id }));
    const { tenantId } = old;
    const subjectId = once === undefined ? id : idOfOrder(tenantId, once);
    const { answer, replayed } = await services.runAct(
      { tenantId, route, subjectId, request: asked },
      async (keep) => {
        const alongside = async (transaction: Queryable, rolled: RolledKey) => {
          await forgetField(transaction, old, 'keyBox' satisfies keyof Kept);
          if (keep !== keepNothing) await keep(transaction, keptOf(services, rolled));
        };
        const { fourEyes } = services;
        const dependencies = { ...services, fourEyes, ...adminAuthorOf(request) };
        const expiresAtMs = expiresAt == null ? undefined : Date.parse(expiresAt);
        const order = { overlapMs: overlapHours * 3_600_000, expiresAtMs, once, alongside };
        return viewOf(await rollKey(dependencies, id, order));
      },
      async (kept) => answerOf(services, kept as Kept, await findKey(services.database, subjectId)),
    );
    if (replayed) reply.header('Idempotent-Replayed', 'true');
    return answer;
  });
}

const viewOf = ({ id, key, expiresAtMs, old }: RolledKey) => ({
  id: formatId('ak', id),
  key,
  expiresAt: expiresAtMs === null ? null : new Date(expiresAtMs).toISOString(),
  old: keyView(old),
});

function keptOf({ secrets }: AdminServices, rolled: RolledKey): Kept {
  const { key, ...view } = viewOf(rolled);
  return {
    viewText: JSON.stringify(view),
    keyBox: secrets.encrypt(key, contextOf(rolled.id)).toString('base64'),
  };
}

function answerOf(
  { secrets }: AdminServices,
  { viewText, keyBox }: Kept,
  made: ApiKey | undefined,
) {
  if (keyBox === undefined || !made || made.revokedAtMs !== null || made.rolledTo !== null) {
    throw invalidState(
      'The key that this request created has been rolled or revoked, and cannot be shown again.',
    );
  }
  const { id, ...rest } = JSON.parse(viewText) as Omit<ReturnType<typeof viewOf>, 'key'>;
  return { id, key: secrets.decrypt(Buffer.from(keyBox, 'base64'), contextOf(made.id)), ...rest };
}
