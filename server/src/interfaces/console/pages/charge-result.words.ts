import type { Language } from '../words/common.ts';

const pt = {
  title: 'Cobrança',
  waiting: 'À espera do cliente',
  paid: 'Pago',
  failed: 'Não pago',
  asking: 'A enviar o pedido ao operador…',
  confirming: 'O cliente recebeu o pedido no telemóvel. Falta confirmar com o PIN.',
  simulated: 'Em modo de teste o cliente é simulado: responde sozinho, em segundos.',
  expired: 'O cliente não confirmou a tempo.',
  cancelled: 'O pagamento foi cancelado.',
  again: 'Tentar de novo',
  anew: 'Nova cobrança',
  receipt: 'Ver recibo',
  sendReceipt: 'Enviar o recibo',
  receiptText: 'O seu recibo:',
  details: 'Ver o pagamento',
  done: {
    earlier:
      'Este formulário já tinha sido enviado com outros valores. Foi isto que se cobrou; nada mais foi cobrado.',
  },
};

const en: typeof pt = {
  title: 'Charge',
  waiting: 'Waiting for the customer',
  paid: 'Paid',
  failed: 'Not paid',
  asking: 'Sending the request to the operator…',
  confirming:
    'The customer has received the request on the phone, and must confirm it with the PIN.',
  simulated: 'In test mode the customer is simulated, and answers within seconds.',
  expired: 'The customer did not confirm in time.',
  cancelled: 'The payment was cancelled.',
  again: 'Try again',
  anew: 'New charge',
  receipt: 'View receipt',
  sendReceipt: 'Send the receipt',
  receiptText: 'Your receipt:',
  details: 'View the payment',
  done: {
    earlier:
      'This form was already sent with other values. This is what was charged; nothing else was charged.',
  },
};

export const words: Record<Language, typeof pt> = { pt, en };
