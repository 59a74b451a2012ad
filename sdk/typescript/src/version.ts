/** The version of this package, which requests name. */
export const version = '0.1.0';
