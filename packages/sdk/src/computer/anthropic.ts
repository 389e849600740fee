/** Anthropic’s Messages API: the computer calls of a message done, and the blocks that the next message of the user begins with. */
import { type AnswerOptions, act, type ModelAction, type Screen, said } from './screen.ts';

/** As much of a message as is needed here; the type of their package fits. */
export interface AnthropicMessage {
  content: readonly { type: string }[];
}

interface ToolUse {
  type: 'tool_use';
  id: string;
  name: string;
  input: unknown;
}

type Block =
  | { type: 'text'; text: string }
  | {
      type: 'image';
      source: { type: 'base64'; media_type: 'image/jpeg' | 'image/png' | 'image/webp'; data: string };
    };

export interface AnthropicToolResult {
  type: 'tool_result';
  tool_use_id: string;
  content: Block[];
  is_error?: boolean;
}

/** `name` of the tool, as all its versions have it. */
const isUse = (block: { type: string }): block is ToolUse =>
  block.type === 'tool_use' && (block as ToolUse).name === 'computer';

/** Empty: the model asks for nothing more. */
export async function answerAnthropic(
  screen: Screen,
  message: AnthropicMessage,
  options: AnswerOptions = {},
): Promise<AnthropicToolResult[]> {
  const results: AnthropicToolResult[] = [];
  for (const { id, input } of message.content.filter(isUse)) {
    const { answer, picture } = await act(screen, input as ModelAction, options);
    const text = said(answer);
    const words: Block[] = text === undefined ? [] : [{ type: 'text', text }];
    const source = picture && { type: 'base64' as const, media_type: picture.mimeType, data: picture.data };
    // The API takes only text in the result of a call that failed.
    const content: Block[] = source && answer.success ? [...words, { type: 'image', source }] : words;
    results.push({
      ...{ type: 'tool_result', tool_use_id: id, content },
      ...(!answer.success && { is_error: true }),
    });
  }
  return results;
}
