/** The values of secrets leave no route: whatever answers, its JSON or text is masked on the way out. */
import type { App } from '../wire/wire.ts';

export interface AnswerMasks {
  json(projectId: string, payload: string): string;
  text(projectId: string, text: string): string;
}

export function maskAnswers(app: App, masks: AnswerMasks): void {
  app.addHook('onSend', async ({ principal }, reply, payload) => {
    if (typeof payload !== 'string' || !principal) return payload;
    const isJson = String(reply.getHeader('content-type') ?? '').includes('json');
    return isJson ? masks.json(principal.projectId, payload) : masks.text(principal.projectId, payload);
  });
}
