/**
 * Small pages with the elements that real widgets put there (their scripts stay away), and pages that only speak of
 * captchas. Each with what is to be seen in it.
 */
export interface Sample {
  html: string;
  /** Without it, nothing. */
  expected?: { type: string; category?: string; state?: string; sitekey?: string };
}

const form = (inside: string, head = ''): string =>
  `<!doctype html><html><head><title>Contact us</title>${head}</head><body><h1>Contact</h1><form action="/sent"><input name="email" type="email"><textarea name="message"></textarea>${inside}<button>Send</button></form></body></html>`;
const article = (inside: string): string =>
  `<!doctype html><html><head><title>All about captchas</title></head><body class="captcha-article"><article class="captcha-post"><h1>What is a CAPTCHA?</h1><p>${'A captcha tells people from machines. '.repeat(30)}</p>${inside}</article></body></html>`;
const box = 'style="display:block;width:304px;height:78px;border:0"';
const key = '6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI';

export const widgets: Record<string, Sample> = {
  'recaptcha-v2': {
    html: form(
      `<div class="g-recaptcha" data-sitekey="${key}"><div><iframe title="reCAPTCHA" ${box} src="https://www.google.com/recaptcha/api2/anchor?ar=1&k=${key}&size=normal"></iframe></div><textarea name="g-recaptcha-response" style="display:none"></textarea></div>`,
    ),
    expected: { type: 'recaptcha-v2', category: 'form', state: 'detected', sitekey: key },
  },
  'recaptcha-v2-not-rendered': {
    html: form(
      `<div class="g-recaptcha" data-sitekey="${key}"></div>`,
      '<script src="https://www.google.com/recaptcha/api.js" async></script>',
    ),
    expected: { type: 'recaptcha-v2', sitekey: key, state: 'detected' },
  },
  'recaptcha-v2-explicit': {
    html: form(
      `<div id="here"><div><iframe ${box} src="https://www.recaptcha.net/recaptcha/enterprise/anchor?k=${key}&size=normal"></iframe></div><textarea name="g-recaptcha-response" style="display:none">03AGdBq25token</textarea></div>`,
    ),
    expected: { type: 'recaptcha-v2', sitekey: key, state: 'solved' },
  },
  'recaptcha-v3': {
    html: form('', `<script src="https://www.google.com/recaptcha/api.js?render=${key}"></script>`).replace(
      '</body>',
      `<div class="grecaptcha-badge"><iframe src="https://www.google.com/recaptcha/api2/anchor?k=${key}&size=invisible"></iframe><textarea name="g-recaptcha-response" style="display:none"></textarea></div></body>`,
    ),
    expected: { type: 'recaptcha-v3', category: 'form', sitekey: key, state: 'detected' },
  },
  hcaptcha: {
    html: form(
      `<div class="h-captcha" data-sitekey="10000000-ffff-ffff-ffff-000000000001"><iframe ${box} data-hcaptcha-response="" src="https://newassets.hcaptcha.com/captcha/v1/x/static/hcaptcha.html#frame=checkbox&sitekey=10000000-ffff-ffff-ffff-000000000001"></iframe><textarea name="g-recaptcha-response" style="display:none"></textarea><textarea name="h-captcha-response" style="display:none"></textarea></div>`,
    ),
    expected: { type: 'hcaptcha', sitekey: '10000000-ffff-ffff-ffff-000000000001', state: 'detected' },
  },
  'cloudflare-turnstile': {
    html: form(
      '<div class="cf-turnstile" data-sitekey="1x00000000000000000000AA" style="width:300px;height:65px"><input type="hidden" name="cf-turnstile-response" id="cf-chl-widget-abc_response" value="XXXX.DUMMY.TOKEN"></div>',
    ),
    expected: { type: 'cloudflare-turnstile', sitekey: '1x00000000000000000000AA', state: 'solved' },
  },
  'cloudflare-challenge-page': {
    html: '<!doctype html><title>Just a moment...</title><body><h1>example.com</h1><p>Verifying you are human. This may take a few seconds.</p><div id="challenge-stage"></div><script>window._cf_chl_opt={cvId:"3"}</script></body>',
    expected: { type: 'cloudflare-turnstile', category: 'blocking', state: 'detected' },
  },
  'friendly-captcha': {
    html: form(
      '<div class="frc-captcha" data-sitekey="FCMTESTKEY"><div class="frc-container"><button type="button" class="frc-button">Click to start verification</button></div><input type="hidden" name="frc-captcha-solution" value=".UNSTARTED"></div>',
    ),
    expected: { type: 'friendly-captcha', sitekey: 'FCMTESTKEY', state: 'detected' },
  },
  geetest: {
    html: form(
      '<div class="geetest_holder geetest_wind" style="width:300px;height:44px"><div class="geetest_btn"><div class="geetest_radar_btn">Click to verify</div></div></div><input type="hidden" name="geetest_validate"><input type="hidden" name="geetest_challenge">',
    ),
    expected: { type: 'geetest', state: 'detected' },
  },
  image: {
    html: form(
      '<p><label for="c">Enter the characters in the image</label><br><img id="captcha_img" src="/picture.png" width="160" height="50"><input id="c" name="captcha_code"></p>',
    ),
    expected: { type: 'image', category: 'form', state: 'detected' },
  },
  'altcha-not-loaded': {
    html: form('<altcha-widget challengeurl="/challenge"></altcha-widget>'),
    expected: { type: 'altcha', state: 'detected' },
  },
};

/** None of these has a solver or a name of its own here. */
export const strangers: Record<string, Sample> = {
  mcaptcha: {
    html: form(
      '<label for="mcaptcha__token"><input type="hidden" name="mcaptcha__token" id="mcaptcha__token"></label><div id="mcaptcha__widget-container" style="width:304px;height:78px"><iframe style="width:304px;height:78px" src="https://demo.mcaptcha.example/widget/?sitekey=abcdef"></iframe></div>',
    ),
  },
  procaptcha: {
    html: form(
      '<div class="procaptcha" data-sitekey="5C4hrfjw9DjXZTzV3MwzrrAr9P1MJhSrvWGWqi1eSuyUpnhM" style="width:300px;height:74px"><div><input type="checkbox" aria-label="human"> I am human</div><input type="hidden" name="procaptcha-response"></div>',
    ),
  },
  smartcaptcha: {
    html: form(
      '<div class="smart-captcha" data-sitekey="ysc1_abc" style="height:100px"><input type="hidden" name="smart-token" value=""><iframe style="width:300px;height:100px" src="https://smartcaptcha.yandexcloud.example/checkbox.html"></iframe></div>',
    ),
  },
  arkose: {
    html: form(
      '<div id="FunCaptcha"><input type="hidden" name="fc-token" id="FunCaptcha-Token"><iframe style="width:308px;height:300px" src="https://client-api.arkoselabs.example/fc/gc/?token=1"></iframe></div>',
    ),
  },
  'awswaf-element': {
    html: '<!doctype html><title>Human Verification</title><body><h1>Let us confirm you are human</h1><div id="captcha-container"><awswaf-captcha style="display:block;width:320px;height:200px"></awswaf-captcha></div><script>customElements.define("awswaf-captcha", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "closed" }).innerHTML = "<canvas></canvas><button>Confirm</button>"; } })</script></body>',
  },
  'shadow-widget': {
    html: form(
      '<trustcaptcha-component sitekey="0b9a4a7e-demo"></trustcaptcha-component><script>customElements.define("trustcaptcha-component", class extends HTMLElement { connectedCallback() { this.attachShadow({ mode: "open" }).innerHTML = "<div style=\'width:280px;height:60px\'><button type=button>I am not a robot</button></div>"; const field = document.createElement("input"); field.type = "hidden"; field.name = "tc-verification-token"; this.append(field); } })</script>',
    ),
  },
  'slider-puzzle': {
    html: form(
      '<div class="slide-captcha" style="width:320px"><canvas width="320" height="160"></canvas><div class="slide-track"><span class="slide-handle" style="display:block;width:40px;height:40px"></span></div></div>',
    ),
  },
  'no-telling-name': {
    html: form(
      '<div class="check" style="width:300px"><label><input type="checkbox" name="h"> I am not a robot</label><input type="hidden" name="proof"></div>',
    ),
  },
  'late-widget': {
    html: form(
      '<div id="slot"></div><script>document.querySelector("#slot").innerHTML = "<private-captcha data-sitekey=\'aaaabbbb\' style=\'display:block;width:300px;height:60px\'><input type=hidden name=private-captcha-solution></private-captcha>"</script>',
    ),
  },
  tencent: {
    html: form(
      '<button type="button" id="TencentCaptcha" data-appid="2000123456">Verify</button>',
      '<script src="https://captcha.gtimg.example/TCaptcha.js"></script>',
    ),
  },
  'form-guarded-unseen': {
    html: `<!doctype html><title>f</title><script src="https://cdn.example/@botpoison/browser"></script><form data-botpoison-public-key="pk_0b9a4a7e"><input name="email"><button>Send</button></form>`,
  },
  'question-in-words': {
    html: form('<label>What is three plus four? <input name="captcha_answer"></label>'),
  },
  'pictures-to-choose': {
    html: form(
      '<div class="visualCaptcha" style="width:300px"><p>Choose the cat</p><a href="#"><img width="40" height="40" src="/1.png"></a><a href="#"><img width="40" height="40" src="/2.png"></a><input type="hidden" name="a1b2c3"></div>',
    ),
  },
  'slide-to-verify': {
    html: form(
      '<div class="nc-wrap" style="width:300px"><div class="slider-bg" style="width:300px;height:34px"><span>Please slide to verify</span><span class="btn_slide" style="display:inline-block;width:40px;height:34px"></span></div></div>',
    ),
  },
  'closed-in-a-div': {
    html: form(
      '<div id="acme-captcha-widget" style="width:300px;height:70px"></div><script>document.querySelector("#acme-captcha-widget").attachShadow({ mode: "closed" }).innerHTML = "<button>check</button>"</script>',
    ),
  },
  'hides-behind-names': {
    html: `<!doctype html><title>named</title><body><form><input name="parentNode"><input name="getAttribute"><input name="id"><img name="querySelectorAll" src="/x.png"><img name="body" src="/x.png"><div class="captchafox" data-sitekey="sk_11111111"><input type="hidden" name="cf-captcha-response"><button>I am human</button></div></form></body>`,
  },
};

export const mentions: Record<string, string> = {
  article: article('<p>See <a href="https://example.com/captcha">captcha solvers</a> and reCAPTCHA.</p>'),
  'code sample': article(
    `<pre><code>&lt;div class="g-recaptcha" data-sitekey="${key}"&gt;&lt;/div&gt;</code></pre><p>Put data-sitekey="${key}" there.</p>`,
  ),
  'live markup in a sample': article(`<pre><div class="g-recaptcha" data-sitekey="${key}"></div></pre>`),
  'picture of a captcha': article('<img src="/captcha-example.png" alt="a captcha" width="300" height="90">'),
  'picture beside a search field': article(
    '<img src="/captcha.png" alt="captcha" width="300" height="90"><form><input name="q" placeholder="Search"><button>Go</button></form>',
  ),
  'template and noscript': article(
    `<template><div class="h-captcha" data-sitekey="x"></div></template><noscript><div class="cf-turnstile" data-sitekey="x"></div></noscript>`,
  ),
  'form with other hidden fields': form(
    '<input type="hidden" name="csrf_token" value="abc"><input type="hidden" name="captcha_enabled" value="0">',
  ),
  'footer that names reCAPTCHA': form(
    '<footer class="recaptcha-terms">This site is protected by reCAPTCHA and the Google <a href="https://policies.google.com/privacy">Privacy Policy</a> apply.</footer>',
  ),
  'teaser cards': article(
    '<div class="captcha-card"><h3>Captcha farms</h3><img src="/a.png" width="200" height="100"><button>Read</button></div><div class="captcha-newsletter"><form><input type="hidden" name="token" value="1"><input name="mail"><button>Subscribe</button></form></div>',
  ),
  'embedded video': article(
    '<iframe width="560" height="315" src="https://video.example/embed/what-is-a-captcha"></iframe>',
  ),
  'settings of a captcha': form(
    '<div class="captcha-settings"><label>Site key <input name="recaptcha_site_key" value="abc"></label><select name="captcha_type"><option>v2</option></select><input type="hidden" name="captcha_settings_nonce" value="1"></div>',
    '<script src="/assets/captcha-settings.js"></script>',
  ),
  'photo slider': article(
    '<div class="slider"><div class="slider-track" draggable="true"><img src="/a.png" width="200" height="90"></div><span>Drag to see more</span></div>',
  ),
  'code by mail': form('<label>Verification code <input name="code" placeholder="6-digit code"></label>'),
  'detection script of a content network': form(
    '',
    '<script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>',
  ),
  'agreement boxes': form(
    '<label><input type="checkbox" name="agree"> I agree to the terms</label><input type="hidden" name="answer_id" value="4">',
  ),
};
