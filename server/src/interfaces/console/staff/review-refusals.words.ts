import type { RefusalReason } from '../../../backoffice/resolutions/review-error.ts';
import type { Language } from '../words/common.ts';

/** Why nothing can be recorded about a case. */
export const refusalWords: Record<Language, Record<RefusalReason, string>> = {
  pt: {
    NOTHING_BOOKED:
      'Os nossos registos não têm nada com esta referência, por isso não há onde registar. Acerte o caso com o operador e depois feche-o.',
    KNOWN: 'O resultado já é conhecido: não há nada a registar.',
    NEVER_SENT: 'O pedido nunca foi enviado ao operador. O gateway envia-o automaticamente.',
    NOT_LATE: 'O envio não foi feito depois de ter falhado, ou alguém já decidiu quem o suporta.',
    OTHER_AMOUNT: 'Não é o valor do pagamento.',
    BOOKED_OTHERWISE:
      'Está registado com outro valor. Acerte a diferença com o operador e depois feche o caso.',
    CANNOT_CORRECT:
      'O número do débito não pode ser corrigido: há reembolsos com o número errado, ou o número acabou de mudar.',
    BUSY: 'Neste momento, o gateway está a consultar o operador sobre este caso. Tente de novo dentro de um minuto.',
    NOT_CONFIGURED: 'Este operador não está configurado neste servidor.',
    NUMBER_TAKEN:
      'Esta transação já está registada para outro fim. Confira o número: o operador pode tê-lo usado duas vezes.',
    NOT_CONFIRMED: 'O operador não confirma este número.',
    OTHER_TRANSACTION:
      'O operador diz que este número é de outro pagamento, reembolso ou devolução. Confira-o: podem ter sido trocados dois números.',
    NUMBER_OF_DEBIT: 'Esse é o número do próprio débito. Escreva o da transação que o devolveu.',
    ASKED_ALREADY: 'O operador já recebeu o pedido de devolução.',
    GIVEN_BACK_ALREADY:
      'O operador já devolveu uma parte, ou tudo. Se devolveu tudo, registe-o com o número dessa transação.',
    NO_REASON: 'Escreva um motivo.',
    SEVERAL: 'Há vários casos por decidir sobre isto. Feche cada um na sua página.',
    CLOSED: 'Entretanto, outra pessoa fechou este caso.',
    OUTCOME_UNKNOWN:
      'Ainda não se sabe o que aconteceu, e fechar o caso esconderia isso. Registe a resposta do operador.',
  },
  en: {
    NOTHING_BOOKED:
      'Our records have nothing with this reference, so nothing can be recorded. Settle the case with the operator, and then close it.',
    KNOWN: 'The outcome is already known: there is nothing to record.',
    NEVER_SENT: 'The request was never sent to the operator. The gateway sends it automatically.',
    NOT_LATE:
      'The disbursement was not made after it had failed, or somebody has already decided who bears it.',
    OTHER_AMOUNT: 'This is not the amount of the payment.',
    BOOKED_OTHERWISE:
      'It is booked with a different amount. Settle the difference with the operator, and then close the case.',
    CANNOT_CORRECT:
      'The debit’s number cannot be corrected: there are refunds under the wrong number, or the number has just changed.',
    BUSY: 'The gateway is querying the operator about this case right now. Try again in a minute.',
    NOT_CONFIGURED: 'This operator is not configured on this server.',
    NUMBER_TAKEN:
      'This transaction is already booked for something else. Check the number: the operator may have used it twice.',
    NOT_CONFIRMED: 'The operator does not confirm this number.',
    OTHER_TRANSACTION:
      'The operator says that this number belongs to another payment, refund or return. Check it: two numbers may be mixed up.',
    NUMBER_OF_DEBIT:
      'That is the number of the debit itself. Enter the number of the transaction that returned it.',
    ASKED_ALREADY: 'The operator has already been asked to return the debit.',
    GIVEN_BACK_ALREADY:
      'The operator has already returned some or all of the debit. If all, record that it was returned, with the number of that transaction.',
    NO_REASON: 'Give a reason.',
    SEVERAL: 'Several cases about this need a decision. Close each on its own page.',
    CLOSED: 'Somebody else has closed this case.',
    OUTCOME_UNKNOWN:
      'Nobody knows yet what happened, and closing the case would hide that. Record the operator’s answer.',
  },
};
