import type { Call } from '../api/paymentsClient.ts'
import type { Sender, sendCall } from '../api/sendCall.ts'

let sender: Sender | undefined

/**
 * Uses the code that an action has provided, or the engine's. So a page with only a redeem button loads no code for calls before a wallet
 * is connected.
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

/** Provides the code that sends calls, so that the engine need not be loaded. */
export function bringSender(own: Sender): void {
  sender = own
}
