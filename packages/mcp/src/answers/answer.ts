/** The answer of a tool: text for the model, and the same as data for programs. */
export interface Answer<Data = unknown> {
  /** For the model. */
  text: string;
  /** For programs, in the shape of `output`. */
  data: Data;
  image?: { data: string; mimeType: string };
  /** The call worked, but the requested action failed. */
  failed?: boolean;
}
