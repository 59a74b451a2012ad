import { Type } from 'typebox';
import { listOf } from '../http/lists.ts';
import type { HttpScope } from '../http/server.ts';
import { may } from './may.ts';
import type { AdminServices } from './services.ts';

const dueSchema = Type.Object(
  {
    kind: Type.String({ examples: ['payments'] }),
    count: Type.Integer(),
    oldestSeconds: Type.Number({ description: 'For how long the oldest has been due' }),
  },
  { title: 'DueWork' },
);

export function systemRoutes(scope: HttpScope, { dueWork }: AdminServices): void {
  const schema = {
    tags: ['System'],
    operationId: 'listDueWork',
    summary: 'List what is due to be processed, by kind',
    response: { 200: listOf(dueSchema) },
  };
  scope.get('/due-work', { config: may('system.read'), schema }, async () => ({
    data: await dueWork(),
    hasMore: false,
  }));
}
