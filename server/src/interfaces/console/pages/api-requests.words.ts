import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.apiRequests,
  nothing: 'Ainda não há pedidos',
  nothingHint: 'Cada pedido que o programa da loja faz aparece aqui dentro de um segundo ou dois.',
  noMatch: 'Nenhum pedido corresponde a estes filtros',
  intro:
    'Os últimos 10.000 pedidos, e durante 30 dias os que falharam. Sem o corpo nem os parâmetros.',
  dropped: (few: string) => `Houve demasiados pedidos neste período: faltam ${few}.`,
  at: labels.pt.date,
  status: labels.pt.answer,
  statuses: { 2: '2xx: correu bem', 3: '3xx', 4: '4xx: recusado', 5: '5xx: falha nossa' },
  method: 'Método',
  route: 'Rota',
  noRoute: '(não existe)',
  made: labels.pt.result,
  key: labels.pt.key,
  requestId: 'Identificador do pedido',
  duration: labels.pt.duration,
  error: labels.pt.error,
};

const en: typeof pt = {
  title: labels.en.apiRequests,
  nothing: 'No requests yet',
  nothingHint: 'Each request that the shop’s program makes appears here within a second or two.',
  noMatch: 'No request matches these filters',
  intro: 'The latest 10,000 requests, and failed ones for 30 days. Without bodies and parameters.',
  dropped: (few) => `There were too many requests in this period: ${few} are missing.`,
  at: labels.en.date,
  status: labels.en.answer,
  statuses: { 2: '2xx: success', 3: '3xx', 4: '4xx: refused', 5: '5xx: error on our side' },
  method: 'Method',
  route: 'Route',
  noRoute: '(none)',
  made: labels.en.result,
  key: labels.en.key,
  requestId: 'Request id',
  duration: labels.en.duration,
  error: labels.en.error,
};

export const words: Record<Language, typeof pt> = { pt, en };
