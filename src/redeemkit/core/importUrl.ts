/**
 * Metro cannot bundle an import of a run-time URL, so `react-native` in `package.json` excludes this file. Apps do not need it, because their
 * files always load.
 */
export function importUrl(url: string): Promise<unknown> {
  return import(/* @vite-ignore */ /* webpackIgnore: true */ url)
}
