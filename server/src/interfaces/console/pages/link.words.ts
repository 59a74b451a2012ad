import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.paymentLink,
  scan: 'O cliente aponta a câmara a este código, ou abre o link.',
  paying: 'O cliente está a pagar…',
  paid: labels.pt.paid,
  expired: 'Já não se pode pagar',
  shareText: (shop: string) => `Pague a ${shop} aqui:`,
  about: 'Este link',
  status: labels.pt.status,
  description: labels.pt.paymentFor,
  items: labels.pt.products,
  order: labels.pt.order,
  customer: labels.pt.customer,
  created: labels.pt.created,
  until: labels.pt.validUntil,
  address: labels.pt.address,
  payments: labels.pt.payments,
  phone: labels.pt.phone,
  expire: 'Anular o link',
  anew: labels.pt.newCharge,
  statuses: { OPEN: 'Por pagar', COMPLETED: labels.pt.paid, EXPIRED: labels.pt.expired } as Record<
    string,
    string
  >,
  done: {
    created: 'O link está pronto.',
    expired: 'O link foi anulado: já ninguém pode pagar com ele.',
    earlier:
      'Este formulário já tinha sido enviado com outros valores. Foi este o link criado; não foi criado mais nenhum.',
  },
};

const en: typeof pt = {
  title: labels.en.paymentLink,
  scan: 'Customers point their camera at this code, or open the link.',
  paying: 'The customer is paying…',
  paid: labels.en.paid,
  expired: 'Can no longer be paid',
  shareText: (shop) => `Pay ${shop} here:`,
  about: 'This link',
  status: labels.en.status,
  description: labels.en.paymentFor,
  items: labels.en.products,
  order: labels.en.order,
  customer: labels.en.customer,
  created: labels.en.created,
  until: labels.en.validUntil,
  address: labels.en.address,
  payments: labels.en.payments,
  phone: labels.en.phone,
  expire: 'Cancel the link',
  anew: labels.en.newCharge,
  statuses: { OPEN: 'To be paid', COMPLETED: labels.en.paid, EXPIRED: labels.en.expired },
  done: {
    created: 'The link is ready.',
    expired: 'The link has been cancelled: nobody can pay with it any more.',
    earlier: 'This form was already sent with other values. It created this link, and no other.',
  },
};

export const words: Record<Language, typeof pt> = { pt, en };
