// Widgets that nobody told us about: what goes by a telling name and also has the workings of a widget. A name alone
// is a mention, workings alone are any form.
export default (tools, taken, { shows, workings }) => {
  const {
    custom,
    describe,
    find,
    findIn,
    formOf,
    isInside,
    isQuoted,
    isShown,
    matches,
    rectOf,
    sizeOf,
    valueIn,
    attr,
  } = tools;
  const signs = workings(tools);
  const { answersIn, keyOf, isTellingFrame, partsOf, scriptsTell, strongAnswer, weakAnswer, textIn } = signs;
  const longestText = 600;
  const largest = 1500;
  const mostNamed = 200;

  function isWidget(element) {
    if (sizeOf(element) > largest || textIn(element).length > longestText) return false;
    const keyed = keyOf(element) !== undefined;
    const parts = partsOf(element);
    if (isShown(element, 20, 15)) return keyed || parts.length > 0 || signs.isClosed(element);
    // What does not show must at least be run by somebody.
    return scriptsTell && (keyed || answersIn(element, strongAnswer).length > 0);
  }

  const neverWidgets =
    'html, body, main, article, nav, header, footer, a, input, textarea, script, link, style, meta, img, label, iframe, form';
  const named = [...find(signs.tellingSelector), ...custom.filter((element) => !isQuoted(element))]
    .filter(
      (element) =>
        signs.isTelling(element) &&
        !matches(element, neverWidgets) &&
        (!matches(element, 'button') || keyOf(element) !== undefined),
    )
    .slice(0, mostNamed)
    .filter(isWidget);
  const frames = find('iframe').filter((frame) => isTellingFrame(frame) && isShown(frame, 20, 15));
  const ticks = find('input[type="checkbox"], [role="checkbox"]').filter(signs.claims);
  const sliders = find('[class*="slid" i], [class*="drag" i], [role="slider"]')
    .slice(0, mostNamed)
    .filter(signs.asksToSlide);
  const fields = scriptsTell
    ? find('input, textarea').filter((field) =>
        answersIn(field.parentElement ?? field, strongAnswer).includes(field),
      )
    : [];
  // Forms that a script guards without showing anything.
  const guarded = scriptsTell
    ? find('form').filter(
        (form) =>
          keyOf(form) !== undefined &&
          signs.telling.test(Element.prototype.getAttributeNames.call(form).join(' ')),
      )
    : [];
  // A question in words, or a picture that has not come yet.
  const asked = find('input').filter(
    (field) =>
      [attr(field, 'name'), attr(field, 'id')].some((name) =>
        /(^|[-_.[])captcha\]?([-_]?(code|answer|input|text|value|response|field|word|result|solution))?\]?$/i.test(
          name,
        ),
      ) &&
      matches(field, ':not([type]), [type="text"], [type="number"], [type="tel"]') &&
      isShown(field),
  );

  const inSameForm = (one, other) => formOf(one) !== null && formOf(one) === formOf(other);
  const isTaken = (element) =>
    taken.some(
      ({ root, field }) =>
        isInside(root, element) ||
        isInside(element, root) ||
        (field && isInside(element, field)) ||
        inSameForm(root, element),
    );
  /** All that belongs together is one widget, and its outermost part stands for it. */
  const groups = [];
  for (const root of [...named, ...frames, ...ticks, ...sliders, ...fields, ...guarded, ...asked]) {
    if (isTaken(root)) continue;
    const same = groups.find(
      (group) => isInside(group.root, root) || isInside(root, group.root) || inSameForm(root, group.root),
    );
    if (!same) groups.push({ root, all: [root] });
    else {
      if (isInside(root, same.root)) same.root = root;
      same.all.push(root);
    }
  }

  /** Never what would send the form off. */
  const sendsOff = (part) =>
    part instanceof HTMLButtonElement && part.type === 'submit' && part.form !== null;
  const clickableIn = (root) =>
    [
      ...findIn(root, 'input[type="checkbox"], [role="checkbox"]'),
      ...[root, ...findIn(root, 'iframe')].filter((part) => matches(part, 'iframe')),
      ...findIn(root, 'button, [role="button"]'),
    ].find((part) => isShown(part) && !sendsOff(part));

  return groups.map(({ root, all }) => {
    const parts = partsOf(root);
    const around = formOf(root);
    const answers = [...answersIn(root, weakAnswer), ...(around ? answersIn(around, strongAnswer) : [])];
    const { width, height } = rectOf(root);
    const frame = [root, ...findIn(root, 'iframe')].find(
      (part) => matches(part, 'iframe') && isTellingFrame(part),
    );
    return {
      type: 'unknown',
      root,
      field: answers[0],
      frame,
      sitekey: [root, ...all, ...parts, ...findIn(root, '*')].map(keyOf).find((key) => key),
      target: matches(root, 'form, input') ? undefined : (clickableIn(root) ?? root),
      value: answers.map(valueIn).find((value) => value !== '') ?? '',
      verified: shows(tools, root),
      invisible: width < 8 || height < 8 || matches(root, 'form'),
      automatic: true,
      seen: [...new Set([root, ...all, ...parts, ...answers])].slice(0, 6).map(describe),
    };
  });
};
