import { Type } from 'typebox';
import { listQuery } from '../platform/http/lists.ts';
import { eventTypes, testEventType } from './event.ts';

const type = Type.Enum([...eventTypes, testEventType]);

export const eventSchema = Type.Object({
  id: Type.String({ examples: ['evt_01m7yhp3gfe04vkhm96w446fde'] }),
  type,
  data: Type.Object({}, { description: 'The whole resource as it was at the event.' }),
  createdAt: Type.String({ format: 'date-time' }),
});

export const listEventsQuery = listQuery({ type: Type.Optional(type) });
