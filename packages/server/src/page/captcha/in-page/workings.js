// What tells a widget that nobody knows: names that say what it is for, and the parts that make it work.
export default (tools) => {
  const { attr, closest, find, findIn, formOf, isShown, matches, namesOf, shadow, shownText, tag, urlOf } =
    tools;
  const telling =
    /captcha|turnstile|arkose|botpoison|awswaf|mosparo|wicketkeeper|anubis|human[-_]?(check|challenge|verif)|(not[-_]?a|anti|no)[-_]?(ro)?bot|bot[-_]?(check|challenge|detection|protection)|proof[-_]?of[-_]?work|pow[-_](widget|challenge|token|solution)|vcode/i;
  // Cheaper than looking at every element; what it lets through too much is sorted out by `telling`.
  const tellingSelector =
    'captcha,turnstile,arkose,botpoison,awswaf,mosparo,wicketkeeper,anubis,human,bot,proof,pow,vcode'
      .split(',')
      .flatMap((word) => [`[id*="${word}" i]`, `[class*="${word}" i]`])
      .join(', ');
  const claim =
    /\b(not|no|kein|pas un|un)\b.{0,12}\b(ro)?bot(er)?\b|\b(am|are|you.re|i.m|be) (a )?human\b|verify (that )?(you|i)|human verification|не робот|人机|ロボットではありません/i;
  const slideClaim = /(slide|drag|swipe|hold|pull).{0,40}(verif|prove|human|robot)/i;
  const strongAnswer =
    /(captcha|robot|human|turnstile|mosparo|wicketkeeper|pow|proof)\w*[-_]*\w*(token|response|solution|answer|verif|output|ticket|result|payload|value|proof)|^\W*(captcha|proof)\W*$|fc-token|smart-token|botpoison/i;
  const weakAnswer = /token|response|solution|answer|verif|challenge|ticket|proof|captcha/i;
  const notAnAnswer =
    /csrf|xsrf|authenticity|enabled|version|sitekey|site_key|public|lang|theme|nonce|setting/i;
  const keyName = /(^|-)(site-?key|captcha-?(key|id)|public-?key|app-?id)$/i;

  const isTelling = (element) => telling.test(namesOf(element));
  const scriptsTell = find('script[src]').some((script) =>
    telling.test(urlOf(script).host + urlOf(script).pathname),
  );
  const isTyped = (field) =>
    matches(
      field,
      'input:not([type="hidden"], [type="checkbox"], [type="submit"], [type="button"], [type="range"]), textarea, select',
    ) && isShown(field);
  const isAnswer = (field, pattern) => {
    const names = [attr(field, 'name'), attr(field, 'id')];
    return (
      !isTyped(field) &&
      !matches(field, '[type="checkbox"], [type="submit"]') &&
      names.some((name) => name && pattern.test(name)) &&
      !names.some((name) => notAnAnswer.test(name))
    );
  };
  const answersIn = (element, pattern) =>
    findIn(element, 'input, textarea').filter((field) => isAnswer(field, pattern));
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
    const names = `${namesOf(frame)} ${attr(frame, 'title')}`;
    return telling.test(pathname) && (telling.test(names) || answersIn(around, strongAnswer).length > 0);
  };
  const isOwnFrame = (frame) => !/^https?:$/.test(urlOf(frame).protocol);
  const isPuzzlePart = (element) =>
    matches(element, 'canvas, [role="slider"], input[type="range"], [draggable="true"]') ||
    /slid\w*-?(btn|button|handle|block|track|bar|icon)|puzzle|drag/i.test(attr(element, 'class'));
  const textIn = (element) => (element instanceof HTMLElement ? shownText(element) : '');
  const isEmpty = (element) => !shadow(element) && element.childElementCount === 0 && textIn(element) === '';

  /** Pictures to choose from, and a hidden field for the choice. */
  const choices = (element) => {
    const hidden = findIn(element, 'input[type="hidden"]').filter(
      (field) => !notAnAnswer.test(attr(field, 'name')),
    );
    return hidden.length > 0 && findIn(element, 'img, canvas').filter((each) => isShown(each)).length >= 2
      ? hidden
      : [];
  };

  /** The parts that show that an element works as a widget. */
  function partsOf(element) {
    const text = textIn(element);
    const short = text.length <= 200 && !findIn(element, 'input, textarea, select').some(isTyped);
    const frames = findIn(element, 'iframe').filter(
      (frame) => isTellingFrame(frame) || (short && isOwnFrame(frame)),
    );
    const own = tag(element).includes('-');
    return [
      ...frames,
      ...answersIn(element, strongAnswer),
      ...(short ? [...answersIn(element, weakAnswer), ...choices(element)] : []),
      ...findIn(element, '*')
        .filter((part) => isPuzzlePart(part) && isShown(part))
        .slice(0, 2),
      ...(claim.test(text) ? findIn(element, 'input[type="checkbox"], [role="checkbox"]') : []),
      ...(own ? findIn(element, 'button, [role="button"]') : []),
    ];
  }

  /** What is in a closed shadow root does not show; that something is drawn there does. */
  const isClosed = (element) =>
    isEmpty(element) &&
    isShown(element, 100, 30) &&
    (scriptsTell || formOf(element) !== null || (tag(element).includes('-') && matches(element, ':defined')));

  const claims = (box) => {
    const label = closest(box, 'label') ?? box.parentElement ?? box;
    const text = textIn(label);
    return isShown(label) && text.length <= 120 && claim.test(`${text} ${attr(box, 'aria-label')}`);
  };
  const asksToSlide = (element) => {
    const text = textIn(element);
    return text.length <= 120 && slideClaim.test(text) && isShown(element, 60, 15);
  };

  return {
    answersIn,
    asksToSlide,
    claims,
    isClosed,
    isTelling,
    isTellingFrame,
    keyOf,
    partsOf,
    scriptsTell,
    strongAnswer,
    telling,
    tellingSelector,
    textIn,
    weakAnswer,
  };
};
