// Generated from openapi.json by `npm run generate`. Do not edit.

export type ClientOptions = {
    baseUrl: `${string}://${string}` | (string & {});
};

export type Activity = {
    at: string;
    type: 'navigation' | 'tab_opened' | 'tab_closed' | 'dialog' | 'download' | 'console_error' | 'request_failed' | 'policy_blocked';
    [key: string]: unknown;
};

export type AnswerDialog = {
    action: 'accept' | 'dismiss';
    /**
     * Only when a prompt is accepted. Default: what the prompt suggests.
     */
    promptText?: string;
};

export type Browser = {
    id: string;
    status: BrowserStatus;
    statusReason?: string;
    /**
     * Only while waiting for capacity.
     */
    queue?: {
        position: number;
        expectedWaitMs: number;
    };
    name?: string;
    metadata: {
        [key: string]: string;
    };
    /**
     * ISO-8601, UTC, milliseconds
     */
    createdAt: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    readyAt?: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    lastActionAt: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    expiresAt: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    stoppedAt?: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    closedAt?: string;
    /**
     * Whether it is recorded whenever it runs.
     */
    recording: boolean;
    policy: Policy;
    proxy?: {
        server: string;
        username?: string;
        bypass?: Array<string>;
    };
    viewport: {
        width: number;
        height: number;
        deviceScaleFactor: number;
    };
    locale?: string;
    timezone?: string;
    userAgent?: string;
    geolocation?: {
        latitude: number;
        longitude: number;
        accuracy: number;
    };
    permissions?: {
        [key: string]: 'granted' | 'denied' | 'prompt';
    };
    /**
     * Values of `Authorization`, `Cookie`, `Proxy-Authorization` and of names that look like keys are shown as `•••`.
     */
    extraHeaders?: {
        [key: string]: string;
    };
    startUrl?: string;
    /**
     * How dialogs of pages are answered. `manual`: over the API, else dismissed after a time-out.
     */
    dialogs: 'dismiss' | 'accept' | 'manual';
    engine: 'shell' | 'full';
    memoryMb?: number;
    profile?: {
        id: string;
        name?: string;
        save: false | 'close' | 'always';
        /**
         * Of the profile, with which the browser began.
         */
        version: number;
    };
    /**
     * Whether a HAR of all its requests is kept when it ends.
     */
    har: boolean;
    device?: 'iphone' | 'ipad' | 'pixel' | 'android-tablet' | 'macbook' | 'desktop';
    /**
     * What `prefers-color-scheme` says.
     */
    colorScheme?: 'light' | 'dark';
    /**
     * What `prefers-reduced-motion` says.
     */
    reducedMotion?: 'reduce' | 'no-preference';
    /**
     * A slow network, or none: `{"offline": true}`.
     */
    network?: {
        offline?: boolean;
        /**
         * Least time from a request to the head of its answer.
         */
        latencyMs?: number;
        /**
         * Kilobits a second, of each page.
         */
        downloadKbps?: number;
        /**
         * Kilobits a second, of each page.
         */
        uploadKbps?: number;
    };
    /**
     * Without their passwords.
     */
    httpCredentials?: Array<{
        origin: string;
        username: string;
    }>;
    tls?: {
        trust?: Array<{
            subject: string;
            /**
             * SHA-256.
             */
            fingerprint: string;
            validFrom: string;
            validTo: string;
        }>;
        ignoreErrorsFor?: Array<string>;
    };
    /**
     * Without the certificates and their keys.
     */
    clientCertificates?: Array<{
        origin: string;
        subject: string;
        /**
         * SHA-256.
         */
        fingerprint: string;
        validFrom: string;
        validTo: string;
    }>;
    extensions?: Array<string>;
    secrets?: {
        allowCdp?: boolean;
    };
    /**
     * What became of `startUrl`. A page that fails does not fail the create: the browser is ready, with an empty tab or an error page.
     */
    startPage?: StartPage;
    maxDuration: number;
    idleTimeout?: number;
    /**
     * Grows each time a new Chromium process takes over.
     */
    epoch: number;
    tabs: number;
    /**
     * Of a ready browser, while a person is asked to take over or holds it. Absent while scripts drive.
     */
    handoff?: {
        state: HandoffWaiting;
        message?: string;
        /**
         * ISO-8601, UTC, milliseconds
         */
        since: string;
    };
    /**
     * Of a ready browser: bytes from and to the network and refused connections since its Chromium started, and connections open now.
     */
    traffic?: {
        bytesIn: number;
        bytesOut: number;
        connections: number;
        refused: number;
    };
    /**
     * Of a ready browser whose policy has rules or lists: since its Chromium started, or since these were last changed.
     */
    ruleHits?: RuleHits;
    /**
     * Of a ready browser whose policy has `consent`: cookie banners since its Chromium started, or since that was set.
     */
    consent?: ConsentCounts;
    node?: string;
};

export type BrowserCounts = {
    total: number;
    /**
     * Of each status, also those without any.
     */
    status: {
        creating: number;
        ready: number;
        stopping: number;
        stopped: number;
        resuming: number;
        recovering: number;
        closing: number;
        closed: number;
        failed: number;
    };
};

export type BrowserPage = {
    items: Array<Browser>;
    limit: number;
    hasMore: boolean;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
};

export type BrowserStatus = 'creating' | 'ready' | 'stopping' | 'stopped' | 'resuming' | 'recovering' | 'closing' | 'closed' | 'failed';

export type BrowserStatusSnapshot = {
    browserId: string;
    status: BrowserStatus;
    activeTab: Tab | null;
    tabs: Array<Tab>;
    cookieCount: number;
    cookieDomains: Array<string>;
    /**
     * ISO-8601, UTC, milliseconds
     */
    lastActionAt: string;
};

export type BrowserTab = {
    tabId: string;
    url: string;
    title: string;
    /**
     * The one in front.
     */
    active: boolean;
    /**
     * Its page crashed; it goes on when it is sent somewhere.
     */
    crashed: boolean;
    crashReason?: string;
    /**
     * Its page waits for an answer to a dialog.
     */
    dialogOpen: boolean;
    /**
     * Where it has one of its own.
     */
    viewport?: {
        width: number;
        height: number;
        deviceScaleFactor: number;
    };
};

export type BrowserTabDetail = {
    tabId: string;
    url: string;
    title: string;
    /**
     * The one in front.
     */
    active: boolean;
    /**
     * Its page crashed; it goes on when it is sent somewhere.
     */
    crashed: boolean;
    crashReason?: string;
    /**
     * Its page waits for an answer to a dialog.
     */
    dialogOpen: boolean;
    /**
     * Where it has one of its own.
     */
    viewport?: {
        width: number;
        height: number;
        deviceScaleFactor: number;
    };
    /**
     * `unknown`: the page is too busy to be asked, waits in a dialog, or has crashed.
     */
    readyState: 'loading' | 'interactive' | 'complete' | 'unknown';
    canGoBack: boolean;
    canGoForward: boolean;
    /**
     * What became of the navigation that was asked for.
     */
    navigation?: {
        finalUrl: string;
        /**
         * Null where there is no HTTP answer.
         */
        statusCode: number | null;
        contentType: string | null;
        redirects: Array<string>;
        /**
         * With `partial`: the time was up before the page was there.
         */
        timedOut: boolean;
    };
};

export type Capability = {
    kind: 'cdp' | 'live';
    mode: 'view' | 'control';
    /**
     * Opens the browser to whoever has it, without a key. Shown once and stored nowhere.
     */
    url: string;
    /**
     * Of `live`: the WebSocket behind the page, for a viewer of your own.
     */
    socketUrl?: string;
    /**
     * The one tab that it shows, where it is bound to one.
     */
    tabId?: string;
    /**
     * The origins whose pages may show it in a frame.
     */
    frameAncestors?: Array<string>;
    /**
     * ISO-8601, UTC, milliseconds
     */
    expiresAt: string;
};

export type Captcha = {
    type: 'recaptcha-v2' | 'recaptcha-v3' | 'hcaptcha' | 'cloudflare-turnstile' | 'altcha' | 'cap' | 'friendly-captcha' | 'geetest' | 'image' | 'unknown';
    /**
     * blocking: the page is nothing but the challenge. form: a part of a page.
     */
    category: 'blocking' | 'form';
    /**
     * solved: the page itself shows that it accepted.
     */
    state: 'detected' | 'solving' | 'solved' | 'failed';
    sitekey?: string;
    pageUrl: string;
    tabId: string;
    frameId: string;
    detectedAt: string;
    resolvedAt?: string;
    /**
     * The solver that did it, or that came furthest.
     */
    method?: 'wait' | 'widget' | 'image' | 'provider' | 'human';
    /**
     * Why it is not solved.
     */
    reason?: string;
    /**
     * The elements of the page that showed it.
     */
    evidence: Array<string>;
    /**
     * What was tried, in order.
     */
    attempts?: Array<{
        solver: 'wait' | 'widget' | 'image' | 'provider' | 'human';
        /**
         * unconfirmed: an answer is in the page, and the page has not said what it thinks of it.
         */
        outcome: 'solved' | 'unconfirmed' | 'failed' | 'skipped';
        reason?: string;
        durationMs: number;
        /**
         * What the provider charged, in its own currency.
         */
        cost?: string;
    }>;
};

export type CaptchaState = 'none' | 'detected' | 'solving' | 'solved' | 'failed';

export type Captchas = {
    state: CaptchaState;
    items: Array<Captcha>;
};

export type CapturedNetwork = {
    requests: Array<NetworkRequest>;
    /**
     * That fitted; `requests` holds the last of them.
     */
    total: number;
    /**
     * Made so fast that they were only counted.
     */
    dropped: number;
};

export type CdpProtocol = {
    version: {
        major: string;
        minor: string;
    };
    domains: Array<{
        domain: string;
        [key: string]: unknown;
    }>;
};

export type CdpTarget = {
    description: string;
    id: string;
    /**
     * Of a frame: the target that it is in.
     */
    parentId?: string;
    title: string;
    /**
     * `page`, `iframe`, `worker`, `service_worker` and so on.
     */
    type: string;
    url: string;
    /**
     * Where to connect, with a token of its own that is good for a minute.
     */
    webSocketDebuggerUrl: string;
};

export type CdpVersion = {
    Browser: string;
    'Protocol-Version': string;
    'User-Agent': string;
    'V8-Version': string;
    'WebKit-Version': string;
    /**
     * Where to connect, with a token of its own that is good for a minute.
     */
    webSocketDebuggerUrl: string;
};

export type ChangeTab = {
    url?: string | 'about:blank' | string;
    /**
     * `stop` ends the loading of the page and waits for nothing.
     */
    go?: 'back' | 'forward' | 'reload' | 'stop';
    /**
     * Brings it to the front.
     */
    active?: true;
    /**
     * Of this tab alone; null: that of the browser again.
     */
    viewport?: {
        width?: number;
        height?: number;
        deviceScaleFactor?: number;
    } | null;
    /**
     * `load` (default), `domcontentloaded`, `networkidle`, a CSS selector, or milliseconds after the page is parsed.
     */
    waitFor?: number | 'load' | 'domcontentloaded' | 'networkidle' | string | {
        expression: string;
    };
    timeoutMs?: number;
    /**
     * When the time is up, answer with what there is (`timedOut: true`) instead of 504.
     */
    partial?: boolean;
};

export type CheckProfile = {
    /**
     * When it is signed out: open a browser on the page of the check for a person, which saves into the profile when the person hands it back.
     */
    handoff?: boolean;
    /**
     * Shown to the person.
     */
    message?: string;
    /**
     * How long the address for the person is good.
     */
    ttlSeconds?: number;
    policy?: Policy;
    /**
     * http, https or socks5 URL, or its parts. Never a silent direct connection.
     */
    proxy?: string | {
        server: string;
        username?: string;
        password?: string;
        bypass?: Array<string>;
    };
    timeoutMs?: number;
};

export type CheckedProfile = {
    state: 'signed_in' | 'signed_out' | 'unknown';
    /**
     * Where the visit ended.
     */
    finalUrl?: string;
    statusCode?: number | null;
    /**
     * Of `unknown`: why it could not be seen.
     */
    reason?: string;
    checkedAt: string;
    /**
     * With `handoff`, of a profile that is signed out.
     */
    signIn?: SignInBrowser;
};

export type ClearPermissions = {
    /**
     * scheme://host or scheme://host:port
     */
    origin?: string;
};

export type CloseBrowsers = {
    ids?: Array<string>;
    /**
     * Only those in one of these statuses.
     */
    status?: Array<'creating' | 'ready' | 'stopping' | 'stopped' | 'resuming' | 'recovering' | 'failed'>;
    /**
     * Only those whose metadata has all of these values.
     */
    metadata?: {
        [key: string]: string;
    };
};

export type ClosedBrowser = {
    id: string;
    status: 'closed';
    /**
     * ISO-8601, UTC, milliseconds
     */
    closedAt: string;
    receipt: {
        processesEnded: number;
        bytesFreed: number;
        recordings: number;
        durationMs: number;
        /**
         * The version that was saved into its profile.
         */
        profile?: {
            id: string;
            version: number;
        };
    };
};

export type ClosedBrowsers = {
    closed: Array<ClosedBrowser>;
    /**
     * Those that are still there, or never were, and why.
     */
    failed: Array<{
        id: string;
        code: string;
        message: string;
    }>;
    /**
     * One call closes 1000 at most: there are more. Ask again.
     */
    hasMore: boolean;
};

export type ClosedTab = {
    tabId: string;
    closed: true;
    tabsLeft: number;
};

/**
 * With `baseline`.
 */
export type ComparedPicture = {
    /**
     * Both have the same size, and no more than `threshold` differs.
     */
    matches: boolean;
    /**
     * Share of the compared pixels that differ, 0 to 1. What only one of them has differs.
     */
    difference: number;
    differentPixels: number;
    /**
     * Without those of `ignore`.
     */
    comparedPixels: number;
    threshold: number;
    sameSize: boolean;
    /**
     * Of the picture.
     */
    size: {
        width: number;
        height: number;
    };
    /**
     * Compared with.
     */
    baseline: {
        width: number;
        height: number;
        fileId: string;
    };
    /**
     * That was taken: the next baseline, if it is to be.
     */
    picture: {
        mimeType: 'image/png';
        /**
         * In base64; absent where it was stored.
         */
        content?: string;
        /**
         * With `store`.
         */
        file?: File;
    };
    /**
     * The picture, faint, with what differs in red; in yellow smoothed edges, which do not count.
     */
    differencePicture: {
        mimeType: 'image/png';
        /**
         * In base64; absent where it was stored.
         */
        content?: string;
        /**
         * With `store`.
         */
        file?: File;
    };
};

export type ComputerAction = {
    type: 'click';
    x?: number;
    y?: number;
    /**
     * Of all places of the action. pixels: of the picture, as `scale` makes it. thousandths: 0 is its left or upper edge, 1000 the other one.
     */
    unit?: 'pixels' | 'thousandths';
    button?: 'left' | 'right' | 'middle' | 'back' | 'forward';
    /**
     * 2: double click, 3: triple click.
     */
    count?: number;
    /**
     * Keys that are held meanwhile: Control, Shift, Alt, Meta.
     */
    modifiers?: Array<string>;
} | {
    type: 'move';
    x: number;
    y: number;
    /**
     * Of all places of the action. pixels: of the picture, as `scale` makes it. thousandths: 0 is its left or upper edge, 1000 the other one.
     */
    unit?: 'pixels' | 'thousandths';
} | {
    type: 'down';
    x?: number;
    y?: number;
    /**
     * Of all places of the action. pixels: of the picture, as `scale` makes it. thousandths: 0 is its left or upper edge, 1000 the other one.
     */
    unit?: 'pixels' | 'thousandths';
    button?: 'left' | 'right' | 'middle' | 'back' | 'forward';
} | {
    type: 'up';
    x?: number;
    y?: number;
    /**
     * Of all places of the action. pixels: of the picture, as `scale` makes it. thousandths: 0 is its left or upper edge, 1000 the other one.
     */
    unit?: 'pixels' | 'thousandths';
    button?: 'left' | 'right' | 'middle' | 'back' | 'forward';
} | {
    type: 'drag';
    /**
     * The places it leads through. A single one is its end: it begins at the cursor.
     */
    path: Array<{
        x: number;
        y: number;
    }>;
    /**
     * Of all places of the action. pixels: of the picture, as `scale` makes it. thousandths: 0 is its left or upper edge, 1000 the other one.
     */
    unit?: 'pixels' | 'thousandths';
    button?: 'left' | 'right' | 'middle' | 'back' | 'forward';
    /**
     * Keys that are held meanwhile: Control, Shift, Alt, Meta.
     */
    modifiers?: Array<string>;
} | {
    type: 'scroll';
    x?: number;
    y?: number;
    /**
     * Of all places of the action. pixels: of the picture, as `scale` makes it. thousandths: 0 is its left or upper edge, 1000 the other one.
     */
    unit?: 'pixels' | 'thousandths';
    deltaX?: number;
    /**
     * Downwards; with `by`: pixels of the picture, or notches of 100 CSS pixels.
     */
    deltaY?: number;
    by?: 'pixels' | 'notches';
    /**
     * Keys that are held meanwhile: Control, Shift, Alt, Meta.
     */
    modifiers?: Array<string>;
} | {
    type: 'type';
    x?: number;
    y?: number;
    /**
     * Of all places of the action. pixels: of the picture, as `scale` makes it. thousandths: 0 is its left or upper edge, 1000 the other one.
     */
    unit?: 'pixels' | 'thousandths';
    text: string;
    /**
     * Replace what the field holds.
     */
    clear?: boolean;
    /**
     * Press Enter afterwards.
     */
    submit?: boolean;
} | {
    type: 'key';
    /**
     * Keys pressed together, such as Enter, Control+A or Shift+ArrowDown; several chords with spaces between them.
     */
    keys: string;
    holdMs?: number;
} | {
    type: 'select';
    x: number;
    y: number;
    /**
     * Of all places of the action. pixels: of the picture, as `scale` makes it. thousandths: 0 is its left or upper edge, 1000 the other one.
     */
    unit?: 'pixels' | 'thousandths';
    /**
     * Of a list, by their words.
     */
    options?: Array<string>;
    /**
     * Of a date, time or colour field, as its `value`.
     */
    value?: string;
} | {
    type: 'wait';
    ms?: number;
} | {
    type: 'cursor';
} | {
    type: 'screenshot';
} | {
    type: 'zoom';
    /**
     * Left, top, right and bottom edge of the part to be seen from near.
     */
    region: [
        number,
        number,
        number,
        number
    ];
    /**
     * Of all places of the action. pixels: of the picture, as `scale` makes it. thousandths: 0 is its left or upper edge, 1000 the other one.
     */
    unit?: 'pixels' | 'thousandths';
} | {
    type: 'copy';
    cut?: boolean;
} | {
    type: 'paste';
    text: string;
} | {
    type: 'navigate';
    url: string;
} | {
    type: 'back';
} | {
    type: 'forward';
} | {
    type: 'reload';
} | {
    type: 'openTab';
    url?: string;
};

export type ComputerAnswer = {
    success: boolean;
    /**
     * The action that failed, from 0; those before it are done.
     */
    failedIndex?: number;
    error?: {
        code: string;
        message: string;
        details: {
            [key: string]: unknown;
        };
        category: string;
        nextStep: string;
    };
    /**
     * Those that are done, in order.
     */
    actions: Array<ComputerStep>;
    /**
     * The tab that was acted on last.
     */
    page: Tab | null;
    changed: boolean;
    openedTabs: Array<Tab>;
    /**
     * Opened during the call, and those that are still open.
     */
    dialogs: Array<Dialog>;
    cursor: {
        x: number;
        y: number;
    };
    /**
     * The size of the picture, in whose pixels all places are. Null where it could not be measured.
     */
    screen: {
        width: number;
        height: number;
    } | null;
    picture?: ComputerPicture;
    durationMs: number;
};

export type ComputerHit = {
    tag: string;
    role?: string;
    /**
     * What a reader calls it; at most 200 characters.
     */
    name?: string;
    ref?: string;
    editable: boolean;
    disabled?: boolean;
    /**
     * Something that can be operated lies at this place as well, below what was hit, and did not get the input.
     */
    covers?: {
        tag: string;
        role?: string;
        /**
         * What a reader calls it; at most 200 characters.
         */
        name?: string;
    };
};

export type ComputerPicture = {
    mimeType: 'image/jpeg' | 'image/png' | 'image/webp';
    width: number;
    height: number;
    /**
     * Base64.
     */
    data: string;
};

export type ComputerStep = {
    /**
     * In the plain shape.
     */
    type: string;
    tabId: string;
    /**
     * What lay at the place of the action, before it.
     */
    hit?: ComputerHit;
    /**
     * Whether the page looks or is different since.
     */
    changed?: boolean;
    navigatedTo?: string;
    /**
     * The action has opened a list, a calendar, a colour or a file chooser, which Chromium draws outside the page. Choose with `select` at the same place; give files with `files`.
     */
    picker?: {
        kind: string;
        label: string;
        value: string;
        multiple?: boolean;
        accept?: string;
        options?: Array<{
            text: string;
            selected?: boolean;
            disabled?: boolean;
        }>;
    };
    cursor?: {
        x: number;
        y: number;
    };
    /**
     * What was copied.
     */
    text?: string;
    picture?: ComputerPicture;
    durationMs: number;
};

export type ConsentCounts = {
    /**
     * Banners that were declined, or hidden.
     */
    declined: number;
    /**
     * Banners that were recognised and could not be declined.
     */
    failed: number;
};

export type ContentAddress = {
    /**
     * Opens the content to everybody who has it, without a key. Shown once and stored nowhere.
     */
    url: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    expiresAt: string;
};

export type CreateBatchJob = {
    kind: 'batch';
    /**
     * What is done with each page: the quick action of this name.
     */
    action?: 'scrape' | 'screenshot' | 'pdf';
    items: Array<{
        url?: string;
        html?: string;
        [key: string]: unknown;
    }>;
    /**
     * Fields of the quick action, for every page: `format`, `include`, `policy`, `profile`, `maxAgeMs`, …
     */
    options?: {
        [key: string]: unknown;
    };
    /**
     * For people.
     */
    name?: string;
    /**
     * Pages at the same time. Fewer while others need the room.
     */
    concurrency?: number;
    /**
     * How often a page is tried again that failed for what may pass: time-outs, connections, crashes, and answers 429, 502, 503 and 504.
     */
    retries?: number;
    /**
     * Is told when the job ends, as webhooks of the project are told of events.
     */
    webhook?: {
        /**
         * Where to send: https or http, without user name and password. Private addresses are refused unless the operator allows them, also when a name turns out to lead to one; redirects are not followed.
         */
        url: string;
        /**
         * Your own secret; one is made when absent.
         */
        secret?: string;
    };
};

export type CreateBrowser = {
    /**
     * Record a video of the tab in front whenever the browser runs: one recording for each epoch. Default false.
     */
    recording?: boolean;
    /**
     * Keep a HAR of all requests from the first one on, as a file of the browser (`source: har`), when it is stopped or closed: one for each epoch, at most 10,000 requests a tab. Default false.
     */
    har?: boolean;
    policy?: Policy;
    /**
     * http, https or socks5 URL, or its parts. Never a silent direct connection.
     */
    proxy?: string | {
        server: string;
        username?: string;
        password?: string;
        bypass?: Array<string>;
    };
    /**
     * Poses as this device: viewport, touch, mobile layout, user agent and client hints. A `viewport` or `userAgent` beside it beats its own. `iphone` 393×852@3, `ipad` 820×1180@2, `pixel` 412×923@2.625, `android-tablet` 800×1280@2, `macbook` 1440×900@2, `desktop` 1920×1080@1.
     */
    device?: 'iphone' | 'ipad' | 'pixel' | 'android-tablet' | 'macbook' | 'desktop';
    viewport?: {
        width?: number;
        height?: number;
        deviceScaleFactor?: number;
    };
    userAgent?: string;
    locale?: string;
    timezone?: string;
    /**
     * What `prefers-color-scheme` says.
     */
    colorScheme?: 'light' | 'dark';
    /**
     * What `prefers-reduced-motion` says.
     */
    reducedMotion?: 'reduce' | 'no-preference';
    /**
     * Sent with every request of every page.
     */
    extraHeaders?: {
        [key: string]: string;
    };
    cookies?: Array<{
        name: string;
        value: string;
        url?: string;
        domain?: string;
        path?: string;
        /**
         * Seconds since 1970; absent or -1 for a session cookie.
         */
        expires?: number;
        httpOnly?: boolean;
        secure?: boolean;
        sameSite?: 'Strict' | 'Lax' | 'None';
    }>;
    geolocation?: {
        latitude: number;
        longitude: number;
        accuracy?: number;
    };
    /**
     * A slow network, or none: `{"offline": true}`.
     */
    network?: {
        offline?: boolean;
        /**
         * Least time from a request to the head of its answer.
         */
        latencyMs?: number;
        /**
         * Kilobits a second, of each page.
         */
        downloadKbps?: number;
        /**
         * Kilobits a second, of each page.
         */
        uploadKbps?: number;
    };
    /**
     * Answers to sites that ask for a name and a password by HTTP (`WWW-Authenticate`: Basic, Digest). Each goes to its origin alone. Passwords are sealed in the store and never shown.
     */
    httpCredentials?: Array<{
        origin: string;
        username: string;
        password: string;
    }>;
    tls?: {
        /**
         * Authorities, in PEM, whose certificates this browser believes besides the usual ones; at most 50 certificates. Names and dates are checked as always.
         */
        trust?: Array<string>;
        /**
         * Hosts, each for itself, whose certificates need not hold: expired, signed by nobody known, for another name. There is no entry for all. Holds for pages, frames, workers and WebSockets; not for what a service worker loads, nor for the service worker itself.
         */
        ignoreErrorsFor?: Array<string>;
    };
    /**
     * Certificates with which this browser shows who it is to sites that ask for one in the TLS handshake. Each goes to its origin alone. They are sealed in the store; only their subjects are shown.
     */
    clientCertificates?: Array<{
        origin: string;
        /**
         * PEM: the certificate, then those that lead up to its authority.
         */
        cert?: string;
        /**
         * PEM: its private key.
         */
        key?: string;
        /**
         * Instead of `cert` and `key`: a PKCS #12 file (`.pfx`, `.p12`), in base64.
         */
        pfx?: string;
        /**
         * Of `key` or `pfx`.
         */
        passphrase?: string;
    }>;
    /**
     * Permission name → state, for all origins.
     */
    permissions?: {
        [key: string]: 'granted' | 'denied' | 'prompt';
    };
    startUrl?: string;
    name?: string;
    metadata?: {
        [key: string]: string;
    };
    /**
     * Milliseconds from creation after which the browser is closed. Default 86400000.
     */
    maxDuration?: number;
    /**
     * Milliseconds without an action after which the browser is stopped. Default: never.
     */
    idleTimeout?: number | null;
    engine?: 'shell' | 'full';
    /**
     * Memory, in MiB, that all processes of the browser may use together. Above it the page that uses the most is ended (`tab.crashed`, `PAGE_CRASHED`), then the whole Chromium. Default and most: `BROWSERD_BROWSER_MEMORY_MB` and `BROWSERD_MAX_BROWSER_MEMORY_MB` of the server.
     */
    memoryMb?: number;
    /**
     * A saved profile to begin with: signed in where it was.
     */
    profile?: {
        id?: string;
        name?: string;
        /**
         * `false`: the browser gets a copy, and nothing flows back; any number may at once. `close`: it is the one that saves into the profile, when it is stopped or closed. `always`: also while it runs, at checkpoints.
         */
        save?: false | 'close' | 'always';
    };
    /**
     * Extensions of the project to load, by their ids; see docs/extensions.md. Only with the engine `full`, which is the default then.
     */
    extensions?: Array<string>;
    secrets?: {
        /**
         * Let CDP clients in although secrets are typed in this browser. They can read what stands in its pages. Default false.
         */
        allowCdp?: boolean;
    };
    /**
     * How dialogs of pages are answered. `manual`: over the API, else dismissed after a time-out.
     */
    dialogs?: 'dismiss' | 'accept' | 'manual';
};

export type CreateCapability = {
    /**
     * `cdp`: a DevTools client drives the browser. `live`: a person watches it.
     */
    kind: 'cdp' | 'live';
    /**
     * Of `live`, `view` unless given. A CDP client always controls, so for `cdp` only `control` fits.
     */
    mode?: 'view' | 'control';
    /**
     * How long the address can be used to connect.
     */
    ttlSeconds?: number;
    /**
     * Of `live`: the origins whose pages may show the address in a frame, and exchange messages with it. Without them no other site may.
     */
    frameAncestors?: Array<string>;
    /**
     * Of `live`: the one tab that is shown and controlled. The address ends with this tab; other tabs, and opening one, are refused.
     */
    tabId?: string;
};

export type CreateContentAddress = {
    /**
     * How long the address can be used.
     */
    ttlSeconds?: number;
};

export type CreateCrawlJob = {
    kind: 'crawl';
    /**
     * Where it begins.
     */
    url: string;
    /**
     * Only addresses that fit one of these: a path with its query, or a whole address, in which `*` stands for any characters. The first page is visited in any case.
     */
    include?: Array<string>;
    /**
     * No address that fits one of these.
     */
    exclude?: Array<string>;
    /**
     * `sameHost`: the host of `url`, with and without `www.`. `domain`: its registrable domain with all hosts below it.
     */
    scope?: 'sameHost' | 'domain';
    /**
     * Begin also with what the site’s sitemaps name.
     */
    sitemap?: boolean;
    /**
     * `ignore` only for sites that are yours, or that allow it.
     */
    robots?: 'respect' | 'ignore';
    /**
     * At least so long between two pages of one host.
     */
    delayMs?: number;
    /**
     * A saved profile that each page begins with.
     */
    profile?: {
        id?: string;
        name?: string;
    };
    /**
     * Links away from `url`.
     */
    maxDepth?: number;
    maxPages?: number;
    /**
     * What is done with each page: the quick action of this name.
     */
    action?: 'scrape' | 'screenshot' | 'pdf';
    /**
     * Fields of the quick action, for every page: `format`, `include`, `policy`, `profile`, `maxAgeMs`, …
     */
    options?: {
        [key: string]: unknown;
    };
    /**
     * For people.
     */
    name?: string;
    /**
     * Pages at the same time. Fewer while others need the room.
     */
    concurrency?: number;
    /**
     * How often a page is tried again that failed for what may pass: time-outs, connections, crashes, and answers 429, 502, 503 and 504.
     */
    retries?: number;
    /**
     * Is told when the job ends, as webhooks of the project are told of events.
     */
    webhook?: {
        /**
         * Where to send: https or http, without user name and password. Private addresses are refused unless the operator allows them, also when a name turns out to lead to one; redirects are not followed.
         */
        url: string;
        /**
         * Your own secret; one is made when absent.
         */
        secret?: string;
    };
};

export type CreateHar = {
    /**
     * Default: all tabs, also closed ones that are still in the log.
     */
    tabId?: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    since?: string;
    /**
     * Bodies of answers that Chromium still has (of documents that are still open), and bodies of requests.
     */
    bodies?: 'none' | 'text' | 'all';
    /**
     * Of the whole HAR: bodies that do not fit are left out, then the oldest entries.
     */
    maxBytes?: number;
    /**
     * With credentials and tokens. Admin keys only; an event `network.revealed` says so. Values of secrets stay masked.
     */
    reveal?: boolean;
};

export type CreateJob = CreateBatchJob | CreateCrawlJob | CreateMapJob;

export type CreateKey = {
    name: string;
    /**
     * `admin` manages keys, webhooks and secrets; `member` uses browsers, and secrets in them.
     */
    role?: 'admin' | 'member';
    /**
     * When the key stops working. Default: never.
     */
    expiresAt?: string;
};

export type CreateMapJob = {
    kind: 'map';
    /**
     * Where it begins.
     */
    url: string;
    /**
     * Only addresses that fit one of these: a path with its query, or a whole address, in which `*` stands for any characters. The first page is visited in any case.
     */
    include?: Array<string>;
    /**
     * No address that fits one of these.
     */
    exclude?: Array<string>;
    /**
     * `sameHost`: the host of `url`, with and without `www.`. `domain`: its registrable domain with all hosts below it.
     */
    scope?: 'sameHost' | 'domain';
    /**
     * Begin also with what the site’s sitemaps name.
     */
    sitemap?: boolean;
    /**
     * `ignore` only for sites that are yours, or that allow it.
     */
    robots?: 'respect' | 'ignore';
    /**
     * At least so long between two pages of one host.
     */
    delayMs?: number;
    /**
     * A saved profile that each page begins with.
     */
    profile?: {
        id?: string;
        name?: string;
    };
    /**
     * Links away from `url`.
     */
    maxDepth?: number;
    /**
     * Addresses.
     */
    maxPages?: number;
    /**
     * Fields of the quick action scrape that say how pages are reached: `policy`, `proxy`, …
     */
    options?: {
        [key: string]: unknown;
    };
    /**
     * For people.
     */
    name?: string;
    /**
     * Pages at the same time. Fewer while others need the room.
     */
    concurrency?: number;
    /**
     * How often a page is tried again that failed for what may pass: time-outs, connections, crashes, and answers 429, 502, 503 and 504.
     */
    retries?: number;
    /**
     * Is told when the job ends, as webhooks of the project are told of events.
     */
    webhook?: {
        /**
         * Where to send: https or http, without user name and password. Private addresses are refused unless the operator allows them, also when a name turns out to lead to one; redirects are not followed.
         */
        url: string;
        /**
         * Your own secret; one is made when absent.
         */
        secret?: string;
    };
};

export type CreateProfile = {
    /**
     * No two profiles of a project have the same.
     */
    name?: string;
    metadata?: {
        [key: string]: string;
    };
    expiresAt?: string;
    check?: ProfileCheck;
    /**
     * Take the state of this browser, ready or stopped. Of a ready one: cookies, local storage and permissions; IndexedDB is taken of a stopped one only.
     */
    browserId?: string;
    /**
     * As Playwright’s `context.storageState()` gives it, without `indexedDB`.
     */
    storageState?: {
        cookies?: Array<{
            name: string;
            value: string;
            domain: string;
            path?: string;
            /**
             * Seconds since 1970; -1 for a session cookie.
             */
            expires?: number;
            httpOnly?: boolean;
            secure?: boolean;
            sameSite?: 'Strict' | 'Lax' | 'None';
        }>;
        origins?: Array<{
            origin: string;
            localStorage?: Array<{
                name: string;
                value: string;
            }>;
        }>;
    };
};

export type CreateSecret = {
    /**
     * By which scripts name it; unique in the project.
     */
    name: string;
    /**
     * Codes by time (RFC 6238, SHA-1): what is typed is the code of the moment.
     */
    totp?: {
        digits?: number;
        /**
         * Seconds that a code is good for.
         */
        period?: number;
    };
    /**
     * Where it may be typed: exact origins (scheme, host, port), nothing below or beside them.
     */
    origins: Array<string>;
    metadata?: {
        [key: string]: string;
    };
};

export type CreateWebhook = {
    /**
     * Where to send: https or http, without user name and password. Private addresses are refused unless the operator allows them, also when a name turns out to lead to one; redirects are not followed.
     */
    url: string;
    /**
     * Which events; empty: all.
     */
    events?: Array<EventPattern>;
    description?: string;
    /**
     * Your own secret; one is made when absent.
     */
    secret?: string;
};

export type CreatedJob = {
    id: string;
    kind: 'batch' | 'crawl' | 'map';
    /**
     * null for a map.
     */
    action: 'scrape' | 'screenshot' | 'pdf' | null;
    name: string | null;
    /**
     * Where a crawl or a map began.
     */
    url: string | null;
    status: 'queued' | 'running' | 'completed' | 'cancelled' | 'failed';
    progress: {
        queued: number;
        running: number;
        done: number;
        failed: number;
        skipped: number;
        /**
         * Of a crawl, what is known so far.
         */
        total: number;
        /**
         * At the pace so far; null while that is unknown.
         */
        etaMs: number | null;
    };
    /**
     * What bounded the job: `max_pages`, robots, traps, …
     */
    remarks: Array<{
        code: string;
        message: string;
    }>;
    /**
     * Why the whole job failed.
     */
    error: {
        code: string;
        message: string;
    } | null;
    /**
     * ISO-8601, UTC, milliseconds
     */
    createdAt: string;
    startedAt: string | null;
    endedAt: string | null;
    /**
     * When an ended job goes, with its results and its files.
     */
    expiresAt: string | null;
    /**
     * What messages to `webhook` are signed with, where the caller sent none. It is shown here only.
     */
    webhookSecret?: string;
};

export type CreatedKey = {
    id: string;
    name: string;
    /**
     * `admin` manages keys, webhooks and secrets; `member` uses browsers, and secrets in them.
     */
    role: 'admin' | 'member';
    projectId: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    createdAt: string;
    /**
     * Exact to the minute; absent until the first use.
     */
    lastUsedAt?: string;
    /**
     * Absent for a key that does not expire.
     */
    expiresAt?: string;
    /**
     * The secret. It is shown here once and stored nowhere.
     */
    key: string;
};

export type CreatedWebhook = {
    id: string;
    url: string;
    events: Array<EventPattern>;
    description?: string;
    status: 'enabled' | 'disabled';
    /**
     * ISO-8601, UTC, milliseconds
     */
    disabledAt?: string;
    disabledReason?: string;
    /**
     * The first failure after the last success.
     */
    failingSince?: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    createdAt: string;
    /**
     * How many events it was not told of, because too many deliveries waited already: 2,000 of the webhook, or 10,000 of the project (a webhook always has room for 100). They are in the list of events. Absent: none, since it was last enabled.
     */
    dropped?: number;
    /**
     * When that was last so.
     */
    droppedAt?: string;
    /**
     * What deliveries are signed with, after Standard Webhooks: `whsec_` and 24 to 64 bytes in base64.
     */
    secret: string;
};

export type DeletedArtifact = {
    id: string;
    deleted: true;
};

export type DeletedExtension = {
    id: string;
    deleted: true;
};

export type DeletedFont = {
    id: string;
    deleted: true;
};

export type DeletedJob = {
    id: string;
    deleted: true;
};

export type DeletedProfile = {
    id: string;
    deleted: true;
};

export type DeletedSecret = {
    id: string;
    deleted: true;
};

export type DeletedWebhook = {
    id: string;
    deleted: true;
};

export type Delivery = {
    id: string;
    webhookId: string;
    /**
     * Sent as `webhook-id`, the same at every attempt.
     */
    eventId: string;
    eventType: string;
    state: 'pending' | 'delivered' | 'failed';
    /**
     * ISO-8601, UTC, milliseconds
     */
    createdAt: string;
    /**
     * Of a pending one.
     */
    nextAttemptAt?: string;
    /**
     * The latest ones, oldest first.
     */
    attempts: Array<{
        /**
         * ISO-8601, UTC, milliseconds
         */
        at: string;
        durationMs: number;
        /**
         * Absent when there was no answer.
         */
        statusCode?: number;
        /**
         * Absent when it was taken.
         */
        error?: string;
    }>;
};

export type DeliveryPage = {
    items: Array<Delivery>;
    limit: number;
    hasMore: boolean;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
};

export type Dialog = {
    id: string;
    type: 'alert' | 'confirm' | 'prompt' | 'beforeunload';
    /**
     * What the page says; at most 2,000 characters are kept.
     */
    message: string;
    /**
     * What a prompt suggests; empty for the others.
     */
    defaultValue: string;
    tabId: string;
    /**
     * Of the page or frame that opened it.
     */
    url: string;
    openedAt: string;
    state: 'open' | 'accepted' | 'dismissed';
    closedAt?: string;
    /**
     * The browser’s `dialogs` mode, a caller of this API, a script or CDP client that listens, the time-out, the page’s going away, or the end of its Chromium.
     */
    closedBy?: 'mode' | 'caller' | 'script' | 'timeout' | 'navigation' | 'browser';
    /**
     * What a prompt was answered with.
     */
    promptText?: string;
};

export type DialogPage = {
    items: Array<Dialog>;
    limit: number;
    hasMore: boolean;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
};

export type Download = {
    id: string;
    /**
     * As the page or the server gave it, cleaned like the name of a file.
     */
    suggestedFilename: string;
    /**
     * Where it came from; a long one is cut after 2,048 characters.
     */
    url: string;
    /**
     * The tab that started it, where Chromium tells.
     */
    tabId?: string;
    state: 'inProgress' | 'completed' | 'cancelled' | 'failed';
    receivedBytes: number;
    /**
     * Absent while the server has not told.
     */
    totalBytes?: number;
    /**
     * Of the content; like the next two once it is completed.
     */
    size?: number;
    mimeType?: string;
    sha256?: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    startedAt: string;
    /**
     * When it ended, however it did.
     */
    completedAt?: string;
    /**
     * Why it was cancelled, or failed.
     */
    reason?: 'policy' | 'too_large' | 'quota' | 'storage_full' | 'too_many' | 'client' | 'deleted' | 'browser_stopped' | 'browser_closed' | 'interrupted' | 'browser_crashed' | 'service_restarted' | 'machine_lost' | 'internal';
    /**
     * The same in words.
     */
    message?: string;
};

export type DownloadPage = {
    items: Array<Download>;
    limit: number;
    hasMore: boolean;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
};

export type Error = {
    error: {
        code: ErrorCode;
        /**
         * What failed, why, and how to mend it.
         */
        message: string;
        /**
         * Facts for programs, by code; always `requestId`, and `issues` for `VALIDATION_FAILED`.
         */
        details: {
            requestId: string;
            [key: string]: unknown;
        };
        category: 'authentication' | 'permission' | 'validation' | 'not_found' | 'conflict' | 'limit' | 'policy' | 'timeout' | 'script' | 'selector' | 'navigation' | 'network' | 'cors' | 'captcha' | 'dialog' | 'browser' | 'internal';
        /**
         * What the caller can do about it.
         */
        nextStep: 'fix_request' | 'authenticate' | 'wait' | 'retry' | 'observe' | 'handle_dialog' | 'resolve_captcha' | 'resume_browser' | 'create_browser' | 'change_policy' | 'reduce_size' | 'ask_operator';
    };
};

export type ErrorCode = 'VALIDATION_FAILED' | 'INVALID_JSON' | 'INVALID_REQUEST' | 'INVALID_CURSOR' | 'IDEMPOTENCY_KEY_REQUIRED' | 'IDEMPOTENCY_KEY_REUSED' | 'IDEMPOTENCY_KEY_IN_USE' | 'EPOCH_CHANGED' | 'UNAUTHENTICATED' | 'FORBIDDEN' | 'POLICY_BLOCKED' | 'POLICY_NOT_ALLOWED' | 'ROUTE_NOT_FOUND' | 'BROWSER_NOT_FOUND' | 'FILE_NOT_FOUND' | 'DOWNLOAD_NOT_FOUND' | 'RECORDING_NOT_FOUND' | 'REQUEST_NOT_FOUND' | 'REQUEST_CONTENT_GONE' | 'KEY_NOT_FOUND' | 'NODE_NOT_FOUND' | 'LAST_NODE' | 'WEBHOOK_NOT_FOUND' | 'DELIVERY_NOT_FOUND' | 'PROFILE_NOT_FOUND' | 'PROFILE_VERSION_NOT_FOUND' | 'EXTENSION_NOT_FOUND' | 'JOB_NOT_FOUND' | 'JOB_NOT_RUNNING' | 'EXTENSION_INVALID' | 'EXTENSION_IN_USE' | 'BASELINE_INVALID' | 'FONT_NOT_FOUND' | 'FONT_INVALID' | 'METHOD_NOT_ALLOWED' | 'BROWSER_NOT_READY' | 'PROFILE_IN_USE' | 'PROFILE_NAME_TAKEN' | 'PROFILE_CHANGED' | 'PROFILE_HAS_NO_CHECK' | 'DOWNLOAD_NOT_FINISHED' | 'DOWNLOAD_FAILED' | 'RECORDING_NOT_FINISHED' | 'RECORDING_FAILED' | 'LAST_ADMIN_KEY' | 'TOO_MANY_WEBHOOKS' | 'TOO_MANY_DELIVERIES' | 'TOO_MANY_TABS' | 'PAYLOAD_TOO_LARGE' | 'QUOTA_EXCEEDED' | 'UNSUPPORTED_MEDIA_TYPE' | 'RANGE_NOT_SATISFIABLE' | 'HEADERS_TOO_LARGE' | 'UPGRADE_REQUIRED' | 'TOO_MANY_CLIENTS' | 'RATE_LIMITED' | 'CAPACITY_EXHAUSTED' | 'TOO_MANY_JOBS' | 'FEATURE_UNAVAILABLE' | 'PROXY_UNREACHABLE' | 'PROXY_AUTH_FAILED' | 'TAB_NOT_FOUND' | 'SCRIPT_FAILED' | 'SCRIPT_SYNTAX' | 'SCRIPT_TIMEOUT' | 'SCRIPT_ABORTED' | 'SCRIPT_QUEUE_FULL' | 'RESULT_NOT_SERIALIZABLE' | 'RESULT_TOO_LARGE' | 'SELECTOR_NOT_FOUND' | 'ELEMENT_NOT_ACTIONABLE' | 'POINT_OUTSIDE_SCREEN' | 'CAPTURE_TOO_LARGE' | 'PAGE_NOT_WANTED' | 'DIALOG_NOT_FOUND' | 'DIALOG_CLOSED' | 'CAPTCHA_SOLVING' | 'DIALOG_OPEN' | 'PAGE_CRASHED' | 'FETCH_BLOCKED_BY_CORS' | 'NAVIGATION_FAILED' | 'BROWSER_CRASHED' | 'NODE_LOST' | 'BROWSER_START_FAILED' | 'RUNNER_UNAVAILABLE' | 'ISOLATION_UNAVAILABLE' | 'STORE_UNAVAILABLE' | 'SECRET_NOT_FOUND' | 'SECRET_EXISTS' | 'TOO_MANY_SECRETS' | 'SECRET_ORIGIN_MISMATCH' | 'SECRET_FIELD_UNUSABLE' | 'SECRET_CLIENT_ATTACHED' | 'SECRET_IN_FILE' | 'CDP_CLOSED' | 'STORAGE_FULL' | 'SERVICE_SHUTTING_DOWN' | 'REQUEST_TIMEOUT' | 'QUICK_ACTION_TIMEOUT' | 'BROWSER_UNRESPONSIVE' | 'INTERNAL';

export type Event = {
    id: string;
    type: EventType;
    /**
     * The browser it happened to; of an event that concerns a profile or a job alone, that one.
     */
    browserId: string;
    /**
     * When it happened.
     */
    at: string;
    /**
     * Grows with every event of the project; the order in which they are told.
     */
    seq: number;
    /**
     * What there is to say, by type.
     */
    data: {
        [key: string]: unknown;
    };
};

export type EventPage = {
    items: Array<Event>;
    limit: number;
    hasMore: boolean;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
};

/**
 * A type, all types of a group (`browser.*`), or all (`*`).
 */
export type EventPattern = '*' | 'browser.*' | 'tab.*' | 'script.*' | 'computer.*' | 'download.*' | 'dialog.*' | 'recording.*' | 'captcha.*' | 'policy.*' | 'consent.*' | 'console.*' | 'capability.*' | 'file.*' | 'network.*' | 'secret.*' | 'profile.*' | 'job.*' | 'quick.*' | 'browser.created' | 'browser.ready' | 'browser.stopping' | 'browser.stopped' | 'browser.resuming' | 'browser.recovering' | 'browser.recovered' | 'browser.closing' | 'browser.closed' | 'browser.failed' | 'browser.start_page_failed' | 'browser.handoff' | 'browser.limited' | 'tab.opened' | 'tab.closed' | 'tab.navigated' | 'tab.crashed' | 'script.started' | 'script.completed' | 'script.failed' | 'computer.completed' | 'computer.failed' | 'download.started' | 'download.completed' | 'download.failed' | 'dialog.opened' | 'dialog.closed' | 'recording.ready' | 'recording.failed' | 'captcha.detected' | 'captcha.solved' | 'captcha.failed' | 'captcha.needs_human' | 'policy.blocked' | 'consent.declined' | 'consent.failed' | 'console.error' | 'capability.issued' | 'file.address_issued' | 'network.revealed' | 'secret.used' | 'profile.created' | 'profile.saved' | 'profile.save_failed' | 'profile.restored' | 'profile.exported' | 'profile.deleted' | 'profile.signed_out' | 'job.started' | 'job.completed' | 'job.cancelled' | 'job.failed' | 'quick.completed' | 'quick.failed';

export type EventType = 'browser.created' | 'browser.ready' | 'browser.stopping' | 'browser.stopped' | 'browser.resuming' | 'browser.recovering' | 'browser.recovered' | 'browser.closing' | 'browser.closed' | 'browser.failed' | 'browser.start_page_failed' | 'browser.handoff' | 'browser.limited' | 'tab.opened' | 'tab.closed' | 'tab.navigated' | 'tab.crashed' | 'script.started' | 'script.completed' | 'script.failed' | 'computer.completed' | 'computer.failed' | 'download.started' | 'download.completed' | 'download.failed' | 'dialog.opened' | 'dialog.closed' | 'recording.ready' | 'recording.failed' | 'captcha.detected' | 'captcha.solved' | 'captcha.failed' | 'captcha.needs_human' | 'policy.blocked' | 'consent.declined' | 'consent.failed' | 'console.error' | 'capability.issued' | 'file.address_issued' | 'network.revealed' | 'secret.used' | 'profile.created' | 'profile.saved' | 'profile.save_failed' | 'profile.restored' | 'profile.exported' | 'profile.deleted' | 'profile.signed_out' | 'job.started' | 'job.completed' | 'job.cancelled' | 'job.failed' | 'quick.completed' | 'quick.failed';

export type ExecuteScript = {
    /**
     * The body of an async function, JavaScript or TypeScript, with Playwright’s `page`, `context` and `browser`, and `args`, `console`, `files`, `secrets` and `sleep` in scope. `return` gives the result.
     */
    code: string;
    /**
     * Default: the active tab.
     */
    tabId?: string;
    timeoutMs?: number;
    /**
     * Any JSON value, in scope as `args`.
     */
    args?: unknown;
    /**
     * Answer as soon as a dialog of the tab, or of a tab that the code opened, waits for an answer over the API (`dialogs: manual`): the code is ended there, with the error `DIALOG_OPEN`, and what it has done to the page stays. Otherwise the code waits for the dialog.
     */
    returnOnDialog?: boolean;
    /**
     * Of a result whose JSON has more characters, `resultCut` has the beginning, and `result` is null: for callers that show it and need no more.
     */
    maxResultChars?: number;
    capture?: false | {
        status?: boolean;
        /**
         * What the active tab shows after the call, as `POST …/observe` gives it.
         */
        observation?: {
            /**
             * aria: what the page shows and what can be operated, as a tree; its `[ref=e12]` can be used by later calls as `page.locator("aria-ref=e12")`, as long as the element lives.
             */
            kind?: 'aria' | 'text' | 'html' | 'markdown';
            /**
             * diff: only what has changed since an earlier observation of the tab that asked for the same. Lines are new (`+`), gone (`-`), different (`~`) or moved (`>`); what is as before is counted. The whole where there is nothing to compare with, or the diff would not be smaller: `as` of the answer tells.
             */
            as?: 'full' | 'diff';
            /**
             * With `as: "diff"`: the `id` of that observation. Default: the last one of this API key.
             */
            since?: string;
            /**
             * Only elements that match all of this, each below the way to it, with their references. Upper and lower case are the same.
             */
            find?: {
                /**
                 * In its name, its value, its title or its own text.
                 */
                text?: string;
                role?: string;
                /**
                 * Part of its name.
                 */
                name?: string;
                css?: string;
            };
            /**
             * Only what is in the element with this reference.
             */
            scope?: string;
            /**
             * How many levels; what lies deeper is counted.
             */
            depth?: number;
            /**
             * Only what can be operated, and the headings and parts of the page around it.
             */
            interactiveOnly?: boolean;
            /**
             * Only what lies within the view; the rest is counted.
             */
            viewportOnly?: boolean;
            /**
             * With the addresses of links.
             */
            urls?: boolean;
            /**
             * With `[box=left,top,width,height]` of each element, in CSS pixels of the view.
             */
            boxes?: boolean;
            /**
             * Only what is in the first element that matches, in CSS.
             */
            selector?: string;
            /**
             * Cut at the end of a line. What is longer is kept whole as a file, and has an index.
             */
            maxChars?: number;
            /**
             * A character of the whole: `nextStart` of the part before, or an entry of the index.
             */
            startFrom?: number;
            /**
             * Keep what is longer than `maxChars` as a file of the browser.
             */
            store?: boolean;
            /**
             * How long the reading of the page may take.
             */
            timeoutMs?: number;
            /**
             * change: only when it differs from the last observation of the tab that this API key has asked for.
             */
            includeOn?: 'always' | 'success' | 'error' | 'change';
        };
        /**
         * A picture of the active tab after the call, as a file of the browser.
         */
        screenshot?: boolean | {
            format?: 'png' | 'jpeg' | 'webp';
            /**
             * Of jpeg and webp; 80 if not given.
             */
            quality?: number;
            /**
             * All of the page instead of what its viewport shows; at most 16,384 device pixels a side, and as a PNG without `maxSide` 100,000 down.
             */
            fullPage?: boolean;
            /**
             * Only the first element that matches this CSS selector, also in open shadow roots.
             */
            selector?: string;
            /**
             * Only this part of the page, in CSS pixels from its top left corner; what lies outside the page is cut off.
             */
            clip?: {
                x: number;
                y: number;
                width: number;
                height: number;
            };
            /**
             * Transparent where the page paints nothing, instead of white. Of png and webp.
             */
            omitBackground?: boolean;
            /**
             * Pixels of the longer side at most; a larger picture is drawn smaller. Never enlarges.
             */
            maxSide?: number;
        };
        /**
         * Navigations, tabs, dialogs and how they ended, downloads that began, console errors, failed and refused requests during the call.
         */
        activity?: boolean;
        /**
         * The requests that pages of the browser began during the call, oldest first.
         */
        network?: boolean | {
            failedOnly?: boolean;
            max?: number;
        };
        /**
         * One ZIP file of the browser with all that explains the run: the code, its logs, its error, what happened meanwhile, its requests as a HAR, the page as an accessibility tree and as a picture, and the trace if there is one. error: only when the code fails.
         */
        bundle?: 'error' | 'always';
    };
    /**
     * Record a Playwright trace of the call, as a ZIP file of the browser: `npx playwright show-trace` opens it, and so does the dashboard. Values of secrets are masked in it, and credentials in headers and cookies. A call with a trace is slower.
     */
    trace?: boolean | {
        /**
         * The page before and after each action, and its requests with what they answered.
         */
        snapshots?: boolean;
        /**
         * Pictures of the page as it changes.
         */
        screenshots?: boolean;
        /**
         * The code, beside what its lines did.
         */
        sources?: boolean;
    };
};

export type Extension = {
    id: string;
    name: string;
    version: string;
    /**
     * The id that Chromium knows it by: its pages are at `chrome-extension://<chromiumId>/`. It comes of the `key` in the manifest or of the signature of a CRX, and is a new one for each upload otherwise.
     */
    chromiumId: string;
    manifestVersion: 3;
    description?: string;
    permissions: Array<string>;
    optionalPermissions: Array<string>;
    /**
     * Sites that it may read and change, those of its content scripts included.
     */
    hostPermissions: Array<string>;
    optionalHostPermissions: Array<string>;
    /**
     * Its popup page, to be opened in a tab.
     */
    popup?: string;
    /**
     * Bytes of the package.
     */
    size: number;
    sha256: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    createdAt: string;
};

export type ExtensionPage = {
    items: Array<Extension>;
    limit: number;
    hasMore: boolean;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
};

export type File = {
    id: string;
    /**
     * As it was given, without paths and characters that could do harm; at most 255 bytes.
     */
    name: string;
    /**
     * Bytes.
     */
    size: number;
    /**
     * By the content, and by name and sender where it is silent.
     */
    mimeType: string;
    /**
     * Of the content, hex; also its `ETag`.
     */
    sha256: string;
    /**
     * What made it.
     */
    source: 'upload' | 'script' | 'screenshot' | 'pdf' | 'har' | 'trace' | 'bundle' | 'observation';
    /**
     * ISO-8601, UTC, milliseconds
     */
    createdAt: string;
};

export type FilePage = {
    items: Array<File>;
    limit: number;
    hasMore: boolean;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
};

export type FillSecret = {
    /**
     * By which scripts name it; unique in the project.
     */
    secret: string;
    /**
     * Of the field, as Playwright writes it.
     */
    selector: string;
    tabId?: string;
    /**
     * To wait for the field.
     */
    timeoutMs?: number;
};

export type FilledSecret = {
    filled: true;
    secret: string;
    origin: string;
};

export type Font = {
    id: string;
    format: 'ttf' | 'otf' | 'ttc';
    /**
     * One, or those of a collection.
     */
    faces: Array<{
        /**
         * What CSS calls it by: `font-family`.
         */
        family: string;
        style: string;
        /**
         * What `src: local(…)` finds it by.
         */
        fullName?: string;
        /**
         * The same.
         */
        postScriptName?: string;
    }>;
    /**
     * Bytes.
     */
    size: number;
    sha256: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    createdAt: string;
};

export type FontPage = {
    items: Array<Font>;
    limit: number;
    hasMore: boolean;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
};

export type Handoff = {
    /**
     * `requested`: a person was asked, scripts go on. `person`: script calls wait.
     */
    state: 'scripts' | 'requested' | 'person';
    /**
     * How the last one ended: the person handed back, the owner took the browser, or the person’s connection broke. Absent where none is known: a crash and a stop are outlasted, a restart of the service is not.
     */
    ended?: 'returned' | 'withdrawn' | 'left';
    /**
     * What the person was asked to do.
     */
    message?: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    since: string;
    /**
     * Where a person can take over; only when asking.
     */
    url?: string;
    /**
     * Of that address.
     */
    expiresAt?: string;
};

export type HandoffWaiting = 'requested' | 'person';

export type Health = {
    status: 'ok';
    version: string;
    /**
     * Milliseconds since the start of the process.
     */
    uptime: number;
};

export type HealthCheck = {
    ok: boolean;
    detail: string;
    [key: string]: unknown;
};

export type Job = {
    id: string;
    kind: 'batch' | 'crawl' | 'map';
    /**
     * null for a map.
     */
    action: 'scrape' | 'screenshot' | 'pdf' | null;
    name: string | null;
    /**
     * Where a crawl or a map began.
     */
    url: string | null;
    status: 'queued' | 'running' | 'completed' | 'cancelled' | 'failed';
    progress: {
        queued: number;
        running: number;
        done: number;
        failed: number;
        skipped: number;
        /**
         * Of a crawl, what is known so far.
         */
        total: number;
        /**
         * At the pace so far; null while that is unknown.
         */
        etaMs: number | null;
    };
    /**
     * What bounded the job: `max_pages`, robots, traps, …
     */
    remarks: Array<{
        code: string;
        message: string;
    }>;
    /**
     * Why the whole job failed.
     */
    error: {
        code: string;
        message: string;
    } | null;
    /**
     * ISO-8601, UTC, milliseconds
     */
    createdAt: string;
    startedAt: string | null;
    endedAt: string | null;
    /**
     * When an ended job goes, with its results and its files.
     */
    expiresAt: string | null;
};

export type JobPage = {
    items: Array<Job>;
    limit: number;
    hasMore: boolean;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
};

export type JobResult = {
    /**
     * The order in which pages were finished, from 1.
     */
    seq: number;
    /**
     * Of a batch, the place of the item; else the order in which it was found.
     */
    index: number;
    /**
     * null for an item with `html`.
     */
    url: string | null;
    /**
     * After all redirects.
     */
    finalUrl: string | null;
    statusCode: number | null;
    status: 'done' | 'failed' | 'skipped';
    depth: number | null;
    foundOn: string | null;
    source: 'start' | 'link' | 'sitemap' | null;
    attempts: number;
    fromCache: boolean;
    /**
     * Why it failed, or was skipped.
     */
    error: {
        code: string;
        message: string;
    } | null;
    scraped?: QuickScraped;
    /**
     * The screenshot or the PDF.
     */
    file?: ProjectFile;
    /**
     * ISO-8601, UTC, milliseconds
     */
    finishedAt: string;
};

export type JobResultPage = {
    items: Array<JobResult>;
    limit: number;
    hasMore: boolean;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
};

export type Key = {
    id: string;
    name: string;
    /**
     * `admin` manages keys, webhooks and secrets; `member` uses browsers, and secrets in them.
     */
    role: 'admin' | 'member';
    projectId: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    createdAt: string;
    /**
     * Exact to the minute; absent until the first use.
     */
    lastUsedAt?: string;
    /**
     * Absent for a key that does not expire.
     */
    expiresAt?: string;
};

export type KeyPage = {
    items: Array<Key>;
    limit: number;
    hasMore: boolean;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
};

export type NetworkPage = {
    items: Array<NetworkRequest>;
    limit: number;
    hasMore: boolean;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
    /**
     * Requests of its tabs that were made so fast that they were only counted.
     */
    dropped: number;
    /**
     * `off`: the operator has turned the log off (`BROWSERD_NETWORK_LOG`), and it stays empty.
     */
    log: 'on' | 'off';
};

export type NetworkRequest = {
    id: string;
    tabId: string;
    /**
     * What made it. `frame`: one in a process of its own; other frames are not told from their page.
     */
    from: 'page' | 'frame' | 'worker' | 'service_worker';
    method: string;
    /**
     * Cut at 4,096 characters; values that look like tokens are shown as `***`.
     */
    url: string;
    type: 'document' | 'stylesheet' | 'image' | 'media' | 'font' | 'script' | 'texttrack' | 'xhr' | 'fetch' | 'prefetch' | 'eventsource' | 'websocket' | 'manifest' | 'signedexchange' | 'ping' | 'cspviolationreport' | 'preflight' | 'other';
    state: 'pending' | 'finished' | 'failed';
    /**
     * Of the HTTP answer; absent while there is none.
     */
    status?: number;
    statusText?: string;
    mimeType?: string;
    protocol?: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    startedAt: string;
    /**
     * Until its end; absent while it is pending.
     */
    durationMs?: number;
    /**
     * Milliseconds; -1 where a part does not apply. Names are resolved and sites dialled by the exit of the browser: `connect` is the tunnel through it.
     */
    timing?: {
        blocked: number;
        connect: number;
        tls: number;
        send: number;
        wait: number;
        receive: number;
    };
    fromCache: boolean;
    fromServiceWorker: boolean;
    initiator?: {
        type: string;
        url?: string;
        line?: number;
    };
    /**
     * Which address the exit dialled for the place: the site, or the proxy of the browser.
     */
    remoteAddress?: string;
    /**
     * The proxy of the browser that it went through.
     */
    proxy?: string;
    /**
     * The exit spoke TLS with the site itself, because of `tls.trust` or `clientCertificates`: times and protocol of TLS are those between Chromium and the exit.
     */
    vouched?: true;
    /**
     * The rule of the policy that decided.
     */
    rule?: string;
    failure?: {
        kind: 'policy' | 'cors' | 'tls' | 'dns' | 'proxy' | 'blocked' | 'cancelled' | 'network';
        error: string;
        /**
         * Chromium’s own word for what CORS, a policy of the page and the like missed.
         */
        detail?: string;
    };
    /**
     * Received for it, headers included, as far as Chromium has said.
     */
    wireBytes: number;
    /**
     * Of the body, decompressed.
     */
    bodyBytes: number;
    /**
     * The request that followed.
     */
    redirectedTo?: string;
    /**
     * Frames so far; bytes are those of their content, about.
     */
    webSocket?: {
        framesSent: number;
        framesReceived: number;
        bytesSent: number;
        bytesReceived: number;
    };
};

export type NetworkRequestDetail = {
    id: string;
    tabId: string;
    /**
     * What made it. `frame`: one in a process of its own; other frames are not told from their page.
     */
    from: 'page' | 'frame' | 'worker' | 'service_worker';
    method: string;
    /**
     * Cut at 4,096 characters; values that look like tokens are shown as `***`.
     */
    url: string;
    type: 'document' | 'stylesheet' | 'image' | 'media' | 'font' | 'script' | 'texttrack' | 'xhr' | 'fetch' | 'prefetch' | 'eventsource' | 'websocket' | 'manifest' | 'signedexchange' | 'ping' | 'cspviolationreport' | 'preflight' | 'other';
    state: 'pending' | 'finished' | 'failed';
    /**
     * Of the HTTP answer; absent while there is none.
     */
    status?: number;
    statusText?: string;
    mimeType?: string;
    protocol?: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    startedAt: string;
    /**
     * Until its end; absent while it is pending.
     */
    durationMs?: number;
    /**
     * Milliseconds; -1 where a part does not apply. Names are resolved and sites dialled by the exit of the browser: `connect` is the tunnel through it.
     */
    timing?: {
        blocked: number;
        connect: number;
        tls: number;
        send: number;
        wait: number;
        receive: number;
    };
    fromCache: boolean;
    fromServiceWorker: boolean;
    initiator?: {
        type: string;
        url?: string;
        line?: number;
    };
    /**
     * Which address the exit dialled for the place: the site, or the proxy of the browser.
     */
    remoteAddress?: string;
    /**
     * The proxy of the browser that it went through.
     */
    proxy?: string;
    /**
     * The exit spoke TLS with the site itself, because of `tls.trust` or `clientCertificates`: times and protocol of TLS are those between Chromium and the exit.
     */
    vouched?: true;
    /**
     * The rule of the policy that decided.
     */
    rule?: string;
    failure?: {
        kind: 'policy' | 'cors' | 'tls' | 'dns' | 'proxy' | 'blocked' | 'cancelled' | 'network';
        error: string;
        /**
         * Chromium’s own word for what CORS, a policy of the page and the like missed.
         */
        detail?: string;
    };
    /**
     * Received for it, headers included, as far as Chromium has said.
     */
    wireBytes: number;
    /**
     * Of the body, decompressed.
     */
    bodyBytes: number;
    /**
     * The request that followed.
     */
    redirectedTo?: string;
    /**
     * Frames so far; bytes are those of their content, about.
     */
    webSocket?: {
        framesSent: number;
        framesReceived: number;
        bytesSent: number;
        bytesReceived: number;
    };
    /**
     * As sent. Values that carry credentials are shown as `•••`.
     */
    requestHeaders: Array<{
        name: string;
        value: string;
    }>;
    responseHeaders: Array<{
        name: string;
        value: string;
    }>;
    hasRequestBody: boolean;
    /**
     * There were more headers, or longer ones, than are kept.
     */
    headersCut?: boolean;
};

export type Node = {
    /**
     * Kept over restarts, in the data folder of the node. Browsers have it as `node`.
     */
    id: string;
    /**
     * `draining`: it takes nothing more, hands its browsers over and ends. `gone`: it ended, or gave no sign for longer than `BROWSERD_LEASE`; its browsers are with others, or wait for one.
     */
    state: 'up' | 'draining' | 'gone';
    /**
     * It is the node that answers this request.
     */
    answering: boolean;
    /**
     * Where the other nodes reach it; absent for one that works alone.
     */
    address?: string;
    /**
     * `BROWSERD_ZONE`, where it is set.
     */
    zone?: string;
    /**
     * Of browserd.
     */
    version?: string;
    /**
     * As of its last sign of life.
     */
    browsers: {
        /**
         * Browsers with a running Chromium, or about to have one.
         */
        used: number;
        /**
         * How many there may be at once (`BROWSERD_MAX_BROWSERS`).
         */
        limit: number;
        /**
         * Chromiums that have started ahead of demand.
         */
        warm: number;
    };
    /**
     * Milliseconds since its last sign of life, by the clock of the database.
     */
    silentMs: number;
    /**
     * ISO-8601, UTC, milliseconds
     */
    startedAt: string;
    /**
     * Of a node that is gone.
     */
    goneAt?: string;
};

export type NodePage = {
    items: Array<Node>;
    limit: number;
    hasMore: boolean;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
};

export type ObservePage = {
    /**
     * Default: the active tab.
     */
    tabId?: string;
    /**
     * aria: what the page shows and what can be operated, as a tree; its `[ref=e12]` can be used by later calls as `page.locator("aria-ref=e12")`, as long as the element lives.
     */
    kind?: 'aria' | 'text' | 'html' | 'markdown';
    /**
     * diff: only what has changed since an earlier observation of the tab that asked for the same. Lines are new (`+`), gone (`-`), different (`~`) or moved (`>`); what is as before is counted. The whole where there is nothing to compare with, or the diff would not be smaller: `as` of the answer tells.
     */
    as?: 'full' | 'diff';
    /**
     * With `as: "diff"`: the `id` of that observation. Default: the last one of this API key.
     */
    since?: string;
    /**
     * Only elements that match all of this, each below the way to it, with their references. Upper and lower case are the same.
     */
    find?: {
        /**
         * In its name, its value, its title or its own text.
         */
        text?: string;
        role?: string;
        /**
         * Part of its name.
         */
        name?: string;
        css?: string;
    };
    /**
     * Only what is in the element with this reference.
     */
    scope?: string;
    /**
     * How many levels; what lies deeper is counted.
     */
    depth?: number;
    /**
     * Only what can be operated, and the headings and parts of the page around it.
     */
    interactiveOnly?: boolean;
    /**
     * Only what lies within the view; the rest is counted.
     */
    viewportOnly?: boolean;
    /**
     * With the addresses of links.
     */
    urls?: boolean;
    /**
     * With `[box=left,top,width,height]` of each element, in CSS pixels of the view.
     */
    boxes?: boolean;
    /**
     * Only what is in the first element that matches, in CSS.
     */
    selector?: string;
    /**
     * Cut at the end of a line. What is longer is kept whole as a file, and has an index.
     */
    maxChars?: number;
    /**
     * A character of the whole: `nextStart` of the part before, or an entry of the index.
     */
    startFrom?: number;
    /**
     * Keep what is longer than `maxChars` as a file of the browser.
     */
    store?: boolean;
    /**
     * How long the reading of the page may take.
     */
    timeoutMs?: number;
};

export type ObservedPage = {
    page: Tab;
    kind: 'aria' | 'text' | 'html' | 'markdown';
    as: 'full' | 'diff';
    /**
     * For `since` of a later one. The last few of a browser are kept. Not of `find`.
     */
    id?: string;
    content: string;
    /**
     * Length of the whole, before `maxChars`.
     */
    chars: number;
    /**
     * Of `content`, roughly: models count differently.
     */
    tokens: number;
    /**
     * More follows: at `nextStart`, and in the file.
     */
    truncated: boolean;
    /**
     * `startFrom` of the next part.
     */
    nextStart?: number;
    /**
     * It differs from the last one of this API key that asked for the same of the tab.
     */
    changed: boolean;
    /**
     * Why it is the whole, although a diff was asked for.
     */
    fullReason?: 'nothing_before' | 'new_document' | 'asked_differently' | 'not_smaller';
    /**
     * How many elements `find` has found.
     */
    matches?: number;
    /**
     * The view and how far it is and can be scrolled, in CSS pixels.
     */
    view?: {
        width: number;
        height: number;
        scrollX: number;
        scrollY: number;
        maxX: number;
        maxY: number;
    };
    /**
     * The parts of the whole, where it is longer than `maxChars`.
     */
    index?: Array<{
        startFrom: number;
        chars: number;
        /**
         * The headings and parts of the page that begin in it.
         */
        what: string;
    }>;
    /**
     * The whole, where it is longer than `maxChars`.
     */
    file?: {
        fileId?: string;
        /**
         * Why there is no file.
         */
        omitted?: string;
    };
    /**
     * The page is so large, or so slow, that not all of it was read. Ask for a part of it.
     */
    incomplete?: true;
};

export type OpenTab = {
    url?: string | 'about:blank' | string;
    /**
     * false: it opens behind the tab in front.
     */
    active?: boolean;
    /**
     * Of this tab alone. Default: that of the browser.
     */
    viewport?: {
        width?: number;
        height?: number;
        deviceScaleFactor?: number;
    };
    /**
     * `load` (default), `domcontentloaded`, `networkidle`, a CSS selector, or milliseconds after the page is parsed.
     */
    waitFor?: number | 'load' | 'domcontentloaded' | 'networkidle' | string | {
        expression: string;
    };
    timeoutMs?: number;
    /**
     * When the time is up, answer with what there is (`timedOut: true`) instead of 504.
     */
    partial?: boolean;
};

export type PatchBrowser = {
    policy?: Policy;
    /**
     * null removes the proxy.
     */
    proxy?: string | {
        server: string;
        username?: string;
        password?: string;
        bypass?: Array<string>;
    } | null;
    name?: string | null;
    metadata?: {
        [key: string]: string;
    };
    idleTimeout?: number | null;
    maxDuration?: number;
    /**
     * How dialogs of pages are answered. `manual`: over the API, else dismissed after a time-out.
     */
    dialogs?: 'dismiss' | 'accept' | 'manual';
    /**
     * null: no device. The viewport changes with it, unless one is given as well.
     */
    device?: 'iphone' | 'ipad' | 'pixel' | 'android-tablet' | 'macbook' | 'desktop' | null;
    viewport?: {
        width?: number;
        height?: number;
        deviceScaleFactor?: number;
    };
    /**
     * null: as Chromium has it.
     */
    colorScheme?: 'light' | 'dark' | null;
    /**
     * null: as Chromium has it.
     */
    reducedMotion?: 'reduce' | 'no-preference' | null;
    /**
     * null: as fast as it is.
     */
    network?: {
        offline?: boolean;
        /**
         * Least time from a request to the head of its answer.
         */
        latencyMs?: number;
        /**
         * Kilobits a second, of each page.
         */
        downloadKbps?: number;
        /**
         * Kilobits a second, of each page.
         */
        uploadKbps?: number;
    } | null;
    /**
     * All of them anew; null or an empty list: none. What Chromium has sent to a site already it goes on sending there until the browser is stopped.
     */
    httpCredentials?: Array<{
        origin: string;
        username: string;
        password: string;
    }> | null;
    /**
     * null: neither trust nor exceptions. What it does not name stays as it is; an empty list takes it away. Open connections that rested on an authority that is gone are ended; others stay.
     */
    tls?: {
        /**
         * Authorities, in PEM, whose certificates this browser believes besides the usual ones; at most 50 certificates. Names and dates are checked as always.
         */
        trust?: Array<string>;
        /**
         * Hosts, each for itself, whose certificates need not hold: expired, signed by nobody known, for another name. There is no entry for all. Holds for pages, frames, workers and WebSockets; not for what a service worker loads, nor for the service worker itself.
         */
        ignoreErrorsFor?: Array<string>;
    } | null;
    /**
     * All of them anew; null or an empty list: none. Open connections to their hosts are ended.
     */
    clientCertificates?: Array<{
        origin: string;
        /**
         * PEM: the certificate, then those that lead up to its authority.
         */
        cert?: string;
        /**
         * PEM: its private key.
         */
        key?: string;
        /**
         * Instead of `cert` and `key`: a PKCS #12 file (`.pfx`, `.p12`), in base64.
         */
        pfx?: string;
        /**
         * Of `key` or `pfx`.
         */
        passphrase?: string;
    }> | null;
};

export type PatchProfile = {
    name?: string | null;
    metadata?: {
        [key: string]: string;
    };
    expiresAt?: string | null;
    check?: ProfileCheck | null;
};

export type PatchSecret = {
    /**
     * Codes by time (RFC 6238, SHA-1): what is typed is the code of the moment.
     */
    totp?: {
        digits?: number;
        /**
         * Seconds that a code is good for.
         */
        period?: number;
    };
    /**
     * Where it may be typed: exact origins (scheme, host, port), nothing below or beside them.
     */
    origins?: Array<string>;
    metadata?: {
        [key: string]: string;
    };
};

export type PatchWebhook = {
    /**
     * Where to send: https or http, without user name and password. Private addresses are refused unless the operator allows them, also when a name turns out to lead to one; redirects are not followed.
     */
    url?: string;
    /**
     * Which events; empty: all.
     */
    events?: Array<EventPattern>;
    description?: string | null;
    /**
     * Replaces the secret, for all attempts from now on.
     */
    secret?: string;
    /**
     * Enabled again, it is told of what happens from then on.
     */
    status?: 'enabled' | 'disabled';
};

export type PermissionState = 'granted' | 'denied' | 'prompt';

export type Permissions = {
    /**
     * For all origins.
     */
    permissions: {
        [key: string]: PermissionState;
    };
    /**
     * For single origins; they beat those for all.
     */
    origins: {
        [key: string]: {
            [key: string]: PermissionState;
        };
    };
};

/**
 * With `selectors`.
 */
export type Pictures = {
    pictures: Array<{
        selector: string;
        mimeType: string;
        /**
         * In base64; absent where it was stored.
         */
        content?: string;
        /**
         * With `store`.
         */
        file?: File;
    }>;
};

export type Policy = {
    /**
     * Hosts the browser may visit; an entry covers its subdomains.
     */
    allowedDomains?: Array<string>;
    /**
     * Hosts it may not visit. Blocked beats allowed.
     */
    blockedDomains?: Array<string>;
    /**
     * scheme://host:port entries of the allow-list.
     */
    allowedOrigins?: Array<string>;
    /**
     * scheme://host:port entries that are refused.
     */
    blockedOrigins?: Array<string>;
    /**
     * Which private, loopback or link-local addresses may be reached, never more than the operator allows. Default: none. `ports` opens ports of mail, databases and other well-known services there, which are closed otherwise.
     */
    privateAccess?: false | {
        domains?: Array<string>;
        cidrs?: Array<string>;
        localhost?: boolean;
        ports?: Array<number>;
    };
    /**
     * Whether pages may download, and how large one file may be; a download that may not go on is cancelled, with an event.
     */
    downloads?: {
        mode?: 'allow' | 'deny';
        maxBytes?: number;
    };
    /**
     * Which files may be uploaded to the browser and put into its pages, by the type of their content; `image*` covers all images.
     */
    uploads?: {
        mode?: 'allow' | 'deny';
        allowedMimeTypes?: Array<string>;
    };
    /**
     * Filter lists of the operator (`BROWSERD_FILTER_LISTS`) that block what their filters name; asked for what no rule has ended.
     */
    lists?: Array<string>;
    /**
     * What becomes of cookie banners. `decline`: those that are recognised are declined, or hidden where they cannot be, in pages and frames. Absent or null: they stay.
     */
    consent?: 'decline' | null;
    /**
     * What becomes of requests of pages, frames and workers, asked in this order. The first that ends a request (`allow`, `block`, `fail`, `respond`, `redirect`) is the last one asked; `headers` and `delay` apply on the way. They never open what the rest of the policy refuses.
     */
    rules?: Array<RequestRule>;
};

export type PrintPdf = {
    /**
     * Default: the active tab.
     */
    tabId?: string;
    /**
     * Of the paper; letter if neither it nor width and height are given.
     */
    format?: 'a0' | 'a1' | 'a2' | 'a3' | 'a4' | 'a5' | 'a6' | 'letter' | 'legal' | 'tabloid' | 'ledger';
    /**
     * CSS pixels, or a number with px, in, cm or mm.
     */
    width?: number | string;
    /**
     * CSS pixels, or a number with px, in, cm or mm.
     */
    height?: number | string;
    /**
     * None unless given. Header and footer are printed in it.
     */
    margin?: {
        /**
         * CSS pixels, or a number with px, in, cm or mm.
         */
        top?: number | string;
        /**
         * CSS pixels, or a number with px, in, cm or mm.
         */
        right?: number | string;
        /**
         * CSS pixels, or a number with px, in, cm or mm.
         */
        bottom?: number | string;
        /**
         * CSS pixels, or a number with px, in, cm or mm.
         */
        left?: number | string;
    };
    landscape?: boolean;
    scale?: number;
    /**
     * All pages unless given.
     */
    pageRanges?: string;
    /**
     * True if there is a template, unless given.
     */
    displayHeaderFooter?: boolean;
    /**
     * HTML; elements of the classes date, title, url, pageNumber and totalPages are filled in. Set a `font-size`. Chromium loads nothing for it; what it names of `assets` (pictures, style sheets, fonts of `@font-face`) is written into it.
     */
    headerTemplate?: string;
    footerTemplate?: string;
    /**
     * Colours and images of backgrounds too.
     */
    printBackground?: boolean;
    /**
     * The size that the page itself asks for by `@page`, if it does.
     */
    preferCssPageSize?: boolean;
    /**
     * With the structure that screen readers need.
     */
    tagged?: boolean;
    /**
     * All on one sheet, as long as the page is with the width it has on the screen; a `format` or `width` has it drawn smaller or larger to fit. At most 200 inches.
     */
    singlePage?: boolean;
    /**
     * What the PDF says about itself; what is left out stays as Chromium writes it.
     */
    about?: {
        title?: string;
        author?: string;
        subject?: string;
        keywords?: string;
    };
    /**
     * With bookmarks from the headings; needs tagged.
     */
    outline?: boolean;
    /**
     * Files that the templates name by relative addresses.
     */
    assets?: Array<{
        name: string;
        /**
         * The bytes, in base64.
         */
        content?: string;
        /**
         * A file of the project that has the bytes, of at most 10,500,000.
         */
        fileId?: string;
    }>;
    /**
     * Which `@media` rules hold. Default: screen for a picture, print for a PDF.
     */
    media?: 'screen' | 'print';
    /**
     * CSS that holds while it is captured, whatever the page’s content security policy says.
     */
    addStyle?: string | Array<string>;
    /**
     * CSS selectors of what is not shown; its place stays empty. Also in open shadow roots.
     */
    hide?: Array<string>;
    /**
     * CSS selectors of what is not there; the rest moves together. Also in open shadow roots.
     */
    remove?: Array<string>;
    /**
     * CSS selectors of what is clicked, one after the other; after each the page comes to rest. One that matches nothing is an error unless it is `optional`.
     */
    click?: Array<string | {
        selector: string;
        optional?: boolean;
    }>;
    /**
     * Scroll through the page screen by screen and back, waiting at each for what it brings: pictures and parts that load when they are reached are there then. At most 100 screens unless told otherwise.
     */
    scroll?: boolean | {
        maxScreens?: number;
    };
    /**
     * Web fonts that are on their way are waited for, 2.5 seconds at most. `false`: text whose font is missing is drawn as the page has it without.
     */
    waitForFonts?: boolean;
    /**
     * Milliseconds to wait at last, for instance for an animation.
     */
    delay?: number;
    /**
     * What is waited for first: a selector, an expression, or how far the page has come. Default: it is captured as it is.
     */
    waitFor?: number | 'load' | 'domcontentloaded' | 'networkidle' | string | {
        expression: string;
    };
    /**
     * What `prefers-color-scheme` says while it is captured.
     */
    colorScheme?: 'light' | 'dark';
    /**
     * Run in the world of the page.
     */
    addScript?: Array<{
        /**
         * JavaScript; its promise is waited for.
         */
        content: string;
    }>;
    /**
     * Answer `PAGE_NOT_WANTED` instead, when something matches the selector or the page was answered with such a status.
     */
    failOn?: {
        selector?: string;
        status?: Array<number | string>;
    };
    /**
     * For all that is done to the page before it is captured.
     */
    timeoutMs?: number;
    /**
     * Keep it as a file of the browser and answer 201 with its record.
     */
    store?: boolean;
};

export type Profile = {
    id: string;
    name?: string;
    metadata: {
        [key: string]: string;
    };
    /**
     * ISO-8601, UTC, milliseconds
     */
    createdAt: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    updatedAt: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    lastUsedAt?: string;
    /**
     * When it is deleted, unless a browser still writes it.
     */
    expiresAt?: string;
    /**
     * Of the newest version; 0 while nothing was saved.
     */
    version: number;
    /**
     * Bytes of the newest version, as it is stored.
     */
    size: number;
    cookieCount: number;
    /**
     * Registrable domains (eTLD+1).
     */
    cookieDomains: Array<string>;
    /**
     * With something in their local storage.
     */
    origins: number;
    /**
     * The browser that saves into it.
     */
    writer?: string;
    check?: ProfileCheck;
    /**
     * What the last check saw.
     */
    health?: {
        state: 'signed_in' | 'signed_out' | 'unknown';
        /**
         * ISO-8601, UTC, milliseconds
         */
        checkedAt: string;
    };
};

/**
 * How to see whether the profile is signed in. With neither `selector` nor `urlPattern`: signed in when the visit is not led to another path and is not answered with 401 or 403.
 */
export type ProfileCheck = {
    /**
     * A page that only a signed-in visitor gets to see.
     */
    url: string;
    /**
     * CSS. Signed in: something on the page matches it, such as `[data-user]`.
     */
    selector?: string;
    /**
     * A [URL pattern](https://developer.mozilla.org/docs/Web/API/URL_Pattern_API). Signed in: the address that the visit ends at matches it, such as `https://example.com/account*`.
     */
    urlPattern?: string;
};

export type ProfilePage = {
    items: Array<Profile>;
    limit: number;
    hasMore: boolean;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
};

export type ProfileVersion = {
    version: number;
    /**
     * ISO-8601, UTC, milliseconds
     */
    createdAt: string;
    /**
     * `browser`: saved when a browser was stopped or closed, or taken from one. `checkpoint`: while one ran (`save: always`).
     */
    source: 'browser' | 'checkpoint' | 'import' | 'restore';
    /**
     * The browser it was saved from.
     */
    browserId?: string;
    size: number;
    cookieCount: number;
    cookieDomains: Array<string>;
    origins: number;
};

export type ProfileVersionPage = {
    items: Array<ProfileVersion>;
    limit: number;
    hasMore: boolean;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
};

export type ProjectFile = {
    id: string;
    /**
     * As it was given, without paths and characters that could do harm; at most 255 bytes.
     */
    name: string;
    /**
     * Bytes.
     */
    size: number;
    /**
     * By the content, and by name and sender where it is silent.
     */
    mimeType: string;
    /**
     * Of the content, hex; also its `ETag`.
     */
    sha256: string;
    /**
     * What made it.
     */
    source: 'upload' | 'screenshot' | 'pdf' | 'scrape' | 'comparison';
    /**
     * The job that made it, with which it is deleted.
     */
    jobId: string | null;
    /**
     * ISO-8601, UTC, milliseconds
     */
    createdAt: string;
    /**
     * From then on there is no such file; null: it stays until it is deleted.
     */
    expiresAt: string | null;
};

export type ProjectFilePage = {
    items: Array<ProjectFile>;
    limit: number;
    hasMore: boolean;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
};

export type QuickCaptured = {
    /**
     * As asked for.
     */
    url: string;
    /**
     * After all redirects.
     */
    finalUrl: string;
    /**
     * null where there was no HTTP.
     */
    statusCode: number | null;
    /**
     * With `partial`: this is what there was when the time was up.
     */
    timedOut?: boolean;
    mimeType: string;
    /**
     * With `include: ["har"]`. Credentials and tokens are hidden.
     */
    har: unknown;
    /**
     * The picture or the PDF, in base64.
     */
    content: string;
};

/**
 * With `baseline`.
 */
export type QuickCompared = {
    /**
     * As asked for.
     */
    url: string;
    /**
     * After all redirects.
     */
    finalUrl: string;
    /**
     * null where there was no HTTP.
     */
    statusCode: number | null;
    /**
     * With `partial`: this is what there was when the time was up.
     */
    timedOut?: boolean;
    /**
     * Both have the same size, and no more than `threshold` differs.
     */
    matches: boolean;
    /**
     * Share of the compared pixels that differ, 0 to 1. What only one of them has differs.
     */
    difference: number;
    differentPixels: number;
    /**
     * Without those of `ignore`.
     */
    comparedPixels: number;
    threshold: number;
    sameSize: boolean;
    /**
     * Of the picture.
     */
    size: {
        width: number;
        height: number;
    };
    /**
     * Compared with.
     */
    baseline: {
        width: number;
        height: number;
        fileId: string;
    };
    /**
     * That was taken; absent where it was stored.
     */
    picture?: {
        mimeType: 'image/png';
        /**
         * In base64.
         */
        content: string;
    };
    /**
     * The picture, faint, with what differs in red; absent where it was stored.
     */
    differencePicture?: {
        mimeType: 'image/png';
        /**
         * In base64.
         */
        content: string;
    };
    /**
     * With `store`: the picture, and the picture of the difference.
     */
    files?: Array<StoredFile>;
};

export type QuickPdf = {
    url?: string;
    /**
     * A page to show instead of going to `url`.
     */
    html?: string;
    /**
     * When the page is there. Default: when it is loaded and has come to rest, which a page that polls or streams does too. `networkidle`: half a second without any request open.
     */
    waitFor?: number | 'load' | 'domcontentloaded' | 'networkidle' | string | {
        expression: string;
    };
    timeoutMs?: number;
    /**
     * Kinds of requests that are not made.
     */
    blockResources?: Array<'image' | 'font' | 'media' | 'stylesheet'>;
    /**
     * When the time is up, answer with what there is (`timedOut: true`) instead of 504.
     */
    partial?: boolean;
    /**
     * Files that `html` names by relative addresses: pictures, styles, fonts, scripts.
     */
    assets?: Array<{
        name: string;
        /**
         * The bytes, in base64.
         */
        content?: string;
        /**
         * A file of the project that has the bytes, of at most 10,500,000.
         */
        fileId?: string;
    }>;
    /**
     * Poses as this device: viewport, touch, mobile layout, user agent and client hints. A `viewport` or `userAgent` beside it beats its own. `iphone` 393×852@3, `ipad` 820×1180@2, `pixel` 412×923@2.625, `android-tablet` 800×1280@2, `macbook` 1440×900@2, `desktop` 1920×1080@1.
     */
    device?: 'iphone' | 'ipad' | 'pixel' | 'android-tablet' | 'macbook' | 'desktop';
    viewport?: {
        width?: number;
        height?: number;
        deviceScaleFactor?: number;
    };
    userAgent?: string;
    locale?: string;
    timezone?: string;
    /**
     * What `prefers-color-scheme` says.
     */
    colorScheme?: 'light' | 'dark';
    /**
     * What `prefers-reduced-motion` says.
     */
    reducedMotion?: 'reduce' | 'no-preference';
    /**
     * Sent with every request of every page.
     */
    extraHeaders?: {
        [key: string]: string;
    };
    cookies?: Array<{
        name: string;
        value: string;
        url?: string;
        domain?: string;
        path?: string;
        /**
         * Seconds since 1970; absent or -1 for a session cookie.
         */
        expires?: number;
        httpOnly?: boolean;
        secure?: boolean;
        sameSite?: 'Strict' | 'Lax' | 'None';
    }>;
    policy?: Policy;
    /**
     * http, https or socks5 URL, or its parts. Never a silent direct connection.
     */
    proxy?: string | {
        server: string;
        username?: string;
        password?: string;
        bypass?: Array<string>;
    };
    tls?: {
        /**
         * Authorities, in PEM, whose certificates this browser believes besides the usual ones; at most 50 certificates. Names and dates are checked as always.
         */
        trust?: Array<string>;
    };
    /**
     * Certificates with which this browser shows who it is to sites that ask for one in the TLS handshake. Each goes to its origin alone. They are sealed in the store; only their subjects are shown.
     */
    clientCertificates?: Array<{
        origin: string;
        /**
         * PEM: the certificate, then those that lead up to its authority.
         */
        cert?: string;
        /**
         * PEM: its private key.
         */
        key?: string;
        /**
         * Instead of `cert` and `key`: a PKCS #12 file (`.pfx`, `.p12`), in base64.
         */
        pfx?: string;
        /**
         * Of `key` or `pfx`.
         */
        passphrase?: string;
    }>;
    /**
     * A saved profile that the page begins with. Nothing is saved into it.
     */
    profile?: {
        id?: string;
        name?: string;
    };
    /**
     * Try the configured solvers on captchas that the page shows, except a person. Use it only where you are allowed to.
     */
    solveCaptcha?: boolean;
    /**
     * Keep what is made as a file of the project and answer 201 with its record and an address of it that needs no key for an hour. It stays until it is deleted, or for `ttlSeconds`. With an `Idempotency-Key` a repetition stores nothing twice.
     */
    store?: boolean | {
        name?: string;
        /**
         * Seconds for which the file is kept. Without it: until it is deleted.
         */
        ttlSeconds?: number;
    };
    /**
     * A kept answer to the same request will do when it is not older; else the page is visited, and a good answer (2xx, complete, no challenge) is kept. Where the site marks versions (`ETag`, `Last-Modified`), an older one is given when the site says that the page is still the same; 0: only then. Without it nothing is kept.
     */
    maxAgeMs?: number;
    /**
     * Of the paper; letter if neither it nor width and height are given.
     */
    format?: 'a0' | 'a1' | 'a2' | 'a3' | 'a4' | 'a5' | 'a6' | 'letter' | 'legal' | 'tabloid' | 'ledger';
    /**
     * CSS pixels, or a number with px, in, cm or mm.
     */
    width?: number | string;
    /**
     * CSS pixels, or a number with px, in, cm or mm.
     */
    height?: number | string;
    /**
     * None unless given. Header and footer are printed in it.
     */
    margin?: {
        /**
         * CSS pixels, or a number with px, in, cm or mm.
         */
        top?: number | string;
        /**
         * CSS pixels, or a number with px, in, cm or mm.
         */
        right?: number | string;
        /**
         * CSS pixels, or a number with px, in, cm or mm.
         */
        bottom?: number | string;
        /**
         * CSS pixels, or a number with px, in, cm or mm.
         */
        left?: number | string;
    };
    landscape?: boolean;
    scale?: number;
    /**
     * All pages unless given.
     */
    pageRanges?: string;
    /**
     * True if there is a template, unless given.
     */
    displayHeaderFooter?: boolean;
    /**
     * HTML; elements of the classes date, title, url, pageNumber and totalPages are filled in. Set a `font-size`. Chromium loads nothing for it; what it names of `assets` (pictures, style sheets, fonts of `@font-face`) is written into it.
     */
    headerTemplate?: string;
    footerTemplate?: string;
    /**
     * Colours and images of backgrounds too.
     */
    printBackground?: boolean;
    /**
     * The size that the page itself asks for by `@page`, if it does.
     */
    preferCssPageSize?: boolean;
    /**
     * With the structure that screen readers need.
     */
    tagged?: boolean;
    /**
     * All on one sheet, as long as the page is with the width it has on the screen; a `format` or `width` has it drawn smaller or larger to fit. At most 200 inches.
     */
    singlePage?: boolean;
    /**
     * What the PDF says about itself; what is left out stays as Chromium writes it.
     */
    about?: {
        title?: string;
        author?: string;
        subject?: string;
        keywords?: string;
    };
    /**
     * With bookmarks from the headings; needs tagged.
     */
    outline?: boolean;
    /**
     * Which `@media` rules hold. Default: screen for a picture, print for a PDF.
     */
    media?: 'screen' | 'print';
    /**
     * CSS that holds while it is captured, whatever the page’s content security policy says.
     */
    addStyle?: string | Array<string>;
    /**
     * CSS selectors of what is not shown; its place stays empty. Also in open shadow roots.
     */
    hide?: Array<string>;
    /**
     * CSS selectors of what is not there; the rest moves together. Also in open shadow roots.
     */
    remove?: Array<string>;
    /**
     * CSS selectors of what is clicked, one after the other; after each the page comes to rest. One that matches nothing is an error unless it is `optional`.
     */
    click?: Array<string | {
        selector: string;
        optional?: boolean;
    }>;
    /**
     * Scroll through the page screen by screen and back, waiting at each for what it brings: pictures and parts that load when they are reached are there then. At most 100 screens unless told otherwise.
     */
    scroll?: boolean | {
        maxScreens?: number;
    };
    /**
     * Web fonts that are on their way are waited for, 2.5 seconds at most. `false`: text whose font is missing is drawn as the page has it without.
     */
    waitForFonts?: boolean;
    /**
     * Milliseconds to wait at last, for instance for an animation.
     */
    delay?: number;
    /**
     * Run in the world of the page.
     */
    addScript?: Array<{
        /**
         * JavaScript; its promise is waited for.
         */
        content: string;
        /**
         * `before`: ahead of the page’s own scripts, in each of its documents.
         */
        when?: 'before' | 'after';
    }>;
    /**
     * Answer `PAGE_NOT_WANTED`, with the reasons, instead of a capture of such a page.
     */
    failOn?: {
        /**
         * Of the page itself.
         */
        status?: Array<number | string>;
        /**
         * When a picture, style sheet, script, font or other part fails or is answered with 400 or more.
         */
        resources?: boolean;
        /**
         * When the page throws an error that it does not catch, or writes one to the console.
         */
        console?: boolean;
        /**
         * When something matches it.
         */
        selector?: string;
    };
    /**
     * `har`: the answer is JSON, with the bytes in base64 and what the page asked of the network as a HAR 1.2 without bodies, of at most 1 MiB.
     */
    include?: Array<'har'>;
};

export type QuickScrape = {
    url?: string;
    /**
     * A page to show instead of going to `url`.
     */
    html?: string;
    /**
     * When the page is there. Default: when it is loaded and has come to rest, which a page that polls or streams does too. `networkidle`: half a second without any request open.
     */
    waitFor?: number | 'load' | 'domcontentloaded' | 'networkidle' | string | {
        expression: string;
    };
    timeoutMs?: number;
    /**
     * Kinds of requests that are not made.
     */
    blockResources?: Array<'image' | 'font' | 'media' | 'stylesheet'>;
    /**
     * When the time is up, answer with what there is (`timedOut: true`) instead of 504.
     */
    partial?: boolean;
    /**
     * Files that `html` names by relative addresses: pictures, styles, fonts, scripts.
     */
    assets?: Array<{
        name: string;
        /**
         * The bytes, in base64.
         */
        content?: string;
        /**
         * A file of the project that has the bytes, of at most 10,500,000.
         */
        fileId?: string;
    }>;
    /**
     * Poses as this device: viewport, touch, mobile layout, user agent and client hints. A `viewport` or `userAgent` beside it beats its own. `iphone` 393×852@3, `ipad` 820×1180@2, `pixel` 412×923@2.625, `android-tablet` 800×1280@2, `macbook` 1440×900@2, `desktop` 1920×1080@1.
     */
    device?: 'iphone' | 'ipad' | 'pixel' | 'android-tablet' | 'macbook' | 'desktop';
    viewport?: {
        width?: number;
        height?: number;
        deviceScaleFactor?: number;
    };
    userAgent?: string;
    locale?: string;
    timezone?: string;
    /**
     * What `prefers-color-scheme` says.
     */
    colorScheme?: 'light' | 'dark';
    /**
     * What `prefers-reduced-motion` says.
     */
    reducedMotion?: 'reduce' | 'no-preference';
    /**
     * Sent with every request of every page.
     */
    extraHeaders?: {
        [key: string]: string;
    };
    cookies?: Array<{
        name: string;
        value: string;
        url?: string;
        domain?: string;
        path?: string;
        /**
         * Seconds since 1970; absent or -1 for a session cookie.
         */
        expires?: number;
        httpOnly?: boolean;
        secure?: boolean;
        sameSite?: 'Strict' | 'Lax' | 'None';
    }>;
    policy?: Policy;
    /**
     * http, https or socks5 URL, or its parts. Never a silent direct connection.
     */
    proxy?: string | {
        server: string;
        username?: string;
        password?: string;
        bypass?: Array<string>;
    };
    tls?: {
        /**
         * Authorities, in PEM, whose certificates this browser believes besides the usual ones; at most 50 certificates. Names and dates are checked as always.
         */
        trust?: Array<string>;
    };
    /**
     * Certificates with which this browser shows who it is to sites that ask for one in the TLS handshake. Each goes to its origin alone. They are sealed in the store; only their subjects are shown.
     */
    clientCertificates?: Array<{
        origin: string;
        /**
         * PEM: the certificate, then those that lead up to its authority.
         */
        cert?: string;
        /**
         * PEM: its private key.
         */
        key?: string;
        /**
         * Instead of `cert` and `key`: a PKCS #12 file (`.pfx`, `.p12`), in base64.
         */
        pfx?: string;
        /**
         * Of `key` or `pfx`.
         */
        passphrase?: string;
    }>;
    /**
     * A saved profile that the page begins with. Nothing is saved into it.
     */
    profile?: {
        id?: string;
        name?: string;
    };
    /**
     * Try the configured solvers on captchas that the page shows, except a person. Use it only where you are allowed to.
     */
    solveCaptcha?: boolean;
    /**
     * Keep what is made as a file of the project and answer 201 with its record and an address of it that needs no key for an hour. It stays until it is deleted, or for `ttlSeconds`. With an `Idempotency-Key` a repetition stores nothing twice.
     */
    store?: boolean | {
        name?: string;
        /**
         * Seconds for which the file is kept. Without it: until it is deleted.
         */
        ttlSeconds?: number;
    };
    /**
     * A kept answer to the same request will do when it is not older; else the page is visited, and a good answer (2xx, complete, no challenge) is kept. Where the site marks versions (`ETag`, `Last-Modified`), an older one is given when the site says that the page is still the same; 0: only then. Without it nothing is kept.
     */
    maxAgeMs?: number;
    /**
     * json: what the page says about itself and its text as `sections`, each with its heading; of an address that is JSON, its value. Of a PDF its text is read, each page as a section `#page-1`, `#page-2`, …
     */
    format?: 'markdown' | 'html' | 'text' | 'json';
    /**
     * Only what one came to read: no menus, banners, side bars, comments. false: the whole page.
     */
    mainContent?: boolean;
    /**
     * Only what matches this CSS selector, all of it, in order.
     */
    selector?: string;
    /**
     * Values by CSS selectors, answered in `data`: text or attribute, null where nothing matches.
     */
    extract?: {
        [key: string]: {
            selector: string;
            /**
             * Its value instead of the text.
             */
            attribute?: string;
            /**
             * Of all that match, as a list, instead of the first.
             */
            all?: boolean;
        };
    };
    /**
     * A JSON Schema of the type object, filled without a model and answered in `data`: from selectors in it (`x-selector`, `x-attribute`), JSON-LD, microdata, RDFa, tables, definition lists, OpenGraph and the rest of the head, in this order. Properties are found by name (`x-names` adds names, `x-type` the kind of thing). Not together with `extract`.
     */
    schema?: {
        [key: string]: unknown;
    };
    /**
     * Lists of the whole page, or of what `selector` matches. `har`: what the page asked of the network, as a HAR 1.2 without bodies, of at most 1 MiB.
     */
    include?: Array<'links' | 'headings' | 'forms' | 'images' | 'metadata' | 'tables' | 'har'>;
    /**
     * The links in the text that lead to notes and sources, such as `[1]`. false: without them.
     */
    citations?: boolean;
    maxChars?: number;
    /**
     * `nextStart` of the part before.
     */
    startFromChar?: number;
    /**
     * The text of frames, in their place.
     */
    includeFrames?: boolean;
    /**
     * The text of open shadow roots.
     */
    includeShadow?: boolean;
};

export type QuickScraped = {
    /**
     * As asked for.
     */
    url: string;
    /**
     * After all redirects.
     */
    finalUrl: string;
    title: string;
    description: string;
    /**
     * null where there was no HTTP.
     */
    statusCode: number | null;
    contentType: string | null;
    format: 'markdown' | 'html' | 'text' | 'json';
    /**
     * A string. With `format: json` an object `{title, description, language?, author?, siteName?, publishedAt?, sections: [{level, heading, text}]}`, where `level` is 0 before the first heading and `text` is Markdown; of an address that is JSON, its value.
     */
    content: unknown;
    /**
     * Length of the whole, before `startFromChar` and `maxChars`.
     */
    chars: number;
    /**
     * There is more: after `nextStart`, or on a page too large to be read whole.
     */
    truncated: boolean;
    /**
     * `startFromChar` of the next part.
     */
    nextStart?: number;
    /**
     * With `partial`: this is what there was when the time was up.
     */
    timedOut?: boolean;
    links?: Array<{
        url: string;
        text: string;
    }>;
    headings?: Array<{
        level: number;
        text: string;
        id?: string;
    }>;
    forms?: Array<{
        action: string;
        method: string;
        id?: string;
        fields: Array<{
            name: string;
            type: string;
            label?: string;
            required: boolean;
            /**
             * Never of a password.
             */
            value?: string;
            options?: Array<{
                value: string;
                text: string;
            }>;
        }>;
    }>;
    images?: Array<{
        url: string;
        alt: string;
        width?: number;
        height?: number;
    }>;
    metadata?: {
        canonical?: string;
        language?: string;
        author?: string;
        siteName?: string;
        publishedAt?: string;
        modifiedAt?: string;
        image?: string;
        icon?: string;
        feeds: Array<string>;
        meta: {
            [key: string]: string;
        };
        openGraph: {
            [key: string]: string;
        };
        twitter: {
            [key: string]: string;
        };
        jsonLd: Array<unknown>;
    };
    tables?: Array<{
        caption?: string;
        headers: Array<string>;
        rows: Array<Array<string>>;
    }>;
    /**
     * Of `extract`, or of `schema`: then only values that are as the schema says.
     */
    data?: {
        [key: string]: unknown;
    };
    /**
     * With `schema`: JSON pointers into `data` to what was not found on the page.
     */
    unfilled?: Array<string>;
    /**
     * With `schema`: those of `unfilled` that the schema requires. With none, `data` validates against the schema.
     */
    missing?: Array<string>;
    /**
     * With `schema`: where each value was found, by JSON pointer; a list of objects has one for all. `json`: the address itself is JSON.
     */
    sources?: {
        [key: string]: 'selector' | 'json' | 'jsonLd' | 'microdata' | 'rdfa' | 'table' | 'definitionList' | 'openGraph' | 'twitter' | 'meta';
    };
    /**
     * Those that the page shows.
     */
    captcha: Array<Captcha>;
    elapsedMs: number;
    /**
     * With `include: ["har"]`. Credentials and tokens are hidden.
     */
    har?: unknown;
    /**
     * With `store`: the file that has `content`.
     */
    files?: Array<StoredFile>;
    /**
     * With `maxAgeMs`: the page was not read for this call.
     */
    fromCache?: boolean;
    /**
     * With `fromCache`: when the page was read.
     */
    cachedAt?: string;
    /**
     * With `fromCache`: the site said just now that its page is still the same.
     */
    revalidated?: boolean;
};

export type QuickScreenshot = {
    url?: string;
    /**
     * A page to show instead of going to `url`.
     */
    html?: string;
    /**
     * When the page is there. Default: when it is loaded and has come to rest, which a page that polls or streams does too. `networkidle`: half a second without any request open.
     */
    waitFor?: number | 'load' | 'domcontentloaded' | 'networkidle' | string | {
        expression: string;
    };
    timeoutMs?: number;
    /**
     * Kinds of requests that are not made.
     */
    blockResources?: Array<'image' | 'font' | 'media' | 'stylesheet'>;
    /**
     * When the time is up, answer with what there is (`timedOut: true`) instead of 504.
     */
    partial?: boolean;
    /**
     * Files that `html` names by relative addresses: pictures, styles, fonts, scripts.
     */
    assets?: Array<{
        name: string;
        /**
         * The bytes, in base64.
         */
        content?: string;
        /**
         * A file of the project that has the bytes, of at most 10,500,000.
         */
        fileId?: string;
    }>;
    /**
     * Poses as this device: viewport, touch, mobile layout, user agent and client hints. A `viewport` or `userAgent` beside it beats its own. `iphone` 393×852@3, `ipad` 820×1180@2, `pixel` 412×923@2.625, `android-tablet` 800×1280@2, `macbook` 1440×900@2, `desktop` 1920×1080@1.
     */
    device?: 'iphone' | 'ipad' | 'pixel' | 'android-tablet' | 'macbook' | 'desktop';
    viewport?: {
        width?: number;
        height?: number;
        deviceScaleFactor?: number;
    };
    userAgent?: string;
    locale?: string;
    timezone?: string;
    /**
     * What `prefers-color-scheme` says.
     */
    colorScheme?: 'light' | 'dark';
    /**
     * What `prefers-reduced-motion` says.
     */
    reducedMotion?: 'reduce' | 'no-preference';
    /**
     * Sent with every request of every page.
     */
    extraHeaders?: {
        [key: string]: string;
    };
    cookies?: Array<{
        name: string;
        value: string;
        url?: string;
        domain?: string;
        path?: string;
        /**
         * Seconds since 1970; absent or -1 for a session cookie.
         */
        expires?: number;
        httpOnly?: boolean;
        secure?: boolean;
        sameSite?: 'Strict' | 'Lax' | 'None';
    }>;
    policy?: Policy;
    /**
     * http, https or socks5 URL, or its parts. Never a silent direct connection.
     */
    proxy?: string | {
        server: string;
        username?: string;
        password?: string;
        bypass?: Array<string>;
    };
    tls?: {
        /**
         * Authorities, in PEM, whose certificates this browser believes besides the usual ones; at most 50 certificates. Names and dates are checked as always.
         */
        trust?: Array<string>;
    };
    /**
     * Certificates with which this browser shows who it is to sites that ask for one in the TLS handshake. Each goes to its origin alone. They are sealed in the store; only their subjects are shown.
     */
    clientCertificates?: Array<{
        origin: string;
        /**
         * PEM: the certificate, then those that lead up to its authority.
         */
        cert?: string;
        /**
         * PEM: its private key.
         */
        key?: string;
        /**
         * Instead of `cert` and `key`: a PKCS #12 file (`.pfx`, `.p12`), in base64.
         */
        pfx?: string;
        /**
         * Of `key` or `pfx`.
         */
        passphrase?: string;
    }>;
    /**
     * A saved profile that the page begins with. Nothing is saved into it.
     */
    profile?: {
        id?: string;
        name?: string;
    };
    /**
     * Try the configured solvers on captchas that the page shows, except a person. Use it only where you are allowed to.
     */
    solveCaptcha?: boolean;
    /**
     * Keep what is made as a file of the project and answer 201 with its record and an address of it that needs no key for an hour. It stays until it is deleted, or for `ttlSeconds`. With an `Idempotency-Key` a repetition stores nothing twice.
     */
    store?: boolean | {
        name?: string;
        /**
         * Seconds for which the file is kept. Without it: until it is deleted.
         */
        ttlSeconds?: number;
    };
    /**
     * A kept answer to the same request will do when it is not older; else the page is visited, and a good answer (2xx, complete, no challenge) is kept. Where the site marks versions (`ETag`, `Last-Modified`), an older one is given when the site says that the page is still the same; 0: only then. Without it nothing is kept.
     */
    maxAgeMs?: number;
    format?: 'png' | 'jpeg' | 'webp';
    /**
     * Of jpeg and webp; 80 if not given.
     */
    quality?: number;
    /**
     * All of the page instead of what its viewport shows; at most 16,384 device pixels a side, and as a PNG without `maxSide` 100,000 down.
     */
    fullPage?: boolean;
    /**
     * Only the first element that matches this CSS selector, also in open shadow roots.
     */
    selector?: string;
    /**
     * Only this part of the page, in CSS pixels from its top left corner; what lies outside the page is cut off.
     */
    clip?: {
        x: number;
        y: number;
        width: number;
        height: number;
    };
    /**
     * Transparent where the page paints nothing, instead of white. Of png and webp.
     */
    omitBackground?: boolean;
    /**
     * Pixels of the longer side at most; a larger picture is drawn smaller. Never enlarges.
     */
    maxSide?: number;
    /**
     * A picture of the first element that matches each of these; the answer is JSON with all of them, in this order.
     */
    selectors?: Array<string>;
    /**
     * Packs the PNG as small as it goes without losing anything, which takes longer than taking it. Of png.
     */
    optimize?: boolean;
    /**
     * The id of a file of the project, a PNG: the picture is compared with it, and the answer is JSON that says how much differs, with the picture and a picture of the difference. Of png.
     */
    baseline?: string;
    /**
     * Share of the compared pixels that may differ for `matches` to be true. Default: 0.
     */
    threshold?: number;
    /**
     * CSS selectors of what is not compared, such as dates and adverts: the boxes that their elements have now are left out of both pictures. Also in open shadow roots.
     */
    ignore?: Array<string>;
    /**
     * Which `@media` rules hold. Default: screen for a picture, print for a PDF.
     */
    media?: 'screen' | 'print';
    /**
     * CSS that holds while it is captured, whatever the page’s content security policy says.
     */
    addStyle?: string | Array<string>;
    /**
     * CSS selectors of what is not shown; its place stays empty. Also in open shadow roots.
     */
    hide?: Array<string>;
    /**
     * CSS selectors of what is not there; the rest moves together. Also in open shadow roots.
     */
    remove?: Array<string>;
    /**
     * CSS selectors of what is clicked, one after the other; after each the page comes to rest. One that matches nothing is an error unless it is `optional`.
     */
    click?: Array<string | {
        selector: string;
        optional?: boolean;
    }>;
    /**
     * Scroll through the page screen by screen and back, waiting at each for what it brings: pictures and parts that load when they are reached are there then. At most 100 screens unless told otherwise.
     */
    scroll?: boolean | {
        maxScreens?: number;
    };
    /**
     * Web fonts that are on their way are waited for, 2.5 seconds at most. `false`: text whose font is missing is drawn as the page has it without.
     */
    waitForFonts?: boolean;
    /**
     * Milliseconds to wait at last, for instance for an animation.
     */
    delay?: number;
    /**
     * Run in the world of the page.
     */
    addScript?: Array<{
        /**
         * JavaScript; its promise is waited for.
         */
        content: string;
        /**
         * `before`: ahead of the page’s own scripts, in each of its documents.
         */
        when?: 'before' | 'after';
    }>;
    /**
     * Answer `PAGE_NOT_WANTED`, with the reasons, instead of a capture of such a page.
     */
    failOn?: {
        /**
         * Of the page itself.
         */
        status?: Array<number | string>;
        /**
         * When a picture, style sheet, script, font or other part fails or is answered with 400 or more.
         */
        resources?: boolean;
        /**
         * When the page throws an error that it does not catch, or writes one to the console.
         */
        console?: boolean;
        /**
         * When something matches it.
         */
        selector?: string;
    };
    /**
     * `har`: the answer is JSON, with the bytes in base64 and what the page asked of the network as a HAR 1.2 without bodies, of at most 1 MiB.
     */
    include?: Array<'har'>;
};

/**
 * With `store`.
 */
export type QuickStored = {
    /**
     * As asked for.
     */
    url: string;
    /**
     * After all redirects.
     */
    finalUrl: string;
    /**
     * null where there was no HTTP.
     */
    statusCode: number | null;
    /**
     * With `partial`: this is what there was when the time was up.
     */
    timedOut?: boolean;
    /**
     * With `include: ["har"]`. Credentials and tokens are hidden.
     */
    har?: unknown;
    /**
     * The picture or the PDF; with `selectors` a picture of each, in their order.
     */
    files: Array<StoredFile>;
};

export type Readiness = {
    status: 'ready' | 'not_ready' | 'draining';
    /**
     * For callers with a key.
     */
    checks?: {
        store: HealthCheck;
        chromium: HealthCheck;
        sandbox: HealthCheck;
        disk: HealthCheck;
        capacity: HealthCheck;
        /**
         * Of a node of a cluster.
         */
        lease?: HealthCheck;
    };
};

export type Recording = {
    id: string;
    /**
     * `recording` until it is stopped, `finalizing` while its video is made, then `ready`, or `failed` with the reason.
     */
    state: 'recording' | 'finalizing' | 'ready' | 'failed';
    /**
     * ISO-8601, UTC, milliseconds
     */
    startedAt: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    endedAt?: string;
    /**
     * From start to end, also where nothing moved.
     */
    durationMs?: number;
    width: number;
    height: number;
    /**
     * Bytes of the video; 0 until it is ready.
     */
    size: number;
    mimeType: string;
    /**
     * Of the video, hex; also its `ETag`.
     */
    sha256?: string;
    /**
     * The epoch of the browser that it shows.
     */
    epoch: number;
    /**
     * Pictures taken: one for each change seen.
     */
    frames?: number;
    /**
     * Why it failed, or ended before anybody ended it.
     */
    reason?: string;
};

export type RecordingPage = {
    items: Array<Recording>;
    limit: number;
    hasMore: boolean;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
};

export type RequestHandoff = {
    /**
     * Shown to the person.
     */
    message?: string;
    ttlSeconds?: number;
    /**
     * Of `live`: the origins whose pages may show the address in a frame, and exchange messages with it. Without them no other site may.
     */
    frameAncestors?: Array<string>;
    /**
     * Of `live`: the one tab that is shown and controlled. The address ends with this tab; other tabs, and opening one, are refused.
     */
    tabId?: string;
};

export type RequestRule = {
    match: RuleMatch;
    do: {
        action: 'allow';
    } | {
        action: 'block';
    } | {
        action: 'fail';
        error: 'failed' | 'aborted' | 'timedOut' | 'accessDenied' | 'connectionClosed' | 'connectionReset' | 'connectionRefused' | 'connectionFailed' | 'nameNotResolved' | 'internetDisconnected' | 'addressUnreachable';
    } | {
        action: 'respond';
        /**
         * 200 unless given.
         */
        status?: number;
        headers?: {
            [key: string]: string;
        };
        body?: string;
        /**
         * A file of this browser, instead of `body`.
         */
        fileId?: string;
    } | {
        action: 'headers';
        set?: {
            [key: string]: string;
        };
        remove?: Array<string>;
    } | {
        action: 'delay';
        ms: number;
    } | {
        action: 'redirect';
        url: string;
    };
};

export type ResolveCaptcha = {
    /**
     * For all solvers together.
     */
    timeoutMs?: number;
    /**
     * Only this one.
     */
    solver?: 'wait' | 'widget' | 'image' | 'provider' | 'human';
    /**
     * Default: the active tab.
     */
    tabId?: string;
};

export type RestoreProfile = {
    version: number;
};

export type RevokedKey = {
    id: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    revokedAt: string;
};

export type RuleHits = {
    /**
     * How often each rule of the policy was applied, in their order.
     */
    rules: Array<number>;
    /**
     * How many requests each list of the policy blocked.
     */
    lists?: {
        [key: string]: number;
    };
};

/**
 * All of what is named must fit; nothing named: every request.
 */
export type RuleMatch = {
    /**
     * The whole address; `*` stands for any characters, everything else for itself. Without its fragment.
     */
    url?: string;
    /**
     * A host and its subdomains.
     */
    host?: string;
    /**
     * What the page wants it for. `document`: pages and frames; `fetch`: fetch, XMLHttpRequest and EventSource.
     */
    type?: 'document' | 'stylesheet' | 'script' | 'image' | 'font' | 'media' | 'fetch' | 'ping' | 'other';
    method?: string;
    /**
     * Whether it goes to another site than that of the document which asks.
     */
    thirdParty?: boolean;
};

export type ScrapeTab = {
    url?: string;
    /**
     * A page to show instead of going to `url`.
     */
    html?: string;
    /**
     * When the page is there. Default: when it is loaded and has come to rest, which a page that polls or streams does too. `networkidle`: half a second without any request open.
     */
    waitFor?: number | 'load' | 'domcontentloaded' | 'networkidle' | string | {
        expression: string;
    };
    timeoutMs?: number;
    /**
     * Kinds of requests that are not made.
     */
    blockResources?: Array<'image' | 'font' | 'media' | 'stylesheet'>;
    /**
     * When the time is up, answer with what there is (`timedOut: true`) instead of 504.
     */
    partial?: boolean;
    /**
     * json: what the page says about itself and its text as `sections`, each with its heading; of an address that is JSON, its value. Of a PDF its text is read, each page as a section `#page-1`, `#page-2`, …
     */
    format?: 'markdown' | 'html' | 'text' | 'json';
    /**
     * Only what one came to read: no menus, banners, side bars, comments. false: the whole page.
     */
    mainContent?: boolean;
    /**
     * Only what matches this CSS selector, all of it, in order.
     */
    selector?: string;
    /**
     * Values by CSS selectors, answered in `data`: text or attribute, null where nothing matches.
     */
    extract?: {
        [key: string]: {
            selector: string;
            /**
             * Its value instead of the text.
             */
            attribute?: string;
            /**
             * Of all that match, as a list, instead of the first.
             */
            all?: boolean;
        };
    };
    /**
     * A JSON Schema of the type object, filled without a model and answered in `data`: from selectors in it (`x-selector`, `x-attribute`), JSON-LD, microdata, RDFa, tables, definition lists, OpenGraph and the rest of the head, in this order. Properties are found by name (`x-names` adds names, `x-type` the kind of thing). Not together with `extract`.
     */
    schema?: {
        [key: string]: unknown;
    };
    /**
     * Lists of the whole page, or of what `selector` matches.
     */
    include?: Array<'links' | 'headings' | 'forms' | 'images' | 'metadata' | 'tables'>;
    /**
     * The links in the text that lead to notes and sources, such as `[1]`. false: without them.
     */
    citations?: boolean;
    maxChars?: number;
    /**
     * `nextStart` of the part before.
     */
    startFromChar?: number;
    /**
     * The text of frames, in their place.
     */
    includeFrames?: boolean;
    /**
     * The text of open shadow roots.
     */
    includeShadow?: boolean;
    /**
     * Try the configured solvers on captchas that the page shows, except a person. Use it only where you are allowed to.
     */
    solveCaptcha?: boolean;
    /**
     * Default: the active tab.
     */
    tabId?: string;
};

export type ScrapedTab = {
    /**
     * As asked for.
     */
    url: string;
    /**
     * After all redirects.
     */
    finalUrl: string;
    title: string;
    description: string;
    /**
     * null where there was no HTTP.
     */
    statusCode: number | null;
    contentType: string | null;
    format: 'markdown' | 'html' | 'text' | 'json';
    /**
     * A string. With `format: json` an object `{title, description, language?, author?, siteName?, publishedAt?, sections: [{level, heading, text}]}`, where `level` is 0 before the first heading and `text` is Markdown; of an address that is JSON, its value.
     */
    content: unknown;
    /**
     * Length of the whole, before `startFromChar` and `maxChars`.
     */
    chars: number;
    /**
     * There is more: after `nextStart`, or on a page too large to be read whole.
     */
    truncated: boolean;
    /**
     * `startFromChar` of the next part.
     */
    nextStart?: number;
    /**
     * With `partial`: this is what there was when the time was up.
     */
    timedOut?: boolean;
    links?: Array<{
        url: string;
        text: string;
    }>;
    headings?: Array<{
        level: number;
        text: string;
        id?: string;
    }>;
    forms?: Array<{
        action: string;
        method: string;
        id?: string;
        fields: Array<{
            name: string;
            type: string;
            label?: string;
            required: boolean;
            /**
             * Never of a password.
             */
            value?: string;
            options?: Array<{
                value: string;
                text: string;
            }>;
        }>;
    }>;
    images?: Array<{
        url: string;
        alt: string;
        width?: number;
        height?: number;
    }>;
    metadata?: {
        canonical?: string;
        language?: string;
        author?: string;
        siteName?: string;
        publishedAt?: string;
        modifiedAt?: string;
        image?: string;
        icon?: string;
        feeds: Array<string>;
        meta: {
            [key: string]: string;
        };
        openGraph: {
            [key: string]: string;
        };
        twitter: {
            [key: string]: string;
        };
        jsonLd: Array<unknown>;
    };
    tables?: Array<{
        caption?: string;
        headers: Array<string>;
        rows: Array<Array<string>>;
    }>;
    /**
     * Of `extract`, or of `schema`: then only values that are as the schema says.
     */
    data?: {
        [key: string]: unknown;
    };
    /**
     * With `schema`: JSON pointers into `data` to what was not found on the page.
     */
    unfilled?: Array<string>;
    /**
     * With `schema`: those of `unfilled` that the schema requires. With none, `data` validates against the schema.
     */
    missing?: Array<string>;
    /**
     * With `schema`: where each value was found, by JSON pointer; a list of objects has one for all. `json`: the address itself is JSON.
     */
    sources?: {
        [key: string]: 'selector' | 'json' | 'jsonLd' | 'microdata' | 'rdfa' | 'table' | 'definitionList' | 'openGraph' | 'twitter' | 'meta';
    };
    /**
     * Those that the page shows.
     */
    captcha: Array<Captcha>;
    elapsedMs: number;
};

export type ScriptError = {
    code: string;
    message: string;
    /**
     * With the `requestId`.
     */
    details: {
        [key: string]: unknown;
    };
    category: string;
    nextStep: string;
    name: string;
    /**
     * Line numbers are those of `code`.
     */
    stack: string;
};

export type ScriptExecution = {
    success: boolean;
    /**
     * What the code returned; null when it returned nothing or failed.
     */
    result: unknown;
    /**
     * In place of a result that is longer than `maxResultChars`.
     */
    resultCut?: {
        /**
         * The beginning of its JSON.
         */
        json: string;
        /**
         * How long all of it is.
         */
        chars: number;
    };
    error?: ScriptError;
    logs: Array<{
        level: 'log' | 'info' | 'warn' | 'error' | 'debug';
        text: string;
        at: string;
    }>;
    /**
     * The active tab after the call.
     */
    page: Tab | null;
    status?: {
        status: BrowserStatus;
        readiness: 'loading' | 'interactive' | 'complete' | 'unknown';
        activeTab: Tab | null;
        blocker: {
            state: 'none' | 'dialog' | 'busy' | 'crashed';
        };
        /**
         * Of the active tab; `none` also where the page does not answer, as `blocker` then says.
         */
        captcha: {
            state: CaptchaState;
        };
        /**
         * Dialogs open now.
         */
        dialogs: number;
    };
    observation?: {
        kind: 'aria' | 'text' | 'html' | 'markdown';
        as: 'full' | 'diff';
        /**
         * For `since` of a later one. The last few of a browser are kept. Not of `find`.
         */
        id?: string;
        content: string;
        /**
         * Length of the whole, before `maxChars`.
         */
        chars: number;
        /**
         * Of `content`, roughly: models count differently.
         */
        tokens: number;
        /**
         * More follows: at `nextStart`, and in the file.
         */
        truncated: boolean;
        /**
         * `startFrom` of the next part.
         */
        nextStart?: number;
        /**
         * It differs from the last one of this API key that asked for the same of the tab.
         */
        changed: boolean;
        /**
         * Why it is the whole, although a diff was asked for.
         */
        fullReason?: 'nothing_before' | 'new_document' | 'asked_differently' | 'not_smaller';
        /**
         * How many elements `find` has found.
         */
        matches?: number;
        /**
         * The view and how far it is and can be scrolled, in CSS pixels.
         */
        view?: {
            width: number;
            height: number;
            scrollX: number;
            scrollY: number;
            maxX: number;
            maxY: number;
        };
        /**
         * The parts of the whole, where it is longer than `maxChars`.
         */
        index?: Array<{
            startFrom: number;
            chars: number;
            /**
             * The headings and parts of the page that begin in it.
             */
            what: string;
        }>;
        /**
         * The whole, where it is longer than `maxChars`.
         */
        file?: {
            fileId?: string;
            /**
             * Why there is no file.
             */
            omitted?: string;
        };
        /**
         * The page is so large, or so slow, that not all of it was read. Ask for a part of it.
         */
        incomplete?: true;
        /**
         * Why there is no content.
         */
        error?: {
            code: string;
            message: string;
            /**
             * With the `requestId`.
             */
            details: {
                [key: string]: unknown;
            };
            category: string;
            nextStep: string;
        };
    };
    screenshot?: {
        fileId: string;
    };
    activity?: Array<Activity>;
    network?: CapturedNetwork;
    trace?: {
        fileId?: string;
        /**
         * Why there is no file.
         */
        omitted?: string;
    };
    bundle?: {
        fileId?: string;
        /**
         * Why there is no file.
         */
        omitted?: string;
    };
    durationMs: number;
};

export type Secret = {
    id: string;
    name: string;
    kind: 'value' | 'totp';
    origins: Array<string>;
    metadata: {
        [key: string]: string;
    };
    /**
     * ISO-8601, UTC, milliseconds
     */
    createdAt: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    updatedAt: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    lastUsedAt?: string;
};

export type SecretPage = {
    items: Array<Secret>;
    limit: number;
    hasMore: boolean;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
};

export type SetPermissions = {
    /**
     * scheme://host or scheme://host:port
     */
    origin?: string;
    permissions: {
        [key: string]: PermissionState;
    };
};

export type SignInBrowser = {
    browserId: string;
    /**
     * Where a person can sign in; who has it holds the browser.
     */
    url: string;
    /**
     * Of that address.
     */
    expiresAt: string;
};

export type SignIn = {
    /**
     * Where to begin. Default: the page of the profile’s `check`.
     */
    url?: string;
    /**
     * Shown to the person.
     */
    message?: string;
    /**
     * How long the address for the person is good.
     */
    ttlSeconds?: number;
    policy?: Policy;
    /**
     * http, https or socks5 URL, or its parts. Never a silent direct connection.
     */
    proxy?: string | {
        server: string;
        username?: string;
        password?: string;
        bypass?: Array<string>;
    };
};

export type StartPage = {
    /**
     * pending: the browser is still being created, or the page takes longer than five seconds to answer and is still awaited.
     */
    state: 'pending' | 'loaded' | 'failed';
    /**
     * Why it failed, such as `POLICY_BLOCKED` or `NAVIGATION_FAILED`.
     */
    error?: {
        code: string;
        message: string;
        details: {
            [key: string]: unknown;
        };
        category: string;
        nextStep: string;
    };
};

/**
 * As Playwright’s `context.storageState()` gives it.
 */
export type StorageState = {
    cookies: Array<{
        name: string;
        value: string;
        domain: string;
        path: string;
        /**
         * Seconds since 1970; -1 for a session cookie.
         */
        expires: number;
        httpOnly: boolean;
        secure: boolean;
        sameSite: 'Strict' | 'Lax' | 'None';
    }>;
    origins: Array<{
        origin: string;
        localStorage: Array<{
            name: string;
            value: string;
        }>;
    }>;
};

export type StoredFile = {
    id: string;
    /**
     * As it was given, without paths and characters that could do harm; at most 255 bytes.
     */
    name: string;
    /**
     * Bytes.
     */
    size: number;
    /**
     * By the content, and by name and sender where it is silent.
     */
    mimeType: string;
    /**
     * Of the content, hex; also its `ETag`.
     */
    sha256: string;
    /**
     * What made it.
     */
    source: 'upload' | 'screenshot' | 'pdf' | 'scrape' | 'comparison';
    /**
     * The job that made it, with which it is deleted.
     */
    jobId: string | null;
    /**
     * ISO-8601, UTC, milliseconds
     */
    createdAt: string;
    /**
     * From then on there is no such file; null: it stays until it is deleted.
     */
    expiresAt: string | null;
    /**
     * With `selectors`: which of them it shows.
     */
    selector?: string;
    address: ContentAddress;
};

export type Tab = {
    tabId: string;
    url: string;
    title: string;
};

export type TabPage = {
    items: Array<BrowserTab>;
    limit: number;
    hasMore: boolean;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
};

export type TakeScreenshot = {
    /**
     * Default: the active tab.
     */
    tabId?: string;
    format?: 'png' | 'jpeg' | 'webp';
    /**
     * Of jpeg and webp; 80 if not given.
     */
    quality?: number;
    /**
     * All of the page instead of what its viewport shows; at most 16,384 device pixels a side, and as a PNG without `maxSide` 100,000 down.
     */
    fullPage?: boolean;
    /**
     * Only the first element that matches this CSS selector, also in open shadow roots.
     */
    selector?: string;
    /**
     * Only this part of the page, in CSS pixels from its top left corner; what lies outside the page is cut off.
     */
    clip?: {
        x: number;
        y: number;
        width: number;
        height: number;
    };
    /**
     * Transparent where the page paints nothing, instead of white. Of png and webp.
     */
    omitBackground?: boolean;
    /**
     * Pixels of the longer side at most; a larger picture is drawn smaller. Never enlarges.
     */
    maxSide?: number;
    /**
     * A picture of the first element that matches each of these; the answer is JSON with all of them, in this order.
     */
    selectors?: Array<string>;
    /**
     * Packs the PNG as small as it goes without losing anything, which takes longer than taking it. Of png.
     */
    optimize?: boolean;
    /**
     * The id of a file of the project, a PNG: the picture is compared with it, and the answer is JSON that says how much differs, with the picture and a picture of the difference. Of png.
     */
    baseline?: string;
    /**
     * Share of the compared pixels that may differ for `matches` to be true. Default: 0.
     */
    threshold?: number;
    /**
     * CSS selectors of what is not compared, such as dates and adverts: the boxes that their elements have now are left out of both pictures. Also in open shadow roots.
     */
    ignore?: Array<string>;
    /**
     * Pixels of the picture for each CSS pixel, sharply drawn; the page itself does not notice. Default: as the tab has it.
     */
    deviceScaleFactor?: number;
    /**
     * Which `@media` rules hold. Default: screen for a picture, print for a PDF.
     */
    media?: 'screen' | 'print';
    /**
     * CSS that holds while it is captured, whatever the page’s content security policy says.
     */
    addStyle?: string | Array<string>;
    /**
     * CSS selectors of what is not shown; its place stays empty. Also in open shadow roots.
     */
    hide?: Array<string>;
    /**
     * CSS selectors of what is not there; the rest moves together. Also in open shadow roots.
     */
    remove?: Array<string>;
    /**
     * CSS selectors of what is clicked, one after the other; after each the page comes to rest. One that matches nothing is an error unless it is `optional`.
     */
    click?: Array<string | {
        selector: string;
        optional?: boolean;
    }>;
    /**
     * Scroll through the page screen by screen and back, waiting at each for what it brings: pictures and parts that load when they are reached are there then. At most 100 screens unless told otherwise.
     */
    scroll?: boolean | {
        maxScreens?: number;
    };
    /**
     * Web fonts that are on their way are waited for, 2.5 seconds at most. `false`: text whose font is missing is drawn as the page has it without.
     */
    waitForFonts?: boolean;
    /**
     * Milliseconds to wait at last, for instance for an animation.
     */
    delay?: number;
    /**
     * What is waited for first: a selector, an expression, or how far the page has come. Default: it is captured as it is.
     */
    waitFor?: number | 'load' | 'domcontentloaded' | 'networkidle' | string | {
        expression: string;
    };
    /**
     * What `prefers-color-scheme` says while it is captured.
     */
    colorScheme?: 'light' | 'dark';
    /**
     * Run in the world of the page.
     */
    addScript?: Array<{
        /**
         * JavaScript; its promise is waited for.
         */
        content: string;
    }>;
    /**
     * Answer `PAGE_NOT_WANTED` instead, when something matches the selector or the page was answered with such a status.
     */
    failOn?: {
        selector?: string;
        status?: Array<number | string>;
    };
    /**
     * For all that is done to the page before it is captured.
     */
    timeoutMs?: number;
    /**
     * Keep it as a file of the browser and answer 201 with its record.
     */
    store?: boolean;
    /**
     * Only look: it does not count as an action, so the idle time of the browser runs on.
     */
    passive?: boolean;
};

export type UseComputer = {
    /**
     * One action or a list of them, done in order until one fails. Besides this plain shape, the actions of OpenAI’s, Anthropic’s and Gemini’s computer tools are taken as the models give them.
     */
    actions?: Array<ComputerAction> | ComputerAction;
    /**
     * Default: each action goes to the tab in front, so to a new one as soon as it opens.
     */
    tabId?: string;
    /**
     * How large the picture is for the model, in whose pixels all places are. `maxSide`: its longer side at most. `width` and `height`: as large as fits in there, with the proportions of the page. Not given: a pixel of the picture is a CSS pixel, whatever the `deviceScaleFactor`.
     */
    scale?: {
        maxSide: number;
    } | {
        width: number;
        height: number;
    };
    /**
     * A picture of the tab after the last action; its format is also that of `screenshot` and `zoom` actions.
     */
    screenshot?: boolean | {
        format?: 'jpeg' | 'png' | 'webp';
        /**
         * Of jpeg and webp; 80 if not given.
         */
        quality?: number;
    };
    /**
     * Files of the browser that are given to the file chooser that an action opens.
     */
    files?: Array<string>;
    /**
     * Also name what is hit by its reference in the accessibility tree, which `page.locator("aria-ref=e12")` takes. Slower.
     */
    refs?: boolean;
    /**
     * How long an action may wait for the page to come to rest: loaded, nothing under way, nothing moving.
     */
    restMs?: number;
    timeoutMs?: number;
};

export type Webhook = {
    id: string;
    url: string;
    events: Array<EventPattern>;
    description?: string;
    status: 'enabled' | 'disabled';
    /**
     * ISO-8601, UTC, milliseconds
     */
    disabledAt?: string;
    disabledReason?: string;
    /**
     * The first failure after the last success.
     */
    failingSince?: string;
    /**
     * ISO-8601, UTC, milliseconds
     */
    createdAt: string;
    /**
     * How many events it was not told of, because too many deliveries waited already: 2,000 of the webhook, or 10,000 of the project (a webhook always has room for 100). They are in the list of events. Absent: none, since it was last enabled.
     */
    dropped?: number;
    /**
     * When that was last so.
     */
    droppedAt?: string;
};

export type WebhookPage = {
    items: Array<Webhook>;
    limit: number;
    hasMore: boolean;
    /**
     * Absent on the last page.
     */
    nextCursor?: string;
};

export type CreateSecretWritable = {
    /**
     * By which scripts name it; unique in the project.
     */
    name: string;
    /**
     * What is typed. No call ever answers it.
     */
    value?: string;
    /**
     * Codes by time (RFC 6238, SHA-1): what is typed is the code of the moment.
     */
    totp?: {
        secret: string;
        digits?: number;
        /**
         * Seconds that a code is good for.
         */
        period?: number;
    };
    /**
     * Where it may be typed: exact origins (scheme, host, port), nothing below or beside them.
     */
    origins: Array<string>;
    metadata?: {
        [key: string]: string;
    };
};

export type PatchSecretWritable = {
    /**
     * What is typed. No call ever answers it.
     */
    value?: string;
    /**
     * Codes by time (RFC 6238, SHA-1): what is typed is the code of the moment.
     */
    totp?: {
        secret: string;
        digits?: number;
        /**
         * Seconds that a code is good for.
         */
        period?: number;
    };
    /**
     * Where it may be typed: exact origins (scheme, host, port), nothing below or beside them.
     */
    origins?: Array<string>;
    metadata?: {
        [key: string]: string;
    };
};

export type HealthControllerLiveData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/health';
};

export type HealthControllerLiveResponses = {
    /**
     * Alive.
     */
    200: Health;
};

export type HealthControllerLiveResponse = HealthControllerLiveResponses[keyof HealthControllerLiveResponses];

export type HealthControllerReadyData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/health/ready';
};

export type HealthControllerReadyResponses = {
    /**
     * Ready.
     */
    200: Readiness;
};

export type HealthControllerReadyResponse = HealthControllerReadyResponses[keyof HealthControllerReadyResponses];

export type MetricsControllerReadData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/metrics';
};

export type MetricsControllerReadResponses = {
    /**
     * The metrics.
     */
    200: unknown;
};

export type BrowserControllerListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only these; repeated or comma-separated.
         */
        status?: Array<BrowserStatus>;
        /**
         * Only browsers whose metadata has these values: `metadata[team]=red`.
         */
        metadata?: {
            [key: string]: string;
        };
        /**
         * Only browsers in whose name, metadata (`key=value`) or id each of these words occurs, in any case; ids are compared with words of at least six characters. A page looks at 5,000 browsers at most, so it may hold fewer than `limit`, or none, though `hasMore` is true.
         */
        search?: string;
        /**
         * Only ready browsers that wait for a person (`requested`) or that a person holds.
         */
        handoff?: Array<HandoffWaiting>;
        /**
         * Only browsers created after it. ISO-8601: a date (its first moment), or a time; in UTC where it names no zone. A `+` in a query is written `%2B`.
         */
        createdAfter?: string;
        /**
         * Only browsers created before it. ISO-8601: a date (its first moment), or a time; in UTC where it names no zone. A `+` in a query is written `%2B`.
         */
        createdBefore?: string;
        /**
         * Items per page, at most: fewer where they are large.
         */
        limit?: number;
        /**
         * `nextCursor` of the page before.
         */
        cursor?: string;
    };
    url: '/v1/browsers';
};

export type BrowserControllerListResponses = {
    /**
     * A page of browsers.
     */
    200: BrowserPage;
};

export type BrowserControllerListResponse = BrowserControllerListResponses[keyof BrowserControllerListResponses];

export type BrowserControllerCreateData = {
    body?: CreateBrowser;
    headers: {
        /**
         * A new random value for each new request, the same one for its retries. The same request gets the first answer again for 24 hours, marked `Idempotent-Replayed: true`; answers of 5xx and 429 are not kept, and those of 400 and 404 may go sooner where a project sends very many.
         */
        'Idempotency-Key': string;
        /**
         * `respond-async` answers 202 at once. `wait=N` (1 to 600 seconds) waits in a fair queue when there is no room.
         */
        Prefer?: string;
    };
    path?: never;
    query?: never;
    url: '/v1/browsers';
};

export type BrowserControllerCreateResponses = {
    /**
     * Ready.
     */
    201: Browser;
    /**
     * On its way, after `Prefer: respond-async`.
     */
    202: Browser;
};

export type BrowserControllerCreateResponse = BrowserControllerCreateResponses[keyof BrowserControllerCreateResponses];

export type BrowserControllerCountData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/v1/browsers/counts';
};

export type BrowserControllerCountResponses = {
    /**
     * The numbers.
     */
    200: BrowserCounts;
};

export type BrowserControllerCountResponse = BrowserControllerCountResponses[keyof BrowserControllerCountResponses];

export type BrowserControllerDeleteData = {
    body?: never;
    headers: {
        /**
         * A new random value for each new request, the same one for its retries. The same request gets the first answer again for 24 hours, marked `Idempotent-Replayed: true`; answers of 5xx and 429 are not kept, and those of 400 and 404 may go sooner where a project sends very many.
         */
        'Idempotency-Key': string;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}';
};

export type BrowserControllerDeleteResponses = {
    /**
     * Closed, with a receipt.
     */
    200: ClosedBrowser;
};

export type BrowserControllerDeleteResponse = BrowserControllerDeleteResponses[keyof BrowserControllerDeleteResponses];

export type BrowserControllerGetData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}';
};

export type BrowserControllerGetResponses = {
    /**
     * The browser.
     */
    200: Browser;
};

export type BrowserControllerGetResponse = BrowserControllerGetResponses[keyof BrowserControllerGetResponses];

export type BrowserControllerUpdateData = {
    body: PatchBrowser;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}';
};

export type BrowserControllerUpdateResponses = {
    /**
     * The browser.
     */
    200: Browser;
};

export type BrowserControllerUpdateResponse = BrowserControllerUpdateResponses[keyof BrowserControllerUpdateResponses];

export type BrowserControllerStatusData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/status';
};

export type BrowserControllerStatusResponses = {
    /**
     * A snapshot.
     */
    200: BrowserStatusSnapshot;
};

export type BrowserControllerStatusResponse = BrowserControllerStatusResponses[keyof BrowserControllerStatusResponses];

export type BrowserControllerStopData = {
    body?: never;
    headers?: {
        /**
         * A new random value for each new request, the same one for its retries. The same request gets the first answer again for 24 hours, marked `Idempotent-Replayed: true`; answers of 5xx and 429 are not kept, and those of 400 and 404 may go sooner where a project sends very many.
         */
        'Idempotency-Key'?: string;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/stop';
};

export type BrowserControllerStopResponses = {
    /**
     * The browser.
     */
    200: Browser;
};

export type BrowserControllerStopResponse = BrowserControllerStopResponses[keyof BrowserControllerStopResponses];

export type BrowserControllerResumeData = {
    body?: never;
    headers?: {
        /**
         * A new random value for each new request, the same one for its retries. The same request gets the first answer again for 24 hours, marked `Idempotent-Replayed: true`; answers of 5xx and 429 are not kept, and those of 400 and 404 may go sooner where a project sends very many.
         */
        'Idempotency-Key'?: string;
        /**
         * `respond-async` answers 202 at once. `wait=N` (1 to 600 seconds) waits in a fair queue when there is no room.
         */
        Prefer?: string;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/resume';
};

export type BrowserControllerResumeResponses = {
    /**
     * The browser.
     */
    200: Browser;
};

export type BrowserControllerResumeResponse = BrowserControllerResumeResponses[keyof BrowserControllerResumeResponses];

export type BrowserControllerCloseManyData = {
    body: CloseBrowsers;
    headers: {
        /**
         * A new random value for each new request, the same one for its retries. The same request gets the first answer again for 24 hours, marked `Idempotent-Replayed: true`; answers of 5xx and 429 are not kept, and those of 400 and 404 may go sooner where a project sends very many.
         */
        'Idempotency-Key': string;
    };
    path?: never;
    query?: never;
    url: '/v1/browsers/close';
};

export type BrowserControllerCloseManyResponses = {
    /**
     * Receipts, and what failed.
     */
    200: ClosedBrowsers;
};

export type BrowserControllerCloseManyResponse = BrowserControllerCloseManyResponses[keyof BrowserControllerCloseManyResponses];

export type ProfileControllerListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only the one with this name.
         */
        name?: string;
        /**
         * Only profiles whose metadata has these values: `metadata[team]=red`.
         */
        metadata?: {
            [key: string]: string;
        };
        /**
         * Items per page, at most: fewer where they are large.
         */
        limit?: number;
        /**
         * `nextCursor` of the page before.
         */
        cursor?: string;
    };
    url: '/v1/profiles';
};

export type ProfileControllerListResponses = {
    /**
     * A page of profiles.
     */
    200: ProfilePage;
};

export type ProfileControllerListResponse = ProfileControllerListResponses[keyof ProfileControllerListResponses];

export type ProfileControllerCreateData = {
    body?: CreateProfile;
    headers: {
        /**
         * A new random value for each new request, the same one for its retries. The same request gets the first answer again for 24 hours, marked `Idempotent-Replayed: true`; answers of 5xx and 429 are not kept, and those of 400 and 404 may go sooner where a project sends very many.
         */
        'Idempotency-Key': string;
    };
    path?: never;
    query?: never;
    url: '/v1/profiles';
};

export type ProfileControllerCreateResponses = {
    /**
     * The profile.
     */
    201: Profile;
};

export type ProfileControllerCreateResponse = ProfileControllerCreateResponses[keyof ProfileControllerCreateResponses];

export type ProfileControllerDeleteData = {
    body?: never;
    headers: {
        /**
         * A new random value for each new request, the same one for its retries. The same request gets the first answer again for 24 hours, marked `Idempotent-Replayed: true`; answers of 5xx and 429 are not kept, and those of 400 and 404 may go sooner where a project sends very many.
         */
        'Idempotency-Key': string;
    };
    path: {
        profileId: string;
    };
    query?: never;
    url: '/v1/profiles/{profileId}';
};

export type ProfileControllerDeleteResponses = {
    /**
     * Deleted.
     */
    200: DeletedProfile;
};

export type ProfileControllerDeleteResponse = ProfileControllerDeleteResponses[keyof ProfileControllerDeleteResponses];

export type ProfileControllerGetData = {
    body?: never;
    path: {
        profileId: string;
    };
    query?: never;
    url: '/v1/profiles/{profileId}';
};

export type ProfileControllerGetResponses = {
    /**
     * The profile.
     */
    200: Profile;
};

export type ProfileControllerGetResponse = ProfileControllerGetResponses[keyof ProfileControllerGetResponses];

export type ProfileControllerUpdateData = {
    body: PatchProfile;
    path: {
        profileId: string;
    };
    query?: never;
    url: '/v1/profiles/{profileId}';
};

export type ProfileControllerUpdateResponses = {
    /**
     * The profile.
     */
    200: Profile;
};

export type ProfileControllerUpdateResponse = ProfileControllerUpdateResponses[keyof ProfileControllerUpdateResponses];

export type ProfileControllerExportData = {
    body?: never;
    path: {
        profileId: string;
    };
    query?: never;
    url: '/v1/profiles/{profileId}/export';
};

export type ProfileControllerExportResponses = {
    /**
     * The state.
     */
    200: StorageState;
};

export type ProfileControllerExportResponse = ProfileControllerExportResponses[keyof ProfileControllerExportResponses];

export type ProfileControllerVersionsData = {
    body?: never;
    path: {
        profileId: string;
    };
    query?: {
        /**
         * Items per page, at most: fewer where they are large.
         */
        limit?: number;
        /**
         * `nextCursor` of the page before.
         */
        cursor?: string;
    };
    url: '/v1/profiles/{profileId}/versions';
};

export type ProfileControllerVersionsResponses = {
    /**
     * A page of versions.
     */
    200: ProfileVersionPage;
};

export type ProfileControllerVersionsResponse = ProfileControllerVersionsResponses[keyof ProfileControllerVersionsResponses];

export type ProfileControllerRestoreData = {
    body: RestoreProfile;
    headers?: {
        /**
         * A new random value for each new request, the same one for its retries. The same request gets the first answer again for 24 hours, marked `Idempotent-Replayed: true`; answers of 5xx and 429 are not kept, and those of 400 and 404 may go sooner where a project sends very many.
         */
        'Idempotency-Key'?: string;
    };
    path: {
        profileId: string;
    };
    query?: never;
    url: '/v1/profiles/{profileId}/restore';
};

export type ProfileControllerRestoreResponses = {
    /**
     * The profile.
     */
    200: Profile;
};

export type ProfileControllerRestoreResponse = ProfileControllerRestoreResponses[keyof ProfileControllerRestoreResponses];

export type ExtensionControllerListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Items per page, at most: fewer where they are large.
         */
        limit?: number;
        /**
         * `nextCursor` of the page before.
         */
        cursor?: string;
    };
    url: '/v1/extensions';
};

export type ExtensionControllerListResponses = {
    /**
     * A page of extensions.
     */
    200: ExtensionPage;
};

export type ExtensionControllerListResponse = ExtensionControllerListResponses[keyof ExtensionControllerListResponses];

export type ExtensionControllerCreateData = {
    body: unknown;
    path?: never;
    query?: never;
    url: '/v1/extensions';
};

export type ExtensionControllerCreateResponses = {
    /**
     * The extension.
     */
    201: Extension;
};

export type ExtensionControllerCreateResponse = ExtensionControllerCreateResponses[keyof ExtensionControllerCreateResponses];

export type ExtensionControllerDeleteData = {
    body?: never;
    path: {
        extensionId: string;
    };
    query?: never;
    url: '/v1/extensions/{extensionId}';
};

export type ExtensionControllerDeleteResponses = {
    /**
     * Deleted.
     */
    200: DeletedExtension;
};

export type ExtensionControllerDeleteResponse = ExtensionControllerDeleteResponses[keyof ExtensionControllerDeleteResponses];

export type ExtensionControllerGetData = {
    body?: never;
    path: {
        extensionId: string;
    };
    query?: never;
    url: '/v1/extensions/{extensionId}';
};

export type ExtensionControllerGetResponses = {
    /**
     * The extension.
     */
    200: Extension;
};

export type ExtensionControllerGetResponse = ExtensionControllerGetResponses[keyof ExtensionControllerGetResponses];

export type FontControllerListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Items per page, at most: fewer where they are large.
         */
        limit?: number;
        /**
         * `nextCursor` of the page before.
         */
        cursor?: string;
    };
    url: '/v1/fonts';
};

export type FontControllerListResponses = {
    /**
     * A page of fonts.
     */
    200: FontPage;
};

export type FontControllerListResponse = FontControllerListResponses[keyof FontControllerListResponses];

export type FontControllerCreateData = {
    body: unknown;
    path?: never;
    query?: never;
    url: '/v1/fonts';
};

export type FontControllerCreateResponses = {
    /**
     * The font, which was there already.
     */
    200: Font;
    /**
     * The font.
     */
    201: Font;
};

export type FontControllerCreateResponse = FontControllerCreateResponses[keyof FontControllerCreateResponses];

export type FontControllerDeleteData = {
    body?: never;
    path: {
        fontId: string;
    };
    query?: never;
    url: '/v1/fonts/{fontId}';
};

export type FontControllerDeleteResponses = {
    /**
     * Deleted.
     */
    200: DeletedFont;
};

export type FontControllerDeleteResponse = FontControllerDeleteResponses[keyof FontControllerDeleteResponses];

export type FontControllerGetData = {
    body?: never;
    path: {
        fontId: string;
    };
    query?: never;
    url: '/v1/fonts/{fontId}';
};

export type FontControllerGetResponses = {
    /**
     * The font.
     */
    200: Font;
};

export type FontControllerGetResponse = FontControllerGetResponses[keyof FontControllerGetResponses];

export type ProfileControllerCheckData = {
    body?: CheckProfile;
    headers?: {
        /**
         * `respond-async` answers 202 at once. `wait=N` (1 to 600 seconds) waits in a fair queue when there is no room.
         */
        Prefer?: string;
    };
    path: {
        profileId: string;
    };
    query?: never;
    url: '/v1/profiles/{profileId}/check';
};

export type ProfileControllerCheckResponses = {
    /**
     * What was seen.
     */
    200: CheckedProfile;
};

export type ProfileControllerCheckResponse = ProfileControllerCheckResponses[keyof ProfileControllerCheckResponses];

export type ProfileControllerSignInData = {
    body?: SignIn;
    headers?: {
        /**
         * `respond-async` answers 202 at once. `wait=N` (1 to 600 seconds) waits in a fair queue when there is no room.
         */
        Prefer?: string;
    };
    path: {
        profileId: string;
    };
    query?: never;
    url: '/v1/profiles/{profileId}/sign-in';
};

export type ProfileControllerSignInResponses = {
    /**
     * It waits.
     */
    201: SignInBrowser;
};

export type ProfileControllerSignInResponse = ProfileControllerSignInResponses[keyof ProfileControllerSignInResponses];

export type JobControllerListData = {
    body?: never;
    path?: never;
    query?: {
        status?: 'queued' | 'running' | 'completed' | 'cancelled' | 'failed';
        kind?: 'batch' | 'crawl' | 'map';
        /**
         * Items per page, at most: fewer where they are large.
         */
        limit?: number;
        /**
         * `nextCursor` of the page before.
         */
        cursor?: string;
    };
    url: '/v1/jobs';
};

export type JobControllerListResponses = {
    /**
     * A page of jobs.
     */
    200: JobPage;
};

export type JobControllerListResponse = JobControllerListResponses[keyof JobControllerListResponses];

export type JobControllerCreateData = {
    body: CreateJob;
    headers?: {
        /**
         * A new random value for each new request, the same one for its retries. The same request gets the first answer again for 24 hours, marked `Idempotent-Replayed: true`; answers of 5xx and 429 are not kept, and those of 400 and 404 may go sooner where a project sends very many.
         */
        'Idempotency-Key'?: string;
    };
    path?: never;
    query?: never;
    url: '/v1/jobs';
};

export type JobControllerCreateResponses = {
    /**
     * The job.
     */
    201: CreatedJob;
};

export type JobControllerCreateResponse = JobControllerCreateResponses[keyof JobControllerCreateResponses];

export type JobControllerDeleteData = {
    body?: never;
    path: {
        jobId: string;
    };
    query?: never;
    url: '/v1/jobs/{jobId}';
};

export type JobControllerDeleteResponses = {
    /**
     * Deleted.
     */
    200: DeletedJob;
};

export type JobControllerDeleteResponse = JobControllerDeleteResponses[keyof JobControllerDeleteResponses];

export type JobControllerGetData = {
    body?: never;
    path: {
        jobId: string;
    };
    query?: never;
    url: '/v1/jobs/{jobId}';
};

export type JobControllerGetResponses = {
    /**
     * The job.
     */
    200: Job;
};

export type JobControllerGetResponse = JobControllerGetResponses[keyof JobControllerGetResponses];

export type JobControllerCancelData = {
    body?: never;
    path: {
        jobId: string;
    };
    query?: never;
    url: '/v1/jobs/{jobId}/cancel';
};

export type JobControllerCancelResponses = {
    /**
     * The job as it is now.
     */
    200: Job;
};

export type JobControllerCancelResponse = JobControllerCancelResponses[keyof JobControllerCancelResponses];

export type JobControllerResultsData = {
    body?: never;
    path: {
        jobId: string;
    };
    query?: {
        status?: 'done' | 'failed' | 'skipped';
        /**
         * Items per page, at most: fewer where they are large.
         */
        limit?: number;
        /**
         * `nextCursor` of the page before.
         */
        cursor?: string;
    };
    url: '/v1/jobs/{jobId}/results';
};

export type JobControllerResultsResponses = {
    /**
     * A page of results, their lines, or the stream.
     */
    200: JobResultPage;
};

export type JobControllerResultsResponse = JobControllerResultsResponses[keyof JobControllerResultsResponses];

export type ScriptControllerExecuteData = {
    body: ExecuteScript;
    headers?: {
        /**
         * The `epoch` of the browser: in any other the call is refused with `EPOCH_CHANGED`, and nothing has run.
         */
        'If-Match'?: string;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/script/execute';
};

export type ScriptControllerExecuteResponses = {
    /**
     * The code has ended, or the stream.
     */
    200: ScriptExecution;
};

export type ScriptControllerExecuteResponse = ScriptControllerExecuteResponses[keyof ScriptControllerExecuteResponses];

export type ComputerControllerUseData = {
    body: UseComputer;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/computer';
};

export type ComputerControllerUseResponses = {
    /**
     * What was done.
     */
    200: ComputerAnswer;
};

export type ComputerControllerUseResponse = ComputerControllerUseResponses[keyof ComputerControllerUseResponses];

export type ObserveControllerObserveData = {
    body?: ObservePage;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/observe';
};

export type ObserveControllerObserveResponses = {
    /**
     * What the page shows.
     */
    200: ObservedPage;
};

export type ObserveControllerObserveResponse = ObserveControllerObserveResponses[keyof ObserveControllerObserveResponses];

export type ScreenshotControllerCreateData = {
    body?: TakeScreenshot;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/screenshot';
};

export type ScreenshotControllerCreateResponses = {
    /**
     * The picture.
     */
    200: Pictures | ComparedPicture;
    /**
     * With `store`: the file, or all of them with `selectors` or `baseline`.
     */
    201: File | Pictures | ComparedPicture;
};

export type ScreenshotControllerCreateResponse = ScreenshotControllerCreateResponses[keyof ScreenshotControllerCreateResponses];

export type PdfControllerCreateData = {
    body?: PrintPdf;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/pdf';
};

export type PdfControllerCreateResponses = {
    /**
     * The PDF.
     */
    200: unknown;
    /**
     * With `store`: the file.
     */
    201: File;
};

export type PdfControllerCreateResponse = PdfControllerCreateResponses[keyof PdfControllerCreateResponses];

export type ScrapeControllerScrapeTabData = {
    body?: ScrapeTab;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/scrape';
};

export type ScrapeControllerScrapeTabResponses = {
    /**
     * What the page holds.
     */
    200: ScrapedTab;
};

export type ScrapeControllerScrapeTabResponse = ScrapeControllerScrapeTabResponses[keyof ScrapeControllerScrapeTabResponses];

export type TabControllerListData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Items per page, at most: fewer where they are large.
         */
        limit?: number;
        /**
         * `nextCursor` of the page before.
         */
        cursor?: string;
    };
    url: '/v1/browsers/{id}/tabs';
};

export type TabControllerListResponses = {
    /**
     * A page of tabs.
     */
    200: TabPage;
};

export type TabControllerListResponse = TabControllerListResponses[keyof TabControllerListResponses];

export type TabControllerOpenData = {
    body?: OpenTab;
    headers?: {
        /**
         * A new random value for each new request, the same one for its retries. The same request gets the first answer again for 24 hours, marked `Idempotent-Replayed: true`; answers of 5xx and 429 are not kept, and those of 400 and 404 may go sooner where a project sends very many.
         */
        'Idempotency-Key'?: string;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/tabs';
};

export type TabControllerOpenResponses = {
    /**
     * The tab.
     */
    201: BrowserTabDetail;
};

export type TabControllerOpenResponse = TabControllerOpenResponses[keyof TabControllerOpenResponses];

export type TabControllerCloseData = {
    body?: never;
    headers?: {
        /**
         * A new random value for each new request, the same one for its retries. The same request gets the first answer again for 24 hours, marked `Idempotent-Replayed: true`; answers of 5xx and 429 are not kept, and those of 400 and 404 may go sooner where a project sends very many.
         */
        'Idempotency-Key'?: string;
    };
    path: {
        id: string;
        tabId: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/tabs/{tabId}';
};

export type TabControllerCloseResponses = {
    /**
     * It is gone.
     */
    200: ClosedTab;
};

export type TabControllerCloseResponse = TabControllerCloseResponses[keyof TabControllerCloseResponses];

export type TabControllerGetData = {
    body?: never;
    path: {
        id: string;
        tabId: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/tabs/{tabId}';
};

export type TabControllerGetResponses = {
    /**
     * The tab.
     */
    200: BrowserTabDetail;
};

export type TabControllerGetResponse = TabControllerGetResponses[keyof TabControllerGetResponses];

export type TabControllerChangeData = {
    body: ChangeTab;
    path: {
        id: string;
        tabId: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/tabs/{tabId}';
};

export type TabControllerChangeResponses = {
    /**
     * The tab.
     */
    200: BrowserTabDetail;
};

export type TabControllerChangeResponse = TabControllerChangeResponses[keyof TabControllerChangeResponses];

export type ProjectFileControllerListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Items per page, at most: fewer where they are large.
         */
        limit?: number;
        /**
         * `nextCursor` of the page before.
         */
        cursor?: string;
        /**
         * What made it.
         */
        source?: 'upload' | 'screenshot' | 'pdf' | 'scrape' | 'comparison';
        /**
         * Only what this job made.
         */
        jobId?: string;
    };
    url: '/v1/files';
};

export type ProjectFileControllerListResponses = {
    /**
     * A page of files.
     */
    200: ProjectFilePage;
};

export type ProjectFileControllerListResponse = ProjectFileControllerListResponses[keyof ProjectFileControllerListResponses];

export type ProjectFileControllerCreateData = {
    body: unknown;
    path?: never;
    query?: {
        /**
         * The name of the file. Optional with a form, whose file name it then replaces.
         */
        name?: string;
        /**
         * Seconds for which the file is kept. Without it: until it is deleted.
         */
        ttlSeconds?: number;
    };
    url: '/v1/files';
};

export type ProjectFileControllerCreateResponses = {
    /**
     * The file.
     */
    201: ProjectFile;
};

export type ProjectFileControllerCreateResponse = ProjectFileControllerCreateResponses[keyof ProjectFileControllerCreateResponses];

export type ProjectFileControllerDeleteData = {
    body?: never;
    path: {
        fileId: string;
    };
    query?: never;
    url: '/v1/files/{fileId}';
};

export type ProjectFileControllerDeleteResponses = {
    /**
     * Deleted.
     */
    200: DeletedArtifact;
};

export type ProjectFileControllerDeleteResponse = ProjectFileControllerDeleteResponses[keyof ProjectFileControllerDeleteResponses];

export type ProjectFileControllerGetData = {
    body?: never;
    path: {
        fileId: string;
    };
    query?: never;
    url: '/v1/files/{fileId}';
};

export type ProjectFileControllerGetResponses = {
    /**
     * The file.
     */
    200: ProjectFile;
};

export type ProjectFileControllerGetResponse = ProjectFileControllerGetResponses[keyof ProjectFileControllerGetResponses];

export type ProjectFileControllerContentData = {
    body?: never;
    path: {
        fileId: string;
    };
    query?: never;
    url: '/v1/files/{fileId}/content';
};

export type ProjectFileControllerContentResponses = {
    /**
     * All bytes.
     */
    200: unknown;
    /**
     * The bytes of the `Range`.
     */
    206: unknown;
};

export type ProjectFileControllerAddressData = {
    body?: CreateContentAddress;
    path: {
        fileId: string;
    };
    query?: never;
    url: '/v1/files/{fileId}/address';
};

export type ProjectFileControllerAddressResponses = {
    /**
     * The address.
     */
    201: ContentAddress;
};

export type ProjectFileControllerAddressResponse = ProjectFileControllerAddressResponses[keyof ProjectFileControllerAddressResponses];

export type FileControllerListData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Items per page, at most: fewer where they are large.
         */
        limit?: number;
        /**
         * `nextCursor` of the page before.
         */
        cursor?: string;
    };
    url: '/v1/browsers/{id}/files';
};

export type FileControllerListResponses = {
    /**
     * A page of files.
     */
    200: FilePage;
};

export type FileControllerListResponse = FileControllerListResponses[keyof FileControllerListResponses];

export type FileControllerCreateData = {
    body: unknown;
    path: {
        id: string;
    };
    query?: {
        /**
         * The name of the file. Optional with a form, whose file name it then replaces.
         */
        name?: string;
    };
    url: '/v1/browsers/{id}/files';
};

export type FileControllerCreateResponses = {
    /**
     * The file.
     */
    201: File;
};

export type FileControllerCreateResponse = FileControllerCreateResponses[keyof FileControllerCreateResponses];

export type FileControllerDeleteData = {
    body?: never;
    path: {
        id: string;
        fileId: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/files/{fileId}';
};

export type FileControllerDeleteResponses = {
    /**
     * Deleted.
     */
    200: DeletedArtifact;
};

export type FileControllerDeleteResponse = FileControllerDeleteResponses[keyof FileControllerDeleteResponses];

export type FileControllerGetData = {
    body?: never;
    path: {
        id: string;
        fileId: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/files/{fileId}';
};

export type FileControllerGetResponses = {
    /**
     * The file.
     */
    200: File;
};

export type FileControllerGetResponse = FileControllerGetResponses[keyof FileControllerGetResponses];

export type FileControllerContentData = {
    body?: never;
    path: {
        id: string;
        fileId: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/files/{fileId}/content';
};

export type FileControllerContentResponses = {
    /**
     * All bytes.
     */
    200: unknown;
    /**
     * The bytes of the `Range`.
     */
    206: unknown;
};

export type FileControllerAddressData = {
    body?: CreateContentAddress;
    path: {
        id: string;
        fileId: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/files/{fileId}/address';
};

export type FileControllerAddressResponses = {
    /**
     * The address.
     */
    201: ContentAddress;
};

export type FileControllerAddressResponse = FileControllerAddressResponses[keyof FileControllerAddressResponses];

export type DialogControllerListData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Only these.
         */
        state?: 'open' | 'accepted' | 'dismissed';
        /**
         * Only those of this tab.
         */
        tabId?: string;
        /**
         * Items per page, at most: fewer where they are large.
         */
        limit?: number;
        /**
         * `nextCursor` of the page before.
         */
        cursor?: string;
    };
    url: '/v1/browsers/{id}/dialogs';
};

export type DialogControllerListResponses = {
    /**
     * A page of dialogs.
     */
    200: DialogPage;
};

export type DialogControllerListResponse = DialogControllerListResponses[keyof DialogControllerListResponses];

export type DialogControllerAnswerData = {
    body: AnswerDialog;
    path: {
        id: string;
        dialogId: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/dialogs/{dialogId}';
};

export type DialogControllerAnswerResponses = {
    /**
     * The dialog, closed.
     */
    200: Dialog;
};

export type DialogControllerAnswerResponse = DialogControllerAnswerResponses[keyof DialogControllerAnswerResponses];

export type NetworkControllerListData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        tabId?: string;
        /**
         * Only these; repeated or separated by commas.
         */
        type?: Array<'document' | 'stylesheet' | 'image' | 'media' | 'font' | 'script' | 'texttrack' | 'xhr' | 'fetch' | 'prefetch' | 'eventsource' | 'websocket' | 'manifest' | 'signedexchange' | 'ping' | 'cspviolationreport' | 'preflight' | 'other'>;
        /**
         * A class such as `4xx`, or a status such as `404`.
         */
        status?: string;
        /**
         * The host of the address, or one above it.
         */
        host?: string;
        /**
         * Only those that failed, or were answered with 400 or above.
         */
        failed?: boolean;
        /**
         * Only those that began then or later.
         */
        since?: string;
        /**
         * Items per page, at most: fewer where they are large.
         */
        limit?: number;
        /**
         * `nextCursor` of the page before.
         */
        cursor?: string;
    };
    url: '/v1/browsers/{id}/network';
};

export type NetworkControllerListResponses = {
    /**
     * A page of requests.
     */
    200: NetworkPage;
};

export type NetworkControllerListResponse = NetworkControllerListResponses[keyof NetworkControllerListResponses];

export type NetworkControllerGetData = {
    body?: never;
    path: {
        id: string;
        requestId: string;
    };
    query?: {
        /**
         * Show what is hidden otherwise: credentials in headers, tokens in addresses. Admin keys only; an event `network.revealed` says so. Values of secrets stay masked.
         */
        reveal?: boolean;
    };
    url: '/v1/browsers/{id}/network/{requestId}';
};

export type NetworkControllerGetResponses = {
    /**
     * The request.
     */
    200: NetworkRequestDetail;
};

export type NetworkControllerGetResponse = NetworkControllerGetResponses[keyof NetworkControllerGetResponses];

export type NetworkControllerContentData = {
    body?: never;
    path: {
        id: string;
        requestId: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/network/{requestId}/content';
};

export type NetworkControllerContentResponses = {
    /**
     * The body.
     */
    200: unknown;
};

export type HarControllerCreateData = {
    body?: CreateHar;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/har';
};

export type HarControllerCreateResponses = {
    /**
     * With `Accept: application/har+json`: the HAR.
     */
    200: unknown;
    /**
     * The file.
     */
    201: File;
};

export type HarControllerCreateResponse = HarControllerCreateResponses[keyof HarControllerCreateResponses];

export type PermissionControllerGetData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/permissions';
};

export type PermissionControllerGetResponses = {
    /**
     * All that is set.
     */
    200: Permissions;
};

export type PermissionControllerGetResponse = PermissionControllerGetResponses[keyof PermissionControllerGetResponses];

export type PermissionControllerSetData = {
    body: SetPermissions;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/permissions';
};

export type PermissionControllerSetResponses = {
    /**
     * All that is set.
     */
    200: Permissions;
};

export type PermissionControllerSetResponse = PermissionControllerSetResponses[keyof PermissionControllerSetResponses];

export type PermissionControllerClearData = {
    body?: ClearPermissions;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/permissions/clear';
};

export type PermissionControllerClearResponses = {
    /**
     * All that is set.
     */
    200: Permissions;
};

export type PermissionControllerClearResponse = PermissionControllerClearResponses[keyof PermissionControllerClearResponses];

export type DownloadControllerListData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Items per page, at most: fewer where they are large.
         */
        limit?: number;
        /**
         * `nextCursor` of the page before.
         */
        cursor?: string;
    };
    url: '/v1/browsers/{id}/downloads';
};

export type DownloadControllerListResponses = {
    /**
     * A page of downloads.
     */
    200: DownloadPage;
};

export type DownloadControllerListResponse = DownloadControllerListResponses[keyof DownloadControllerListResponses];

export type DownloadControllerDeleteData = {
    body?: never;
    path: {
        id: string;
        downloadId: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/downloads/{downloadId}';
};

export type DownloadControllerDeleteResponses = {
    /**
     * Deleted.
     */
    200: DeletedArtifact;
};

export type DownloadControllerDeleteResponse = DownloadControllerDeleteResponses[keyof DownloadControllerDeleteResponses];

export type DownloadControllerGetData = {
    body?: never;
    path: {
        id: string;
        downloadId: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/downloads/{downloadId}';
};

export type DownloadControllerGetResponses = {
    /**
     * The download.
     */
    200: Download;
};

export type DownloadControllerGetResponse = DownloadControllerGetResponses[keyof DownloadControllerGetResponses];

export type DownloadControllerContentData = {
    body?: never;
    path: {
        id: string;
        downloadId: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/downloads/{downloadId}/content';
};

export type DownloadControllerContentResponses = {
    /**
     * All bytes.
     */
    200: unknown;
    /**
     * The bytes of the `Range`.
     */
    206: unknown;
};

export type DownloadControllerAddressData = {
    body?: CreateContentAddress;
    path: {
        id: string;
        downloadId: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/downloads/{downloadId}/address';
};

export type DownloadControllerAddressResponses = {
    /**
     * The address.
     */
    201: ContentAddress;
};

export type DownloadControllerAddressResponse = DownloadControllerAddressResponses[keyof DownloadControllerAddressResponses];

export type RecordingControllerListData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Items per page, at most: fewer where they are large.
         */
        limit?: number;
        /**
         * `nextCursor` of the page before.
         */
        cursor?: string;
    };
    url: '/v1/browsers/{id}/recordings';
};

export type RecordingControllerListResponses = {
    /**
     * A page of recordings.
     */
    200: RecordingPage;
};

export type RecordingControllerListResponse = RecordingControllerListResponses[keyof RecordingControllerListResponses];

export type RecordingControllerCreateData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/recordings';
};

export type RecordingControllerCreateResponses = {
    /**
     * The one that runs already.
     */
    200: Recording;
    /**
     * The recording.
     */
    201: Recording;
};

export type RecordingControllerCreateResponse = RecordingControllerCreateResponses[keyof RecordingControllerCreateResponses];

export type RecordingControllerDeleteData = {
    body?: never;
    path: {
        id: string;
        recordingId: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/recordings/{recordingId}';
};

export type RecordingControllerDeleteResponses = {
    /**
     * Deleted.
     */
    200: DeletedArtifact;
};

export type RecordingControllerDeleteResponse = RecordingControllerDeleteResponses[keyof RecordingControllerDeleteResponses];

export type RecordingControllerGetData = {
    body?: never;
    path: {
        id: string;
        recordingId: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/recordings/{recordingId}';
};

export type RecordingControllerGetResponses = {
    /**
     * The recording.
     */
    200: Recording;
};

export type RecordingControllerGetResponse = RecordingControllerGetResponses[keyof RecordingControllerGetResponses];

export type RecordingControllerContentData = {
    body?: never;
    path: {
        id: string;
        recordingId: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/recordings/{recordingId}/content';
};

export type RecordingControllerContentResponses = {
    /**
     * All bytes.
     */
    200: unknown;
    /**
     * The bytes of the `Range`.
     */
    206: unknown;
};

export type RecordingControllerAddressData = {
    body?: CreateContentAddress;
    path: {
        id: string;
        recordingId: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/recordings/{recordingId}/address';
};

export type RecordingControllerAddressResponses = {
    /**
     * The address.
     */
    201: ContentAddress;
};

export type RecordingControllerAddressResponse = RecordingControllerAddressResponses[keyof RecordingControllerAddressResponses];

export type RecordingControllerStopData = {
    body?: never;
    path: {
        id: string;
        recordingId: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/recordings/{recordingId}/stop';
};

export type RecordingControllerStopResponses = {
    /**
     * The recording.
     */
    200: Recording;
};

export type RecordingControllerStopResponse = RecordingControllerStopResponses[keyof RecordingControllerStopResponses];

export type KeyControllerListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Items per page, at most: fewer where they are large.
         */
        limit?: number;
        /**
         * `nextCursor` of the page before.
         */
        cursor?: string;
    };
    url: '/v1/keys';
};

export type KeyControllerListResponses = {
    /**
     * A page of keys.
     */
    200: KeyPage;
};

export type KeyControllerListResponse = KeyControllerListResponses[keyof KeyControllerListResponses];

export type KeyControllerCreateData = {
    body: CreateKey;
    path?: never;
    query?: never;
    url: '/v1/keys';
};

export type KeyControllerCreateResponses = {
    /**
     * The key, with its secret.
     */
    201: CreatedKey;
};

export type KeyControllerCreateResponse = KeyControllerCreateResponses[keyof KeyControllerCreateResponses];

export type KeyControllerRevokeData = {
    body?: never;
    path: {
        keyId: string;
    };
    query?: never;
    url: '/v1/keys/{keyId}';
};

export type KeyControllerRevokeResponses = {
    /**
     * Revoked.
     */
    200: RevokedKey;
};

export type KeyControllerRevokeResponse = KeyControllerRevokeResponses[keyof KeyControllerRevokeResponses];

export type NodeControllerListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Items per page, at most: fewer where they are large.
         */
        limit?: number;
        /**
         * `nextCursor` of the page before.
         */
        cursor?: string;
    };
    url: '/v1/nodes';
};

export type NodeControllerListResponses = {
    /**
     * A page of nodes.
     */
    200: NodePage;
};

export type NodeControllerListResponse = NodeControllerListResponses[keyof NodeControllerListResponses];

export type NodeControllerGetData = {
    body?: never;
    path: {
        nodeId: string;
    };
    query?: never;
    url: '/v1/nodes/{nodeId}';
};

export type NodeControllerGetResponses = {
    /**
     * The node.
     */
    200: Node;
};

export type NodeControllerGetResponse = NodeControllerGetResponses[keyof NodeControllerGetResponses];

export type NodeControllerDrainData = {
    body?: never;
    path: {
        nodeId: string;
    };
    query?: never;
    url: '/v1/nodes/{nodeId}/drain';
};

export type NodeControllerDrainResponses = {
    /**
     * It is told; `state` is `draining`.
     */
    202: Node;
};

export type NodeControllerDrainResponse = NodeControllerDrainResponses[keyof NodeControllerDrainResponses];

export type SecretControllerListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Items per page, at most: fewer where they are large.
         */
        limit?: number;
        /**
         * `nextCursor` of the page before.
         */
        cursor?: string;
    };
    url: '/v1/secrets';
};

export type SecretControllerListResponses = {
    /**
     * A page of secrets.
     */
    200: SecretPage;
};

export type SecretControllerListResponse = SecretControllerListResponses[keyof SecretControllerListResponses];

export type SecretControllerCreateData = {
    body: CreateSecretWritable;
    path?: never;
    query?: never;
    url: '/v1/secrets';
};

export type SecretControllerCreateResponses = {
    /**
     * The secret, without its value.
     */
    201: Secret;
};

export type SecretControllerCreateResponse = SecretControllerCreateResponses[keyof SecretControllerCreateResponses];

export type SecretControllerDeleteData = {
    body?: never;
    path: {
        secretId: string;
    };
    query?: never;
    url: '/v1/secrets/{secretId}';
};

export type SecretControllerDeleteResponses = {
    /**
     * Deleted.
     */
    200: DeletedSecret;
};

export type SecretControllerDeleteResponse = SecretControllerDeleteResponses[keyof SecretControllerDeleteResponses];

export type SecretControllerGetData = {
    body?: never;
    path: {
        secretId: string;
    };
    query?: never;
    url: '/v1/secrets/{secretId}';
};

export type SecretControllerGetResponses = {
    /**
     * The secret.
     */
    200: Secret;
};

export type SecretControllerGetResponse = SecretControllerGetResponses[keyof SecretControllerGetResponses];

export type SecretControllerUpdateData = {
    body: PatchSecretWritable;
    path: {
        secretId: string;
    };
    query?: never;
    url: '/v1/secrets/{secretId}';
};

export type SecretControllerUpdateResponses = {
    /**
     * The secret as it is now.
     */
    200: Secret;
};

export type SecretControllerUpdateResponse = SecretControllerUpdateResponses[keyof SecretControllerUpdateResponses];

export type SecretControllerFillData = {
    body: FillSecret;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/secrets/fill';
};

export type SecretControllerFillResponses = {
    /**
     * It stands in the field.
     */
    200: FilledSecret;
};

export type SecretControllerFillResponse = SecretControllerFillResponses[keyof SecretControllerFillResponses];

export type CapabilityControllerCreateData = {
    body: CreateCapability;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/capabilities';
};

export type CapabilityControllerCreateResponses = {
    /**
     * The address.
     */
    201: Capability;
};

export type CapabilityControllerCreateResponse = CapabilityControllerCreateResponses[keyof CapabilityControllerCreateResponses];

export type CaptchaControllerGetData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Default: the active tab.
         */
        tabId?: string;
    };
    url: '/v1/browsers/{id}/captcha';
};

export type CaptchaControllerGetResponses = {
    /**
     * What the page shows.
     */
    200: Captchas;
};

export type CaptchaControllerGetResponse = CaptchaControllerGetResponses[keyof CaptchaControllerGetResponses];

export type CaptchaControllerResolveData = {
    body?: ResolveCaptcha;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/captcha/resolve';
};

export type CaptchaControllerResolveResponses = {
    /**
     * What became of each.
     */
    200: Captchas;
};

export type CaptchaControllerResolveResponse = CaptchaControllerResolveResponses[keyof CaptchaControllerResolveResponses];

export type CdpControllerConnectData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/cdp';
};

export type CdpControllerConnectPageData = {
    body?: never;
    path: {
        id: string;
        /**
         * As `…/cdp/json/list` and `Target.getTargets` name it.
         */
        targetId: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/cdp/devtools/page/{targetId}';
};

export type CdpControllerVersionData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/cdp/json/version';
};

export type CdpControllerVersionResponses = {
    /**
     * The browser and its address.
     */
    200: CdpVersion;
};

export type CdpControllerVersionResponse = CdpControllerVersionResponses[keyof CdpControllerVersionResponses];

export type CdpControllerListData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/cdp/json/list';
};

export type CdpControllerListResponses = {
    /**
     * The targets.
     */
    200: Array<CdpTarget>;
};

export type CdpControllerListResponse = CdpControllerListResponses[keyof CdpControllerListResponses];

export type CdpControllerProtocolData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/cdp/json/protocol';
};

export type CdpControllerProtocolResponses = {
    /**
     * Domains, commands, events and types.
     */
    200: CdpProtocol;
};

export type CdpControllerProtocolResponse = CdpControllerProtocolResponses[keyof CdpControllerProtocolResponses];

export type CdpControllerOpenData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * What it shows; `about:blank` by default. As in Chromium, a whole query may be the address.
         */
        url?: string;
    };
    url: '/v1/browsers/{id}/cdp/json/new';
};

export type CdpControllerOpenResponses = {
    /**
     * The page.
     */
    200: CdpTarget;
};

export type CdpControllerOpenResponse = CdpControllerOpenResponses[keyof CdpControllerOpenResponses];

export type CdpControllerActivateData = {
    body?: never;
    path: {
        id: string;
        /**
         * As `…/cdp/json/list` and `Target.getTargets` name it.
         */
        targetId: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/cdp/json/activate/{targetId}';
};

export type CdpControllerActivateResponses = {
    /**
     * `Target activated`
     */
    200: unknown;
};

export type CdpControllerCloseData = {
    body?: never;
    path: {
        id: string;
        /**
         * As `…/cdp/json/list` and `Target.getTargets` name it.
         */
        targetId: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/cdp/json/close/{targetId}';
};

export type CdpControllerCloseResponses = {
    /**
     * `Target is closing`
     */
    200: unknown;
};

export type LiveControllerConnectData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/live';
};

export type HandoffControllerEndData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/handoff';
};

export type HandoffControllerEndResponses = {
    /**
     * Scripts drive.
     */
    200: Handoff;
};

export type HandoffControllerEndResponse = HandoffControllerEndResponses[keyof HandoffControllerEndResponses];

export type HandoffControllerGetData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/handoff';
};

export type HandoffControllerGetResponses = {
    /**
     * Scripts, or a person.
     */
    200: Handoff;
};

export type HandoffControllerGetResponse = HandoffControllerGetResponses[keyof HandoffControllerGetResponses];

export type HandoffControllerRequestData = {
    body?: RequestHandoff;
    path: {
        id: string;
    };
    query?: never;
    url: '/v1/browsers/{id}/handoff';
};

export type HandoffControllerRequestResponses = {
    /**
     * Asked.
     */
    201: Handoff;
};

export type HandoffControllerRequestResponse = HandoffControllerRequestResponses[keyof HandoffControllerRequestResponses];

export type EventControllerListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Only these; repeated or comma-separated, groups as `browser.*`.
         */
        type?: Array<EventPattern>;
        /**
         * Newest first (`desc`) or oldest first (`asc`). A stream is always oldest first.
         */
        order?: 'desc' | 'asc';
        /**
         * Only what came after this event: its `seq` or its `id`, or `0` for everything that is kept. A stream without it starts from now. The header `Last-Event-ID` says the same and wins.
         */
        lastEventId?: string;
        /**
         * Items per page, at most: fewer where they are large.
         */
        limit?: number;
        /**
         * `nextCursor` of the page before.
         */
        cursor?: string;
    };
    url: '/v1/events';
};

export type EventControllerListResponses = {
    /**
     * A page of events, or the stream.
     */
    200: EventPage;
};

export type EventControllerListResponse = EventControllerListResponses[keyof EventControllerListResponses];

export type BrowserEventControllerListData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Only these; repeated or comma-separated, groups as `browser.*`.
         */
        type?: Array<EventPattern>;
        /**
         * Newest first (`desc`) or oldest first (`asc`). A stream is always oldest first.
         */
        order?: 'desc' | 'asc';
        /**
         * Only what came after this event: its `seq` or its `id`, or `0` for everything that is kept. A stream without it starts from now. The header `Last-Event-ID` says the same and wins.
         */
        lastEventId?: string;
        /**
         * Items per page, at most: fewer where they are large.
         */
        limit?: number;
        /**
         * `nextCursor` of the page before.
         */
        cursor?: string;
    };
    url: '/v1/browsers/{id}/events';
};

export type BrowserEventControllerListResponses = {
    /**
     * A page of events, or the stream.
     */
    200: EventPage;
};

export type BrowserEventControllerListResponse = BrowserEventControllerListResponses[keyof BrowserEventControllerListResponses];

export type WebhookControllerListData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * Items per page, at most: fewer where they are large.
         */
        limit?: number;
        /**
         * `nextCursor` of the page before.
         */
        cursor?: string;
    };
    url: '/v1/webhooks';
};

export type WebhookControllerListResponses = {
    /**
     * A page of webhooks.
     */
    200: WebhookPage;
};

export type WebhookControllerListResponse = WebhookControllerListResponses[keyof WebhookControllerListResponses];

export type WebhookControllerCreateData = {
    body: CreateWebhook;
    headers?: {
        /**
         * A new random value for each new request, the same one for its retries. The same request gets the first answer again for 24 hours, marked `Idempotent-Replayed: true`; answers of 5xx and 429 are not kept, and those of 400 and 404 may go sooner where a project sends very many.
         */
        'Idempotency-Key'?: string;
    };
    path?: never;
    query?: never;
    url: '/v1/webhooks';
};

export type WebhookControllerCreateResponses = {
    /**
     * The webhook, with its secret.
     */
    201: CreatedWebhook;
};

export type WebhookControllerCreateResponse = WebhookControllerCreateResponses[keyof WebhookControllerCreateResponses];

export type WebhookControllerDeleteData = {
    body?: never;
    path: {
        webhookId: string;
    };
    query?: never;
    url: '/v1/webhooks/{webhookId}';
};

export type WebhookControllerDeleteResponses = {
    /**
     * Deleted.
     */
    200: DeletedWebhook;
};

export type WebhookControllerDeleteResponse = WebhookControllerDeleteResponses[keyof WebhookControllerDeleteResponses];

export type WebhookControllerGetData = {
    body?: never;
    path: {
        webhookId: string;
    };
    query?: never;
    url: '/v1/webhooks/{webhookId}';
};

export type WebhookControllerGetResponses = {
    /**
     * The webhook.
     */
    200: Webhook;
};

export type WebhookControllerGetResponse = WebhookControllerGetResponses[keyof WebhookControllerGetResponses];

export type WebhookControllerUpdateData = {
    body?: PatchWebhook;
    path: {
        webhookId: string;
    };
    query?: never;
    url: '/v1/webhooks/{webhookId}';
};

export type WebhookControllerUpdateResponses = {
    /**
     * The webhook as it is now.
     */
    200: Webhook;
};

export type WebhookControllerUpdateResponse = WebhookControllerUpdateResponses[keyof WebhookControllerUpdateResponses];

export type DeliveryControllerListData = {
    body?: never;
    path: {
        webhookId: string;
    };
    query?: {
        state?: 'pending' | 'delivered' | 'failed';
        /**
         * Items per page, at most: fewer where they are large.
         */
        limit?: number;
        /**
         * `nextCursor` of the page before.
         */
        cursor?: string;
    };
    url: '/v1/webhooks/{webhookId}/deliveries';
};

export type DeliveryControllerListResponses = {
    /**
     * A page of deliveries.
     */
    200: DeliveryPage;
};

export type DeliveryControllerListResponse = DeliveryControllerListResponses[keyof DeliveryControllerListResponses];

export type DeliveryControllerRedeliverData = {
    body?: never;
    path: {
        webhookId: string;
        deliveryId: string;
    };
    query?: never;
    url: '/v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver';
};

export type DeliveryControllerRedeliverResponses = {
    /**
     * On its way.
     */
    202: Delivery;
};

export type DeliveryControllerRedeliverResponse = DeliveryControllerRedeliverResponses[keyof DeliveryControllerRedeliverResponses];

export type WebhookControllerTestData = {
    body?: never;
    path: {
        webhookId: string;
    };
    query?: never;
    url: '/v1/webhooks/{webhookId}/test';
};

export type WebhookControllerTestResponses = {
    /**
     * On its way.
     */
    202: Delivery;
};

export type WebhookControllerTestResponse = WebhookControllerTestResponses[keyof WebhookControllerTestResponses];

export type QuickControllerScrapeData = {
    body: QuickScrape;
    headers?: {
        /**
         * A new random value for each new request, the same one for its retries. The same request gets the first answer again for 24 hours, marked `Idempotent-Replayed: true`; answers of 5xx and 429 are not kept, and those of 400 and 404 may go sooner where a project sends very many.
         */
        'Idempotency-Key'?: string;
        /**
         * `respond-async` answers 202 at once. `wait=N` (1 to 600 seconds) waits in a fair queue when there is no room.
         */
        Prefer?: string;
    };
    path?: never;
    query?: never;
    url: '/v1/scrape';
};

export type QuickControllerScrapeResponses = {
    /**
     * The content.
     */
    200: QuickScraped;
    /**
     * With `store`: the content, and its file.
     */
    201: QuickScraped;
};

export type QuickControllerScrapeResponse = QuickControllerScrapeResponses[keyof QuickControllerScrapeResponses];

export type QuickControllerScreenshotData = {
    body: QuickScreenshot;
    headers?: {
        /**
         * A new random value for each new request, the same one for its retries. The same request gets the first answer again for 24 hours, marked `Idempotent-Replayed: true`; answers of 5xx and 429 are not kept, and those of 400 and 404 may go sooner where a project sends very many.
         */
        'Idempotency-Key'?: string;
        /**
         * `respond-async` answers 202 at once. `wait=N` (1 to 600 seconds) waits in a fair queue when there is no room.
         */
        Prefer?: string;
    };
    path?: never;
    query?: never;
    url: '/v1/screenshot';
};

export type QuickControllerScreenshotResponses = {
    /**
     * The picture.
     */
    200: QuickCaptured | Pictures | QuickCompared;
    /**
     * With `store`: the files, and what became of the visit.
     */
    201: QuickStored | QuickCompared;
};

export type QuickControllerScreenshotResponse = QuickControllerScreenshotResponses[keyof QuickControllerScreenshotResponses];

export type QuickControllerPdfData = {
    body: QuickPdf;
    headers?: {
        /**
         * A new random value for each new request, the same one for its retries. The same request gets the first answer again for 24 hours, marked `Idempotent-Replayed: true`; answers of 5xx and 429 are not kept, and those of 400 and 404 may go sooner where a project sends very many.
         */
        'Idempotency-Key'?: string;
        /**
         * `respond-async` answers 202 at once. `wait=N` (1 to 600 seconds) waits in a fair queue when there is no room.
         */
        Prefer?: string;
    };
    path?: never;
    query?: never;
    url: '/v1/pdf';
};

export type QuickControllerPdfResponses = {
    /**
     * The PDF.
     */
    200: QuickCaptured;
    /**
     * With `store`: the files, and what became of the visit.
     */
    201: QuickStored;
};

export type QuickControllerPdfResponse = QuickControllerPdfResponses[keyof QuickControllerPdfResponses];
