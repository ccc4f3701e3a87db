import { BaseError } from './errors/baseError.ts'
import { importUrl } from './importUrl.ts'

/** A file of the page could not be loaded: the connection failed, or a new version of the page was deployed. This call signed nothing. */
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
 * Returns a function that loads a module once. A failed load is repeated at once, and again by each further call.
 *
 * Firefox and older versions of Chromium remember that a file failed until the page is reloaded, so the last attempt is under
 * another URL. Other files still import the failed file under its own URL: they fail, or get a second copy with classes of its
 * own. If a file that the module itself imports failed, every attempt fails until a reload (tried in Chromium 150).
 *
 * @throws {@link ModuleLoadError} from the returned function
 */
export function loadModule<module>(load: () => Promise<module>): () => Promise<module> {
  let loading: Promise<module> | undefined
  let attempts = 0
  const underOtherUrl = async (cause: unknown): Promise<module> => {
    const url = failedUrl(cause)
    if (url === undefined) throw cause
    attempts++
    // The same file, so it has the same exports.
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

/** The URL of a failed file. WebKit does not name it, but does not remember failures either. Only the browser creates such errors. */
function failedUrl(error: unknown): string | undefined {
  const { message } = Object(error) as { message?: unknown }
  return /dynamically imported module: (https?:\/\/[^\s?#]+)$/.exec(String(message))?.[1]
}
