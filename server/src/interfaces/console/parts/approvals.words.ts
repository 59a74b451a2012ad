import type { ApprovalStatus } from '../../../backoffice/approvals/approval.ts';
import type { Language } from '../words/common.ts';

const pt = {
  kinds: {} as Record<string, string>,
  waiting: 'À espera',
  history: 'Histórico',
  askedBy: 'Pedido por',
  you: 'si',
  gone: 'uma conta removida',
  openUntil: 'Pode ser aprovado até',
  decidedBy: 'Decidido por',
  approve: 'Aprovar',
  reject: 'Recusar',
  cancel: 'Retirar o pedido',
  notYou: 'Outra pessoa tem de aprovar o que pediu.',
  state: 'Estado',
  asked: 'Data',
  what: 'Pedido',
  statuses: {
    PENDING: 'À espera',
    APPROVED: 'Aprovado',
    DONE: 'Feito',
    FAILED: 'Não foi possível',
    REJECTED: 'Recusado',
    CANCELLED: 'Retirado',
    EXPIRED: 'Expirou',
  } as Record<ApprovalStatus, string>,
  failures: {
    CHANGED: 'O estado mudou entretanto.',
    GAVE_UP:
      'Durante um dia não foi possível executar, por uma avaria. Se ainda for preciso, peça de novo.',
    NOT_COLLECTED: 'A chave não foi criada a tempo.',
  } as Record<string, string>,
  notYourOther:
    'Foi pedido com outra conta sua: com o mesmo e-mail, ou com a mesma identidade. Tem de ser outra pessoa a aprovar.',
  notYourRole: 'A sua função não permite decidir isto.',
  isExpired: 'O prazo passou: já não pode ser aprovado.',
  triedAgain:
    'Ainda não foi possível executar. Tenta-se de novo sozinho, com intervalos crescentes, durante um dia.',
  warnings: {} as Record<string, string>,
  done: {
    asked: 'O pedido foi enviado. Outra pessoa tem de o aprovar.',
    approved: 'Aprovado.',
    rejected: 'Recusado.',
    cancelled: 'O pedido foi retirado.',
  },
  refused: {
    FORBIDDEN: 'Não pode aprovar isto: tem de ser outra pessoa, com essa função.',
    INVALID_STATE:
      'Já não é possível: já foi decidido, expirou, ou o estado mudou entretanto. Se ainda for preciso, peça de novo.',
  } as Record<string, string>,
};

/** What lists of requests say, whoever they are for. */
export type ApprovalWords = typeof pt;

const en: ApprovalWords = {
  kinds: {},
  waiting: 'Waiting',
  history: 'History',
  askedBy: 'Asked by',
  you: 'you',
  gone: 'an account that was removed',
  openUntil: 'Can be approved until',
  decidedBy: 'Decided by',
  approve: 'Approve',
  reject: 'Reject',
  cancel: 'Take the request back',
  notYou: 'Somebody else has to approve what you asked for.',
  state: 'Status',
  asked: 'Date',
  what: 'Request',
  statuses: {
    PENDING: 'Waiting',
    APPROVED: 'Approved',
    DONE: 'Done',
    FAILED: 'Not possible',
    REJECTED: 'Rejected',
    CANCELLED: 'Taken back',
    EXPIRED: 'Expired',
  },
  failures: {
    CHANGED: 'The state had changed.',
    GAVE_UP:
      'For a day it could not be carried out, because something was broken. If it is still needed, ask again.',
    NOT_COLLECTED: 'The key was not made in time.',
  },
  notYourOther:
    'This was asked for with another account of yours: one with the same e-mail, or the same identity. Somebody else has to approve it.',
  notYourRole: 'Your role does not allow you to decide this.',
  isExpired: 'Its time is over: it can no longer be approved.',
  triedAgain:
    'It could not be carried out yet. It is tried again by itself, at growing intervals, for a day.',
  warnings: {},
  done: {
    asked: 'The request is made. Somebody else has to approve it.',
    approved: 'Approved.',
    rejected: 'Rejected.',
    cancelled: 'The request is taken back.',
  },
  refused: {
    FORBIDDEN: 'You cannot approve this: it has to be somebody else, with that role.',
    INVALID_STATE:
      'This is no longer possible: it is decided already, has expired, or the state has changed. If it is still needed, ask again.',
  },
};

export const approvalWords: Record<Language, ApprovalWords> = { pt, en };
