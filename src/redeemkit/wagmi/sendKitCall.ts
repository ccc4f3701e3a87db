import type { SendCall } from '../api/sendCall.ts'

let code: SendCall | undefined

/**
 * Returns a function that sends calls of a kit's client, with the code of an action on the page or of the engine. A page with a
 * redeem button sends nothing before a wallet is connected, so it does not load that code before.
 *
 * @throws ModuleLoadError from the returned function if the engine cannot be loaded: nothing was sent
 */
export function sendKitCall(loadEngine: () => Promise<{ sendCall: SendCall }>): SendCall {
  return async (call, client) => {
    code ??= (await loadEngine()).sendCall
    return code(call, client)
  }
}

/** Brings the code that sends calls, so that the engine is not loaded for it. */
export function bringSendCall(sendCall: SendCall): void {
  code = sendCall
}
