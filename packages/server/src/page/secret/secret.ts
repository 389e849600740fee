/** Secrets in pages: the service types them, where they belong and nowhere else. */
export { SecretTyping, type SecretTypingParts } from './secret-typing.ts';
