import { rangedListQuery, severalOf } from '../../platform/http/list-range.ts';
import { Type } from '../../platform/http/type.ts';
import { eventTypes, testEventType } from './event.ts';

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

export const listEventsQuery = rangedListQuery('evt', { type: severalOf(eventTypeSchema) });
