/** The most passkeys of a person. */
export const mostPasskeys = 20;
/** The transports that browsers name; others are dropped, because they would be sent back to a browser. */
export const transports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'];

/** EdDSA, ES256 and RS256, by their COSE numbers; Node calls the others experimental. */
export const supportedAlgorithmIDs = [-8, -7, -257];
