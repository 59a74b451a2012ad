import type { PeopleDependencies } from '../../../tenants/people/dependencies.ts';
import type { Language } from '../../../tenants/people/person.ts';
import type { Visitor } from '../../../tenants/people/sessions.ts';
import type { Redirect, View } from '../page.ts';
import type { SentForm, SignedIn } from '../request-context.ts';
import type { ConsoleServices } from '../services.ts';
import type { CommonWords } from '../words/common.ts';

/** The visitor of a page outside merchants, signed in or not, and their request. */
export interface Caller {
  who: SignedIn | undefined;
  /** The requested address, from the console's folder on. */
  path: string;
  /** The CSRF token in the forms of signed-in people. */
  csrfToken: string;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  language: Language;
  words: CommonWords;
  timeZone: string;
  nowMs: number;
  services: ConsoleServices;
  people: PeopleDependencies;
  /** The visitor's address: for sessions, throttling and the audit log. */
  visitor: Visitor;
  /** The address of the socket, regardless of a proxy's header. */
  socketAddress: string;
  /** The cookie of a device on which a person has signed in. */
  device: string | undefined;
  /** The cookie of a shared phone. */
  till: string | undefined;
  keepTill: (token: string) => void;
  forgetTill: () => void;
  /** The console page to continue to, if one was requested. */
  next: string | undefined;
  /** The address of a page of the console: `address('/console/account')`. */
  address: (path: string) => string;
  /** Sets the browser's cookies after a sign-in. */
  enter: (entered: { token: string; personId?: string; device?: string }) => Promise<void>;
  /** Removes the session's cookie. */
  leave: () => void;
  speak: (language: Language) => void;
  /** The state that the browser keeps during single sign-on. */
  flow: string | undefined;
  keepFlow: (flow: string) => void;
  forgetFlow: () => void;
}

/** A signed-in person. */
export type OwnCaller = Caller & { who: SignedIn };

type Answer = Promise<View | Redirect>;

/** A page outside any merchant, in one file, with its words next to it. */
export interface Door<Who extends Caller = Caller> {
  /** Below `/console`; may contain `:token`. */
  path: string;
  show: (caller: Who) => Answer;
  /** By the value of the submit button; empty for a form with one button. */
  actions?: Readonly<Record<string, (caller: Who, form: SentForm) => Answer>>;
}
