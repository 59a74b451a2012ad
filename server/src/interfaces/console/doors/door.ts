import type { PeopleDependencies } from '../../../tenants/people/dependencies.ts';
import type { Language } from '../../../tenants/people/person.ts';
import type { Visitor } from '../../../tenants/people/sessions.ts';
import type { Redirect, View } from '../page.ts';
import type { SentForm, SignedIn } from '../request-context.ts';
import type { ConsoleServices } from '../services.ts';
import type { CommonWords } from '../words/common.ts';

/** Who is at a door, signed in or not, and what they ask for. */
export interface Caller {
  who: SignedIn | undefined;
  /** The address that was asked for, from the console's folder on. */
  path: string;
  /** Stands in the forms of who is signed in. */
  csrfToken: string;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  language: Language;
  words: CommonWords;
  timeZone: string;
  nowMs: number;
  services: ConsoleServices;
  people: PeopleDependencies;
  /** From where they come: for sessions, the throttle and the audit log. */
  visitor: Visitor;
  /** Whom the socket names, whatever a proxy says. */
  socketAddress: string;
  /** The cookie of a device on which somebody has signed in. */
  device: string | undefined;
  /** The page of the console to go on to, if one was asked for. */
  next: string | undefined;
  /** The address of a page of the console: `address('/console/account')`. */
  address: (path: string) => string;
  /** Gives the browser what a sign-in made. */
  enter: (entered: { token: string; personId?: string; device?: string }) => Promise<void>;
  /** Takes the session's cookie away. */
  leave: () => void;
  speak: (language: Language) => void;
  /** What this browser keeps on its way to the provider of single sign-on and back. */
  flow: string | undefined;
  keepFlow: (flow: string) => void;
  forgetFlow: () => void;
}

/** Somebody who is signed in. */
export type OwnCaller = Caller & { who: SignedIn };

type Answer = Promise<View | Redirect>;

/** A page outside of any merchant. Its file holds it whole, its words lie beside. */
export interface Door<Who extends Caller = Caller> {
  /** After `/console`; may hold `:token`. */
  path: string;
  show: (caller: Who) => Answer;
  /** By the value of the button that sent the form; empty for a form with one button. */
  actions?: Readonly<Record<string, (caller: Who, form: SentForm) => Answer>>;
}
