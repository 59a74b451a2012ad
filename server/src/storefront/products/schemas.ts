import type { Static } from 'typebox';
import { currencySchema } from '../../integrations/operators/schemas.ts';
import { metadataFilter, rangedListQuery } from '../../platform/http/list-range.ts';
import { metadataSchema } from '../../platform/http/metadata.ts';
import { nullable, optional } from '../../platform/http/schema.ts';
import { Type } from '../../platform/http/type.ts';

const name = Type.String({ minLength: 1, maxLength: 255, examples: ['Café do Fogo, 250 g'] });
const description = Type.String();
const price = Type.Integer({
  minimum: 0,
  maximum: 999_999_999_999,
  description: 'In centavos.',
  examples: [45_000],
});
const active = Type.Boolean({ description: 'Whether new checkout sessions may refer to it.' });

export const createProductBody = Type.Object(
  {
    name,
    price,
    description: optional(description),
    currency: optional(currencySchema),
    active: optional(active),
    metadata: optional(metadataSchema),
  },
  { title: 'CreateProductBody', additionalProperties: false },
);

export type CreateProductBody = Static<typeof createProductBody>;

export const updateProductBody = Type.Object(
  {
    name: Type.Optional(name),
    price: Type.Optional(price),
    description: optional(description),
    currency: Type.Optional(currencySchema),
    active: Type.Optional(active),
    metadata: optional(metadataSchema),
  },
  { title: 'UpdateProductBody', additionalProperties: false },
);

const instant = Type.String({ format: 'date-time', examples: ['2026-11-21T09:30:00.000Z'] });

export const productSchema = Type.Object(
  {
    id: Type.String({ examples: ['pr_01m7yhp3gfe04vkhm96w446fdc'] }),
    name,
    description: nullable(description),
    price: Type.String({ description: 'The price, in centavos', examples: ['45000'] }),
    currency: currencySchema,
    active,
    metadata: nullable(metadataSchema),
    createdAt: instant,
    updatedAt: instant,
  },
  { title: 'Product' },
);

export const listProductsQuery = rangedListQuery('pr', {
  active: Type.Optional(Type.Boolean()),
  metadata: metadataFilter,
});
