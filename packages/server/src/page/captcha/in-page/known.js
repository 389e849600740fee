// The widgets that are known by name, each told by what it puts into a page: its container, its frame, its response
// field. `root` is the element that stands for the widget, `target` what a person would click.
export default (tools) => {
  const { above, attr, closest, describe, find, findIn, formOf, isInside, matches, tag, urlOf, valueIn } =
    tools;
  const iframes = find('iframe');
  const scripts = find('script[src]').map(urlOf);
  const addressOf = (element) => urlOf(element).host + urlOf(element).pathname;
  const scripted = (pattern) => scripts.some(({ host, pathname }) => pattern.test(host + pathname));

  /** The response field that belongs to a widget: within it, in its form, or the only one of the page. */
  const fieldOf = (root, selector) => {
    const [inside] = findIn(root, selector);
    const form = formOf(root);
    const [inForm] = form ? findIn(form, selector) : [];
    return inside ?? inForm ?? (form ? undefined : find(selector)[0]);
  };

  const google = /(^|\.)(google\.[a-z.]+|recaptcha\.net)\/recaptcha\/(api2|enterprise)\/anchor/;
  const keyIn = (url, names) => {
    const all = new URLSearchParams(`${url.search.slice(1)}&${url.hash.slice(1)}`);
    return names.map((name) => all.get(name)).find((value) => value);
  };

  const kinds = [
    {
      type: 'hcaptcha',
      container: '.h-captcha[data-sitekey]',
      frame: /(^|\.)hcaptcha\.com\//,
      script: /(^|\.)hcaptcha\.com\/.*api\.js/,
      field: '[name="h-captcha-response"]',
      keys: ['sitekey'],
      filled: (root) =>
        findIn(root, 'iframe[data-hcaptcha-response]').map((frame) =>
          attr(frame, 'data-hcaptcha-response'),
        )[0],
      invisible: (root) => attr(root, 'data-size') === 'invisible',
    },
    {
      type: 'cloudflare-turnstile',
      container: '.cf-turnstile[data-sitekey]',
      frame: /^challenges\.cloudflare\.com\//,
      script: /^challenges\.cloudflare\.com\/turnstile\//,
      field: '[name="cf-turnstile-response"]',
      keys: ['sitekey', 'k'],
      keyOf: (url) => url.pathname.split('/').find((part) => /^0x[\w-]{20,}$/.test(part)),
      automatic: () => true,
    },
    {
      type: 'altcha',
      container: 'altcha-widget',
      works: (root) => matches(root, ':defined') || /challenge/.test(attrNames(root)),
      field: 'input[name="altcha"]',
      fieldIn: (root) => `input[name="${CSS.escape(attr(root, 'name') || 'altcha')}"]`,
      automatic: (root) => ['onload', 'onfocus'].includes(attr(root, 'auto')),
      verified: (root) => stateOf(root) === 'verified',
      working: (root) => stateOf(root) === 'verifying',
      problem: (root) => (['error', 'expired'].includes(stateOf(root)) ? stateOf(root) : undefined),
      // The box itself lies below what catches its clicks.
      target: (root) => findIn(root, 'label').find((label) => tools.isShown(label)),
    },
    {
      type: 'cap',
      container: 'cap-widget',
      works: (root) => matches(root, ':defined') || /data-cap-api-endpoint/.test(attrNames(root)),
      field: 'input[name="cap-token"]',
      fieldIn: (root) =>
        `input[name="${CSS.escape(attr(root, 'data-cap-hidden-field-name') || 'cap-token')}"]`,
      verified: (root) => stateOf(root) === 'done',
      working: (root) => stateOf(root) === 'verifying',
      problem: (root) => (stateOf(root) === 'error' ? 'error' : undefined),
      target: (root) => findIn(root, '.captcha [part="trigger"], .captcha')[0],
    },
    {
      type: 'friendly-captcha',
      container: '.frc-captcha',
      works: (root) =>
        attr(root, 'data-sitekey') !== '' || findIn(root, '.frc-container, iframe, input').length > 0,
      frame: /(^|\.)(frcapi|friendlycaptcha)\.(com|eu)\//,
      field: '[name="frc-captcha-solution"], [name="frc-captcha-response"]',
      fieldIn: (root) => {
        const name = attr(root, 'data-solution-field-name') || attr(root, 'data-form-field-name');
        return name && `[name="${CSS.escape(name)}"]`;
      },
      automatic: (root) => attr(root, 'data-start') === 'auto',
      verified: (root) =>
        findIn(root, '.frc-container').length > 0 ? findIn(root, '.frc-success').length > 0 : undefined,
      working: (root) =>
        findIn(root, '.frc-progress').length > 0 && findIn(root, '.frc-success').length === 0,
      target: (root) => findIn(root, '.frc-button, button')[0],
      problem: (_, value) => (/^\.\w*(ERROR|EXPIRED)/.test(value) ? value.slice(1) : undefined),
      // What is not solved yet begins with a dot: `.UNSTARTED`.
      isResponse: (value) => value !== '' && !value.startsWith('.'),
    },
    {
      type: 'geetest',
      container: '.geetest_captcha, .geetest_holder, .geetest_box_wrap',
      script: /(^|\.)(geetest|geevisit)\.com\//,
      field: '[name="geetest_validate"], [name="captcha_output"]',
      keyOf: () => scripts.map((url) => keyIn(url, ['captcha_id', 'gt'])).find((key) => key),
      verified: (root) =>
        matches(root, '.geetest_lock_success, .geetest_success') ||
        findIn(root, '.geetest_lock_success, .geetest_success, .geetest_success_animate').length > 0,
      confirmed: true,
      target: (root) => findIn(root, '.geetest_btn_click, .geetest_radar_btn, .geetest_radar_tip')[0],
    },
  ];

  const attrNames = (element) => Element.prototype.getAttributeNames.call(element).join(' ');
  const stateOf = (root) =>
    attr(
      [root, ...findIn(root, '[data-state]')].findLast((each) => attr(each, 'data-state')) ?? root,
      'data-state',
    );

  function itemOf(kind, root, frame) {
    const fieldSelector = kind.fieldIn?.(root) || kind.field;
    const field = fieldOf(root, fieldSelector);
    const value = (field && valueIn(field)) || kind.filled?.(root) || '';
    const url = frame && urlOf(frame);
    const sitekey =
      attr(root, 'data-sitekey') ||
      attr(root, 'sitekey') ||
      (url && (kind.keyOf?.(url) ?? keyIn(url, kind.keys ?? []))) ||
      (!url && kind.keyOf?.(new URL('about:blank')));
    return {
      type: kind.type,
      root,
      field,
      sitekey: sitekey || undefined,
      target: kind.target?.(root) ?? frame ?? root,
      frame,
      value: (kind.isResponse ?? Boolean)(value) ? value : '',
      verified: kind.verified?.(root),
      confirmed: kind.confirmed,
      working: kind.working?.(root) ?? false,
      automatic: kind.automatic?.(root) ?? false,
      invisible: kind.invisible?.(root) ?? false,
      problem: kind.problem?.(root, value),
      seen: [root, frame, field].filter((each, at, all) => each && all.indexOf(each) === at).map(describe),
    };
  }

  /** The smallest element around a frame or field that holds nothing but the widget. */
  const wrapped = (element) => {
    let root = element;
    for (
      let at = above(element);
      at &&
      findIn(at, 'input:not([type="hidden"]), p, h1, h2').length === 0 &&
      !matches(at, 'form, body, html');
      at = above(at)
    )
      root = at;
    return root;
  };

  function widgetsOf(kind) {
    const containers = find(kind.container)
      .filter((root) => kind.works?.(root) ?? true)
      .filter(
        (root) =>
          !closest(above(root) ?? root, kind.container) ||
          !isInside(closest(above(root) ?? root, kind.container), root),
      );
    const frames = kind.frame ? iframes.filter((frame) => kind.frame.test(addressOf(frame))) : [];
    const items = containers.map((root) =>
      itemOf(
        kind,
        root,
        frames.find((frame) => isInside(root, frame)),
      ),
    );
    const taken = (element) =>
      items.some(
        ({ root, field }) =>
          isInside(root, element) ||
          field === element ||
          (formOf(root) !== null && formOf(root) === formOf(element)),
      );
    for (const frame of frames) {
      // The large frame of a challenge hangs at the end of the page, away from its check box.
      if (
        taken(frame) ||
        items.some(
          (item) =>
            item.frame && keyIn(urlOf(item.frame), kind.keys ?? []) === keyIn(urlOf(frame), kind.keys ?? []),
        )
      )
        continue;
      items.push(itemOf(kind, wrapped(frame), frame));
    }
    if (kind.script && scripted(kind.script))
      for (const field of find(kind.field)) if (!taken(field)) items.push(itemOf(kind, wrapped(field)));
    return items;
  }

  function recaptchas() {
    const kind = { field: 'textarea[name="g-recaptcha-response"]', keys: ['k'] };
    const anchors = iframes.filter((frame) => google.test(addressOf(frame)));
    const containers = find('.g-recaptcha[data-sitekey]');
    const configured = scripts
      .filter(({ host, pathname }) => /\/recaptcha\/(api|enterprise)\.js$/.test(host + pathname))
      .map((url) => url.searchParams.get('render'))
      .filter((key) => key && !['explicit', 'onload'].includes(key));
    const items = containers.map((root) => ({
      ...itemOf(
        kind,
        root,
        anchors.find((frame) => isInside(root, frame)),
      ),
      type: 'recaptcha-v2',
      invisible: attr(root, 'data-size') === 'invisible' || tag(root) === 'button',
    }));
    for (const frame of anchors) {
      const key = keyIn(urlOf(frame), ['k']);
      if (items.some(({ root, sitekey }) => isInside(root, frame) || sitekey === key)) continue;
      const unseen = keyIn(urlOf(frame), ['size']) === 'invisible';
      const type =
        unseen && (configured.length === 0 || configured.includes(key)) ? 'recaptcha-v3' : 'recaptcha-v2';
      items.push({
        ...itemOf(kind, closest(frame, '.grecaptcha-badge') ?? wrapped(frame), frame),
        type,
        invisible: unseen,
      });
    }
    for (const key of configured)
      if (!items.some(({ sitekey }) => sitekey === key)) {
        const script = find('script[src]').find((each) => urlOf(each).searchParams.get('render') === key);
        items.push({ ...itemOf(kind, script), type: 'recaptcha-v3', sitekey: key, invisible: true });
      }
    for (const item of items) if (item.type === 'recaptcha-v3') item.automatic = true;
    return items;
  }

  return [...kinds.flatMap(widgetsOf), ...recaptchas()];
};
