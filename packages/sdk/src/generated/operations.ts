// Generated from openapi.json by `npm run generate`. Do not edit.
import type * as types from './schemas.ts';

/** Method, path, and whether an Idempotency-Key goes along. */
export const operations = {
  HealthController_live: ['GET', '/health'],
  HealthController_ready: ['GET', '/health/ready'],
  MetricsController_read: ['GET', '/metrics'],
  BrowserController_list: ['GET', '/v1/browsers'],
  BrowserController_create: ['POST', '/v1/browsers', true],
  BrowserController_count: ['GET', '/v1/browsers/counts'],
  BrowserController_get: ['GET', '/v1/browsers/{id}'],
  BrowserController_update: ['PATCH', '/v1/browsers/{id}'],
  BrowserController_delete: ['DELETE', '/v1/browsers/{id}', true],
  BrowserController_status: ['GET', '/v1/browsers/{id}/status'],
  BrowserController_stop: ['POST', '/v1/browsers/{id}/stop', true],
  BrowserController_resume: ['POST', '/v1/browsers/{id}/resume', true],
  BrowserController_closeMany: ['POST', '/v1/browsers/close', true],
  ProfileController_list: ['GET', '/v1/profiles'],
  ProfileController_create: ['POST', '/v1/profiles', true],
  ProfileController_get: ['GET', '/v1/profiles/{profileId}'],
  ProfileController_update: ['PATCH', '/v1/profiles/{profileId}'],
  ProfileController_delete: ['DELETE', '/v1/profiles/{profileId}', true],
  ProfileController_export: ['GET', '/v1/profiles/{profileId}/export'],
  ProfileController_versions: ['GET', '/v1/profiles/{profileId}/versions'],
  ProfileController_restore: ['POST', '/v1/profiles/{profileId}/restore', true],
  ExtensionController_list: ['GET', '/v1/extensions'],
  ExtensionController_create: ['POST', '/v1/extensions'],
  ExtensionController_get: ['GET', '/v1/extensions/{extensionId}'],
  ExtensionController_delete: ['DELETE', '/v1/extensions/{extensionId}'],
  FontController_list: ['GET', '/v1/fonts'],
  FontController_create: ['POST', '/v1/fonts'],
  FontController_get: ['GET', '/v1/fonts/{fontId}'],
  FontController_delete: ['DELETE', '/v1/fonts/{fontId}'],
  ProfileController_check: ['POST', '/v1/profiles/{profileId}/check'],
  ProfileController_signIn: ['POST', '/v1/profiles/{profileId}/sign-in'],
  JobController_create: ['POST', '/v1/jobs', true],
  JobController_list: ['GET', '/v1/jobs'],
  JobController_get: ['GET', '/v1/jobs/{jobId}'],
  JobController_delete: ['DELETE', '/v1/jobs/{jobId}'],
  JobController_cancel: ['POST', '/v1/jobs/{jobId}/cancel'],
  JobController_results: ['GET', '/v1/jobs/{jobId}/results'],
  ScriptController_execute: ['POST', '/v1/browsers/{id}/script/execute'],
  ComputerController_use: ['POST', '/v1/browsers/{id}/computer'],
  ObserveController_observe: ['POST', '/v1/browsers/{id}/observe'],
  ScreenshotController_create: ['POST', '/v1/browsers/{id}/screenshot'],
  PdfController_create: ['POST', '/v1/browsers/{id}/pdf'],
  ScrapeController_scrapeTab: ['POST', '/v1/browsers/{id}/scrape'],
  TabController_list: ['GET', '/v1/browsers/{id}/tabs'],
  TabController_open: ['POST', '/v1/browsers/{id}/tabs', true],
  TabController_get: ['GET', '/v1/browsers/{id}/tabs/{tabId}'],
  TabController_change: ['PATCH', '/v1/browsers/{id}/tabs/{tabId}'],
  TabController_close: ['DELETE', '/v1/browsers/{id}/tabs/{tabId}', true],
  ProjectFileController_list: ['GET', '/v1/files'],
  ProjectFileController_create: ['POST', '/v1/files'],
  ProjectFileController_get: ['GET', '/v1/files/{fileId}'],
  ProjectFileController_delete: ['DELETE', '/v1/files/{fileId}'],
  ProjectFileController_content: ['GET', '/v1/files/{fileId}/content'],
  ProjectFileController_address: ['POST', '/v1/files/{fileId}/address'],
  FileController_list: ['GET', '/v1/browsers/{id}/files'],
  FileController_create: ['POST', '/v1/browsers/{id}/files'],
  FileController_get: ['GET', '/v1/browsers/{id}/files/{fileId}'],
  FileController_delete: ['DELETE', '/v1/browsers/{id}/files/{fileId}'],
  FileController_content: ['GET', '/v1/browsers/{id}/files/{fileId}/content'],
  FileController_address: ['POST', '/v1/browsers/{id}/files/{fileId}/address'],
  DialogController_list: ['GET', '/v1/browsers/{id}/dialogs'],
  DialogController_answer: ['POST', '/v1/browsers/{id}/dialogs/{dialogId}'],
  NetworkController_list: ['GET', '/v1/browsers/{id}/network'],
  NetworkController_get: ['GET', '/v1/browsers/{id}/network/{requestId}'],
  NetworkController_content: ['GET', '/v1/browsers/{id}/network/{requestId}/content'],
  HarController_create: ['POST', '/v1/browsers/{id}/har'],
  PermissionController_get: ['GET', '/v1/browsers/{id}/permissions'],
  PermissionController_set: ['POST', '/v1/browsers/{id}/permissions'],
  PermissionController_clear: ['POST', '/v1/browsers/{id}/permissions/clear'],
  DownloadController_list: ['GET', '/v1/browsers/{id}/downloads'],
  DownloadController_get: ['GET', '/v1/browsers/{id}/downloads/{downloadId}'],
  DownloadController_delete: ['DELETE', '/v1/browsers/{id}/downloads/{downloadId}'],
  DownloadController_content: ['GET', '/v1/browsers/{id}/downloads/{downloadId}/content'],
  DownloadController_address: ['POST', '/v1/browsers/{id}/downloads/{downloadId}/address'],
  RecordingController_list: ['GET', '/v1/browsers/{id}/recordings'],
  RecordingController_create: ['POST', '/v1/browsers/{id}/recordings'],
  RecordingController_get: ['GET', '/v1/browsers/{id}/recordings/{recordingId}'],
  RecordingController_delete: ['DELETE', '/v1/browsers/{id}/recordings/{recordingId}'],
  RecordingController_content: ['GET', '/v1/browsers/{id}/recordings/{recordingId}/content'],
  RecordingController_address: ['POST', '/v1/browsers/{id}/recordings/{recordingId}/address'],
  RecordingController_stop: ['POST', '/v1/browsers/{id}/recordings/{recordingId}/stop'],
  KeyController_list: ['GET', '/v1/keys'],
  KeyController_create: ['POST', '/v1/keys'],
  KeyController_revoke: ['DELETE', '/v1/keys/{keyId}'],
  NodeController_list: ['GET', '/v1/nodes'],
  NodeController_get: ['GET', '/v1/nodes/{nodeId}'],
  NodeController_drain: ['POST', '/v1/nodes/{nodeId}/drain'],
  SecretController_list: ['GET', '/v1/secrets'],
  SecretController_create: ['POST', '/v1/secrets'],
  SecretController_get: ['GET', '/v1/secrets/{secretId}'],
  SecretController_update: ['PATCH', '/v1/secrets/{secretId}'],
  SecretController_delete: ['DELETE', '/v1/secrets/{secretId}'],
  SecretController_fill: ['POST', '/v1/browsers/{id}/secrets/fill'],
  CapabilityController_create: ['POST', '/v1/browsers/{id}/capabilities'],
  CaptchaController_get: ['GET', '/v1/browsers/{id}/captcha'],
  CaptchaController_resolve: ['POST', '/v1/browsers/{id}/captcha/resolve'],
  CdpController_connect: ['GET', '/v1/browsers/{id}/cdp'],
  CdpController_connectPage: ['GET', '/v1/browsers/{id}/cdp/devtools/page/{targetId}'],
  CdpController_version: ['GET', '/v1/browsers/{id}/cdp/json/version'],
  CdpController_list: ['GET', '/v1/browsers/{id}/cdp/json/list'],
  CdpController_protocol: ['GET', '/v1/browsers/{id}/cdp/json/protocol'],
  CdpController_open: ['PUT', '/v1/browsers/{id}/cdp/json/new'],
  CdpController_activate: ['GET', '/v1/browsers/{id}/cdp/json/activate/{targetId}'],
  CdpController_close: ['GET', '/v1/browsers/{id}/cdp/json/close/{targetId}'],
  LiveController_connect: ['GET', '/v1/browsers/{id}/live'],
  HandoffController_get: ['GET', '/v1/browsers/{id}/handoff'],
  HandoffController_end: ['DELETE', '/v1/browsers/{id}/handoff'],
  HandoffController_request: ['POST', '/v1/browsers/{id}/handoff'],
  EventController_list: ['GET', '/v1/events'],
  BrowserEventController_list: ['GET', '/v1/browsers/{id}/events'],
  WebhookController_list: ['GET', '/v1/webhooks'],
  WebhookController_create: ['POST', '/v1/webhooks', true],
  WebhookController_get: ['GET', '/v1/webhooks/{webhookId}'],
  WebhookController_update: ['PATCH', '/v1/webhooks/{webhookId}'],
  WebhookController_delete: ['DELETE', '/v1/webhooks/{webhookId}'],
  DeliveryController_list: ['GET', '/v1/webhooks/{webhookId}/deliveries'],
  DeliveryController_redeliver: ['POST', '/v1/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver'],
  WebhookController_test: ['POST', '/v1/webhooks/{webhookId}/test'],
  QuickController_scrape: ['POST', '/v1/scrape', true],
  QuickController_screenshot: ['POST', '/v1/screenshot', true],
  QuickController_pdf: ['POST', '/v1/pdf', true],
} as const satisfies Record<string, readonly [method: string, path: string, takesKey?: true]>;

export interface Operations {
  HealthController_live: { takes: types.HealthControllerLiveData; answers: types.HealthControllerLiveResponse };
  HealthController_ready: { takes: types.HealthControllerReadyData; answers: types.HealthControllerReadyResponse };
  MetricsController_read: { takes: types.MetricsControllerReadData; answers: never };
  BrowserController_list: { takes: types.BrowserControllerListData; answers: types.BrowserControllerListResponse };
  BrowserController_create: { takes: types.BrowserControllerCreateData; answers: types.BrowserControllerCreateResponse };
  BrowserController_count: { takes: types.BrowserControllerCountData; answers: types.BrowserControllerCountResponse };
  BrowserController_get: { takes: types.BrowserControllerGetData; answers: types.BrowserControllerGetResponse };
  BrowserController_update: { takes: types.BrowserControllerUpdateData; answers: types.BrowserControllerUpdateResponse };
  BrowserController_delete: { takes: types.BrowserControllerDeleteData; answers: types.BrowserControllerDeleteResponse };
  BrowserController_status: { takes: types.BrowserControllerStatusData; answers: types.BrowserControllerStatusResponse };
  BrowserController_stop: { takes: types.BrowserControllerStopData; answers: types.BrowserControllerStopResponse };
  BrowserController_resume: { takes: types.BrowserControllerResumeData; answers: types.BrowserControllerResumeResponse };
  BrowserController_closeMany: { takes: types.BrowserControllerCloseManyData; answers: types.BrowserControllerCloseManyResponse };
  ProfileController_list: { takes: types.ProfileControllerListData; answers: types.ProfileControllerListResponse };
  ProfileController_create: { takes: types.ProfileControllerCreateData; answers: types.ProfileControllerCreateResponse };
  ProfileController_get: { takes: types.ProfileControllerGetData; answers: types.ProfileControllerGetResponse };
  ProfileController_update: { takes: types.ProfileControllerUpdateData; answers: types.ProfileControllerUpdateResponse };
  ProfileController_delete: { takes: types.ProfileControllerDeleteData; answers: types.ProfileControllerDeleteResponse };
  ProfileController_export: { takes: types.ProfileControllerExportData; answers: types.ProfileControllerExportResponse };
  ProfileController_versions: { takes: types.ProfileControllerVersionsData; answers: types.ProfileControllerVersionsResponse };
  ProfileController_restore: { takes: types.ProfileControllerRestoreData; answers: types.ProfileControllerRestoreResponse };
  ExtensionController_list: { takes: types.ExtensionControllerListData; answers: types.ExtensionControllerListResponse };
  ExtensionController_create: { takes: types.ExtensionControllerCreateData; answers: types.ExtensionControllerCreateResponse };
  ExtensionController_get: { takes: types.ExtensionControllerGetData; answers: types.ExtensionControllerGetResponse };
  ExtensionController_delete: { takes: types.ExtensionControllerDeleteData; answers: types.ExtensionControllerDeleteResponse };
  FontController_list: { takes: types.FontControllerListData; answers: types.FontControllerListResponse };
  FontController_create: { takes: types.FontControllerCreateData; answers: types.FontControllerCreateResponse };
  FontController_get: { takes: types.FontControllerGetData; answers: types.FontControllerGetResponse };
  FontController_delete: { takes: types.FontControllerDeleteData; answers: types.FontControllerDeleteResponse };
  ProfileController_check: { takes: types.ProfileControllerCheckData; answers: types.ProfileControllerCheckResponse };
  ProfileController_signIn: { takes: types.ProfileControllerSignInData; answers: types.ProfileControllerSignInResponse };
  JobController_create: { takes: types.JobControllerCreateData; answers: types.JobControllerCreateResponse };
  JobController_list: { takes: types.JobControllerListData; answers: types.JobControllerListResponse };
  JobController_get: { takes: types.JobControllerGetData; answers: types.JobControllerGetResponse };
  JobController_delete: { takes: types.JobControllerDeleteData; answers: types.JobControllerDeleteResponse };
  JobController_cancel: { takes: types.JobControllerCancelData; answers: types.JobControllerCancelResponse };
  JobController_results: { takes: types.JobControllerResultsData; answers: types.JobControllerResultsResponse };
  ScriptController_execute: { takes: types.ScriptControllerExecuteData; answers: types.ScriptControllerExecuteResponse };
  ComputerController_use: { takes: types.ComputerControllerUseData; answers: types.ComputerControllerUseResponse };
  ObserveController_observe: { takes: types.ObserveControllerObserveData; answers: types.ObserveControllerObserveResponse };
  ScreenshotController_create: { takes: types.ScreenshotControllerCreateData; answers: types.ScreenshotControllerCreateResponse };
  PdfController_create: { takes: types.PdfControllerCreateData; answers: types.PdfControllerCreateResponse };
  ScrapeController_scrapeTab: { takes: types.ScrapeControllerScrapeTabData; answers: types.ScrapeControllerScrapeTabResponse };
  TabController_list: { takes: types.TabControllerListData; answers: types.TabControllerListResponse };
  TabController_open: { takes: types.TabControllerOpenData; answers: types.TabControllerOpenResponse };
  TabController_get: { takes: types.TabControllerGetData; answers: types.TabControllerGetResponse };
  TabController_change: { takes: types.TabControllerChangeData; answers: types.TabControllerChangeResponse };
  TabController_close: { takes: types.TabControllerCloseData; answers: types.TabControllerCloseResponse };
  ProjectFileController_list: { takes: types.ProjectFileControllerListData; answers: types.ProjectFileControllerListResponse };
  ProjectFileController_create: { takes: types.ProjectFileControllerCreateData; answers: types.ProjectFileControllerCreateResponse };
  ProjectFileController_get: { takes: types.ProjectFileControllerGetData; answers: types.ProjectFileControllerGetResponse };
  ProjectFileController_delete: { takes: types.ProjectFileControllerDeleteData; answers: types.ProjectFileControllerDeleteResponse };
  ProjectFileController_content: { takes: types.ProjectFileControllerContentData; answers: never };
  ProjectFileController_address: { takes: types.ProjectFileControllerAddressData; answers: types.ProjectFileControllerAddressResponse };
  FileController_list: { takes: types.FileControllerListData; answers: types.FileControllerListResponse };
  FileController_create: { takes: types.FileControllerCreateData; answers: types.FileControllerCreateResponse };
  FileController_get: { takes: types.FileControllerGetData; answers: types.FileControllerGetResponse };
  FileController_delete: { takes: types.FileControllerDeleteData; answers: types.FileControllerDeleteResponse };
  FileController_content: { takes: types.FileControllerContentData; answers: never };
  FileController_address: { takes: types.FileControllerAddressData; answers: types.FileControllerAddressResponse };
  DialogController_list: { takes: types.DialogControllerListData; answers: types.DialogControllerListResponse };
  DialogController_answer: { takes: types.DialogControllerAnswerData; answers: types.DialogControllerAnswerResponse };
  NetworkController_list: { takes: types.NetworkControllerListData; answers: types.NetworkControllerListResponse };
  NetworkController_get: { takes: types.NetworkControllerGetData; answers: types.NetworkControllerGetResponse };
  NetworkController_content: { takes: types.NetworkControllerContentData; answers: never };
  HarController_create: { takes: types.HarControllerCreateData; answers: types.HarControllerCreateResponse };
  PermissionController_get: { takes: types.PermissionControllerGetData; answers: types.PermissionControllerGetResponse };
  PermissionController_set: { takes: types.PermissionControllerSetData; answers: types.PermissionControllerSetResponse };
  PermissionController_clear: { takes: types.PermissionControllerClearData; answers: types.PermissionControllerClearResponse };
  DownloadController_list: { takes: types.DownloadControllerListData; answers: types.DownloadControllerListResponse };
  DownloadController_get: { takes: types.DownloadControllerGetData; answers: types.DownloadControllerGetResponse };
  DownloadController_delete: { takes: types.DownloadControllerDeleteData; answers: types.DownloadControllerDeleteResponse };
  DownloadController_content: { takes: types.DownloadControllerContentData; answers: never };
  DownloadController_address: { takes: types.DownloadControllerAddressData; answers: types.DownloadControllerAddressResponse };
  RecordingController_list: { takes: types.RecordingControllerListData; answers: types.RecordingControllerListResponse };
  RecordingController_create: { takes: types.RecordingControllerCreateData; answers: types.RecordingControllerCreateResponse };
  RecordingController_get: { takes: types.RecordingControllerGetData; answers: types.RecordingControllerGetResponse };
  RecordingController_delete: { takes: types.RecordingControllerDeleteData; answers: types.RecordingControllerDeleteResponse };
  RecordingController_content: { takes: types.RecordingControllerContentData; answers: never };
  RecordingController_address: { takes: types.RecordingControllerAddressData; answers: types.RecordingControllerAddressResponse };
  RecordingController_stop: { takes: types.RecordingControllerStopData; answers: types.RecordingControllerStopResponse };
  KeyController_list: { takes: types.KeyControllerListData; answers: types.KeyControllerListResponse };
  KeyController_create: { takes: types.KeyControllerCreateData; answers: types.KeyControllerCreateResponse };
  KeyController_revoke: { takes: types.KeyControllerRevokeData; answers: types.KeyControllerRevokeResponse };
  NodeController_list: { takes: types.NodeControllerListData; answers: types.NodeControllerListResponse };
  NodeController_get: { takes: types.NodeControllerGetData; answers: types.NodeControllerGetResponse };
  NodeController_drain: { takes: types.NodeControllerDrainData; answers: types.NodeControllerDrainResponse };
  SecretController_list: { takes: types.SecretControllerListData; answers: types.SecretControllerListResponse };
  SecretController_create: { takes: types.SecretControllerCreateData; answers: types.SecretControllerCreateResponse };
  SecretController_get: { takes: types.SecretControllerGetData; answers: types.SecretControllerGetResponse };
  SecretController_update: { takes: types.SecretControllerUpdateData; answers: types.SecretControllerUpdateResponse };
  SecretController_delete: { takes: types.SecretControllerDeleteData; answers: types.SecretControllerDeleteResponse };
  SecretController_fill: { takes: types.SecretControllerFillData; answers: types.SecretControllerFillResponse };
  CapabilityController_create: { takes: types.CapabilityControllerCreateData; answers: types.CapabilityControllerCreateResponse };
  CaptchaController_get: { takes: types.CaptchaControllerGetData; answers: types.CaptchaControllerGetResponse };
  CaptchaController_resolve: { takes: types.CaptchaControllerResolveData; answers: types.CaptchaControllerResolveResponse };
  CdpController_connect: { takes: types.CdpControllerConnectData; answers: never };
  CdpController_connectPage: { takes: types.CdpControllerConnectPageData; answers: never };
  CdpController_version: { takes: types.CdpControllerVersionData; answers: types.CdpControllerVersionResponse };
  CdpController_list: { takes: types.CdpControllerListData; answers: types.CdpControllerListResponse };
  CdpController_protocol: { takes: types.CdpControllerProtocolData; answers: types.CdpControllerProtocolResponse };
  CdpController_open: { takes: types.CdpControllerOpenData; answers: types.CdpControllerOpenResponse };
  CdpController_activate: { takes: types.CdpControllerActivateData; answers: never };
  CdpController_close: { takes: types.CdpControllerCloseData; answers: never };
  LiveController_connect: { takes: types.LiveControllerConnectData; answers: never };
  HandoffController_get: { takes: types.HandoffControllerGetData; answers: types.HandoffControllerGetResponse };
  HandoffController_end: { takes: types.HandoffControllerEndData; answers: types.HandoffControllerEndResponse };
  HandoffController_request: { takes: types.HandoffControllerRequestData; answers: types.HandoffControllerRequestResponse };
  EventController_list: { takes: types.EventControllerListData; answers: types.EventControllerListResponse };
  BrowserEventController_list: { takes: types.BrowserEventControllerListData; answers: types.BrowserEventControllerListResponse };
  WebhookController_list: { takes: types.WebhookControllerListData; answers: types.WebhookControllerListResponse };
  WebhookController_create: { takes: types.WebhookControllerCreateData; answers: types.WebhookControllerCreateResponse };
  WebhookController_get: { takes: types.WebhookControllerGetData; answers: types.WebhookControllerGetResponse };
  WebhookController_update: { takes: types.WebhookControllerUpdateData; answers: types.WebhookControllerUpdateResponse };
  WebhookController_delete: { takes: types.WebhookControllerDeleteData; answers: types.WebhookControllerDeleteResponse };
  DeliveryController_list: { takes: types.DeliveryControllerListData; answers: types.DeliveryControllerListResponse };
  DeliveryController_redeliver: { takes: types.DeliveryControllerRedeliverData; answers: types.DeliveryControllerRedeliverResponse };
  WebhookController_test: { takes: types.WebhookControllerTestData; answers: types.WebhookControllerTestResponse };
  QuickController_scrape: { takes: types.QuickControllerScrapeData; answers: types.QuickControllerScrapeResponse };
  QuickController_screenshot: { takes: types.QuickControllerScreenshotData; answers: types.QuickControllerScreenshotResponse };
  QuickController_pdf: { takes: types.QuickControllerPdfData; answers: types.QuickControllerPdfResponse };
}
