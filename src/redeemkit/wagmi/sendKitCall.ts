import type { Call } from '../api/paymentsClient.ts'
import type { Sender, sendCall } from '../api/sendCall.ts'

let sender: Sender | undefined

/**
 * Sends a call of a kit's client, with the code of an action on the page or of the engine. A page with a redeem button sends nothing
 * before a wallet is connected, so it does not load that code before.
 *
 * @throws ModuleLoadError if the engine cannot be loaded: nothing was sent
 */
export async function sendKitCall<answer>(
  call: Call<answer>,
  client: sendCall.Client,
  loadEngine: () => Promise<Sender>,
): Promise<answer> {
  sender ??= await loadEngine()
  return sender.sendCall(call, client)
}

/** Brings the code that sends calls, so that the engine is not loaded for it. */
export function bringSender(own: Sender): void {
  sender = own
}
