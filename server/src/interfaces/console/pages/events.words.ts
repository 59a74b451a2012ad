import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.events,
  one: labels.pt.event,
  nothing: 'Ainda não há eventos',
  nothingHint: 'Cada alteração de um pagamento, reembolso ou link é um evento.',
  noMatch: 'Nenhum evento corresponde a estes filtros',
  type: labels.pt.type,
  created: labels.pt.date,
  id: labels.pt.id,
  sent: 'Tal como foi enviado',
  masked: messages.pt.phonesAreMasked,
  shortened: 'O evento é maior do que se mostra aqui; a API devolve-o completo.',
  deliveries: labels.pt.deliveries,
  nowhere: 'Nenhum destino subscrevia este evento.',
  endpoint: 'Destino',
  deleted: 'Apagado',
  state: labels.pt.status,
  attempts: labels.pt.attempts,
  updated: labels.pt.lastChange,
  redeliver: labels.pt.sendAgain,
  disabled: messages.pt.endpointIsDisabled,
  done: { redelivered: messages.pt.eventWillBeSentAgain } as Record<string, string>,
};

const en: typeof pt = {
  title: labels.en.events,
  one: labels.en.event,
  nothing: 'No events yet',
  nothingHint: 'Each change of a payment, refund or link is an event.',
  noMatch: 'No event matches these filters',
  type: labels.en.type,
  created: labels.en.date,
  id: labels.en.id,
  sent: 'As it was sent',
  masked: messages.en.phonesAreMasked,
  shortened: 'The event is longer than shown here; the API returns all of it.',
  deliveries: labels.en.deliveries,
  nowhere: 'No endpoint was subscribed to this event.',
  endpoint: 'Endpoint',
  deleted: 'Deleted',
  state: labels.en.status,
  attempts: labels.en.attempts,
  updated: labels.en.lastChange,
  redeliver: labels.en.sendAgain,
  disabled: messages.en.endpointIsDisabled,
  done: { redelivered: messages.en.eventWillBeSentAgain },
};

export const words: Record<Language, typeof pt> = { pt, en };
