/**
 * What every client may do without a look at the parameters, domain by domain. Not listed is not allowed: a method that
 * a newer Chromium brings stays closed until it is added here.
 *
 * Left out on purpose, where it is not plain why:
 *   Browser.getBrowserCommandLine, getHistograms, SystemInfo   tell of the machine, its paths, other processes
 *   Browser.crash, crashGpuProcess, Page.crash                 end what the service keeps alive
 *   DOM.getFileInfo, Page.startScreenRecording, PWA            name or touch files
 *   Emulation.setVirtualTimePolicy, Page.setWebLifecycleState,
 *   Emulation.addScreen and the like, Storage.overrideQuota…   outlive the client and change the browser for all
 *   Page.addCompilationCache, LayerTree.loadSnapshot           feed raw machine input to a renderer
 *   Network.configureDurableMessages                           keeps bodies in the browser process without a bound
 *   Extensions, Tracing, Tethering, Memory, HeadlessExperimental, BackgroundService, Cast, DeviceAccess, Autofill,
 *   BluetoothEmulation, SmartCardEmulation, DigitalCredentials, FedCm, FileSystem, WebMCP
 *                                                              are not about a page, or not needed to drive one
 * Kept though powerful: Runtime and Debugger (a client may do to its page what it likes; the egress policy and the
 * renderer's sandbox hold), Security.setIgnoreCertificateErrors (its own traffic, ends with its session).
 */
const domains: Record<string, string> = {
  Accessibility: `disable enable getPartialAXTree getFullAXTree getRootAXNode getAXNodeAndAncestors getChildAXNodes
    queryAXTree`,
  Animation: `disable enable getCurrentTime getPlaybackRate releaseAnimations resolveAnimation seekAnimations setPaused
    setPlaybackRate setTiming`,
  Audits: 'getEncodedResponse disable enable checkFormsIssues',
  Browser: 'getVersion',
  CSS: `addRule collectClassNames createStyleSheet disable enable forcePseudoState forceStartingStyle
    getBackgroundColors getComputedStyleForNode resolveValues getLonghandProperties getInlineStylesForNode
    getAnimatedStylesForNode getMatchedStylesForNode getEnvironmentVariables getMediaQueries getPlatformFontsForNode
    getStyleSheetText getLayersForNode getLocationForSelector trackComputedStyleUpdatesForNode
    trackComputedStyleUpdates takeComputedStyleUpdates setEffectivePropertyValueForNode setPropertyRulePropertyName
    setKeyframeKey setMediaText setContainerQueryText setContainerQueryConditionText setSupportsText setScopeText
    setRuleSelector setStyleSheetText setStyleTexts startRuleUsageTracking stopRuleUsageTracking takeCoverageDelta
    setLocalFontsEnabled`,
  CacheStorage: 'deleteCache deleteEntry requestCacheNames requestCachedResponse requestEntries',
  Console: 'clearMessages disable enable',
  DOM: `collectClassNamesFromSubtree copyTo describeNode scrollIntoViewIfNeeded disable discardSearchResults enable
    focus getAttributes getBoxModel getContentQuads getDocument getFlattenedDocument getNodesForSubtreeByStyle
    getNodeForLocation getOuterHTML getRelayoutBoundary getSearchResults hideHighlight highlightNode highlightRect
    markUndoableState moveTo performSearch pushNodeByPathToFrontend pushNodesByBackendIdsToFrontend querySelector
    querySelectorAll getTopLayerElements getElementByRelation redo removeAttribute removeNode requestChildNodes
    requestNode resolveNode setAttributeValue setAttributesAsText setNodeStackTracesEnabled getNodeStackTraces
    getDetachedDomNodes setInspectedNode setNodeName setNodeValue setOuterHTML undo getFrameOwner getContainerForNode
    getQueryingDescendantsForContainer getAnchorElement forceShowPopover`,
  DOMDebugger: `getEventListeners removeDOMBreakpoint removeEventListenerBreakpoint removeInstrumentationBreakpoint
    removeXHRBreakpoint setBreakOnCSPViolation setDOMBreakpoint setEventListenerBreakpoint setInstrumentationBreakpoint
    setXHRBreakpoint`,
  DOMSnapshot: 'disable enable getSnapshot captureSnapshot',
  DOMStorage: 'clear disable enable getDOMStorageItems removeDOMStorageItem setDOMStorageItem',
  Debugger: `continueToLocation disable enable evaluateOnCallFrame getPossibleBreakpoints getScriptSource
    disassembleWasmModule nextWasmDisassemblyChunk getWasmBytecode getStackTrace pause pauseOnAsyncCall
    removeBreakpoint restartFrame resume searchInContent setAsyncCallStackDepth setBlackboxExecutionContexts
    setBlackboxPatterns setBlackboxedRanges setBreakpoint setInstrumentationBreakpoint setBreakpointByUrl
    setBreakpointOnFunctionCall setBreakpointsActive setPauseOnExceptions setReturnValue setScriptSource
    setSkipAllPauses setVariableValue stepInto stepOut stepOver`,
  DeviceOrientation: 'clearDeviceOrientationOverride setDeviceOrientationOverride',
  Emulation: `canEmulate clearDeviceMetricsOverride clearGeolocationOverride resetPageScaleFactor
    setFocusEmulationEnabled setAutoDarkModeOverride setCPUThrottlingRate setDefaultBackgroundColorOverride
    setSafeAreaInsetsOverride setVirtualKeyboardGeometryOverride setDeviceMetricsOverride setDevicePostureOverride
    clearDevicePostureOverride setDisplayFeaturesOverride clearDisplayFeaturesOverride setScrollbarsHidden
    setDocumentCookieDisabled setEmitTouchEventsForMouse setEmulatedVisionDeficiency
    setEmulatedOSTextScale setGeolocationOverride getOverriddenSensorInformation setSensorOverrideEnabled
    setSensorOverrideReadings setPressureSourceOverrideEnabled setPressureStateOverride setIdleOverride
    clearIdleOverride setNavigatorOverrides setPageScaleFactor setScriptExecutionDisabled setTouchEmulationEnabled
    setLocaleOverride setTimezoneOverride setVisibleSize setDisabledImageTypes setDataSaverOverride
    setHardwareConcurrencyOverride setCPUPerformanceOverride setUserAgentOverride setAutomationOverride
    setSmallViewportHeightDifferenceOverride getScreenInfos`,
  EventBreakpoints: 'setInstrumentationBreakpoint removeInstrumentationBreakpoint disable',
  Fetch:
    'disable enable failRequest fulfillRequest continueWithAuth continueResponse getResponseBody takeResponseBodyAsStream',
  HeapProfiler: `addInspectedHeapObject collectGarbage disable enable getHeapObjectId getObjectByHeapObjectId
    getSamplingProfile startSampling startTrackingHeapObjects stopSampling stopTrackingHeapObjects takeHeapSnapshot`,
  IndexedDB: `clearObjectStore deleteDatabase deleteObjectStoreEntries disable enable requestData getMetadata
    requestDatabase requestDatabaseNames`,
  Input: `dispatchKeyEvent insertText imeSetComposition dispatchMouseEvent dispatchTouchEvent cancelDragging
    emulateTouchFromMouseEvent setIgnoreInputEvents setInterceptDrags synthesizePinchGesture synthesizeScrollGesture
    synthesizeTapGesture`,
  Inspector: 'disable enable',
  Log: 'clear disable enable startViolationsReport stopViolationsReport',
  Media: 'enable disable',
  Network: `canClearBrowserCache canClearBrowserCookies canEmulateNetworkConditions clearBrowserCache
    clearBrowserCookies deleteCookies disable emulateNetworkConditions emulateNetworkConditionsByRule
    overrideNetworkState getAllCookies getCertificate getCookies getResponseBody getRequestPostData replayXHR
    searchInResponseBody setBlockedURLs setBypassServiceWorker setCacheDisabled setCookie setCookies
    setExtraHTTPHeaders setUserAgentOverride streamResourceContent getSecurityIsolationStatus enableReportingApi`,
  Overlay: `disable enable hideHighlight highlightFrame highlightNode highlightQuad highlightRect highlightSourceOrder
    setInspectMode setPausedInDebuggerMessage setShowDebugBorders setShowFPSCounter setShowGridOverlays
    setShowFlexOverlays setShowScrollSnapOverlays setShowContainerQueryOverlays setShowPaintRects
    setShowLayoutShiftRegions setShowScrollBottleneckRects setShowViewportSizeOnResize setShowHinge
    setShowIsolatedElements`,
  Page: `addScriptToEvaluateOnLoad addScriptToEvaluateOnNewDocument bringToFront captureScreenshot captureSnapshot
    clearDeviceMetricsOverride clearDeviceOrientationOverride clearGeolocationOverride close createIsolatedWorld
    deleteCookie disable enable generateTestReport getAppId getAppManifest getFrameTree getInstallabilityErrors
    getLayoutMetrics getManifestIcons getNavigationHistory getOriginTrials getPermissionsPolicyState
    getResourceContent getResourceTree handleJavaScriptDialog navigateToHistoryEntry printToPDF reload
    removeScriptToEvaluateOnLoad removeScriptToEvaluateOnNewDocument resetNavigationHistory screencastFrameAck
    searchInResource setBypassCSP setDeviceMetricsOverride setDeviceOrientationOverride setDocumentContent
    setFontFamilies setFontSizes setGeolocationOverride setInterceptFileChooserDialog setLifecycleEventsEnabled
    setPrerenderingAllowed setTouchEmulationEnabled startScreencast stopLoading stopScreencast`,
  Performance: 'disable enable setTimeDomain getMetrics',
  PerformanceTimeline: 'enable',
  Preload: 'enable disable',
  Profiler: `disable enable getBestEffortCoverage setSamplingInterval start startPreciseCoverage stop
    stopPreciseCoverage takePreciseCoverage`,
  Runtime: `awaitPromise callFunctionOn compileScript disable discardConsoleEntries enable evaluate getIsolateId
    getHeapUsage getProperties globalLexicalScopeNames queryObjects releaseObject releaseObjectGroup
    runIfWaitingForDebugger runScript setAsyncCallStackDepth setCustomObjectFormatterEnabled
    setMaxCallStackSizeToCapture terminateExecution addBinding removeBinding getExceptionDetails`,
  Schema: 'getDomains',
  Security: 'disable enable setIgnoreCertificateErrors',
  ServiceWorker: `deliverPushMessage disable dispatchSyncEvent dispatchPeriodicSyncEvent enable
    setForceUpdateOnPageLoad skipWaiting startWorker stopAllWorkers stopWorker unregister updateRegistration`,
  Storage: `getStorageKeyForFrame getStorageKey clearDataForOrigin clearDataForStorageKey getCookies setCookies
    clearCookies getUsageAndQuota trackCacheStorageForOrigin trackCacheStorageForStorageKey trackIndexedDBForOrigin
    trackIndexedDBForStorageKey untrackCacheStorageForOrigin untrackCacheStorageForStorageKey
    untrackIndexedDBForOrigin untrackIndexedDBForStorageKey`,
  Target: 'activateTarget closeTarget getBrowserContexts getTargetInfo getTargets setDiscoverTargets',
  WebAudio: 'enable disable getRealtimeData',
  WebAuthn: `enable disable addVirtualAuthenticator setResponseOverrideBits removeVirtualAuthenticator addCredential
    getCredential getCredentials removeCredential clearCredentials setUserVerified setAutomaticPresenceSimulation
    setCredentialProperties`,
};

/** `Domain.method` of all of the above. */
export const openMethods: ReadonlySet<string> = new Set(
  Object.entries(domains).flatMap(([domain, methods]) =>
    methods.split(/\s+/).map((method) => `${domain}.${method}`),
  ),
);
