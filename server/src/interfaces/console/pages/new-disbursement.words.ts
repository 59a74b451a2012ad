import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.sendMoney,
  available: 'Disponível para enviar:',
  order: labels.pt.reference,
  orderHint: 'Opcional. Por ela encontra este envio mais tarde, por exemplo salario-11.',
  description: labels.pt.description,
  descriptionHint: 'Opcional. Para os seus registos.',
  check: labels.pt.continue,
  noAmount: messages.pt.enterAmount,
  tooMuch: (limit: string) => `Pode enviar no máximo ${limit} de cada vez.`,
  notEnough: (available: string) => `O saldo não chega: tem ${available} disponíveis.`,
  notEnoughWithFee: (available: string, fee: string) =>
    `O saldo não chega: tem ${available} disponíveis, e a comissão de ${fee} também sai do saldo.`,
  tooLong: messages.pt.upTo255,
  noOperator: (currency: string) =>
    `Ainda nenhum operador recebe envios reais em ${currency}. Quem gere o gateway liga-o; até lá, experimente em modo de teste.`,
  notAllowed:
    'Este estabelecimento ainda não pode enviar dinheiro real. Peça a quem gere o gateway que o permita.',
  limitOfDay: (limit: string) =>
    `Com este envio, passaria o limite de hoje, que é de ${limit}. Envie menos, ou espere por amanhã.`,
  limitOfWallet: (limit: string) =>
    `Com este envio, esta conta móvel receberia hoje mais do que o limite de ${limit}. Envie menos, ou espere por amanhã.`,
  summary: 'Confirme o envio',
  to: labels.pt.to,
  operator: labels.pt.operator,
  holder: labels.pt.holder,
  lookUp: 'Ver o titular',
  noName: {
    NOT_FOUND: 'O operador não conhece este número. Confira-o com quem recebe.',
    UNANSWERED: 'O operador não respondeu. Tente de novo, ou confira com quem recebe.',
    FAILED:
      'A consulta não funciona agora, e tentar de novo não ajuda. Confira com quem recebe, e avise quem gere o gateway.',
    LIMIT_REACHED:
      'Já consultou 20 titulares na última hora. Espere um pouco, ou confira com quem recebe.',
  },
  amount: labels.pt.amount,
  fee: labels.pt.fee,
  total: labels.pt.leavesTheBalance,
  after: labels.pt.balanceAfterDisbursement,
  note: 'Confira o número com quem recebe. Depois de entregue ao operador, o envio não se pode desfazer.',
  send: 'Enviar agora',
  ask: labels.pt.requestApproval,
  mustApprove: (limit: string) =>
    `Acima de ${limit}, o envio só avança depois de outra pessoa o aprovar.`,
  asked: 'O pedido foi enviado. Outra pessoa tem de o aprovar.',
  change: labels.pt.change,
};

const en: typeof pt = {
  title: labels.en.sendMoney,
  available: 'Available to send:',
  order: labels.en.reference,
  orderHint: 'Optional. You can search for it later, for example salary-11.',
  description: labels.en.description,
  descriptionHint: 'Optional. For your records.',
  check: labels.en.continue,
  noAmount: messages.en.enterAmount,
  tooMuch: (limit) => `You can send at most ${limit} at once.`,
  notEnough: (available) => `The balance does not cover this: ${available} are available.`,
  notEnoughWithFee: (available, fee) =>
    `The balance does not cover this: ${available} are available, and the fee of ${fee} is taken too.`,
  tooLong: messages.en.upTo255,
  noOperator: (currency) =>
    `No operator takes live disbursements in ${currency} yet. The people who run the gateway connect one; until then, try it in test mode.`,
  notAllowed:
    'This merchant may not send live money yet. Ask the people who run the gateway to allow it.',
  limitOfDay: (limit) =>
    `This would exceed today’s limit, which is ${limit}. Send less, or wait until tomorrow.`,
  limitOfWallet: (limit) =>
    `With this, the wallet would receive more today than the limit of ${limit}. Send less, or wait until tomorrow.`,
  summary: 'Confirm the disbursement',
  to: labels.en.to,
  operator: labels.en.operator,
  holder: labels.en.holder,
  lookUp: 'Show the holder',
  noName: {
    NOT_FOUND: 'The operator does not know this number. Check it with the recipient.',
    UNANSWERED: 'The operator did not answer. Try again, or check with the recipient.',
    FAILED:
      'The lookup does not work now, and trying again does not help. Check with the recipient, and tell the people who run the gateway.',
    LIMIT_REACHED:
      'You have looked up 20 holders in the last hour. Wait a little, or check with the recipient.',
  },
  amount: labels.en.amount,
  fee: labels.en.fee,
  total: labels.en.leavesTheBalance,
  after: labels.en.balanceAfterDisbursement,
  note: 'Check the number with the recipient. Once the operator has it, it cannot be undone.',
  send: 'Send now',
  ask: labels.en.requestApproval,
  mustApprove: (limit) => `Above ${limit}, somebody else has to approve it first.`,
  asked: 'The request has been sent. Somebody else must approve it.',
  change: labels.en.change,
};

export const words: Record<Language, typeof pt> = { pt, en };
