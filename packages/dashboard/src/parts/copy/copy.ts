/** What a person takes away: texts to copy, secrets that are shown once, calls as code. */
export { asCurl, asSdk, asSource, asTemplate, shellQuoted } from './as-code.ts';
export { CopyButton } from './copy-button.tsx';
export { CopyProvider, useCopy } from './copy-provider.tsx';
export { SecretDialog } from './secret.tsx';
