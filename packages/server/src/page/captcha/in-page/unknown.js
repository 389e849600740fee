// Widgets that nobody told us about: what goes by a telling name and also has the workings of a widget. A name alone
// is a mention, workings alone are any form.
(tools, taken, shows) => {
  const {
    attr,
    closest,
    custom,
    describe,
    find,
    findIn,
    formOf,
    isInside,
    isQuoted,
    isShown,
    matches,
    namesOf,
    rectOf,
    shadow,
    shownText,
    sizeOf,
    tag,
    urlOf,
    valueIn,
  } = tools;
  const telling =
    /captcha|turnstile|arkose|botpoison|awswaf|mosparo|wicketkeeper|anubis|human[-_]?(check|challenge|verif)|(not[-_]?a|anti|no)[-_]?(ro)?bot|bot[-_]?(check|challenge|detection|protection)|proof[-_]?of[-_]?work|pow[-_](widget|challenge|token|solution)|vcode/i;
  // Cheaper than looking at every element; what it lets through too much is sorted out below.
  const tellingNames =
    'captcha,turnstile,arkose,botpoison,awswaf,mosparo,wicketkeeper,anubis,human,bot,proof,pow,vcode'
      .split(',')
      .flatMap((word) => [`[id*="${word}" i]`, `[class*="${word}" i]`])
      .join(', ');
  const claim =
    /\b(not|no|kein|pas un|un)\b.{0,12}\b(ro)?bot(er)?\b|\b(am|are|you.re|i.m|be) (a )?human\b|verify (that )?(you|i)|human verification|не робот|人机|ロボットではありません/i;
  const strongAnswer =
    /captcha|robot|human|turnstile|fc-token|smart-token|botpoison|mosparo|wicketkeeper|pow[-_]|proof/i;
  const weakAnswer = /token|response|solution|answer|verif|challenge|ticket|proof/i;
  const notAnAnswer = /csrf|xsrf|authenticity|enabled|version|sitekey|site_key|public|lang|theme/i;
  const keyName = /^(data-)?(site-?key|captcha-?(key|id)|public-?key|app-?id)$/i;
  const longestText = 600;
  const largest = 1500;

  const isTelling = (element) => telling.test(namesOf(element));
  const scriptsTell = find('script[src]').some((script) =>
    telling.test(urlOf(script).host + urlOf(script).pathname),
  );
  const isTyped = (field) =>
    matches(
      field,
      'input:not([type="hidden"], [type="checkbox"], [type="submit"], [type="button"]), textarea, select',
    ) && isShown(field);
  const answersIn = (element, pattern) =>
    findIn(element, 'input, textarea').filter((field) => {
      const name = `${attr(field, 'name')} ${attr(field, 'id')}`;
      return (
        !isTyped(field) &&
        !matches(field, '[type="checkbox"], [type="submit"]') &&
        pattern.test(name) &&
        !notAnAnswer.test(name)
      );
    });
  const keyOf = (element) =>
    Element.prototype.getAttributeNames
      .call(element)
      .filter((name) => keyName.test(name))
      .map((name) => attr(element, name))
      .find((value) => value.length >= 6);
  const isTellingFrame = (frame) => {
    const { protocol, host, pathname } = urlOf(frame);
    if (!/^https?:$/.test(protocol)) return false;
    if (telling.test(host)) return true;
    const around = formOf(frame) ?? frame.parentElement ?? frame;
    return (
      telling.test(pathname) &&
      (telling.test(`${namesOf(frame)} ${attr(frame, 'title')}`) ||
        answersIn(around, strongAnswer).length > 0)
    );
  };
  const isOwnFrame = (frame) => !/^https?:$/.test(urlOf(frame).protocol);
  const isPuzzlePart = (element) =>
    matches(element, 'canvas, [role="slider"], input[type="range"], [draggable="true"]') ||
    /slid\w*-?(btn|button|handle|block|track|bar|icon)|puzzle|drag/i.test(attr(element, 'class'));

  /** What shows that an element works as a widget. */
  function workings(element) {
    const text = element instanceof HTMLElement ? shownText(element) : '';
    const typed = findIn(element, 'input, textarea, select').filter(isTyped);
    const boxes = findIn(element, 'input[type="checkbox"], [role="checkbox"]');
    const strong = answersIn(element, strongAnswer);
    const weak = typed.length === 0 && text.length <= 200 ? answersIn(element, weakAnswer) : [];
    const frames = findIn(element, 'iframe').filter(
      (frame) => isTellingFrame(frame) || (isOwnFrame(frame) && typed.length === 0),
    );
    const puzzle = findIn(element, '*')
      .filter((part) => isPuzzlePart(part) && isShown(part))
      .slice(0, 2);
    const own = tag(element).includes('-');
    const hollow = own && matches(element, ':defined') && !shadow(element) && element.childElementCount === 0;
    const buttons = own ? findIn(element, 'button, [role="button"]') : [];
    const ticked = claim.test(text) ? boxes : [];
    const parts = [...frames, ...strong, ...weak, ...puzzle, ...ticked, ...buttons];
    const works = parts.length > 0 || keyOf(element) !== undefined || (hollow && isShown(element, 20, 15));
    return { works, parts, text };
  }

  function isWidget(element) {
    if (sizeOf(element) > largest) return false;
    const { works, text } = workings(element);
    if (text.length > longestText || matches(element, 'html, body, main, article, nav, header, footer, a'))
      return false;
    if (isShown(element, 20, 15))
      return works || (scriptsTell && text.length <= 200 && findIn(element, 'a[href], img, p').length === 0);
    return (
      works && scriptsTell && (keyOf(element) !== undefined || answersIn(element, strongAnswer).length > 0)
    );
  }

  const named = [...find(tellingNames), ...custom.filter((element) => !isQuoted(element))]
    .filter(
      (element) =>
        isTelling(element) &&
        !matches(element, 'input, textarea, script, link, style, meta, img, label, iframe, a, form, button'),
    )
    .slice(0, 200)
    .filter(isWidget);
  const frames = find('iframe').filter((frame) => isTellingFrame(frame) && isShown(frame, 20, 15));
  const ticks = find('input[type="checkbox"], [role="checkbox"]').filter((box) => {
    const label = closest(box, 'label') ?? box.parentElement;
    const text = label instanceof HTMLElement ? shownText(label) : '';
    return isShown(label ?? box) && text.length <= 120 && claim.test(`${text} ${attr(box, 'aria-label')}`);
  });
  const fields = scriptsTell ? answersIn(document, strongAnswer).filter((field) => !isQuoted(field)) : [];

  const isTaken = (element) =>
    taken.some(
      ({ root, field }) =>
        isInside(root, element) ||
        isInside(element, root) ||
        (field && isInside(element, field)) ||
        (formOf(root) !== null && formOf(root) === formOf(element)),
    );
  const groups = [];
  for (const root of [...named, ...frames, ...ticks, ...fields]) {
    if (isTaken(root)) continue;
    const same = groups.find(
      (group) =>
        isInside(group.root, root) ||
        isInside(root, group.root) ||
        (formOf(root) !== null && formOf(root) === formOf(group.root)),
    );
    if (!same) groups.push({ root, all: [root] });
    else {
      if (isInside(root, same.root)) same.root = root;
      same.all.push(root);
    }
  }

  return groups.map(({ root, all }) => {
    const { parts } = workings(root);
    const around = formOf(root);
    const answers = [
      ...answersIn(root, weakAnswer),
      ...answersIn(root, strongAnswer),
      ...(around ? answersIn(around, strongAnswer) : []),
    ];
    const clickable = [
      ...findIn(root, 'input[type="checkbox"], [role="checkbox"]'),
      ...[root, ...findIn(root, 'iframe')].filter((part) => matches(part, 'iframe')),
      ...findIn(root, 'button, [role="button"]'),
    ].find((part) => isShown(part));
    const frame = [root, ...findIn(root, 'iframe')].find(
      (part) => matches(part, 'iframe') && isTellingFrame(part),
    );
    const box = rectOf(root);
    return {
      type: 'unknown',
      root,
      field: answers[0],
      frame,
      sitekey:
        [root, ...all, ...parts].map(keyOf).find((key) => key) ??
        findIn(root, '*')
          .map(keyOf)
          .find((key) => key),
      target: clickable ?? root,
      value: answers.map(valueIn).find((value) => value !== '') ?? '',
      verified: shows(tools, root),
      invisible: box.width < 8 || box.height < 8,
      automatic: true,
      seen: [...new Set([root, ...all, ...parts, ...answers])].slice(0, 6).map(describe),
    };
  });
};
