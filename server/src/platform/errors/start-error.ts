/**
 * Why the program cannot start, written for the person who started it: the command line prints the
 * message and the hint (what to do), never a stack.
 */
export class StartError extends Error {
  readonly hint: string | undefined;

  constructor(message: string, hint?: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'StartError';
    this.hint = hint;
  }
}
