import type { Language } from '../words/common.ts';

const pt = {
  title: 'Célula',
  all: 'Todas as células',
  mark: (name: string) =>
    `Célula ${name}: o que aqui muda vale para todos os estabelecimentos desta célula.`,
  createdIn: (name: string) =>
    `O estabelecimento fica na célula ${name}. Para o criar noutra, mude de célula no menu.`,
  away: (name: string) =>
    `A célula ${name} não responde. O que lá está não aparece nesta página; tente daqui a pouco.`,
  oneAlone: (name: string) => `Esta página mostra apenas a célula ${name}. As outras:`,
};

const en: typeof pt = {
  title: 'Cell',
  all: 'All cells',
  mark: (name) => `Cell ${name}: what you change here is for real, and for all its merchants.`,
  createdIn: (name) =>
    `The merchant will be in the cell ${name}. To create it in another, change the cell in the menu.`,
  away: (name) =>
    `The cell ${name} does not answer. What it holds is missing from this page; try again shortly.`,
  oneAlone: (name) => `This page shows the cell ${name} alone. The others:`,
};

export const words: Record<Language, typeof pt> = { pt, en };
