import type { WaitingKind } from '../../../money/review/open-cases.ts';
import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import type { Language } from '../words/common.ts';
import { reversalReasons } from './reversal-reasons.words.ts';
import { doubts } from './review-doubts.words.ts';
import { refusalWords } from './review-refusals.words.ts';

const pt = {
  title: labels.pt.toDecide,
  intro:
    'Casos que o gateway não pode decidir sozinho: uma pessoa tem de perguntar ao operador. O mais antigo primeiro.',
  nothing: 'Nada espera por uma decisão',
  nothingHint: 'Quando um operador contradisser os nossos registos, o caso aparece aqui.',
  noMatch: 'Nenhum caso por decidir corresponde ao que procurou',
  kind: 'Porquê',
  operator: labels.pt.operator,
  mode: labels.pt.mode,
  what: 'Caso',
  merchant: labels.pt.merchant,
  noMerchant: 'desconhecido',
  amount: labels.pt.amount,
  since: 'Espera há',
  ours: 'Os nossos registos',
  theirs: 'O operador',
  kinds: {
    CONTRADICTION: 'Contradição',
    CLASH: 'Transação já registada',
    MISMATCH: 'Sucesso diferente do pedido',
    UNCLEAR: 'Resultado por esclarecer',
    UNANSWERED: 'Sem resposta há muito',
    UNKNOWN_REFERENCE: labels.pt.unknownReference,
    HELD: 'Débito retido',
    REFUSED: 'Devolução recusada',
    LATE: messages.pt.lateDisbursement,
  } as Record<WaitingKind, string>,
  means: {
    CONTRADICTION:
      'O operador contradiz os nossos registos. Nada foi alterado. Pergunte ao operador qual dos dois está certo, acerte com ele ou com o estabelecimento o que estiver errado, e depois feche o caso.',
    CLASH:
      'O operador indicou uma transação que já está registada para outro fim. Nada foi registado nem devolvido. Pergunte ao operador o que a transação pagou.',
    MISMATCH:
      'O operador comunica um sucesso, mas não do que pedimos: outro valor, moeda ou referência, ou dados que não conseguimos ler. Nada foi registado, e o cliente pode já ter pago. Pergunte ao operador por esta referência e registe a resposta.',
    UNCLEAR:
      'O gateway deixou de perguntar, sem ter resposta. Pergunte ao operador por esta referência e registe a resposta.',
    UNANSWERED:
      'O gateway continua a perguntar, mas o operador não diz o que aconteceu. Pergunte-lhe por esta referência e registe a resposta.',
    UNKNOWN_REFERENCE:
      'O operador debitou ou devolveu dinheiro por uma referência que os nossos registos não têm: talvez se tenha perdido ao repor uma cópia. Pergunte ao estabelecimento ou ao cliente.',
    HELD: 'Não se sabe para que foi este débito. Fica na conta transitória até alguém decidir.',
    REFUSED:
      'O operador recusou devolver este débito. Peça-lhe que o devolva manualmente e registe a transação; ou acerte-o de outra forma e registe que não foi devolvido.',
    LATE: 'O envio falhou ou foi cancelado, e o valor voltou ao saldo; depois, o operador pagou-o. O valor falta na conta transitória. Decida se o estabelecimento o paga ou se a empresa o suporta.',
  } as Record<WaitingKind, string>,
  subjects: {
    PAYMENT: labels.pt.payment,
    REFUND: labels.pt.refund,
    REVERSAL: labels.pt.reversal,
    DISBURSEMENT: labels.pt.disbursement,
  },
  one: labels.pt.toDecide,
  reference: 'Referência no operador',
  payment: labels.pt.payment,
  state: labels.pt.status,
  phone: labels.pt.customersPhone,
  transaction: labels.pt.operatorTransaction,
  debit: 'Débito',
  reason: 'Motivo da devolução',
  failure: 'O operador recusou com',
  byHand: 'Registado por uma pessoa',
  yes: 'sim',
  created: labels.pt.created,
  sent: labels.pt.sentToTheOperator,
  queried: 'Operador consultado',
  times: (count: number) => (count === 1 ? 'uma vez' : `${count} vezes`),
  next: 'Próxima consulta',
  listed: 'Na lista desde',
  closed: labels.pt.closed,
  closedWhy: 'Motivo do fecho',
  detail: 'Texto completo do operador',
  record: 'Registar a resposta do operador',
  recordHint:
    'O que registar aqui conta como resposta do operador: os lançamentos, os webhooks e as devoluções seguem-se automaticamente.',
  findings: {
    DEBITED: 'O débito foi feito',
    NOT_DEBITED: 'O débito não foi feito',
    REFUNDED: 'O reembolso foi feito',
    NOT_REFUNDED: 'O reembolso não foi feito',
    GIVEN_BACK: 'O débito foi devolvido',
    NOT_GIVEN_BACK: 'O operador não vai devolver o débito',
    REVERSE: 'Devolver o débito agora',
    PAID_OUT: 'O envio foi pago',
    NOT_PAID_OUT: 'O envio não foi pago',
    CHARGE: 'Cobrar ao estabelecimento',
    WRITE_OFF: 'A empresa suporta o valor',
  },
  findingMeans: {
    DEBITED:
      'O pagamento fica pago. Se já tinha falhado ou expirado, ou se o valor é outro, o débito volta ao cliente.',
    NOT_DEBITED:
      'O gateway deixa de consultar o operador, e o pagamento fica como está, sem débito.',
    REFUNDED: 'O reembolso fica concluído.',
    NOT_REFUNDED: 'O reembolso falha, e o valor volta ao saldo do estabelecimento.',
    GIVEN_BACK: 'O valor sai da conta transitória.',
    NOT_GIVEN_BACK:
      'O valor fica na conta transitória, e o caso sai desta lista. Acerte-o fora do gateway.',
    REVERSE: 'O gateway pede ao operador que devolva o débito ao cliente.',
    PAID_OUT: 'O envio fica concluído.',
    NOT_PAID_OUT: 'O envio falha, e o valor e a comissão voltam ao saldo do estabelecimento.',
    CHARGE:
      'O valor e a comissão saem do saldo do estabelecimento, que pode ficar negativo. O estado do envio não muda.',
    WRITE_OFF:
      'O valor sai das nossas comissões. O saldo do estabelecimento e o estado do envio não mudam.',
  },
  transactionField: 'Número da transação no operador',
  amountField: (currency: string) => `Valor debitado, em ${currency}`,
  otherAmount: (told: string, ours: string) =>
    `Sim, o operador debitou ${told}, e não ${ours}: o débito volta ao cliente.`,
  unconfirmed: (number: string) => `Sim, o operador leu-me ${number} e o valor duas vezes.`,
  notConfirmed: (doubt: string) =>
    `O operador não confirma este número: ${doubt}. Confira o número e o valor, ou confirme em baixo que lhe foram lidos duas vezes.`,
  doubts: doubts.pt,
  note: 'Nota para o registo de auditoria (opcional)',
  save: 'Registar',
  ask: labels.pt.requestApproval,
  needsTwo: messages.pt.staffMustApprove,
  close: labels.pt.closeUnchanged,
  closeHint:
    'O caso sai da lista, e os nossos registos ficam como estão. O motivo fica no registo de auditoria.',
  closeReason: labels.pt.reason,
  closeNow: 'Fechar',
  wrong: {
    operatorTransaction: 'Escreva o número que o operador deu à transação, até 256 caracteres.',
    amount: 'Escreva um valor, como 1500 ou 15,20.',
    otherAmount:
      'Não é o valor do pagamento. Confirme em baixo que o operador debitou mesmo este valor.',
    reason: 'Explique porque não há nada a alterar, até 1000 caracteres.',
    note: 'No máximo 1000 caracteres.',
  },
  refused: refusalWords.pt,
  changed: messages.pt.changedSinceOpened,
  done: {
    resolved: 'A resposta ficou registada.',
    closed: 'O caso foi fechado. Os registos ficaram como estavam.',
  },
  reversalReasons: reversalReasons.pt,
};

export type ReviewWords = typeof pt;

const en: ReviewWords = {
  title: labels.en.toDecide,
  intro:
    'Cases that the gateway cannot decide on its own: a person must ask the operator. Oldest first.',
  nothing: 'Nothing needs a decision',
  nothingHint: 'When an operator contradicts our records, the case appears here.',
  noMatch: 'No open case matches your search',
  kind: 'Why',
  operator: labels.en.operator,
  mode: labels.en.mode,
  what: 'Case',
  merchant: labels.en.merchant,
  noMerchant: 'unknown',
  amount: labels.en.amount,
  since: 'Waiting for',
  ours: 'Our records',
  theirs: 'The operator',
  kinds: {
    CONTRADICTION: 'Contradiction',
    CLASH: 'Transaction already booked',
    MISMATCH: 'Success that does not match',
    UNCLEAR: 'Unclear outcome',
    UNANSWERED: 'No answer for a long time',
    UNKNOWN_REFERENCE: labels.en.unknownReference,
    HELD: 'Debit held',
    REFUSED: 'Return refused',
    LATE: messages.en.lateDisbursement,
  },
  means: {
    CONTRADICTION:
      'The operator contradicts our records. Nothing was changed. Ask the operator which of the two is right, settle any error with the operator or the merchant, and then close the case.',
    CLASH:
      'The operator named a transaction that is already booked for something else. Nothing was booked or returned. Ask the operator what the transaction paid for.',
    MISMATCH:
      'The operator reports a success, but not of what we requested: another amount, currency or reference, or data that we cannot read. Nothing was booked, and the customer may have paid. Ask the operator about this reference, and record the answer.',
    UNCLEAR:
      'The gateway stopped asking without getting an answer. Ask the operator about this reference, and record the answer.',
    UNANSWERED:
      'The gateway is still asking, but the operator does not say what happened. Ask the operator about this reference, and record the answer.',
    UNKNOWN_REFERENCE:
      'The operator debited or returned money for a reference that our records do not have: restoring a backup may have lost it. Ask the merchant or the customer.',
    HELD: 'The purpose of this debit is unknown. The money stays in suspense until somebody decides.',
    REFUSED:
      'The operator refused to return this debit. Ask the operator to return it manually, and record the transaction; or settle it in another way, and record that it was not returned.',
    LATE: 'The disbursement failed or was cancelled, and its amount returned to the balance; after that, the operator paid it. The amount is missing in suspense. Decide whether the merchant pays it, or the company bears it.',
  },
  subjects: {
    PAYMENT: labels.en.payment,
    REFUND: labels.en.refund,
    REVERSAL: labels.en.reversal,
    DISBURSEMENT: labels.en.disbursement,
  },
  one: labels.en.toDecide,
  reference: 'Reference at the operator',
  payment: labels.en.payment,
  state: labels.en.status,
  phone: labels.en.customersPhone,
  transaction: labels.en.operatorTransaction,
  debit: 'Debit',
  reason: 'Reason for the return',
  failure: 'The operator refused with',
  byHand: 'Entered by a person',
  yes: 'yes',
  created: labels.en.created,
  sent: labels.en.sentToTheOperator,
  queried: 'Queried',
  times: (count) => (count === 1 ? 'once' : `${count} times`),
  next: 'Queried next',
  listed: 'On the list since',
  closed: labels.en.closed,
  closedWhy: 'Reason for closing',
  detail: 'The operator’s full text',
  record: 'Record the operator’s answer',
  recordHint:
    'What you record here counts as the operator’s answer: postings, webhooks and returns follow automatically.',
  findings: {
    DEBITED: 'The customer was debited',
    NOT_DEBITED: 'The customer was not debited',
    REFUNDED: 'The refund was made',
    NOT_REFUNDED: 'The refund was not made',
    GIVEN_BACK: 'The debit was returned',
    NOT_GIVEN_BACK: 'The operator will not return the debit',
    REVERSE: 'Return the debit now',
    PAID_OUT: 'The disbursement was paid',
    NOT_PAID_OUT: 'The disbursement was not paid',
    CHARGE: 'Charge the merchant',
    WRITE_OFF: 'The company bears the amount',
  },
  findingMeans: {
    DEBITED:
      'The payment becomes paid. If it had failed or expired, or if the amount differs, the debit goes back to the customer.',
    NOT_DEBITED:
      'The gateway stops querying the operator, and the payment stays as it is, without a debit.',
    REFUNDED: 'The refund succeeds.',
    NOT_REFUNDED: 'The refund fails, and its amount returns to the merchant’s balance.',
    GIVEN_BACK: 'The amount leaves suspense.',
    NOT_GIVEN_BACK:
      'The amount stays in suspense, and the case leaves this list. Settle it outside the gateway.',
    REVERSE: 'The gateway asks the operator to return the debit to the customer.',
    PAID_OUT: 'The disbursement succeeds.',
    NOT_PAID_OUT:
      'The disbursement fails, and its amount and fee return to the merchant’s balance.',
    CHARGE:
      'Amount and fee leave the merchant’s balance, which may become negative. The status of the disbursement does not change.',
    WRITE_OFF:
      'The amount is taken from our fees. The merchant’s balance and the status of the disbursement do not change.',
  },
  transactionField: 'The operator’s transaction number',
  amountField: (currency) => `Amount debited, in ${currency}`,
  otherAmount: (told, ours) =>
    `Yes, the operator debited ${told}, not ${ours}: the debit goes back to the customer.`,
  unconfirmed: (number) => `Yes, the operator read ${number} and the amount to me twice.`,
  notConfirmed: (doubt) =>
    `The operator does not confirm this number: ${doubt}. Check the number and the amount, or confirm below that they were read to you twice.`,
  doubts: doubts.en,
  note: 'Note for the audit log (optional)',
  save: 'Record',
  ask: labels.en.requestApproval,
  needsTwo: messages.en.staffMustApprove,
  close: labels.en.closeUnchanged,
  closeHint:
    'The case leaves the list, and our records stay as they are. The reason is kept in the audit log.',
  closeReason: labels.en.reason,
  closeNow: 'Close',
  wrong: {
    operatorTransaction: 'Enter the operator’s transaction number, up to 256 characters.',
    amount: 'Enter an amount, such as 1500 or 15.20.',
    otherAmount:
      'This is not the amount of the payment. Confirm below that the operator really debited it.',
    reason: 'Explain why nothing needs to change, in up to 1,000 characters.',
    note: 'At most 1,000 characters.',
  },
  refused: refusalWords.en,
  changed: messages.en.changedSinceOpened,
  done: {
    resolved: 'The answer has been recorded.',
    closed: 'The case has been closed. The records stayed as they were.',
  },
  reversalReasons: reversalReasons.en,
};

export const words: Record<Language, ReviewWords> = { pt, en };
