/**
 * Imports a module from a URL that is known only at run time. Metro cannot bundle such an import, so `react-native` in
 * `package.json`
 * excludes this file: an app's own files always load.
 */
export function importUrl(url: string): Promise<unknown> {
  return import(/* @vite-ignore */ /* webpackIgnore: true */ url)
}
