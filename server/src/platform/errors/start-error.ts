/**
 * Says why the program cannot start, for the person who started it. The command line prints the message and
 * the hint (what to do), but never a stack trace.
 */
export class StartError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
    this.hint = hint;
  }
}
