import { labels } from '../../../platform/text/labels.ts';
import { messages } from '../../../platform/text/messages.ts';
import { words as settlementWords } from '../parts/settlement.words.ts';
import type { Language } from '../words/common.ts';

const pt = {
  ...settlementWords.pt,
  meanings: {
    PENDING: messages.pt.bankOrderInPreparation,
    PROCESSING: 'A ordem está pronta. Falta o banco executá-la e alguém registar isso.',
    COMPLETED: 'O banco pagou.',
    FAILED: 'O banco não pagou. O dinheiro voltou ao saldo do estabelecimento.',
  },
  nothingHint: 'O que os clientes pagam é transferido para os estabelecimentos uma vez por dia.',
  noMatch: 'Nenhuma transferência corresponde ao que procurou',
  merchant: labels.pt.merchant,
  merchantHint: labels.pt.nameOrId,
  which: 'Há mais do que um estabelecimento com este nome. Qual deles?',
  noMerchant: messages.pt.noMerchantMatches,
  mode: labels.pt.mode,
  order: 'Ordem para o banco',
  orderHint:
    'Com os números de conta completos. As referências são iguais nos dois formatos: entregue ao banco só um deles. Cada descarregamento fica no registo de auditoria.',
  noOrder:
    'Não é possível criar esta ordem neste formato. Para pain.001 são precisas a conta bancária do estabelecimento, registada antes da transferência, e a conta do gateway (PAYOUT_ACCOUNT_CVE ou PAYOUT_ACCOUNT_AOA).',
  decide: labels.pt.decide,
  complete: 'O banco pagou',
  completeMeans:
    'A transferência fica concluída e o estabelecimento é avisado. Não se pode desfazer: confirme primeiro no extrato do banco.',
  completeNow: 'Sim, o banco pagou',
  fail: 'O banco não pagou',
  failMeans:
    'A transferência falha, a ordem para o banco é retirada, e o dinheiro volta ao saldo do estabelecimento: vai na próxima transferência. Confirme primeiro que o banco não vai pagar esta, ou o dinheiro sai duas vezes.',
  failNow: 'Sim, o banco não pagou',
  needsTwo: messages.pt.staffMustApprove,
  askComplete: 'Pedir aprovação: o banco pagou',
  askFail: 'Pedir aprovação: o banco não pagou',
  bankReferenceHint: 'Como está no extrato do banco. O estabelecimento também a vê.',
  saveReference: 'Guardar a referência',
  wrongReference: 'A referência do banco tem de 1 a 140 caracteres, numa só linha.',
  changed: messages.pt.changedSinceOpened,
  notNow:
    'Neste momento, a ordem para o banco está a ser criada. Tente de novo dentro de um minuto.',
  done: {
    completed: 'Ficou registado que o banco pagou.',
    referenced: 'A referência do banco está registada.',
    failed: 'Ficou registado que o banco não pagou. O dinheiro voltou ao saldo.',
  } as Record<string, string>,
  warnings: {
    NOT_HANDED_OVER:
      'Tanto quanto se sabe, a ordem não tinha sido entregue ao banco: confirme que o banco pagou, e uma só vez.',
    TAKEN_BACK: 'A ordem foi retirada da pasta. Confirme que o banco não a tinha recolhido antes.',
    NOT_TAKEN_BACK:
      'A ordem não estava na pasta deste servidor, por isso não foi retirada. Confirme com o banco que não a vai pagar.',
  } as Record<string, string>,
};

const en: typeof pt = {
  ...settlementWords.en,
  meanings: {
    PENDING: messages.en.bankOrderInPreparation,
    PROCESSING:
      'The order is ready. The bank must still carry it out, and somebody must record that.',
    COMPLETED: 'The bank has paid.',
    FAILED: 'The bank did not pay. The money is back in the merchant’s balance.',
  },
  nothingHint: 'What customers pay is paid out to merchants once a day.',
  noMatch: 'No payout matches your search',
  merchant: labels.en.merchant,
  merchantHint: labels.en.nameOrId,
  which: 'Several merchants have this name. Which one do you mean?',
  noMerchant: messages.en.noMerchantMatches,
  mode: labels.en.mode,
  order: 'Bank order',
  orderHint:
    'With full account numbers. Both formats have the same references: give the bank only one of them. Each download is recorded in the audit log.',
  noOrder:
    'The order cannot be created in this format. For pain.001, the merchant’s bank account must have been on record before the payout, and your own account (PAYOUT_ACCOUNT_CVE or PAYOUT_ACCOUNT_AOA) must be set.',
  decide: labels.en.decide,
  complete: 'The bank has paid',
  completeMeans:
    'The payout is completed, and the merchant is notified. This cannot be undone: check the bank statement first.',
  completeNow: 'Yes, the bank has paid',
  fail: 'The bank has not paid',
  failMeans:
    'The payout fails, its bank order is withdrawn, and the money returns to the merchant’s balance: it goes out with the next payout. First make sure that the bank will not pay this one, or the money goes out twice.',
  failNow: 'Yes, the bank has not paid',
  needsTwo: messages.en.staffMustApprove,
  askComplete: 'Request approval: the bank has paid',
  askFail: 'Request approval: the bank has not paid',
  bankReferenceHint: 'As on the bank statement. The merchant sees it too.',
  saveReference: 'Save the reference',
  wrongReference: 'The bank’s reference has 1 to 140 characters, in one line.',
  changed: messages.en.changedSinceOpened,
  notNow: 'The bank order is being created right now. Try again in a minute.',
  done: {
    completed: 'It is recorded that the bank has paid.',
    referenced: 'The bank’s reference is recorded.',
    failed: 'It is recorded that the bank has not paid. The money is back in the balance.',
  },
  warnings: {
    NOT_HANDED_OVER:
      'As far as the gateway knows, the order had not reached the bank: make sure that the bank has paid, and only once.',
    TAKEN_BACK:
      'The order was removed from the folder. Make sure that the bank had not collected it before.',
    NOT_TAKEN_BACK:
      'The order was not in this server’s folder, so it was not removed. Make sure with the bank that it will not be paid.',
  },
};

export const words: Record<Language, typeof pt> = { pt, en };
