/** An error as a note: its message, its code, the next step, and the request for the log. */
import { BrowserdError } from '@browserd/sdk';
import { Button, Icon } from '../controls/controls.ts';

/** The next steps of the API, for people. */
const nextSteps: Record<string, string> = {
  fix_request: 'Correct the request and send it again.',
  authenticate: 'Sign in with a valid key.',
  wait: 'Wait a moment, then try again.',
  retry: 'Try again.',
  observe: 'Look at the page to see what state it is in.',
  handle_dialog: 'Answer the dialog that is open in the page.',
  resolve_captcha: 'Solve the CAPTCHA in the page first.',
  resume_browser: 'Resume the browser first.',
  create_browser: 'Create a new browser.',
  change_policy: "Change the browser's policy if this should be allowed.",
  reduce_size: 'Send or ask for less at once.',
  ask_operator: 'Ask whoever runs this service.',
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
