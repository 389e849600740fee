/** The service cannot start, and the operator can mend it: the message says what and how, so no stack is shown. */
export class SetupError extends Error {}
