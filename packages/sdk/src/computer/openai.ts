/** OpenAI’s Responses API: the computer calls of a response done, and the items that its next request begins with. */
import { type AnswerOptions, act, confirmed, dataUrl, type ModelAction, type Screen } from './screen.ts';

interface SafetyCheck {
  id: string;
  code?: string | null;
  message?: string | null;
}

/** As much of a response as is needed here; the type of their package fits. */
export interface OpenAIResponse {
  output: readonly { type: string }[];
}

interface ComputerCall {
  type: 'computer_call';
  call_id: string;
  action?: object;
  actions?: readonly object[];
  pending_safety_checks?: readonly SafetyCheck[];
}

export interface OpenAIComputerOutput {
  type: 'computer_call_output';
  call_id: string;
  acknowledged_safety_checks: SafetyCheck[];
  output: { type: 'computer_screenshot'; image_url: string };
}

const isCall = (item: { type: string }): item is ComputerCall => item.type === 'computer_call';

/** Empty: the model asks for nothing more. */
export async function answerOpenAI(
  screen: Screen,
  response: OpenAIResponse,
  options: AnswerOptions = {},
): Promise<OpenAIComputerOutput[]> {
  const outputs: OpenAIComputerOutput[] = [];
  for (const { call_id, action, actions, pending_safety_checks: checks = [] } of response.output.filter(
    isCall,
  )) {
    for (const { code, message } of checks) await confirmed(message ?? code ?? 'an action.', options);
    const wanted = (actions ?? (action ? [action] : [{ type: 'screenshot' }])) as readonly ModelAction[];
    const { picture } = await act(screen, wanted, options);
    outputs.push({
      type: 'computer_call_output',
      call_id,
      acknowledged_safety_checks: [...checks],
      output: { type: 'computer_screenshot', image_url: picture ? dataUrl(picture) : '' },
    });
  }
  return outputs;
}
