/** Small pages, each with a thing that an agent must see or operate and that is easily missed. */
const page = (body: string, head = ''): string =>
  `<!doctype html><meta charset="utf-8"><title>Corpus</title>${head}<body>${body}</body>`;

const onClick = (...ids: string[]): string =>
  `<script>for (const id of ${JSON.stringify(ids)}) document.getElementById(id).addEventListener('click', () => {
    document.body.dataset.pressed = id;
  });</script>`;

/** What a line of a page must be like, in the words of `linesOf`. */
export interface Expected {
  html: string;
  lines: RegExp[];
  /** What no line may be like. */
  never?: RegExp[];
}

export const corpus: Record<string, Expected> = {
  'a slider has its value and its range': {
    html: page('<label>Volume <input type="range" min="0" max="10" value="3"></label>'),
    lines: [/^- slider "Volume" = 3 range: 0 to 10 .*operable \[e\d+\]$/],
    never: [/^Volume$/],
  },
  'a slider made of boxes has them, too': {
    html: page(
      '<div role="slider" tabindex="0" aria-label="Price" aria-valuemin="1" aria-valuemax="9" aria-valuenow="5" style="width:90px;height:9px"></div>',
    ),
    lines: [/^- slider "Price" = 5 range: 1 to 9 .*operable \[e\d+\]$/],
  },
  'what can be edited is a text field with its text': {
    html: page('<div contenteditable aria-label="Note">Dear <b>Ann</b></div><div contenteditable></div>'),
    lines: [/^- textbox "Note" = Dear Ann .*operable/, /^- textbox at .*operable \[e\d+\]$/],
  },
  'buttons without words are told by their icons': {
    html: page(
      `<button class="fa fa-trash"></button><button title="Print it"><i></i></button>
      <button><svg width="16" height="16"><title>Share</title><path d="M0 0L9 9"/></svg></button>
      <button><img src="/icons/zoom.png" alt="Zoom"></button><button><img src="/icons/undo.png"></button>
      <a href="/cart"><svg width="16" height="16"><use href="/sprite.svg#cart"/></svg></a>`,
    ),
    lines: [
      /^- button hint: fa-trash .*operable/,
      /^- button "Print it" /,
      /^- button "Share" /,
      /^- button "Zoom" /,
      /^- button hint: undo\.png /,
      /^- link .*hint: cart /,
    ],
  },
  'boxes and words that listen to clicks can be pressed': {
    html: page(
      `<div id="box">A box</div><p>One <span id="word">word</span> of many.</p><p id="prose">Only prose.</p>${onClick('box', 'word')}`,
    ),
    lines: [
      /^- generic "A box" operable \[e\d+\]$/,
      /^- generic "word" operable \[e\d+\]$/,
      /^Only prose\.$/,
    ],
  },
  'so can what the mouse pointer shows to be pressed': {
    html: page(
      '<span class="link">more</span> <div class="link"><b>Bold</b> choice</div>',
      '<style>.link { cursor: pointer }</style>',
    ),
    lines: [/^- generic "more" operable/, /^- generic "Bold choice" operable/],
    never: [/"Bold"/],
  },
  'empty cells of a table can be pressed, its other cells are told as a table': {
    html: page(
      `<table><caption>Seats</caption><tr><th>Row<th>Free</tr><tr><td>A<td id="seat"></tr></table>${onClick('seat')}`,
    ),
    lines: [
      /^- table "Seats" /,
      /^ {4}- columnheader "Row"$/,
      /^ {4}- cell "A"$/,
      /^ {4}- cell hint: seat .*operable \[e\d+\]$/,
    ],
  },
  'cells whose table listens for them all can be pressed': {
    html: page(
      `<table id="board"><tr><td style="width:20px;height:20px"></td><td>X</td></tr><tr><td>O</td><td></td></tr></table>${onClick('board')}`,
    ),
    lines: [/^ {4}- cell at .*operable/, /^ {4}- cell "X" operable/, /^ {4}- cell "O" operable/],
  },
  'a table that only arranges the page is none': {
    html: page('<table><tr><td><p>Left</p></td><td><button>Right</button></td></tr></table>'),
    lines: [/^Left$/, /^- button "Right"/],
    never: [/table|cell/],
  },
  'shapes that are pressed and what is drawn have hints and boxes': {
    html: page(
      `<svg width="200" height="100"><circle id="dot" cx="20" cy="20" r="10" fill="red"/><rect x="50" y="10" width="20" height="20"/>
      <text x="9" y="60">Sales</text></svg><canvas width="90" height="50">A chart of sales</canvas>${onClick('dot')}`,
    ),
    lines: [
      /^- svg hint: 1 circle, 1 rect, 1 text at \d+,\d+,200,100 /,
      /^ {2}- generic hint: circle red dot at \d+,\d+,20,20 operable/,
      /^ {2}Sales$/,
      /^- canvas hint: 90×50 drawing: A chart of sales at \d+,\d+,90,50 /,
    ],
  },
  'open shadow trees and what is put into their slots': {
    html: page(`<fancy-box>Slotted <button>Light</button></fancy-box><script>customElements.define('fancy-box', class extends HTMLElement {
      connectedCallback() { this.attachShadow({ mode: 'open' }).innerHTML = '<button>Shade</button><p><slot></slot></p>' }
    })</script>`),
    lines: [/^- button "Shade" operable/, /^Slotted$/, /^- button "Light" operable/],
  },
  'what is covered or disabled says so': {
    html: page(
      `<button style="position:absolute;left:20px;top:20px">Under</button><div role="dialog" aria-label="Cookies" style="position:absolute;inset:0;background:#fffc">
      <button>Accept</button></div><button disabled>Off</button>`,
    ),
    lines: [
      /^- button "Under" covered by e\d+ operable/,
      /^ {2}- button "Accept" operable/,
      /^- button "Off" disabled/,
    ],
  },
  'a closed list tells its options': {
    html: page(
      `<label>Size <select><option>S<option selected>M<optgroup label="Large"><option disabled>XL</optgroup></select></label>
      <select multiple aria-label="Days"><option>Mon<option selected>Tue</select>`,
    ),
    lines: [
      /^- combobox "Size" = M operable/,
      /^ {2}- option "S"$/,
      /^ {2}- option "M" selected$/,
      /^ {4}- option "XL" disabled$/,
      /^- listbox "Days" = Tue /,
      /^ {2}- option "Mon" operable \[e\d+\]$/,
    ],
  },
  'a field tells what is wrong with it': {
    html: page(
      `<form><input aria-label="Mail" aria-invalid="true" aria-errormessage="why" value="x"><p id="why">No such address</p>
      <input aria-label="Age" required placeholder="years" aria-describedby="tip"><p id="tip">As on your card</p>
      <input aria-label="Word" type="password" value="hunter2"></form>`,
    ),
    lines: [
      /- textbox "Mail" = x invalid error: No such address /,
      /- textbox "Age" required placeholder: years description: As on your card /,
      /- textbox "Word" = •+ type: password /,
    ],
    never: [/hunter2/, /"Age" .*invalid/],
  },
  'a box to tick that is drawn by its label can be ticked': {
    html: page(
      '<label style="display:inline-block"><input type="checkbox" checked style="display:none">Fancy</label><label><input type="checkbox"> Agree to <a href="/terms">terms</a></label>',
    ),
    lines: [
      /^- checkbox "Fancy" checked operable/,
      /^- checkbox "Agree to terms" operable/,
      /^- link "terms" url: \/terms operable/,
    ],
    never: [/^Agree/],
  },
  'pictures have their words, or else their file': {
    html: page(
      '<img src="/cat.png" alt="A cat" width="40" height="40"><img src="/pets/dog.png?x=1" width="40" height="40"><img src="/line.png" alt="" width="40" height="40">',
    ),
    lines: [/^- img "A cat" /, /^- img hint: dog\.png /],
    never: [/line/],
  },
  'titles, states and levels': {
    html: page(
      `<h2>Part</h2><a href="/a" title="Opens a map">Map</a><button aria-expanded="false" aria-haspopup="menu">Menu</button>
      <button aria-pressed="true">Bold</button><details><summary>More</summary>Hidden</details><nav><a href="/" aria-current="page">Home</a></nav>`,
    ),
    lines: [
      /^- heading "Part" level 2 /,
      /^- link "Map" title: Opens a map url: \/a /,
      /^- button "Menu" collapsed has popup /,
      /^- button "Bold" pressed /,
      /^- button "More" collapsed /,
      /^ {2}- link "Home" current /,
    ],
    never: [/Hidden/],
  },
  'what is outside the view says where it lies': {
    html: page(
      `<div style="width:200px;height:60px;overflow:auto"><div style="height:300px">Top<button style="position:relative;top:100px">Inner</button></div></div>
      <button style="position:absolute;left:4000px;top:0">Right</button><button style="position:absolute;top:3000px">Far</button>`,
    ),
    lines: [
      /^- generic scrollable \[e\d+\]$/,
      /^ {2}- button "Inner" scrolled out operable/,
      /^- button "Right" right operable/,
      /^- button "Far" below operable/,
    ],
  },
  'a card that is pressed as a whole does not hide what is pressed in it': {
    html: page(
      `<div id="card"><h3>Trip</h3><p>Two days</p><button>Book</button></div><div id="wrap"><a href="/x">Alone</a></div>${onClick('card', 'wrap')}`,
    ),
    lines: [
      /^- generic .*operable \[e\d+\]$/,
      /^ {2}- heading "Trip" level 3/,
      /^ {2}- button "Book" operable/,
      /^- link "Alone" /,
    ],
  },
  'a framework that listens at the root of the page makes nothing of it pressable': {
    html: page(
      `<div id="root" style="min-height:700px">${'<p>Words</p>'.repeat(12)}<button>Go</button></div>${onClick('root')}`,
    ),
    lines: [/^Words$/, /^- button "Go" /],
    never: [/^- generic/],
  },
};
