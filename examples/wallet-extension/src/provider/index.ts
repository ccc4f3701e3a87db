import { channel, type PageAnswer, type PageEvent } from '../pageMessages.ts'
import { createProvider } from './createProvider.ts'
import { icon } from './icon.ts'

// Runs in the page. Announces the wallet (EIP-6963), and does not touch `window.ethereum`, which other wallets share.

const { provider, receive } = createProvider((request) =>
  window.postMessage({ channel, to: 'wallet', ...request }, self.origin === 'null' ? '*' : self.origin),
)

window.addEventListener('message', ({ source, data }) => {
  if (source !== window || data?.channel !== channel || data.to !== 'page') return
  // The content script's messages have this type. A page can send others only to itself.
  receive(data.message as PageAnswer | PageEvent)
})

const info = Object.freeze({
  uuid: crypto.randomUUID(),
  name: 'Pocket',
  icon,
  rdns: 'dev.redeemkit.pocket',
})
const announce = () =>
  window.dispatchEvent(
    new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }),
  )

window.addEventListener('eip6963:requestProvider', announce)
announce()
