/** Names and sentences that say what an element is for. */
export const telling =
  /captcha|turnstile|arkose|botpoison|awswaf|mosparo|wicketkeeper|anubis|human[-_]?(check|challenge|verif)|(not[-_]?a|anti|no)[-_]?(ro)?bot|bot[-_]?(check|challenge|detection|protection)|proof[-_]?of[-_]?work|pow[-_](widget|challenge|token|solution)|vcode/i;

/** Cheaper than looking at every element; what it lets through too much is sorted out by `telling`. */
export const tellingSelector =
  'captcha,turnstile,arkose,botpoison,awswaf,mosparo,wicketkeeper,anubis,human,bot,proof,pow,vcode'
    .split(',')
    .flatMap((word) => [`[id*="${word}" i]`, `[class*="${word}" i]`])
    .join(', ');

export const claim =
  /\b(not|no|kein|pas un|un)\b.{0,12}\b(ro)?bot(er)?\b|\b(am|are|you.re|i.m|be) (a )?human\b|verify (that )?(you|i)|human verification|не робот|人机|ロボットではありません/i;
export const slideClaim = /(slide|drag|swipe|hold|pull).{0,40}(verif|prove|human|robot)/i;

/** Names of response fields: of a captcha alone, and of many things besides. */
export const strongAnswer =
  /(captcha|robot|human|turnstile|mosparo|wicketkeeper|pow|proof)\w*[-_]*\w*(token|response|solution|answer|verif|output|ticket|result|payload|value|proof)|^\W*(captcha|proof)\W*$|fc-token|smart-token|botpoison/i;
export const weakAnswer = /token|response|solution|answer|verif|challenge|ticket|proof|captcha/i;
export const notAnAnswer =
  /csrf|xsrf|authenticity|enabled|version|sitekey|site_key|public|lang|theme|nonce|setting/i;

export const keyName = /(^|-)(site-?key|captcha-?(key|id)|public-?key|app-?id)$/i;

/** Names of a field for a question in words, or for a picture that has not come yet. */
export const askedName =
  /(^|[-_.[])captcha\]?([-_]?(code|answer|input|text|value|response|field|word|result|solution))?\]?$/i;

export const puzzleClass = /slid\w*-?(btn|button|handle|block|track|bar|icon)|puzzle|drag/i;

/** What a page says that is nothing but a challenge. */
export const challengeText =
  /(verify|verifying|confirm|prove|check(ing)?|make sure|making sure).{0,60}(human|robot|bot\b|browser|connection)|(human|robot|bot)\b.{0,40}(verification|check)|are you (a )?(human|robot)|just a moment|unusual traffic|security (check|verification)|access (to this page )?(has been )?denied|complete the .{0,20}(captcha|challenge|check)|before you (continue|proceed)|to continue/i;
