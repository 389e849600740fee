// One look at one document: every captcha in it, as plain data. The elements stay here, under the same numbers, for
// those who want to click or type (see hands.js).
export default (tools, readers) => {
  const {
    attr,
    closest,
    find,
    findIn,
    formOf,
    isInside,
    isShown,
    markOf,
    shownText,
    textOf,
    urlOf,
    describe,
    matches,
  } = tools;
  const known = readers.known(tools);
  const images = readers
    .images(tools)
    .filter(
      ({ root, field }) => !known.some((item) => isInside(item.root, root) || isInside(item.root, field)),
    );
  const items = [...known, ...images, ...readers.unknown(tools, [...known, ...images], readers)];

  /** Pages that stand before another page, by their own marks. */
  const gates = [
    {
      type: 'cloudflare-turnstile',
      marks:
        '#challenge-form, #challenge-running, #challenge-stage, #challenge-error-text, #cf-challenge-running',
      script: /\/cdn-cgi\/challenge-platform\/h\/.*\/orchestrate\//,
      text: /_cf_chl_opt/,
    },
    {
      type: 'unknown',
      marks:
        '#px-captcha, form#captcha-form, #anubis_challenge, iframe[src*="_Incapsula_Resource"], iframe[src*="captcha-delivery.com"]',
      script: /captcha-delivery\.com|awswaf\.com\/.*(challenge|captcha)\.js/,
      text: /awsWafCookieDomainList/,
    },
  ];
  const scripts = find('script');
  const gateOf = ({ marks, script, text }) =>
    find(marks)[0] ??
    scripts.find((each) =>
      attr(each, 'src') ? script.test(urlOf(each).href) : text.test(textOf(each).slice(0, 100_000)),
    );
  const [body] = find('body');
  let gated = false;
  for (const gate of gates) {
    const mark = gateOf(gate);
    if (!mark || !body) continue;
    gated = true;
    if (items.length === 0)
      items.push({
        type: gate.type,
        root: body,
        target: undefined,
        value: '',
        automatic: true,
        invisible: true,
        seen: [describe(mark)],
      });
  }

  const words =
    /(verify|verifying|confirm|prove|check(ing)?|make sure|making sure).{0,60}(human|robot|bot\b|browser|connection)|(human|robot|bot)\b.{0,40}(verification|check)|are you (a )?(human|robot)|just a moment|unusual traffic|security (check|verification)|access (to this page )?(has been )?denied|complete the .{0,20}(captcha|challenge|check)|before you (continue|proceed)|to continue/i;
  /** The page is nothing but the challenge: nothing else to fill in, hardly any text, and that speaks of checking. */
  const isOnly = ({ root, field }) => {
    if (!body) return false;
    const others = findIn(
      body,
      'input:not([type="hidden"], [type="submit"], [type="button"], [type="checkbox"]), textarea, select',
    ).filter((each) => each !== field && isShown(each) && !isInside(root, each));
    const own = root instanceof HTMLElement ? shownText(root) : '';
    const text = shownText(body).replace(own, ' ').trim();
    const links = findIn(body, 'a[href]').filter((each) => isShown(each) && !isInside(root, each));
    return (
      others.length === 0 &&
      text.length <= 800 &&
      links.length <= 8 &&
      words.test(`${document.title} ${text}`)
    );
  };

  globalThis.browserdCaptchas = items;
  return {
    ready: document.readyState === 'complete',
    frames: find('iframe, frame').length,
    verified: readers.shows(tools, body),
    items: items.slice(0, 20).map((item, number) => ({
      number,
      type: item.type,
      sitekey: item.sitekey?.slice(0, 500),
      blocking: gated || (!item.invisible && isOnly(item)),
      response: item.value === '' ? undefined : markOf(item.value),
      verified: item.verified,
      confirmed: item.confirmed === true,
      typed: item.typed === true,
      working: item.working === true,
      automatic: item.automatic === true,
      invisible: item.invisible === true,
      clickable: Boolean(item.target && isShown(item.target)),
      inForm: formOf(item.root) !== null,
      problem: item.problem,
      frameUrl: item.frame && urlOf(item.frame).href,
      seen: item.seen,
      callback:
        attr(closest(item.root, '[data-callback]') ?? item.root, 'data-callback').slice(0, 200) || undefined,
      action: attr(item.root, 'data-action').slice(0, 200) || undefined,
      hasField: item.field !== undefined && matches(item.field, 'input, textarea'),
    })),
  };
};
