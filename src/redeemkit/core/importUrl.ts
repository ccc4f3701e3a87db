/**
 * Imports a module from a URL that is known only at run time. Metro cannot bundle such an import, so this file is missing in
 * React Native (`react-native` in `package.json`), where files of the app cannot fail to load.
 */
export function importUrl(url: string): Promise<unknown> {
  return import(/* @vite-ignore */ /* webpackIgnore: true */ url)
}
