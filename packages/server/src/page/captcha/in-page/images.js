// A picture with characters and a field to type them into. Neither alone is a captcha: a picture may illustrate an
// article, and a code may come by mail.
export default (tools) => {
  const {
    above,
    attr,
    describe,
    find,
    findIn,
    formOf,
    isShown,
    matches,
    namesOf,
    rectOf,
    shownText,
    valueIn,
  } = tools;
  const names = /captcha|kaptcha|vcode|seccode|imgcode|verif\w*[-_ ]?(img|image|pic)|anti-?spam/i;
  const asks =
    /captcha|kaptcha|vcode|seccode|imgcode|(code|letters|characters|text|numbers|digits|word).{0,30}(image|picture|shown|above|below|see)|验证码|капч|код с картинки/i;
  const hints = ['name', 'id', 'class', 'placeholder', 'aria-label', 'title'];

  const labelOf = (field) => {
    const id = attr(field, 'id');
    const [named] = id ? find(`label[for="${CSS.escape(id)}"]`) : [];
    const label = named ?? tools.closest(field, 'label');
    return label ? shownText(label).slice(0, 200) : '';
  };
  const asksFor = (field) => asks.test([...hints.map((name) => attr(field, name)), labelOf(field)].join(' '));
  const isPicture = (element) => {
    const { width, height } = rectOf(element);
    return width >= 40 && width <= 700 && height >= 15 && height <= 300 && isShown(element);
  };
  const saysSo = (picture) =>
    names.test([namesOf(picture), attr(picture, 'src').slice(0, 500), attr(picture, 'alt')].join(' '));

  /** From the field outwards, until there is a picture. */
  const pictureFor = (field) => {
    const form = formOf(field);
    for (let around = above(field), steps = 0; around && steps < 6; around = above(around), steps++) {
      const pictures = findIn(around, 'img, canvas, svg').filter(isPicture);
      const named = pictures.find(saysSo);
      if (named ?? pictures.length === 1) return named ?? pictures[0];
      if (around === form || matches(around, 'body')) return undefined;
    }
    return undefined;
  };

  const fields = find('input').filter(
    (field) =>
      matches(field, ':not([type]), [type="text"], [type="tel"], [type="number"], [type="search"]') &&
      isShown(field) &&
      asksFor(field),
  );
  return fields.flatMap((field) => {
    const picture = pictureFor(field);
    if (!picture) return [];
    return {
      type: 'image',
      root: picture,
      field,
      picture,
      target: field,
      value: '',
      typed: valueIn(field) !== '',
      seen: [picture, field].map(describe),
    };
  });
};
