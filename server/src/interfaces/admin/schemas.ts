import { textOf } from '../../platform/http/schema.ts';
import { Type } from '../../platform/http/type.ts';
import { type IdPrefix, idPattern, parseId } from '../../platform/values/ids.ts';

/** Parts shared by several objects of `/admin/v1`. */
export const instant = Type.String({
  format: 'date-time',
  examples: ['2026-11-21T03:00:00.000Z'],
});
export const mode = Type.Enum(['live', 'test'], { title: 'Mode' });
export const minorUnits = (description: string, example: string) =>
  Type.String({ description: `${description}, in centavos`, examples: [example] });
export const params = Type.Object({ id: Type.String() });
export const merchantId = Type.String({ examples: ['me_01m7yhp3gge018xpacn8sjzp5w'] });
/** Passes all existing fields on unchanged. */
export const anything = Type.Unsafe<unknown>({});

/** Narrows a list to a merchant, or to a mode. */
export const merchantFilters = {
  merchant_id: Type.Optional(
    textOf(idPattern('me'), 'must be an id that begins with me_', {
      description: 'Only of this merchant.',
    }),
  ),
  mode: Type.Optional(mode),
};

/** The UUID of an id that the schema has already validated. */
export const uuidOf = (prefix: IdPrefix, id: string | undefined): string | undefined =>
  id === undefined ? undefined : parseId(prefix, id);
