import { channel, type PageAnswer, type PageEvent } from '../pageMessages.ts'
import { createProvider } from './createProvider.ts'

// Runs in the page. Announces the wallet (EIP-6963) and leaves `window.ethereum` to other wallets.

const { provider, receive, shownAgain } = createProvider((request) =>
  window.postMessage({ channel, to: 'wallet', ...request }, self.origin),
)

window.addEventListener('message', ({ source, data }) => {
  if (source !== window || data?.channel !== channel || data.to !== 'page') return
  // The content script sends messages of this type. If a page sends one itself, it misleads only itself.
  receive(data.message as PageAnswer | PageEvent)
})

window.addEventListener('pageshow', ({ persisted }) => persisted && shownAgain())

const image = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#12423a"/><path d="M7 10h18v10a5 5 0 0 1-5 5h-8a5 5 0 0 1-5-5z" fill="#e8f3ee"/><path d="M7 14h18" stroke="#12423a" stroke-width="2"/><circle cx="16" cy="19.5" r="2" fill="#12423a"/></svg>`

const icon = `data:image/svg+xml,${encodeURIComponent(image)}`

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

// The worker does not answer a sandboxed page, because such a page has no origin.
if (self.origin !== 'null') {
  window.addEventListener('eip6963:requestProvider', announce)
  announce()
}
