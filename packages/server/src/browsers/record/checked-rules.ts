/** Rules for requests, in one spelling, with the checks that a schema cannot make. */
import { judgeByName, normalizeDomain } from '../../egress/egress.ts';
import { maskHeaders } from '../../kit/mask-headers.ts';
import { invalid } from './invalid.ts';
import type { Policy } from './policy-schema.ts';
import type { RequestRule, RuleAction } from './rule-schema.ts';

const mostStars = 20;
/** Of all rules together: they are stored with the record and shown with it. */
const mostBodies = 1024 ** 2;

/** What Chromium or the connection decides, and what belongs to a cookie store. */
const notInRequests = new Set([
  ...['host', 'content-length', 'connection', 'keep-alive', 'transfer-encoding', 'te', 'trailer', 'upgrade'],
  ...['expect', 'cookie', 'cookie2', 'set-cookie', 'via'],
]);
const notInAnswers = new Set([
  ...['content-length', 'content-encoding', 'transfer-encoding', 'connection', 'keep-alive', 'trailer'],
  ...['upgrade', 'set-cookie', 'set-cookie2', 'location', 'refresh'],
]);
const ofChromium = /^(proxy|sec)-/;

type Path = (string | number)[];

export function checkedRules(policy: Policy): RequestRule[] {
  const refusal = judgeByName(policy);
  const rules = (policy.rules ?? []).map((rule, i) => {
    const path = ['policy', 'rules', i];
    checkAction(rule.do, [...path, 'do'], refusal);
    return { match: checkedMatch(rule.match, [...path, 'match']), do: rule.do };
  });
  const bodies = rules.reduce(
    (sum, { do: act }) => sum + (act.action === 'respond' ? (act.body ?? '').length : 0),
    0,
  );
  if (bodies > mostBodies)
    throw invalid(
      ['policy', 'rules'],
      `has bodies of more than ${mostBodies} characters altogether: upload large ones as files and name their fileId`,
    );
  return rules;
}

function checkedMatch(match: RequestRule['match'], path: Path): RequestRule['match'] {
  const { url, host, method } = match;
  return {
    ...match,
    ...(url !== undefined && { url: checkedGlob(url, [...path, 'url']) }),
    ...(host !== undefined && { host: checkedHost(host, [...path, 'host']) }),
    ...(method !== undefined && { method: method.toUpperCase() }),
  };
}

function checkedHost(host: string, path: Path): string {
  const normal = normalizeDomain(host);
  if (normal === undefined)
    throw invalid(path, 'is not a host such as example.com or 192.0.2.7 (no scheme, port or path)');
  return normal;
}

/** Addresses have no spaces, and their schemes and hosts are in lower case. */
function checkedGlob(glob: string, path: Path): string {
  const [, place = '', rest = ''] = /^([^/]*\/\/[^/]*)?(.*)$/s.exec(glob) ?? [];
  if (!/^(https?:|\*)/i.test(glob))
    throw invalid(
      path,
      'begins with http://, https:// or *. Rules do not see WebSockets: block them by `host`, with nothing else in `match`',
    );
  if (/[\s\p{Cc}#]/u.test(glob)) throw invalid(path, 'has a space, a control character or a fragment');
  const tidy = (place.toLowerCase() + rest).replace(/\*+/g, '*');
  if (tidy.split('*').length > mostStars + 1) throw invalid(path, `has more than ${mostStars} stars`);
  return tidy;
}

function checkAction(act: RuleAction, path: Path, refusal: ReturnType<typeof judgeByName>): void {
  if (act.action === 'respond') checkRespond(act, path);
  if (act.action === 'headers') {
    if (!act.set && !act.remove) throw invalid(path, 'needs `set` or `remove`');
    refuseNames(Object.keys(act.set ?? {}), notInRequests, [...path, 'set']);
    refuseNames(act.remove ?? [], notInRequests, [...path, 'remove']);
  }
  if (act.action === 'redirect') {
    const url = new URL(act.url);
    if (url.username || url.password) throw invalid([...path, 'url'], 'has a password in it: leave it out');
    const rule = refusal(url);
    if (rule)
      throw invalid(
        [...path, 'url'],
        `leads where this policy refuses to go (${rule}): allow it there first`,
      );
  }
}

function checkRespond(act: Extract<RuleAction, { action: 'respond' }>, path: Path): void {
  if (act.body !== undefined && act.fileId !== undefined)
    throw invalid(path, 'has `body` and `fileId`: give one of them');
  const { status = 200 } = act;
  if (status >= 300 && status < 400)
    throw invalid([...path, 'status'], 'is a redirect: use the action `redirect`');
  refuseNames(Object.keys(act.headers ?? {}), notInAnswers, [...path, 'headers']);
}

function refuseNames(names: readonly string[], refused: ReadonlySet<string>, path: Path): void {
  const name = names.find((each) => refused.has(each.toLowerCase()) || ofChromium.test(each.toLowerCase()));
  if (name)
    throw invalid(
      path,
      `may not name ${name}: Chromium decides it itself${/cookie/i.test(name) ? '; cookies are set with `cookies` or by the state of the browser' : ''}`,
    );
}

/** As their owner sees them: headers that look like credentials are masked. */
export const maskedRules = (rules: readonly RequestRule[]): RequestRule[] =>
  rules.map((rule) => {
    const { do: act } = rule;
    if (act.action === 'headers' && act.set) return { ...rule, do: { ...act, set: maskHeaders(act.set) } };
    if (act.action === 'respond' && act.headers)
      return { ...rule, do: { ...act, headers: maskHeaders(act.headers) } };
    return rule;
  });

/** The files that rules answer with. */
export const filesIn = (policy: Policy | undefined): string[] =>
  (policy?.rules ?? []).flatMap(({ do: act }) =>
    act.action === 'respond' && act.fileId !== undefined ? [act.fileId] : [],
  );
