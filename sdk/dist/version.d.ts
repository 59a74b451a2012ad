/** The version of this package, which requests name. */
export declare const version = "0.1.0";
