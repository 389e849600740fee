/** An error as a note: its message, its code, the next step, and the request for the log. */
import { BrowserdError } from '@browserd/sdk';
import { Button, Icon } from '../controls/controls.ts';

/** The next steps of the API, for people. */
const nextSteps: Record<string, string> = {
  fix_request: 'Fix the request and try again.',
  authenticate: 'Sign in with a valid key.',
  wait: 'Wait a moment, then try again.',
  retry: 'Try again.',
  observe: 'Check the page to see its current state.',
  handle_dialog: 'Answer the dialog that is open on the page.',
  resolve_captcha: 'Solve the CAPTCHA on the page first.',
  resume_browser: 'Resume the browser first.',
  create_browser: 'Create a new browser.',
  change_policy: "Change the browser's policy if this should be allowed.",
  reduce_size: 'Send or request less at a time.',
  ask_operator: 'Ask the operator of this service.',
};

export interface ErrorText {
  code?: string;
  message: string;
  nextStep?: string;
  requestId?: string;
}

export function errorText(error: unknown): ErrorText {
  if (error instanceof BrowserdError) {
    const { code, message, nextStep, requestId } = error;
    return { code, message, nextStep: nextSteps[nextStep] ?? nextStep, requestId };
  }
  return { message: error instanceof Error ? error.message : String(error) };
}

interface Props {
  error: unknown;
  onRetry?: () => void;
}
export function ErrorNote({ error, onRetry }: Props) {
  const { code, message, nextStep, requestId } = errorText(error);
  return (
    <div className="note error" role="alert">
      <Icon name="warning" />
      <div className="note-text">
        <p>
          <bdi>{message}</bdi>
        </p>
        <p className="note-small">
          {code && <code>{code}</code>} {nextStep}
          {requestId && (
            <>
              {' '}
              Request <code>{requestId}</code>
            </>
          )}
        </p>
      </div>
      {onRetry && (
        <Button small icon="refresh" onClick={onRetry}>
          Try again
        </Button>
      )}
    </div>
  );
}
