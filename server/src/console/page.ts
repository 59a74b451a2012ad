import type { FastifyReply } from 'fastify';
import type { Html } from '../html.ts';
import type { Permission } from '../people/permissions.ts';
import type { SentForm, Visit } from './visit.ts';

/** What a page shows. */
export interface View {
  title: string;
  main: Html;
  /** 200 unless told otherwise. */
  status?: number;
  /** Of what was refused for now: when to try again. */
  retryInMs?: number;
  /** The main part is asked for again while the page is looked at. */
  refreshMs?: number;
  /** Files of `assets/` that this page alone needs. */
  scripts?: readonly string[];
  /** An address elsewhere that the browser goes on to by itself. */
  onward?: string;
  /** Without menu and bars, as for a poster. */
  bare?: boolean;
}

/** Where the browser goes next: a form that was taken is never sent again by a reload. */
export interface Redirect {
  to: string;
}

/** What a page sends that is no page: a picture, a download. The function writes the whole reply. */
export interface Sent {
  send(reply: FastifyReply): unknown;
}

/** What a button of a page does. */
export interface Action {
  permission: Permission;
  /**
   * Real money moves, or somebody gets power: in live mode the person proves again who they are. Whatever is the
   * same in both modes, as people are, is so ALWAYS.
   */
  isSensitive?: boolean | 'ALWAYS';
  run(visit: Visit, form: SentForm): Promise<View | Redirect | Sent>;
}

/** A page of a merchant. Its file holds it whole, its words lie beside. */
export interface ConsolePage {
  /** Below `/console/{merchant}/{mode}/`; may hold `:id`. */
  path: string;
  permission: Permission;
  show(visit: Visit): Promise<View | Redirect | Sent>;
  /** By the value of the button that sent the form (`name="action"`). */
  actions?: Readonly<Record<string, Action>>;
}
