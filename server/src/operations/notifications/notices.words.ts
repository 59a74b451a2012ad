import type { ApprovalKind } from '../../backoffice/approvals/approval.ts';
import {
  type NoticeDetails,
  type NoticeKind,
  observedKinds,
} from '../../platform/notices/notice.ts';
import { labels } from '../../platform/text/labels.ts';
import { messages } from '../../platform/text/messages.ts';
import { money as moneyText } from '../../storefront/checkout/page/money.ts';
import type { Language } from '../../tenants/people/person.ts';
import { alertText, alertTitle } from './alerts.words.ts';

/** A notice as its words need it. */
export interface Worded {
  kind: NoticeKind;
  subject: string;
  /** Of several, the cell that it is of. */
  cell?: string | undefined;
  detail: Partial<NoticeDetails['ENDPOINT_DISABLED']> &
    Partial<NoticeDetails['REVIEW_WAITING']> &
    Partial<NoticeDetails['APPROVAL_ASKED']> &
    Partial<NoticeDetails['BALANCE_WRONG']> &
    Partial<NoticeDetails['ALERT']> &
    Partial<NoticeDetails['FLOAT_LOW']>;
}

interface Words {
  /** What each kind is called in settings. */
  kinds: Record<NoticeKind, string>;
  title: (notice: Worded) => string;
  /** What it means, and what to do. */
  text: (notice: Worded) => string;
  more: (count: number) => string;
}

const chosen = (choices: Record<string, string>, code: string | undefined, otherwise: string) =>
  code !== undefined && Object.hasOwn(choices, code) ? choices[code]! : otherwise;

const money = (
  minor: string | undefined,
  { currency = '' }: Worded['detail'],
  language: Language,
): string => moneyText(BigInt(minor ?? 0), currency, language);

const hasMinimum = ({ threshold = '0' }: Worded['detail']): boolean => threshold !== '0';

const ptApprovals: Record<ApprovalKind, string> = {
  REFUND: 'um reembolso',
  LIVE_KEY: 'uma chave real da API',
  DISBURSEMENT: 'um envio de dinheiro',
  DISBURSEMENT_BATCH: 'um lote de envios de dinheiro',
  SETTLEMENT_COMPLETE: 'dar uma transferência por concluída',
  SETTLEMENT_FAIL: 'dar uma transferência por falhada',
  REVIEW_RESOLVE: 'uma decisão sobre um caso',
  REVIEW_CLOSE: 'fechar um caso',
  BANK_ACCOUNT: 'alterar a conta bancária de um estabelecimento',
  TOP_UP: 'carregar o saldo de um estabelecimento',
};
const enApprovals: Record<ApprovalKind, string> = {
  REFUND: 'a refund',
  LIVE_KEY: 'a live API key',
  DISBURSEMENT: 'a disbursement',
  DISBURSEMENT_BATCH: 'a batch of disbursements',
  SETTLEMENT_COMPLETE: 'completing a payout',
  SETTLEMENT_FAIL: 'failing a payout',
  REVIEW_RESOLVE: 'a decision on a review',
  REVIEW_CLOSE: 'closing a review',
  BANK_ACCOUNT: "changing a merchant's bank account",
  TOP_UP: "topping up a merchant's balance",
};

const pt: Words = {
  kinds: {
    ENDPOINT_DISABLED: 'Destino de webhooks desativado',
    SETTLEMENT_FAILED: labels.pt.payoutFailed,
    REVIEW_WAITING: 'Caso à espera de decisão',
    APPROVAL_ASKED: 'Pedido de aprovação',
    OPERATOR_DOWN: 'Operador sem resposta',
    BALANCE_WRONG: 'Saldos que não batem certo',
    BANK_ACCOUNT_CHANGED: labels.pt.bankAccountChanged,
    ALERT: 'Alerta do sistema',
    FLOAT_LOW: 'Saldo baixo no operador',
  },
  title: ({ kind, subject, detail }) =>
    ({
      ENDPOINT_DISABLED: 'Um destino de webhooks foi desativado',
      SETTLEMENT_FAILED: 'Uma transferência para o banco falhou',
      REVIEW_WAITING: 'Um caso espera por uma decisão',
      APPROVAL_ASKED: `Pedido de aprovação: ${chosen(ptApprovals, detail.approval, 'um pedido')}`,
      OPERATOR_DOWN: `O operador ${subject} não responde`,
      BALANCE_WRONG: `Os saldos em ${detail.currency ?? '?'} não batem certo`,
      BANK_ACCOUNT_CHANGED: `A conta bancária para ${detail.currency ?? '?'} foi alterada`,
      ALERT: alertTitle('pt', detail),
      FLOAT_LOW: `O nosso saldo no operador ${subject} está baixo`,
    })[kind],
  text: ({ kind, detail }) =>
    ({
      ENDPOINT_DISABLED:
        detail.reason === 'GONE'
          ? 'O destino respondeu 410 Gone. Os eventos esperam até que seja ativado de novo.'
          : 'Durante cinco dias, não foi possível entregar nada neste destino. Os eventos esperam até que seja ativado de novo.',
      SETTLEMENT_FAILED: 'O dinheiro voltou ao saldo. Confirme os dados bancários.',
      REVIEW_WAITING: chosen(
        {
          UNCLEAR: 'O operador nunca disse o que aconteceu.',
          CLASH: 'O operador indicou uma transação que já está registada para outro fim.',
          CONTRADICTION: messages.pt.operatorContradicts,
          UNKNOWN_REFERENCE: 'O operador fez um débito a um cliente por algo que não conhecemos.',
        },
        detail.review,
        'Alguém tem de ver o que se passa.',
      ),
      APPROVAL_ASKED: 'Durante 72 horas, outra pessoa pode aprovar o pedido.',
      OPERATOR_DOWN: 'Os pagamentos por este operador esperam ou falham enquanto não responder.',
      BALANCE_WRONG:
        detail.what === 'SUSPENSE_MISSING'
          ? 'Foram feitos reembolsos já dados como falhados: falta esse dinheiro na conta transitória.'
          : 'A soma de todas as contas não é zero. Execute «zimbo ledger check».',
      BANK_ACCOUNT_CHANGED:
        'As próximas transferências vão para outra conta. Se o estabelecimento não pediu esta alteração, avise já quem gere o gateway.',
      ALERT: alertText('pt', detail),
      FLOAT_LOW: `O operador diz que temos ${money(detail.balance, detail, 'pt')}. Os envios por entregar precisam de ${money(detail.reserved, detail, 'pt')}${hasMinimum(detail) ? `, e o mínimo definido é ${money(detail.threshold, detail, 'pt')}` : ''}. Reforce a conta: sem saldo, os envios falham.`,
    })[kind],
  more: (count) => `e mais ${count} do mesmo tipo na mesma hora`,
};

const en: Words = {
  kinds: {
    ENDPOINT_DISABLED: 'Webhook endpoint disabled',
    SETTLEMENT_FAILED: labels.en.payoutFailed,
    REVIEW_WAITING: 'Review waiting',
    APPROVAL_ASKED: 'Approval request',
    OPERATOR_DOWN: 'Operator down',
    BALANCE_WRONG: 'Balances that do not agree',
    BANK_ACCOUNT_CHANGED: labels.en.bankAccountChanged,
    ALERT: 'System alert',
    FLOAT_LOW: 'Low balance at an operator',
  },
  title: ({ kind, subject, detail }) =>
    ({
      ENDPOINT_DISABLED: 'A webhook endpoint was disabled',
      SETTLEMENT_FAILED: 'A payout to the bank failed',
      REVIEW_WAITING: 'A review is waiting for a decision',
      APPROVAL_ASKED: `Approval requested: ${chosen(enApprovals, detail.approval, 'a request')}`,
      OPERATOR_DOWN: `The operator ${subject} does not answer`,
      BALANCE_WRONG: `The balances in ${detail.currency ?? '?'} do not agree`,
      BANK_ACCOUNT_CHANGED: `The bank account for ${detail.currency ?? '?'} was changed`,
      ALERT: alertTitle('en', detail),
      FLOAT_LOW: `Our balance at the operator ${subject} is low`,
    })[kind],
  text: ({ kind, detail }) =>
    ({
      ENDPOINT_DISABLED:
        detail.reason === 'GONE'
          ? 'The endpoint answered 410 Gone. Events wait until it is enabled again.'
          : 'For five days, nothing could be delivered to the endpoint. Events wait until it is enabled again.',
      SETTLEMENT_FAILED: 'The money is back in the balance. Check the bank details.',
      REVIEW_WAITING: chosen(
        {
          UNCLEAR: 'The operator never said what happened.',
          CLASH: 'The operator named a transaction that is already booked for something else.',
          CONTRADICTION: messages.en.operatorContradicts,
          UNKNOWN_REFERENCE: 'The operator debited a customer for something we do not know of.',
        },
        detail.review,
        'Somebody must look into it.',
      ),
      APPROVAL_ASKED: 'Somebody other than the requester can approve it, within 72 hours.',
      OPERATOR_DOWN: 'Payments through this operator wait or fail until it answers.',
      BALANCE_WRONG:
        detail.what === 'SUSPENSE_MISSING'
          ? 'Refunds went out after they had failed: suspense lacks that money.'
          : 'All accounts together do not add up to zero. Run "zimbo ledger check".',
      BANK_ACCOUNT_CHANGED:
        'The next payouts go to another account. If the merchant did not ask for this change, tell the gateway’s staff at once.',
      ALERT: alertText('en', detail),
      FLOAT_LOW: `The operator says that we have ${money(detail.balance, detail, 'en')}. Disbursements under way need ${money(detail.reserved, detail, 'en')}${hasMinimum(detail) ? `, and the configured minimum is ${money(detail.threshold, detail, 'en')}` : ''}. Top up the account: without funds, disbursements fail.`,
    })[kind],
  more: (count) => `and ${count} more of the same kind in the same hour`,
};

/** What was observed in one of several cells need not be so in the others: the words say which it is. */
const ofCells = (
  words: Words,
  inCell: (cell: string) => { title: string; text: string },
): Words => {
  const own = ({ kind, cell }: Worded) =>
    cell !== undefined && observedKinds.includes(kind) ? inCell(cell) : undefined;
  const joined = (parts: (string | undefined)[]) => parts.filter(Boolean).join(' ');
  return {
    ...words,
    title: (notice) => joined([words.title(notice), own(notice)?.title]),
    text: (notice) => joined([words.text(notice), own(notice)?.text]),
  };
};

export const noticeWords: Record<Language, Words> = {
  pt: ofCells(pt, (cell) => ({
    title: `(célula ${cell})`,
    text: `Este aviso é da célula ${cell}; as outras podem estar bem.`,
  })),
  en: ofCells(en, (cell) => ({
    title: `(cell ${cell})`,
    text: `This notice concerns the cell ${cell}; other cells may be fine.`,
  })),
};
