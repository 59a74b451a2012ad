import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const digits = (milliseconds: number, decimal: string) =>
  (Math.abs(milliseconds) / 1_000).toFixed(1).replace('.', decimal);

const pt = {
  title: labels.pt.processes,
  host: 'Máquina (processo)',
  role: labels.pt.role,
  roles: {
    all: labels.pt.everything,
    api: 'Só pedidos (api)',
    worker: 'Só trabalho (worker)',
  } as Record<string, string>,
  version: 'Versão',
  since: labels.pt.since,
  seen: 'Última atividade',
  clock: 'Relógio',
  offset: (milliseconds: number) => {
    if (Math.abs(milliseconds) < 1_000) return 'certo';
    const seconds = digits(milliseconds, ',');
    return milliseconds > 0 ? `${seconds} s adiantado` : `${seconds} s atrasado`;
  },
  fine: 'Os processos estão de acordo entre si.',
  noWorker:
    'Nenhum processo trabalha: nada é enviado, transferido ou selado. Inicie um com ZIMBO_ROLE worker ou all.',
  wrongClock:
    'Um relógio tem mais de um minuto de erro: esse processo não aceita trabalho até o relógio estar certo.',
  differ: 'Há definições que não são iguais em todos os processos.',
  differences: 'Definições diferentes',
  differencesHint: 'Dê a todos as mesmas definições e reinicie os que diferem.',
  setting: 'Definição',
  value: 'Valor',
  where: 'Em',
  none: 'Nenhum processo deu sinal nos últimos três minutos',
  noneHint: 'Os processos dão sinal a cada minuto.',
  hint: 'Cada processo dá sinal a cada minuto e sai desta lista três minutos depois da última vez. Dos segredos mostra-se só um resumo.',
};

const en: typeof pt = {
  title: labels.en.processes,
  host: 'Host (process)',
  role: labels.en.role,
  roles: { all: labels.en.everything, api: 'Requests only (api)', worker: 'Work only (worker)' },
  version: 'Version',
  since: labels.en.since,
  seen: 'Last seen',
  clock: 'Clock',
  offset: (milliseconds) => {
    if (Math.abs(milliseconds) < 1_000) return 'correct';
    const seconds = digits(milliseconds, '.');
    return milliseconds > 0 ? `${seconds} s ahead` : `${seconds} s behind`;
  },
  fine: 'All processes agree with each other.',
  noWorker:
    'No process is a worker: nothing is sent, paid out or sealed. Start one with ZIMBO_ROLE worker or all.',
  wrongClock:
    'A clock is more than a minute off: its process takes no work until the clock is correct.',
  differ: 'Some settings differ between processes.',
  differences: 'Different settings',
  differencesHint: 'Give all processes the same settings, and restart those that differ.',
  setting: 'Setting',
  value: 'Value',
  where: 'In',
  none: 'No process has reported in the last three minutes',
  noneHint: 'Processes report every minute.',
  hint: 'Each process reports every minute, and leaves this list three minutes after its last report. Secrets are shown only as a digest.',
};

export const words: Record<Language, typeof pt> = { pt, en };
