import { BaseError } from './errors/baseError.ts'
import { importUrl } from './importUrl.ts'

/** A JavaScript file of the page could not be loaded: the connection failed, or a new version was deployed. Nothing was signed. */
export class ModuleLoadError extends BaseError {
  override readonly name = 'ModuleLoadError'

  constructor(cause: unknown) {
    super('A file of the page could not be loaded.', {
      fix: 'Try again when the network is back. If a new version of the page was deployed, reload the page.',
      cause,
    })
  }
}

/**
 * Returns a function that loads a module once. It retries a failed load immediately, and again in each further call.
 *
 * Firefox and older versions of Chromium remember a failed file until the page is reloaded, so the last attempt uses another URL. Files
 * that import the original URL still fail, or get a second copy with different classes. In Chromium 150, every attempt fails until a
 * reload if a file that the module itself imports failed.
 */
export function loadModule<module>(load: () => Promise<module>): () => Promise<module> {
  let loading: Promise<module> | undefined
  let attempts = 0
  const underOtherUrl = async (cause: unknown): Promise<module> => {
    const url = failedUrl(cause)
    if (url === undefined) throw cause
    attempts++
    // the file is the same, so it has the same exports
    return importUrl(`${url}?attempt=${attempts}`) as Promise<module>
  }
  return () => {
    loading ??= load()
      .catch(load)
      .catch(underOtherUrl)
      .catch((cause) => {
        loading = undefined
        throw new ModuleLoadError(cause)
      })
    return loading
  }
}

/** Returns the URL in the browser's error. WebKit's error has none, but WebKit does not remember failures. */
function failedUrl(error: unknown): string | undefined {
  const { message } = Object(error) as { message?: unknown }
  return /dynamically imported module: (https?:\/\/[^\s?#]+)$/.exec(String(message))?.[1]
}
