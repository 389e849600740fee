/** The options of commands: how their values are read, and the groups that several commands have. */
export {
  devices,
  dialogsOption,
  type SettingsOptions,
  settingsFrom,
  takesSettings,
  withoutGaps,
} from './browser-settings.ts';
export { examples } from './help.ts';
export {
  count,
  decimal,
  duration,
  jsonObjectFile,
  jsonOrFile,
  pair,
  profileRef,
  seconds,
  several,
  timeLimit,
  wholeNumber,
} from './option-values.ts';
export { another, type ReadyOptions, readyFrom, takesReady } from './ready-options.ts';
export { suggest, suggestionsOf } from './suggestions.ts';
export { waitForOption } from './wait-for.ts';
