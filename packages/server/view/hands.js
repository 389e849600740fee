// Mouse, wheel, touch and keyboard on the picture, as messages in the coordinates of the page it shows.
// Typing goes through an unseen text field, so that input methods and on-screen keyboards work.
const buttons = ['left', 'middle', 'right', 'back', 'forward'];
const modifiersOf = (event) =>
  (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0);

export function listenToHands({ screen, keys, say, allowed, size }) {
  const placeOf = ({ clientX, clientY }) => {
    const box = screen.getBoundingClientRect();
    const { width, height } = size();
    return {
      x: ((clientX - box.left) / box.width) * width,
      y: ((clientY - box.top) / box.height) * height,
    };
  };
  const on = (target, type, act, options) =>
    target.addEventListener(type, (event) => allowed() && act(event), options);

  const mouse = (kind) => (event) => {
    if (event.pointerType === 'touch') return;
    if (kind !== 'move') event.preventDefault();
    if (kind === 'down') {
      screen.setPointerCapture(event.pointerId);
      keys.focus({ preventScroll: true });
    }
    const button = kind === 'move' ? 'none' : buttons[event.button];
    const clicks = kind === 'move' ? 0 : Math.min(Math.max(clicksOf(event, kind), 1), 3);
    const { buttons: held } = event;
    say({
      type: 'mouse',
      kind,
      ...placeOf(event),
      button,
      buttons: held,
      clicks,
      modifiers: modifiersOf(event),
    });
  };
  // Pointer events do not count clicks.
  let last = { at: 0, x: 0, y: 0, count: 0 };
  const clicksOf = ({ timeStamp, clientX, clientY }, kind) => {
    if (kind === 'up') return last.count;
    const again = timeStamp - last.at < 500 && Math.hypot(clientX - last.x, clientY - last.y) < 5;
    last = { at: timeStamp, x: clientX, y: clientY, count: again ? last.count + 1 : 1 };
    return last.count;
  };
  on(screen, 'pointerdown', mouse('down'));
  on(screen, 'pointerup', mouse('up'));
  let moving = 0;
  on(screen, 'pointermove', (event) => {
    if (event.timeStamp - moving < 15 && event.buttons === 0) return;
    moving = event.timeStamp;
    mouse('move')(event);
  });
  on(screen, 'contextmenu', (event) => event.preventDefault());
  on(
    screen,
    'wheel',
    (event) => {
      event.preventDefault();
      const { deltaX, deltaY } = event;
      say({ type: 'mouse', kind: 'wheel', ...placeOf(event), deltaX, deltaY, modifiers: modifiersOf(event) });
    },
    { passive: false },
  );

  const touch = (kind) => (event) => {
    event.preventDefault();
    if (kind === 'start') keys.focus({ preventScroll: true });
    const points = [...event.touches].map((each) => ({ ...placeOf(each), id: each.identifier % 1000 }));
    say({ type: 'touch', kind, points, modifiers: modifiersOf(event) });
  };
  for (const kind of ['start', 'move', 'end', 'cancel'])
    on(screen, `touch${kind}`, touch(kind), { passive: false });

  const key = (kind) => (event) => {
    // What an input method is composing comes as text.
    if (event.isComposing || event.keyCode === 229) return;
    const pastes = kind === 'down' && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v';
    if (pastes) return;
    event.preventDefault();
    const { code, keyCode, location, repeat } = event;
    say({
      type: 'key',
      kind,
      key: event.key,
      code,
      keyCode,
      location,
      repeat,
      modifiers: modifiersOf(event),
    });
  };
  on(keys, 'keydown', key('down'));
  on(keys, 'keyup', key('up'));
  on(screen, 'focus', () => keys.focus({ preventScroll: true }));
  on(keys, 'paste', (event) => {
    event.preventDefault();
    say({ type: 'text', text: event.clipboardData.getData('text/plain') });
  });
  on(keys, 'compositionupdate', ({ data }) =>
    say({ type: 'compose', text: data, selectionStart: data.length, selectionEnd: data.length }),
  );
  on(keys, 'compositionend', ({ data }) => {
    say({ type: 'text', text: data });
    keys.value = '';
  });
  // On-screen keyboards press no keys: what they write is taken as it comes.
  on(keys, 'input', (event) => {
    if (!event.isComposing && event.data) say({ type: 'text', text: event.data });
    keys.value = '';
  });
}
