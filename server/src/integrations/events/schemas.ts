import { rangedListQuery, severalOf } from '../../platform/http/list-range.ts';
import { textOf } from '../../platform/http/schema.ts';
import { Type } from '../../platform/http/type.ts';
import { idPattern } from '../../platform/values/ids.ts';
import { eventTypes, type NewEvent, testEventType } from './event.ts';
import { objectPrefixes } from './find-by-object.ts';

export const eventTypeSchema = Type.Enum([...eventTypes, testEventType], { title: 'EventType' });

export const eventSchema = Type.Object(
  {
    id: Type.String({ examples: ['evt_01m7yhp3gfe04vkhm96w446fde'] }),
    type: eventTypeSchema,
    data: Type.Object({}, { description: 'The whole resource as it was at the event.' }),
    createdAt: Type.String({ format: 'date-time' }),
  },
  { title: 'Event' },
);

/** All events about one kind of object: `payment.*`. */
const families = [
  ...new Set([...eventTypes, testEventType].map((type) => type.replace(/[^.]+$/, '*'))),
];

export const listEventsQuery = rangedListQuery('evt', {
  type: severalOf(
    Type.Enum([...eventTypes, testEventType, ...families], { title: 'EventTypeFilter' }),
  ),
  object_id: Type.Optional(
    textOf(
      objectPrefixes.map((prefix) => idPattern(prefix)).join('|'),
      `must be an id that begins with ${objectPrefixes.map((prefix) => `${prefix}_`).join(', ')}`,
      {
        description:
          'Only those about this payment, refund, checkout session, settlement, webhook endpoint, disbursement or batch of disbursements. At most 5,000 events are looked through.',
        examples: ['pi_01m7yhp3gfe04vkhm96w446fdc'],
      },
    ),
  ),
});

/** The types of a filter, in which `payment.*` stands for all of payments. */
export const typesOf = (given: readonly string[] | undefined): NewEvent['type'][] | undefined =>
  given &&
  [...eventTypes, testEventType].filter((type) =>
    given.some(
      (each) => each === type || (each.endsWith('*') && type.startsWith(each.slice(0, -1))),
    ),
  );
