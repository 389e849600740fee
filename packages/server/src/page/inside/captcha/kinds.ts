/** The widgets that are known by name, each recognised by what it puts into a page: its container, its frame, its response field. */
import type { CaptchaType } from '../../captcha/schema.ts';
import { attr, attrNames, isShown, matches } from './dom.ts';
import type { Tree } from './tree.ts';

export interface Kind {
  type: CaptchaType;
  container: string;
  /** The container is a widget, and not only named like one. */
  works?(root: Element): boolean;
  /** Of the address of its frame, without the scheme. */
  frame?: RegExp;
  script?: RegExp;
  /** Selects its response field, as it is by default and as the container names it. */
  field: string;
  fieldIn?(root: Element): string;
  /** Names of the site key in the address of its frame. */
  keys?: string[];
  keyOf?(frame: URL): string | undefined;
  /** A response that is no field. */
  filled?(root: Element): string | undefined;
  isResponse?(value: string): boolean;
  invisible?(root: Element): boolean;
  automatic?(root: Element): boolean;
  verified?(root: Element): boolean | undefined;
  confirmed?: boolean;
  working?(root: Element): boolean;
  problem?(root: Element, value: string): string | undefined;
  target?(root: Element): Element | undefined;
}

/** A parameter of an address, in its query or its fragment. */
export function keyIn(url: URL, names: string[]): string | undefined {
  const all = new URLSearchParams(`${url.search.slice(1)}&${url.hash.slice(1)}`);
  return names.map((name) => all.get(name)).find((value) => value) ?? undefined;
}

/** `scripts` are the addresses of the scripts of the page. */
export function kindsIn(tree: Tree, scripts: URL[]): Kind[] {
  const has = (root: Element, selector: string): boolean => tree.findIn(root, selector).length > 0;
  const stateOf = (root: Element): string =>
    attr(
      [root, ...tree.findIn(root, '[data-state]')].findLast((each) => attr(each, 'data-state')) ?? root,
      'data-state',
    );
  return [
    {
      type: 'hcaptcha',
      container: '.h-captcha[data-sitekey]',
      frame: /(^|\.)hcaptcha\.com\//,
      script: /(^|\.)hcaptcha\.com\/.*api\.js/,
      field: '[name="h-captcha-response"]',
      keys: ['sitekey'],
      filled: (root) =>
        tree
          .findIn(root, 'iframe[data-hcaptcha-response]')
          .map((frame) => attr(frame, 'data-hcaptcha-response'))[0],
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
      works: (root) => matches(root, ':defined') || /challenge/.test(attrNames(root).join(' ')),
      field: 'input[name="altcha"]',
      fieldIn: (root) => `input[name="${CSS.escape(attr(root, 'name') || 'altcha')}"]`,
      automatic: (root) => ['onload', 'onfocus'].includes(attr(root, 'auto')),
      verified: (root) => stateOf(root) === 'verified',
      working: (root) => stateOf(root) === 'verifying',
      problem: (root) => (['error', 'expired'].includes(stateOf(root)) ? stateOf(root) : undefined),
      // The box itself lies below what catches its clicks.
      target: (root) => tree.findIn(root, 'label').find((label) => isShown(label)),
    },
    {
      type: 'cap',
      container: 'cap-widget',
      works: (root) => matches(root, ':defined') || /data-cap-api-endpoint/.test(attrNames(root).join(' ')),
      field: 'input[name="cap-token"]',
      fieldIn: (root) =>
        `input[name="${CSS.escape(attr(root, 'data-cap-hidden-field-name') || 'cap-token')}"]`,
      verified: (root) => stateOf(root) === 'done',
      working: (root) => stateOf(root) === 'verifying',
      problem: (root) => (stateOf(root) === 'error' ? 'error' : undefined),
      target: (root) => tree.findIn(root, '.captcha [part="trigger"], .captcha')[0],
    },
    {
      type: 'friendly-captcha',
      container: '.frc-captcha',
      works: (root) => attr(root, 'data-sitekey') !== '' || has(root, '.frc-container, iframe, input'),
      frame: /(^|\.)(frcapi|friendlycaptcha)\.(com|eu)\//,
      field: '[name="frc-captcha-solution"], [name="frc-captcha-response"]',
      fieldIn: (root) => {
        const name = attr(root, 'data-solution-field-name') || attr(root, 'data-form-field-name');
        return name && `[name="${CSS.escape(name)}"]`;
      },
      automatic: (root) => attr(root, 'data-start') === 'auto',
      verified: (root) => (has(root, '.frc-container') ? has(root, '.frc-success') : undefined),
      working: (root) => has(root, '.frc-progress') && !has(root, '.frc-success'),
      target: (root) => tree.findIn(root, '.frc-button, button')[0],
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
        has(root, '.geetest_lock_success, .geetest_success, .geetest_success_animate'),
      confirmed: true,
      target: (root) => tree.findIn(root, '.geetest_btn_click, .geetest_radar_btn, .geetest_radar_tip')[0],
    },
  ];
}
