/** Secrets in pages: the service types them, where they belong and nowhere else. */
export { SecretTyping } from './secret-typing.ts';
