// What is done to a captcha that a look has found, by its number. Places are counted from the corner of the frame.
export default (tools) => {
  const { find, findIn, formOf, rectOf } = tools;
  const itemOf = (number) => globalThis.browserdCaptchas?.[number];
  const boxOf = (element) => {
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' });
    const { left, top, width, height } = rectOf(element);
    return { x: left, y: top, width, height };
  };
  const write = (field, value) => {
    const { prototype } = field instanceof HTMLTextAreaElement ? HTMLTextAreaElement : HTMLInputElement;
    Object.getOwnPropertyDescriptor(prototype, 'value').set.call(field, value);
    for (const type of ['input', 'change']) field.dispatchEvent(new Event(type, { bubbles: true }));
  };
  return {
    target: (number) => {
      const element = itemOf(number)?.target;
      // Frames and bare boxes have their check box on the left.
      return (
        element && {
          ...boxOf(element),
          atLeft: ['IFRAME', 'DIV'].includes(element.tagName) || element.tagName.includes('-'),
        }
      );
    },
    picture: (number) => itemOf(number)?.picture && boxOf(itemOf(number).picture),
    clear: (number) => {
      const field = itemOf(number)?.field;
      if (field) write(field, '');
    },
    /** Into every field of that name that the widget has; how many there were. */
    answer: (number, names, value) => {
      const item = itemOf(number);
      if (!item) return 0;
      const selector = names.map((name) => `[name="${CSS.escape(name)}"]`).join(', ');
      const around = formOf(item.root);
      const fields = new Set([
        ...(item.field ? [item.field] : []),
        ...(selector ? findIn(item.root, selector) : []),
        ...(selector ? (around ? findIn(around, selector) : find(selector)) : []),
      ]);
      for (const field of fields) write(field, value);
      return fields.size;
    },
    mark: (text) => tools.markOf(text),
    root: (number) => itemOf(number)?.root,
  };
};
