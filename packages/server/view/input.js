// Mouse, wheel, touch and keyboard input on the picture, sent as messages in the coordinates of the page that it shows.
// Text is typed into an invisible text field, so that input methods and on-screen keyboards work.
const buttons = ['left', 'middle', 'right', 'back', 'forward'];
const modifiersOf = (event) =>
  (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0);

export function sendInput({ screen, keys, send, allowed, size }) {
  const positionOf = ({ clientX, clientY }) => {
    const box = screen.getBoundingClientRect();
    const { width, height } = size();
    return {
      x: ((clientX - box.left) / box.width) * width,
      y: ((clientY - box.top) / box.height) * height,
    };
  };
  const on = (target, type, handle, options) =>
    target.addEventListener(type, (event) => allowed() && handle(event), options);

  const mouse = (kind) => (event) => {
    if (event.pointerType === 'touch') return;
    if (kind !== 'move') event.preventDefault();
    if (kind === 'down') {
      screen.setPointerCapture(event.pointerId);
      keys.focus({ preventScroll: true });
    }
    const button = kind === 'move' ? 'none' : buttons[event.button];
    const clicks = kind === 'move' ? 0 : Math.min(Math.max(clicksOf(event, kind), 1), 3);
    const { buttons: pressed } = event;
    send({
      type: 'mouse',
      kind,
      ...positionOf(event),
      button,
      buttons: pressed,
      clicks,
      modifiers: modifiersOf(event),
    });
  };
  // Pointer events do not count clicks, so they are counted here.
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
      send({
        type: 'mouse',
        kind: 'wheel',
        ...positionOf(event),
        deltaX,
        deltaY,
        modifiers: modifiersOf(event),
      });
    },
    { passive: false },
  );

  const touch = (kind) => (event) => {
    event.preventDefault();
    if (kind === 'start') keys.focus({ preventScroll: true });
    const points = [...event.touches].map((each) => ({ ...positionOf(each), id: each.identifier % 1000 }));
    send({ type: 'touch', kind, points, modifiers: modifiersOf(event) });
  };
  for (const kind of ['start', 'move', 'end', 'cancel'])
    on(screen, `touch${kind}`, touch(kind), { passive: false });

  const key = (kind) => (event) => {
    // Text that an input method composes is sent when it is complete.
    if (event.isComposing || event.keyCode === 229) return;
    const pastes = kind === 'down' && (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v';
    if (pastes) return;
    event.preventDefault();
    const { code, keyCode, location, repeat } = event;
    send({
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
    send({ type: 'text', text: event.clipboardData.getData('text/plain') });
  });
  on(keys, 'compositionupdate', ({ data }) =>
    send({ type: 'compose', text: data, selectionStart: data.length, selectionEnd: data.length }),
  );
  on(keys, 'compositionend', ({ data }) => {
    send({ type: 'text', text: data });
    keys.value = '';
  });
  // On-screen keyboards send no key events: their text is sent as it is entered.
  on(keys, 'input', (event) => {
    if (!event.isComposing && event.data) send({ type: 'text', text: event.data });
    keys.value = '';
  });
}
