import type { ZimboEvent } from './connection.ts';

/** What an event is about: the id of its object, or the name of an operator, which has none. */
export const objectOf = ({ data }: ZimboEvent): string => ('id' in data ? data.id : data.name);
