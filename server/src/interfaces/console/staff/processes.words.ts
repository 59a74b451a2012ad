import type { Language } from '../words/common.ts';

const digits = (milliseconds: number, decimal: string) =>
  (Math.abs(milliseconds) / 1_000).toFixed(1).replace('.', decimal);

const pt = {
  title: 'Processos',
  host: 'Máquina (processo)',
  role: 'Papel',
  roles: {
    all: 'Tudo',
    api: 'Só pedidos (api)',
    worker: 'Só trabalho (worker)',
  } as Record<string, string>,
  version: 'Versão',
  since: 'Desde',
  seen: 'Visto',
  clock: 'Relógio',
  offset: (milliseconds: number) => {
    if (Math.abs(milliseconds) < 1_000) return 'certo';
    const seconds = digits(milliseconds, ',');
    return milliseconds > 0 ? `${seconds} s adiantado` : `${seconds} s atrasado`;
  },
  fine: 'Os processos estão de acordo uns com os outros.',
  noWorker:
    'Nenhum processo trabalha: nada é enviado, transferido ou selado. Inicie um com ZIMBO_ROLE worker ou all.',
  wrongClock:
    'Um relógio está mais de um minuto errado: esse processo não aceita trabalho até o relógio estar certo.',
  differ: 'Há definições que não são iguais em todos os processos.',
  differences: 'Definições diferentes',
  differencesHint: 'Dê a todos as mesmas definições e reinicie os que diferem.',
  setting: 'Definição',
  value: 'Valor',
  where: 'Em',
  none: 'Nenhum processo se anunciou nos últimos três minutos',
  noneHint: 'Os processos anunciam-se todos os minutos.',
  hint: 'Cada processo anuncia-se todos os minutos e sai desta lista três minutos depois da última vez. De segredos mostra-se só um resumo.',
};

const en: typeof pt = {
  title: 'Processes',
  host: 'Host (process)',
  role: 'Role',
  roles: { all: 'Everything', api: 'Requests only (api)', worker: 'Work only (worker)' },
  version: 'Version',
  since: 'Since',
  seen: 'Last seen',
  clock: 'Clock',
  offset: (milliseconds) => {
    if (Math.abs(milliseconds) < 1_000) return 'correct';
    const seconds = digits(milliseconds, '.');
    return milliseconds > 0 ? `${seconds} s ahead` : `${seconds} s behind`;
  },
  fine: 'The processes agree with each other.',
  noWorker:
    'No process is a worker: nothing is sent, paid out or sealed. Start one with ZIMBO_ROLE worker or all.',
  wrongClock:
    'A clock is more than a minute off: that process takes no work until its clock is correct.',
  differ: 'Some settings are not the same in all processes.',
  differences: 'Settings that differ',
  differencesHint: 'Give all processes the same settings, and restart those that differ.',
  setting: 'Setting',
  value: 'Value',
  where: 'In',
  none: 'No process has reported in the last three minutes',
  noneHint: 'Processes report every minute.',
  hint: 'Each process reports every minute, and leaves this list three minutes after it was last seen. Of secrets only a digest is shown.',
};

export const words: Record<Language, typeof pt> = { pt, en };
