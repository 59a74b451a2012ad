import { labels } from '../../../platform/text/labels.ts';
import type { Language } from '../words/common.ts';

const pt = {
  title: labels.pt.doctor,
  process: 'Verificado pelo processo',
  again: 'Verificar de novo',
  running: (done: string) => `A verificar… ${done} feitas. A página atualiza-se automaticamente.`,
  broken: 'As verificações foram interrompidas. Tente de novo.',
  fine: 'Está tudo em ordem.',
  found: (errors: string, warnings: string) => `Erros: ${errors}. Avisos: ${warnings}.`,
  groups: {
    Settings: labels.pt.settings,
    Data: 'Dados desta máquina',
    Database: 'Base de dados',
    Work: 'Trabalho',
    Cells: 'Células',
  } as Record<string, string>,
  check: 'Verificação',
  state: labels.pt.status,
  states: { ok: 'Em ordem', warning: 'Aviso', error: labels.pt.error },
  finding: labels.pt.result,
  hint: 'São as verificações de zimbo doctor, em inglês como no comando. O disco, os ficheiros e o relógio são os da máquina do processo que respondeu. O resultado vale durante 30 segundos.',
};

const en: typeof pt = {
  title: labels.en.doctor,
  process: 'Checked by the process',
  again: 'Check again',
  running: (done) => `Checking… ${done} done. The page updates automatically.`,
  broken: 'The checks were interrupted. Try again.',
  fine: 'All is well.',
  found: (errors, warnings) => `Errors: ${errors}. Warnings: ${warnings}.`,
  groups: {
    Settings: labels.en.settings,
    Data: 'Data of this machine',
    Database: 'Database',
    Work: 'Work',
    Cells: 'Cells',
  },
  check: 'Check',
  state: labels.en.status,
  states: { ok: 'Fine', warning: 'Warning', error: labels.en.error },
  finding: labels.en.result,
  hint: 'These are the checks of zimbo doctor. Disk, files and clock are those of the machine whose process answered. A result is kept for 30 seconds.',
};

export const words: Record<Language, typeof pt> = { pt, en };
