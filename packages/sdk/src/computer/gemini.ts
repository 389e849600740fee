/** Gemini’s computer use: the function calls of an answer done, and the parts that the next message of the user begins with. */
import { type AnswerOptions, act, confirmed, type ModelAction, type Screen, said } from './screen.ts';

interface FunctionCall {
  id?: string;
  name?: string;
  args?: Record<string, unknown>;
}

/** As much of an answer as is needed here; the type of their package fits. */
export interface GeminiResponse {
  candidates?: readonly { content?: { parts?: readonly { functionCall?: FunctionCall }[] } }[];
}

export interface GeminiFunctionResponse {
  functionResponse: {
    id?: string;
    name: string;
    response: Record<string, unknown>;
    parts: { inlineData: { mimeType: string; data: string } }[];
  };
}

/** Empty: the model asks for nothing more. */
export async function answerGemini(
  screen: Screen,
  response: GeminiResponse,
  options: AnswerOptions = {},
): Promise<GeminiFunctionResponse[]> {
  const parts = response.candidates?.[0]?.content?.parts ?? [];
  const done: GeminiFunctionResponse[] = [];
  for (const { functionCall } of parts) {
    if (!functionCall?.name) continue;
    const { id, name, args = {} } = functionCall;
    const decision = args.safety_decision as { decision?: string; explanation?: string } | undefined;
    const asks = decision?.decision === 'require_confirmation';
    if (asks) await confirmed(decision.explanation ?? name, options);
    const { answer, picture } = await act(screen, { name, args } as ModelAction, options);
    const { page, success } = answer;
    const words = said(answer);
    done.push({
      functionResponse: {
        ...(id !== undefined && { id }),
        name,
        response: {
          url: page?.url ?? '',
          ...(asks && { safety_acknowledgement: 'true' }),
          ...(words !== undefined && { [success ? 'note' : 'error']: words }),
        },
        parts: picture ? [{ inlineData: { mimeType: picture.mimeType, data: picture.data } }] : [],
      },
    });
  }
  return done;
}
