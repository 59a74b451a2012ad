/** Why an operator does not confirm a transaction's number that a person typed. */
const pt = {
  AMOUNT: (told: string) => `o valor da transação é ${told}`,
  OTHER: 'a transação é de outro cliente, tipo, moeda ou referência',
  NOT_DONE: 'a transação não está concluída',
  NOT_FOUND: 'não existe tal transação',
  NO_ANSWER: 'não respondeu de forma utilizável',
};

const en: typeof pt = {
  AMOUNT: (told) => `the amount of the transaction is ${told}`,
  OTHER: 'the transaction is of another customer, kind, currency or reference',
  NOT_DONE: 'the transaction is not completed',
  NOT_FOUND: 'there is no such transaction',
  NO_ANSWER: 'it gave no usable answer',
};

export const doubts = { pt, en };
