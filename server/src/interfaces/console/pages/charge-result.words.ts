import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: 'Cobrança',
  waiting: labels.pt.waitingForTheCustomer,
  paid: labels.pt.paid,
  failed: labels.pt.notPaid,
  asking: 'A enviar o pedido ao operador…',
  confirming: 'O cliente recebeu o pedido no telemóvel. Falta confirmar com o PIN.',
  simulated: 'Em teste, um cliente simulado responde em segundos.',
  expired: messages.pt.notConfirmedInTime,
  cancelled: 'O pagamento foi cancelado.',
  again: labels.pt.tryAgain,
  anew: labels.pt.newCharge,
  receipt: labels.pt.viewReceipt,
  wrongNumber: 'Número errado',
  tooLate: 'Já não se pode cancelar: o cliente respondeu entretanto.',
  details: 'Ver o pagamento',
  refund: labels.pt.doRefund,
  done: {
    refunded: 'O reembolso foi pedido.',
    earlier:
      'Este formulário já tinha sido enviado com outros valores. Foi isto que se cobrou; nada mais foi cobrado.',
  },
};

const en: typeof pt = {
  title: 'Charge',
  waiting: labels.en.waitingForTheCustomer,
  paid: labels.en.paid,
  failed: labels.en.notPaid,
  asking: 'Sending the request to the operator…',
  confirming:
    'The customer has received the request on the phone, and must confirm it with the PIN.',
  simulated: 'In test mode, a simulated customer answers within seconds.',
  expired: messages.en.notConfirmedInTime,
  cancelled: 'The payment was cancelled.',
  again: labels.en.tryAgain,
  anew: labels.en.newCharge,
  receipt: labels.en.viewReceipt,
  wrongNumber: 'Wrong number',
  tooLate: 'Too late to cancel: the customer has answered in the meantime.',
  details: 'View the payment',
  refund: labels.en.doRefund,
  done: {
    refunded: 'The refund was requested.',
    earlier:
      'This form was already sent with other values. This is what was charged; nothing else was charged.',
  },
};

export const words: Record<Language, typeof pt> = { pt, en };
