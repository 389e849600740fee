/** A small web site for pictures: something to see in a thumbnail, and a form to fill in. */
import { createServer } from 'node:http';

const style = `
  * { box-sizing: border-box } body { margin: 0; font: 17px/1.5 system-ui, sans-serif; color: #1c2430; background: #f5f6f8 }
  header { padding: 22px 48px; color: white; font-size: 24px; font-weight: 700 } main { padding: 32px 48px }
  .grid { display: grid; grid-template-columns: repeat(4, 1fr); gap: 22px } .card { background: white; border-radius: 12px; padding: 18px; box-shadow: 0 1px 4px #0002 }
  .art { height: 150px; border-radius: 8px; margin-bottom: 14px } .price { font-weight: 700 } .low { color: #b3261e }
  table { width: 100%; border-collapse: collapse; background: white } th, td { text-align: left; padding: 13px 18px; border-bottom: 1px solid #e3e6ea }
  .bar { height: 14px; border-radius: 7px } form { width: 460px; margin: 50px auto; padding: 38px; background: white; border-radius: 16px; box-shadow: 0 2px 12px #0002 }
  label { display: block; margin: 18px 0 6px; font-weight: 600 } input { width: 100%; padding: 12px; font: inherit; border: 1px solid #c6ccd4; border-radius: 8px }
  button { margin-top: 26px; padding: 13px 26px; font: inherit; font-weight: 600; color: white; background: #5b3f8c; border: 0; border-radius: 8px }`;

const goods = [
  ['Tomato seeds', '2.40', '#d94f3d', '#f2a65a'],
  ['Watering can', '18.90', '#3a7ca5', '#81c3d7'],
  ['Gloves, leather', '11.50', '#8c6a4f', '#d9b38c'],
  ['Lavender', '6.20', '#6b4f9e', '#b8a1d9'],
  ['Garden fork', '24.00', '#4a5a58', '#9fb3b0'],
  ['Basil', '3.10', '#2f7d4f', '#8fd19e'],
  ['Clay pot', '7.80', '#b5623c', '#e6a57e'],
  ['Bird house', '15.00', '#a5803a', '#e8cf8b'],
];
const card = ([name, price, from, to], index) =>
  `<div class="card"><div class="art" style="background:linear-gradient(135deg,${from},${to})"></div>${name}<div class="price${index === 1 ? ' low' : ''}">€ ${price}</div></div>`;
const order = (number, who, state, done, color) =>
  `<tr><td>No. ${number}</td><td>${who}</td><td>${state}</td><td><div class="bar" style="width:${done}%;background:${color}"></div></td></tr>`;
const orders = [
  order(1042, 'Ada Byron', 'on its way', 80, '#2f7d4f'),
  order(1043, 'Grace Hopper', 'packed', 55, '#3a7ca5'),
  order(1044, 'Alan Turing', 'paid', 30, '#a5803a'),
  order(1045, 'Edsger Dijkstra', 'new', 12, '#8c8f94'),
  order(1046, 'Barbara Liskov', 'new', 12, '#8c8f94'),
];

const pages = {
  '/shop': ['Garden shop', '#2f6f4f', `<div class="grid">${goods.map(card).join('')}</div>`],
  '/orders': [
    'Orders of today',
    '#28527a',
    `<table><tr><th>Order</th><th>Customer</th><th>State</th><th>Progress</th></tr>${orders.join('')}</table>`,
  ],
  '/sign-in': [
    'Supplier portal',
    '#5b3f8c',
    '<form action="/orders"><b>Sign in</b><label for="m">E-mail</label><input id="m"><label for="c">Code from your phone</label><input id="c"><button>Continue</button></form>',
  ],
};

export function startDemoSite() {
  const site = createServer((request, response) => {
    const path = request.url.split('?', 1)[0];
    const [title, color, content] = pages[path] ?? ['Nothing here', '#444', ''];
    response.statusCode = path in pages ? 200 : 404;
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(
      `<!doctype html><html lang="en"><title>${title}</title><style>${style}</style><header style="background:${color}">${title}</header><main>${content}</main>`,
    );
  });
  return new Promise((resolve) => site.listen(0, '127.0.0.1', () => resolve(site)));
}
