// Whether something shows success: a ticked box, a state, a class that says so.
export default (tools, root) => {
  const { attr, findIn, isShown, matches } = tools;
  if (!root) return false;
  const says = /(^|[-_ ])(verified|success|solved|passed|completed?)([-_ ]|$)/i;
  return [root, ...findIn(root, '[aria-checked], [data-state], [class], input[type="checkbox"]')].some(
    (part) =>
      attr(part, 'aria-checked') === 'true' ||
      (matches(part, 'input[type="checkbox"]') && part.checked === true) ||
      ((says.test(attr(part, 'data-state')) || says.test(attr(part, 'class'))) && isShown(part)),
  );
};
