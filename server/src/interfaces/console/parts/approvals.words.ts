import type { ApprovalStatus } from '../../../backoffice/approvals/approval.ts';
import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  kinds: {} as Record<string, string>,
  waiting: 'À espera',
  history: 'Histórico',
  askedBy: labels.pt.requestedBy,
  you: 'si',
  gone: labels.pt.aRemovedAccount,
  openUntil: 'Pode ser aprovado até',
  decidedBy: 'Decidido por',
  approve: 'Aprovar',
  reject: 'Recusar',
  cancel: 'Retirar o pedido',
  notYou: 'Outra pessoa tem de aprovar o que pediu.',
  state: labels.pt.status,
  asked: labels.pt.date,
  what: 'Pedido',
  statuses: {
    PENDING: 'À espera',
    APPROVED: 'Aprovado',
    DONE: 'Feito',
    FAILED: 'Não foi possível',
    REJECTED: 'Recusado',
    CANCELLED: 'Retirado',
    EXPIRED: labels.pt.expired,
  } as Record<ApprovalStatus, string>,
  failures: {
    CHANGED: 'O estado mudou entretanto.',
    GAVE_UP:
      'Por causa de uma avaria, não foi possível executar o pedido durante um dia. Se ainda for preciso, peça de novo.',
    NOT_COLLECTED: 'A chave não foi criada a tempo.',
  } as Record<string, string>,
  notYourOther:
    'O pedido foi feito com outra conta sua: com o mesmo e-mail ou com a mesma identidade. Tem de ser outra pessoa a aprovar.',
  notYourRole: 'A sua função não permite decidir isto.',
  isExpired: 'O prazo passou: o pedido já não pode ser aprovado.',
  triedAgain:
    'Ainda não foi possível executar o pedido. O sistema tenta de novo, com intervalos crescentes, durante um dia.',
  warnings: {} as Record<string, string>,
  done: {
    asked: 'O pedido foi enviado. Outra pessoa tem de o aprovar.',
    approved: 'Aprovado.',
    rejected: 'Recusado.',
    cancelled: 'O pedido foi retirado.',
  },
  refused: {
    FORBIDDEN: 'Não pode aprovar este pedido: tem de ser outra pessoa, com a função necessária.',
    INVALID_STATE:
      'Já não é possível: o pedido já foi decidido ou expirou, ou o estado mudou entretanto. Se ainda for preciso, peça de novo.',
  } as Record<string, string>,
};

/** What lists of requests say, whoever they are for. */
export type ApprovalWords = typeof pt;

const en: ApprovalWords = {
  kinds: {},
  waiting: 'Waiting',
  history: 'History',
  askedBy: labels.en.requestedBy,
  you: 'you',
  gone: labels.en.aRemovedAccount,
  openUntil: 'Can be approved until',
  decidedBy: 'Decided by',
  approve: 'Approve',
  reject: 'Reject',
  cancel: 'Withdraw the request',
  notYou: 'Somebody else must approve your request.',
  state: labels.en.status,
  asked: labels.en.date,
  what: 'Request',
  statuses: {
    PENDING: 'Waiting',
    APPROVED: 'Approved',
    DONE: 'Done',
    FAILED: 'Not possible',
    REJECTED: 'Rejected',
    CANCELLED: 'Withdrawn',
    EXPIRED: labels.en.expired,
  },
  failures: {
    CHANGED: 'The status had changed.',
    GAVE_UP:
      'A fault kept the request from being carried out for a day. If it is still needed, request it again.',
    NOT_COLLECTED: 'The key was not created in time.',
  },
  notYourOther:
    'You made this request with another account of yours, with the same e-mail or the same identity. Somebody else must approve it.',
  notYourRole: 'Your role does not allow you to decide this.',
  isExpired: 'The deadline has passed: the request can no longer be approved.',
  triedAgain:
    'The request could not be carried out yet. The gateway tries again at growing intervals, for a day.',
  warnings: {},
  done: {
    asked: 'The request has been sent. Somebody else must approve it.',
    approved: 'Approved.',
    rejected: 'Rejected.',
    cancelled: 'The request has been withdrawn.',
  },
  refused: {
    FORBIDDEN: 'You cannot approve this request: that takes another person with the required role.',
    INVALID_STATE:
      'This is no longer possible: the request was decided or has expired, or the status has changed. If it is still needed, request it again.',
  },
};

export const approvalWords: Record<Language, ApprovalWords> = { pt, en };
