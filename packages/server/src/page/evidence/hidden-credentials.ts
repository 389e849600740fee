/**
 * A trace has the addresses, headers, cookies and bodies of every request, and those that a script set or read. Here what
 * carries credentials is taken out: line by line, in whatever place of an event it is, and from bodies that are text.
 *
 * In addresses each hidden value gets a number of its own: the viewer finds the answers to what a page shows by their
 * addresses, so the same address must stay the same everywhere, and two must not become one.
 */
import { isSecretHeader, isSecretValue, masked } from '../../kit/mask-headers.ts';
import { looksSecret, type Mask, maskedInAddress, redactAddresses } from '../../kit/redact-address.ts';
import { redactBody } from '../../kit/redact-body.ts';

/** Lines without one of these need not be parsed; `isSecretHeader` and `looksSecret` know which of them are meant. */
const mayHold =
  /auth|cookie|credential|jwt|key|pass|pwd|secret|session|sid|sig|token|[?&#;][^=&#;?\s"]{1,200}=|:\/\/[^/?#\s"]{1,200}@/i;
const deepest = 200;
/** Fields with the parameters of a request, by their names. */
const parameterLists = new Set(['queryString', 'params']);

/** Bodies that are text, by the ending that Playwright gives them. */
const isText = /\.(css|html?|js|json|svg|txt|xml)$/;
/** Of what forms send Playwright knows no ending. */
const isUnknown = /\.dat$/;
const isForm = /^[^\s=&]{1,200}=[^\s]*$/;

export class TraceCleaner {
  readonly #numbers = new Map<string, number>();
  readonly #mask: Mask = (value) => {
    const known = this.#numbers.get(value) ?? this.#numbers.size + 1;
    this.#numbers.set(value, known);
    return `${maskedInAddress}${known}`;
  };

  /** Undefined: the line is none of a trace. */
  line(line: string): string | undefined {
    if (!mayHold.test(line)) return line;
    try {
      return JSON.stringify(this.#hide(JSON.parse(line), 0));
    } catch {
      return undefined;
    }
  }

  /** `text`: a letter for each byte, so that in whatever way it is encoded, nothing else of it changes. */
  body(name: string, text: string): string {
    if (isText.test(name))
      return redactAddresses(name.endsWith('.json') ? redactBody(text, 'json') : text, this.#mask);
    return isUnknown.test(name) && isForm.test(text) ? redactBody(text, 'x-www-form-urlencoded') : text;
  }

  #hide(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return redactAddresses(value, this.#mask);
    if (typeof value !== 'object' || value === null) return value;
    if (depth > deepest) return null;
    if (Array.isArray(value)) return value.map((each) => this.#hide(each, depth + 1));
    const fields = value as Record<string, unknown>;
    const { name, value: said } = fields;
    if (typeof name === 'string' && typeof said === 'string' && (isSecretHeader(name) || isSecretValue(said)))
      return { ...fields, value: masked };
    return Object.fromEntries(
      Object.entries(fields).map(([key, each]) => [key, this.#hideField(key, each, depth + 1)]),
    );
  }

  #hideField(key: string, value: unknown, depth: number): unknown {
    if (key === 'cookies') return hideCookies(value);
    const shown = this.#hide(value, depth);
    return parameterLists.has(key) && Array.isArray(shown) ? shown.map(hideParameter) : shown;
  }
}

const hideCookies = (cookies: unknown): unknown =>
  Array.isArray(cookies)
    ? cookies.map((cookie) =>
        typeof cookie === 'object' && cookie !== null ? { ...cookie, value: masked } : masked,
      )
    : masked;

function hideParameter(given: unknown): unknown {
  if (typeof given !== 'object' || given === null) return given;
  const { name, value } = given as Record<string, unknown>;
  const isHidden = typeof name === 'string' && typeof value === 'string' && looksSecret(name, value);
  return isHidden ? { ...given, value: masked } : given;
}
