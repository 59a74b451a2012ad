import { Type } from 'typebox';
import { listQuery } from '../../http/lists.ts';

const instant = Type.String({ format: 'date-time', examples: ['2026-11-21T03:00:00.000Z'] });

export const merchantSchema = Type.Object(
  {
    id: Type.String({ examples: ['me_01m7yhp3gge018xpacn8sjzp5w'] }),
    name: Type.String({ examples: ['Loja da Praia'] }),
    createdAt: instant,
  },
  { title: 'Merchant' },
);

export const listMerchantsQuery = listQuery('me', {});
