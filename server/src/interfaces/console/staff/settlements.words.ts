import { words as settlementWords } from '../parts/settlement.words.ts';
import type { Language } from '../words/common.ts';

const pt = {
  ...settlementWords.pt,
  meanings: {
    PENDING: 'A ordem para o banco está a ser preparada.',
    PROCESSING: 'A ordem está pronta. Falta que o banco a execute, e que alguém o diga.',
    COMPLETED: 'O banco pagou.',
    FAILED: 'O banco não pagou. O dinheiro voltou ao saldo do estabelecimento.',
  },
  nothingHint: 'O que os clientes pagam é transferido para os estabelecimentos uma vez por dia.',
  noMatch: 'Nenhuma transferência corresponde ao que procurou',
  merchant: 'Estabelecimento',
  merchantHint: 'Nome, parte do nome, ou identificador',
  which: 'Há mais do que um estabelecimento com este nome. Qual deles?',
  noMerchant: 'Nenhum estabelecimento tem este nome ou identificador',
  mode: 'Modo',
  order: 'Ordem para o banco',
  orderHint:
    'Com os números de conta completos. As referências são as mesmas nos dois formatos: entregue ao banco só um deles. Cada descarregamento fica no registo de auditoria.',
  noOrder:
    'Não é possível escrever esta ordem assim. Para pain.001 são precisas a conta bancária do estabelecimento, que tinha de estar registada antes, e a sua própria conta (PAYOUT_ACCOUNT_CVE ou PAYOUT_ACCOUNT_AOA).',
  decide: 'Decidir',
  complete: 'O banco pagou',
  completeMeans:
    'A transferência fica concluída e o estabelecimento é avisado. Isto não se pode desfazer: confirme primeiro no extrato do banco.',
  completeNow: 'Sim, o banco pagou',
  fail: 'O banco não pagou',
  failMeans:
    'A transferência falha, a sua ordem para o banco é retirada, e o dinheiro volta ao saldo do estabelecimento: vai na próxima transferência. Confirme primeiro que o banco não vai pagar esta, ou o dinheiro sai duas vezes.',
  failNow: 'Sim, o banco não pagou',
  needsTwo: 'Outra pessoa da equipa tem de aprovar: o botão envia o pedido.',
  askComplete: 'Pedir: o banco pagou',
  askFail: 'Pedir: o banco não pagou',
  changed: 'Mudou desde que abriu esta página. Veja como está agora, e decida de novo.',
  notNow:
    'A ordem para o banco está a ser escrita neste momento. Tente de novo dentro de um minuto.',
  done: {
    completed: 'Ficou registado que o banco pagou.',
    failed: 'Ficou registado que o banco não pagou. O dinheiro voltou ao saldo.',
  } as Record<string, string>,
  warnings: {
    NOT_HANDED_OVER:
      'A ordem não tinha sido entregue ao banco, tanto quanto se sabe: confirme que o banco pagou, e uma só vez.',
    TAKEN_BACK: 'A ordem foi retirada da pasta. Confirme que o banco não a tinha levado antes.',
    NOT_TAKEN_BACK:
      'A ordem não foi encontrada na pasta deste servidor, por isso não foi retirada. Confirme com o banco que não a vai pagar.',
  } as Record<string, string>,
};

const en: typeof pt = {
  ...settlementWords.en,
  meanings: {
    PENDING: 'The order for the bank is being prepared.',
    PROCESSING: 'The order is ready. The bank has yet to carry it out, and somebody to say so.',
    COMPLETED: 'The bank has paid.',
    FAILED: 'The bank has not paid. The money is back in the balance of the merchant.',
  },
  nothingHint: 'What customers pay is paid out to merchants once a day.',
  noMatch: 'No payout is what you searched for',
  merchant: 'Merchant',
  merchantHint: 'Its name, a part of the name, or its id',
  which: 'Several merchants have this name. Which one?',
  noMerchant: 'No merchant has this name or id',
  mode: 'Mode',
  order: 'Order for the bank',
  orderHint:
    'With whole account numbers. Both formats have the same references: hand only one of them to the bank. Each download is in the audit log.',
  noOrder:
    'The order cannot be written like this. For pain.001 the bank account of the merchant must have been on record before, and your own account (PAYOUT_ACCOUNT_CVE or PAYOUT_ACCOUNT_AOA) must be set.',
  decide: 'Decide',
  complete: 'The bank has paid',
  completeMeans:
    'The payout is completed, and the merchant is told. This cannot be undone: look at the bank statement first.',
  completeNow: 'Yes, the bank has paid',
  fail: 'The bank has not paid',
  failMeans:
    'The payout fails, its order for the bank is taken back, and the money returns to the balance of the merchant: it goes with the next payout. Make sure first that the bank will not pay this one, or the money leaves twice.',
  failNow: 'Yes, the bank has not paid',
  needsTwo: 'Somebody else of the staff has to approve this: the button sends the request.',
  askComplete: 'Ask: the bank has paid',
  askFail: 'Ask: the bank has not paid',
  changed: 'It has changed since you opened this page. See how it is now, and decide again.',
  notNow: 'The order for the bank is being written right now. Try again in a minute.',
  done: {
    completed: 'It is recorded that the bank has paid.',
    failed: 'It is recorded that the bank has not paid. The money is back in the balance.',
  },
  warnings: {
    NOT_HANDED_OVER:
      'As far as is known, the order had not been handed to the bank: see that the bank has paid, and only once.',
    TAKEN_BACK:
      'The order was taken out of the folder. Make sure that the bank had not taken it before.',
    NOT_TAKEN_BACK:
      'The order was not found in the folder of this server, so it was not taken back. Make sure with the bank that it will not be paid.',
  },
};

export const words: Record<Language, typeof pt> = { pt, en };
