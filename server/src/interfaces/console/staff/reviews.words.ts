import type { Why } from '../../../backoffice/resolutions/review-error.ts';
import type { WaitingKind } from '../../../money/review/open-cases.ts';
import type { Language } from '../words/common.ts';
import { reversalReasons } from './reversal-reasons.words.ts';

const pt = {
  title: 'Por decidir',
  intro:
    'O que o gateway não pode decidir sozinho: espera que uma pessoa pergunte ao operador. O mais antigo primeiro.',
  nothing: 'Nada espera por uma decisão',
  nothingHint: 'Quando um operador disser outra coisa do que os nossos registos, aparece aqui.',
  noMatch: 'Nada do que procurou espera por uma decisão',
  kind: 'Porquê',
  operator: 'Operador',
  mode: 'Modo',
  what: 'O quê',
  merchant: 'Estabelecimento',
  noMerchant: 'não se sabe qual',
  amount: 'Montante',
  since: 'Espera há',
  ours: 'Os nossos registos',
  theirs: 'O operador',
  kinds: {
    CONTRADICTION: 'Contradição',
    CLASH: 'Transação já usada',
    MISMATCH: 'Êxito que não confere',
    UNCLEAR: 'Nunca se soube o resultado',
    UNANSWERED: 'Sem resposta há muito',
    UNKNOWN_REFERENCE: 'Referência desconhecida',
    HELD: 'Débito retido',
    REFUSED: 'Devolução recusada',
  } as Record<WaitingKind, string>,
  means: {
    CONTRADICTION:
      'O operador diz outra coisa do que os nossos registos. Nada foi mudado. Pergunte ao operador qual dos dois está certo; o que estiver errado acerta-se com ele ou com o estabelecimento, e depois fecha-se aqui.',
    CLASH:
      'O operador indicou uma transação que já está registada para outra coisa. Nada foi registado nem devolvido. Pergunte ao operador o que a transação pagou.',
    MISMATCH:
      'O operador diz que concluiu, mas não o que pedimos: outro montante, moeda ou referência, ou algo que não conseguimos ler. Nada foi registado, e o cliente pode já ter pago. Pergunte ao operador por esta referência, e registe o que ele disser.',
    UNCLEAR:
      'O gateway deixou de perguntar sem ter resposta. Pergunte ao operador por esta referência, e registe o que ele disser.',
    UNANSWERED:
      'O gateway ainda pergunta, mas o operador não diz o que aconteceu. Pergunte-lhe por esta referência, e registe o que ele disser.',
    UNKNOWN_REFERENCE:
      'O operador debitou ou devolveu dinheiro por uma referência que os nossos registos não têm: talvez se tenha perdido ao repor uma cópia. Pergunte ao estabelecimento ou ao cliente.',
    HELD: 'Um débito que não se sabe para que foi. Está na conta transitória até alguém decidir.',
    REFUSED:
      'O operador recusou devolver este débito. Peça-lhe que o devolva à mão, e registe com que transação; ou acerte-o de outra forma, e registe que não foi devolvido.',
  } as Record<WaitingKind, string>,
  subjects: { PAYMENT: 'Pagamento', REFUND: 'Reembolso', REVERSAL: 'Estorno' },
  one: 'Por decidir',
  reference: 'Referência no operador',
  payment: 'Pagamento',
  state: 'Estado',
  phone: 'Telefone do cliente',
  transaction: 'Transação do operador',
  debit: 'Débito',
  reason: 'Porque volta',
  failure: 'O operador recusou com',
  byHand: 'Registado por uma pessoa',
  yes: 'sim',
  created: 'Criado',
  sent: 'Enviado ao operador',
  queried: 'Consultado ao operador',
  times: (count: number) => (count === 1 ? 'uma vez' : `${count} vezes`),
  next: 'Próxima consulta',
  listed: 'Na lista desde',
  closed: 'Fechado',
  closedWhy: 'Porque se fechou',
  detail: 'O que o operador escreveu, por inteiro',
  record: 'Registar o que o operador disse',
  recordHint:
    'O que registar aqui conta como a palavra do operador: os movimentos, os avisos e as devoluções seguem-se por si.',
  findings: {
    DEBITED: 'O cliente foi debitado',
    NOT_DEBITED: 'O cliente não foi debitado',
    REFUNDED: 'O reembolso foi feito',
    NOT_REFUNDED: 'O reembolso não foi feito',
    GIVEN_BACK: 'O débito foi devolvido',
    NOT_GIVEN_BACK: 'O débito não será devolvido pelo operador',
    REVERSE: 'Devolver o débito agora',
  },
  findingMeans: {
    DEBITED:
      'O pagamento fica pago. Se já tinha falhado ou expirado, ou se o montante é outro, o débito volta ao cliente.',
    NOT_DEBITED: 'Deixa-se de perguntar ao operador, e o pagamento fica como está, sem débito.',
    REFUNDED: 'O reembolso fica concluído.',
    NOT_REFUNDED: 'O reembolso falha, e o montante volta ao saldo do estabelecimento.',
    GIVEN_BACK: 'O montante sai da conta transitória.',
    NOT_GIVEN_BACK:
      'O montante fica na conta transitória, e sai desta lista. Acerte-o fora do gateway.',
    REVERSE: 'O operador é chamado a devolver o débito ao cliente.',
  },
  transactionField: 'Número da transação no operador',
  amountField: (currency: string) => `Montante debitado, em ${currency}`,
  otherAmount: (told: string, ours: string) =>
    `Sim, o operador debitou ${told}, e não ${ours}: o débito volta ao cliente.`,
  note: 'Nota para o registo de auditoria (facultativa)',
  save: 'Registar',
  ask: 'Pedir aprovação',
  needsTwo: 'Outra pessoa da equipa tem de aprovar: o botão envia o pedido.',
  close: 'Fechar sem mudar nada',
  closeHint:
    'Sai da lista; os nossos registos ficam como estão. O motivo fica no registo de auditoria.',
  closeReason: 'Motivo',
  closeNow: 'Fechar',
  wrong: {
    operatorTransaction: 'Escreva o número que o operador deu à transação, até 256 caracteres.',
    amount: 'Escreva um montante, como 1500 ou 15,20.',
    otherAmount:
      'Não é o montante do pagamento. Confirme em baixo que o operador debitou mesmo este.',
    reason: 'Escreva porque não há nada a mudar, em até 1000 caracteres.',
    note: 'No máximo 1000 caracteres.',
  },
  refused: {
    NOTHING_BOOKED:
      'Os nossos registos não têm nada com esta referência, por isso nada se pode registar. Acerte-o com o operador, e depois feche.',
    KNOWN: 'O resultado já se conhece, por isso não há nada a registar.',
    NEVER_SENT: 'Nunca foi enviado ao operador. O gateway envia-o por si.',
    OTHER_AMOUNT: 'Não é o montante do pagamento.',
    BOOKED_OTHERWISE:
      'Está registado com outro montante. Acerte a diferença com o operador, e depois feche.',
    CANNOT_CORRECT:
      'O número do débito não se pode corrigir: tem reembolsos com o número errado, ou acabou de mudar.',
    BUSY: 'O gateway está neste momento a perguntar ao operador por isto. Tente de novo dentro de um minuto.',
    NOT_CONFIGURED: 'Este operador não está configurado neste servidor.',
    NUMBER_TAKEN:
      'Esta transação já está registada para outra coisa. Confira o número: o operador pode tê-lo usado duas vezes.',
    NUMBER_OF_DEBIT: 'Esse é o número do próprio débito. Escreva o da transação que o devolveu.',
    ASKED_ALREADY: 'Já se pediu ao operador que o devolva.',
    GIVEN_BACK_ALREADY:
      'O operador já devolveu uma parte, ou tudo. Se foi tudo, registe que foi devolvido, com o número dessa transação.',
    NO_REASON: 'Escreva um motivo.',
    SEVERAL: 'Há mais do que uma coisa por decidir sobre isto. Feche cada uma na sua página.',
    CLOSED: 'Entretanto alguém o fechou.',
    OUTCOME_UNKNOWN:
      'Ainda não se sabe o que aconteceu, e fechar escondia-o. Registe o que o operador disser.',
  } as Record<Why, string>,
  changed: 'Mudou desde que abriu esta página. Veja como está agora, e decida de novo.',
  done: {
    resolved: 'Ficou registado.',
    closed: 'Está fechado. Os registos ficaram como estavam.',
  },
  reversalReasons: reversalReasons.pt,
};

export type ReviewWords = typeof pt;

const en: ReviewWords = {
  title: 'To decide',
  intro:
    'What the gateway cannot decide alone: it waits for a person to ask the operator. Oldest first.',
  nothing: 'Nothing waits for a decision',
  nothingHint: 'Where an operator says something other than our records, it appears here.',
  noMatch: 'Nothing of what you searched for waits for a decision',
  kind: 'Why',
  operator: 'Operator',
  mode: 'Mode',
  what: 'What',
  merchant: 'Merchant',
  noMerchant: 'nobody knows which',
  amount: 'Amount',
  since: 'Waiting for',
  ours: 'Our records',
  theirs: 'The operator',
  kinds: {
    CONTRADICTION: 'Contradiction',
    CLASH: 'Transaction used before',
    MISMATCH: 'Success that does not match',
    UNCLEAR: 'Outcome never told',
    UNANSWERED: 'No answer for long',
    UNKNOWN_REFERENCE: 'Unknown reference',
    HELD: 'Debit held',
    REFUSED: 'Return refused',
  },
  means: {
    CONTRADICTION:
      'The operator says something other than our records. Nothing was changed. Ask the operator which of the two is right; settle what is wrong with them or with the merchant, and then close it here.',
    CLASH:
      'The operator named a transaction that is already booked for something else. Nothing was booked or returned. Ask the operator what the transaction paid for.',
    MISMATCH:
      'The operator reports a success, but not of what we asked for: another amount, currency or reference, or something that we cannot read. Nothing was booked, and the customer may have paid. Ask the operator about this reference, and record what they tell you.',
    UNCLEAR:
      'The gateway has stopped asking without an answer. Ask the operator about this reference, and record what they tell you.',
    UNANSWERED:
      'The gateway still asks, but the operator does not say what happened. Ask them about this reference, and record what they tell you.',
    UNKNOWN_REFERENCE:
      'The operator debited or returned money for a reference that our records do not have: restoring a backup may have lost it. Ask the merchant or the customer.',
    HELD: 'Nobody knows what this debit was for. It is in suspense until somebody decides.',
    REFUSED:
      'The operator refused to return this debit. Have them return it by hand, and record by which transaction; or settle it in another way, and record that it was not returned.',
  },
  subjects: { PAYMENT: 'Payment', REFUND: 'Refund', REVERSAL: 'Reversal' },
  one: 'To decide',
  reference: "Operator's reference",
  payment: 'Payment',
  state: 'Status',
  phone: "Customer's phone",
  transaction: "Operator's transaction",
  debit: 'Debit',
  reason: 'Why it goes back',
  failure: 'The operator refused with',
  byHand: 'Entered by a person',
  yes: 'yes',
  created: 'Created',
  sent: 'Sent to the operator',
  queried: 'Queried',
  times: (count) => (count === 1 ? 'once' : `${count} times`),
  next: 'Queried next',
  listed: 'On the list since',
  closed: 'Closed',
  closedWhy: 'Why it was closed',
  detail: 'What the operator wrote, in full',
  record: 'Record what the operator told',
  recordHint:
    "What you record here counts as the operator's word: postings, webhooks and returns follow by themselves.",
  findings: {
    DEBITED: 'The customer was debited',
    NOT_DEBITED: 'The customer was not debited',
    REFUNDED: 'The refund was made',
    NOT_REFUNDED: 'The refund was not made',
    GIVEN_BACK: 'The debit was returned',
    NOT_GIVEN_BACK: 'The operator will not return the debit',
    REVERSE: 'Return the debit now',
  },
  findingMeans: {
    DEBITED:
      'The payment is paid. If it had failed or expired before, or the amount is another, the debit goes back to the customer.',
    NOT_DEBITED:
      'The operator is not queried any more, and the payment stays as it is, without a debit.',
    REFUNDED: 'The refund has succeeded.',
    NOT_REFUNDED: 'The refund fails, and its amount returns to the balance of the merchant.',
    GIVEN_BACK: 'Its amount leaves suspense.',
    NOT_GIVEN_BACK:
      'Its amount stays in suspense, and it leaves this list. Settle it outside the gateway.',
    REVERSE: 'The operator is asked to return the debit to the customer.',
  },
  transactionField: "The operator's number of the transaction",
  amountField: (currency) => `Amount debited, in ${currency}`,
  otherAmount: (told, ours) =>
    `Yes, the operator debited ${told}, and not ${ours}: the debit goes back to the customer.`,
  note: 'Note for the audit log (optional)',
  save: 'Record',
  ask: 'Ask for approval',
  needsTwo: 'Somebody else of the staff has to approve this: the button sends the request.',
  close: 'Close without changing anything',
  closeHint: 'It leaves the list; our records stay as they are. The reason goes to the audit log.',
  closeReason: 'Reason',
  closeNow: 'Close',
  wrong: {
    operatorTransaction:
      'Enter the number that the operator gave the transaction, up to 256 characters.',
    amount: 'Enter an amount, such as 1500 or 15.20.',
    otherAmount:
      'That is not the amount of the payment. Confirm below that the operator really debited it.',
    reason: 'Say why nothing is to be changed, in up to 1,000 characters.',
    note: 'At most 1,000 characters.',
  },
  refused: {
    NOTHING_BOOKED:
      'Our records have nothing under this reference, so nothing can be recorded. Settle it with the operator, and then close it.',
    KNOWN: 'The outcome is known, so there is nothing to record.',
    NEVER_SENT: 'It was never sent to the operator. The gateway sends it by itself.',
    OTHER_AMOUNT: 'That is not the amount of the payment.',
    BOOKED_OTHERWISE:
      'It is booked with another amount. Settle the difference with the operator, and then close it.',
    CANNOT_CORRECT:
      'The number of the debit cannot be corrected: it has refunds under the wrong number, or has just changed.',
    BUSY: 'The gateway is asking the operator about it right now. Try again in a minute.',
    NOT_CONFIGURED: 'This operator is not configured on this server.',
    NUMBER_TAKEN:
      'This transaction is already booked for something else. Check the number: the operator may have used it twice.',
    NUMBER_OF_DEBIT:
      'That is the number of the debit itself. Enter that of the transaction which returned it.',
    ASKED_ALREADY: 'The operator was already asked to return it.',
    GIVEN_BACK_ALREADY:
      'The operator has already returned some or all of it. If it was all, record that it was returned, with the number of that transaction.',
    NO_REASON: 'Give a reason.',
    SEVERAL: 'Several things about this wait for a decision. Close each on its page.',
    CLOSED: 'Somebody has closed it meanwhile.',
    OUTCOME_UNKNOWN:
      'Nobody knows yet what happened, and closing it would hide that. Record what the operator tells you.',
  },
  changed: 'It has changed since you opened this page. See how it is now, and decide again.',
  done: {
    resolved: 'It is recorded.',
    closed: 'It is closed. The records stayed as they were.',
  },
  reversalReasons: reversalReasons.en,
};

export const words: Record<Language, ReviewWords> = { pt, en };
