/// <reference types="chrome" />
import { channel, type PageAnswer, type PageEvent } from '../pageMessages.ts'
import { createRelay } from './createRelay.ts'

// Runs in an isolated world of the page, in the top frame only. It relays messages and makes no decisions.

const post = (message: PageAnswer | PageEvent) =>
  window.postMessage({ channel, to: 'page', message }, self.origin)

const relay = createRelay({
  connect: () => chrome.runtime.connect({ name: 'page' }),
  post,
  later: (work, ms) => setTimeout(work, ms),
})

window.addEventListener('message', ({ source, data }) => {
  if (source !== window || data?.channel !== channel || data.to !== 'wallet') return
  if (typeof data.id !== 'string' || data.id.length > 64 || typeof data.text !== 'string') return
  relay.request({ id: data.id, text: data.text })
})

window.addEventListener('pagehide', relay.leave)

chrome.runtime.onMessage.addListener((message: PageEvent | { ping: true }) => {
  // A ping asks whether the page is still there.
  if ('event' in message) post(message)
})
