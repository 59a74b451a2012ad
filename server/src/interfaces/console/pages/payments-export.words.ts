import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.downloadPayments,
  what: 'O ficheiro tem uma linha por pagamento, do mais antigo ao mais recente. O descarregamento fica no registo de auditoria.',
  whatMasked:
    'O ficheiro tem uma linha por pagamento, do mais antigo ao mais recente, com os telefones ocultos em parte. O descarregamento fica no registo de auditoria.',
  all: 'Todos os pagamentos, sem filtros.',
  csv: labels.pt.downloadCSV,
  excel: 'Descarregar Excel',
  back: 'Voltar à lista',
  latest: 'Os seus últimos ficheiros',
  begun: labels.pt.started,
  format: 'Formato',
  state: labels.pt.status,
  progress: 'Progresso',
  states: {
    RUNNING: labels.pt.inProgress,
    SUCCEEDED: 'Pronto',
    FAILED: labels.pt.failed,
    CANCELLED: 'Interrompido',
  },
  rows: (written: string) => `Pagamentos: ${written}`,
  rowsOf: (written: string, total: string) => `${written} de ${total}`,
  tooMany:
    'Este estabelecimento já tem dois ficheiros em curso. Espere que um deles termine e tente de novo.',
};

const en: typeof pt = {
  title: labels.en.downloadPayments,
  what: 'The file has one row per payment, from the oldest to the newest. The download is recorded in the audit log.',
  whatMasked:
    'The file has one row per payment, from the oldest to the newest, with phones partly hidden. The download is recorded in the audit log.',
  all: 'All payments, without filters.',
  csv: labels.en.downloadCSV,
  excel: 'Download Excel',
  back: 'Back to the list',
  latest: 'Your latest files',
  begun: labels.en.started,
  format: 'Format',
  state: labels.en.status,
  progress: 'Progress',
  states: {
    RUNNING: labels.en.inProgress,
    SUCCEEDED: 'Ready',
    FAILED: labels.en.failed,
    CANCELLED: 'Interrupted',
  },
  rows: (written) => `Payments: ${written}`,
  rowsOf: (written, total) => `${written} of ${total}`,
  tooMany:
    'Two files are already in progress for this merchant. Wait until one has finished, and try again.',
};

export const words: Record<Language, typeof pt> = { pt, en };
