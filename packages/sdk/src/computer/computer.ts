/** Computer use: what models of three makers ask of a screen, done, and answered in their words. */
export { type AnthropicMessage, type AnthropicToolResult, answerAnthropic } from './anthropic.ts';
export { answerGemini, type GeminiFunctionResponse, type GeminiResponse } from './gemini.ts';
export { answerOpenAI, type OpenAIComputerOutput, type OpenAIResponse } from './openai.ts';
export type { AnswerOptions, ComputerOptions, ModelAction } from './screen.ts';
